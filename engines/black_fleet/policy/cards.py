"""Which movement card to play, which fortune card, and which to give up."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from engines.black_fleet.catalog.cards import MovementCard
from engines.black_fleet.catalog.kinds import ROWS, Crew, EffectKind, ShipKind, Symbol, Window
from engines.black_fleet.moves import Attack, Move, PlayFortune, PlayMovement, Sail, Sell, UseDevelopment
from engines.black_fleet.policy.sea import FAR
from engines.black_fleet.policy.table import PRIZE, Table, kind_of
from engines.black_fleet.state import Ship
from engines.black_fleet.view import Benefit, FortuneCard

SYMBOLS = {Symbol.NONE: 0.0, Symbol.DISCARD: -0.4, Symbol.DRAW_1: 0.6, Symbol.DRAW_2: 1.2}
KEPT = {
    EffectKind.MOVE_BONUS: 3, EffectKind.EXTRA_ACTION: 4, EffectKind.SALE_BONUS: 5, EffectKind.SELL_UNLISTED: 4,
    EffectKind.ATTACK_NOW: 4, EffectKind.GAIN_DOUBLOONS: 3, EffectKind.TAKE_DOUBLOONS: 5, EffectKind.ATTACK_RANGE: 3,
    EffectKind.CONTROL_SECOND_NAVY: 3, EffectKind.SWAP_VALUES: 2,
}  # fmt: skip
"""How dearly a card is kept, by what it does; the others the least."""

Play = PlayFortune | UseDevelopment
NAVY_SHIPS = (Ship.NAVY_YELLOW, Ship.NAVY_PURPLE)
ENOUGH = 0.8
"""What a card that is not sure to earn has to promise."""


def movement(table: Table, legal: Sequence[Move]) -> Move:
    """The card with which the ships can hope for most."""
    own = table.player.own
    assert own is not None
    hand = {card.id: card for card in own.movement}
    found = [move for move in legal if isinstance(move, PlayMovement)]
    return max(found, key=lambda move: promise(table, hand[move.card]))


def promise(table: Table, card: MovementCard) -> float:
    values = {
        ShipKind.NAVY: card.navy_value,
        ShipKind.PIRATE: card.pirate_value,
        ShipKind.MERCHANT: card.merchant_value,
    }
    symbol = 0.0 if card.symbol is Symbol.DISCARD and not table.player.fortune_cards else SYMBOLS[card.symbol]
    return symbol + hopes(table, values, Ship(f"navy_{card.navy}"))


def hopes(table: Table, values: dict[ShipKind, int], navy: Ship) -> float:
    """What the three ships can hope for with these values."""
    ships = (*table.own, navy)
    return sum(table.worth(table.space(ship), values[kind_of(ship)], table.earnings(ship)) for ship in ships)


def discard(table: Table, legal: Sequence[Move]) -> Move:
    """The card that is kept least dearly; of like ones the oldest."""
    own = table.player.own
    assert own is not None
    hand = {card.id: card for card in own.fortune}
    return min(legal, key=lambda move: value(hand[move.card]) if hasattr(move, "card") else 0)


def value(card: FortuneCard) -> int:
    return sum(KEPT.get(benefit.effect, 1) for benefit in card.benefits)


def play(table: Table, legal: Sequence[Move]) -> Play | None:
    """A card that earns, or lets a ship earn; None where none does."""
    own = table.player.own
    assert own is not None
    benefits = {card.id: card for card in own.fortune} | {card.id: card for card in table.player.developments}
    best, most = None, 0.0
    for move in legal:
        if isinstance(move, PlayFortune | UseDevelopment):
            card = benefits[move.card]
            promised = sum(gain(Offer(table, legal, move, benefit, card.when)) for benefit in card.benefits)
            if promised > most:
                best, most = move, promised
    return best


class Offer(NamedTuple):
    """One of the things that a card does, played so."""

    table: Table
    legal: Sequence[Move]
    move: Play
    benefit: Benefit
    when: Window | None


def gain(offer: Offer) -> float:
    """What it is worth now; 0 is not worth playing it."""
    reckon = GAINS.get(offer.benefit.effect)
    return reckon(offer) if reckon else 0.0


def taken(offer: Offer) -> float:
    players = offer.table.view.players
    return float(sum(other.doubloons > 0 for other in players if other.seat != offer.table.seat))


def certain(offer: Offer) -> float:
    return float(offer.benefit.amount)


def sold(offer: Offer) -> float:
    return offer.benefit.amount * offer.table.ships[offer.table.merchant].cubes - ENOUGH


def attacked(offer: Offer) -> float:
    return 0.0 if any(isinstance(other, Sell) for other in offer.legal) else float(offer.benefit.amount)


def attacks_already(offer: Offer) -> bool:
    return any(isinstance(other, Attack) and other.ship is offer.move.ship for other in offer.legal)


def rewarded(offer: Offer) -> float:
    return float(offer.benefit.amount) if offer.when is not Window.ATTACK or attacks_already(offer) else 0.0


def far_attack(offer: Offer) -> float:
    return 0.0 if attacks_already(offer) else 2.0


def affected(offer: Offer) -> Iterable[Ship]:
    """The ships under command that it is for."""
    if offer.move.ship is not None:
        return (offer.move.ship,)
    kinds = {Crew.MERCHANT: (ShipKind.MERCHANT,), Crew.PIRATE: (ShipKind.PIRATE,), Crew.NAVY: (ShipKind.NAVY,)}
    wanted = kinds.get(offer.benefit.ships or Crew.FLEET, ROWS)
    return [ship for ship in offer.table.commands if kind_of(ship) in wanted]


def more_steps(offer: Offer) -> float:
    """What the steps add to the hopes of ships that have not acted."""
    table, benefit, added = offer.table, offer.benefit, 0.0
    for ship in affected(offer):
        command, space = table.commands[ship], table.space(ship)
        if command.over or command.spent:
            continue
        earnings = table.earnings(ship)
        now = table.worth(space, command.steps, earnings)
        added += table.worth(space, command.steps + benefit.amount, earnings) - now
    return added if added > ENOUGH else 0.0


def extra_action(offer: Offer) -> float:
    """For a ship that has acted and could act again at once or after its steps."""
    table = offer.table
    (ship, *_) = affected(offer)
    command, space = table.commands[ship], table.space(ship)
    if not command.spent:
        return 0.0
    worth = table.worth(space, command.steps, {
        end: earned for end, earned in table.earnings(ship).items() if table.sea.steps(space, [end]) <= command.steps
    })  # fmt: skip
    return worth if worth > ENOUGH else 0.0


def crossing(offer: Offer) -> float:
    table, ship = offer.table, offer.move.ship
    if ship is None or table.commands[ship].spent:
        return 0.0
    space, steps = table.space(ship), table.commands[ship].steps
    earnings = table.earnings(ship)
    added = table.worth(space, steps, earnings, crossing=True) - table.worth(space, steps, earnings)
    return added if added > ENOUGH else 0.0


def passing(offer: Offer) -> float:
    """Where the ship would earn within its steps, and can't get there for ships in the way."""
    table, ship = offer.table, offer.move.ship
    if ship is None or table.commands[ship].spent:
        return 0.0
    space, steps = table.space(ship), table.commands[ship].steps
    far = table.sea.steps_from(space)
    near = {end for end in table.earnings(ship) if far.get(end, steps + 1) <= steps and end not in table.taken}
    open_ = {other.path[-1] for other in offer.legal if isinstance(other, Sail) and other.ship is ship} | {space}
    return 2.0 if near and not near & open_ else 0.0


def second_navy(offer: Offer) -> float:
    table = offer.table
    other = next(ship for ship in NAVY_SHIPS if ship not in table.commands)
    worth = table.worth(table.space(other), table.view.navy_value, table.earnings(other))
    return worth if worth > ENOUGH else 0.0


def other_values(offer: Offer) -> float:
    """What the ships can hope for more with the values exchanged, or shifted."""
    table, view = offer.table, offer.table.view
    values = dict(zip(ROWS, (view.navy_value, view.pirate_value, view.merchant_value), strict=True))
    (navy,) = [ship for ship in table.commands if ship in NAVY_SHIPS][:1]
    changed, (one, other) = dict(values), offer.move.rows
    if offer.benefit.effect is EffectKind.SHIFT_VALUE:
        changed[one] -= 1
        changed[other] += 1
    else:
        changed[one], changed[other] = values[other], values[one]
    added = hopes(table, changed, navy) - hopes(table, values, navy)
    return added if added > ENOUGH else 0.0


def displaced(offer: Offer) -> float:
    """An opponent's ship brought within the reach of one that could not attack it."""
    table, ship = offer.table, offer.move.ship
    if ship is None or (kind_of(ship) is ShipKind.MERCHANT and not table.ships[ship].cubes):
        return 0.0
    best = 0.0
    for own, command in table.commands.items():
        if command.spent or not hunts(table, own, ship):
            continue
        far = table.sea.steps_from(table.space(own))
        before, after = (
            min((far.get(space, FAR) for space in table.sea.beside(at)), default=FAR)
            for at in (table.space(ship), offer.move.path[-1])
        )
        if after <= command.steps < before:
            best = max(best, PRIZE)
    return best


def hunts(table: Table, own: Ship, ship: Ship) -> bool:
    """Whether the printed rules let the one attack the other."""
    if kind_of(ship) is ShipKind.PIRATE:
        return kind_of(own) is ShipKind.NAVY
    return own is table.pirate and not table.ships[own].cubes


def exchanged(offer: Offer) -> float:
    """What own ships can hope for more where the other one is."""
    table, added = offer.table, 0.0
    one, other = offer.move.ship or table.merchant, offer.move.target or table.pirate
    for ship, instead in ((one, other), (other, one)):
        command = table.commands.get(ship)
        if command is not None and not command.spent:
            earnings = table.earnings(ship)
            here, there = table.space(ship), table.space(instead)
            hoped = table.worth(there, command.steps, earnings, free=here)
            added += hoped - table.worth(here, command.steps, earnings)
    return added if added > ENOUGH else 0.0


GAINS: dict[EffectKind, Callable[[Offer], float]] = {
    EffectKind.TAKE_DOUBLOONS: taken,
    EffectKind.GAIN_DOUBLOONS: certain,
    EffectKind.SELL_UNLISTED: sold,
    EffectKind.SALE_BONUS: sold,
    EffectKind.ATTACK_NOW: attacked,
    EffectKind.ATTACK_BONUS: rewarded,
    EffectKind.ATTACK_RANGE: far_attack,
    EffectKind.EXTRA_ACTION: extra_action,
    EffectKind.MOVE_BONUS: more_steps,
    EffectKind.CROSS_ISLANDS: crossing,
    EffectKind.PASS_ENEMIES: passing,
    EffectKind.CONTROL_SECOND_NAVY: second_navy,
    EffectKind.SWAP_VALUES: other_values,
    EffectKind.SHIFT_VALUE: other_values,
    EffectKind.MOVE_ENEMY: displaced,
    EffectKind.SWAP_ADJACENT_SHIPS: exchanged,
    EffectKind.SWAP_OWN_SHIPS: exchanged,
}
"""The others work by themselves, or are worth nothing more than a look."""
