"""Which movement card to play, which fortune card, and which to give up."""

from collections.abc import Iterable, Sequence

from engines.black_fleet.catalog.cards import MovementCard
from engines.black_fleet.catalog.kinds import ROWS, Crew, EffectKind, ShipKind, Symbol, Window
from engines.black_fleet.moves import Attack, Move, PlayFortune, PlayMovement, Sail, Sell, UseDevelopment
from engines.black_fleet.policy.table import Table, kind_of
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
FULL = 3


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
    total = 0.0
    for ship in (*table.own, navy):
        space = table.space(ship)
        if space is not None:
            total += table.worth(space, values[kind_of(ship)], table.earnings(ship))
    return total


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
            promised = sum(gain(table, legal, move, benefit, card.when) for benefit in card.benefits)
            if promised > most:
                best, most = move, promised
    return best


def gain(table: Table, legal: Sequence[Move], move: Play, benefit: Benefit, when: Window | None) -> float:
    """What one of the things that the card does is worth now; 0 is not worth playing it."""
    match benefit.effect:
        case EffectKind.TAKE_DOUBLOONS:
            return float(sum(other.doubloons > 0 for other in table.view.players if other.seat != table.seat))
        case EffectKind.GAIN_DOUBLOONS:
            return float(benefit.amount)
        case EffectKind.SELL_UNLISTED | EffectKind.SALE_BONUS:
            return benefit.amount * table.ships[table.merchant].cubes - ENOUGH
        case EffectKind.ATTACK_NOW:
            return 0.0 if any(isinstance(other, Sell) for other in legal) else float(benefit.amount)
        case EffectKind.ATTACK_BONUS:
            at_once = [other for other in legal if isinstance(other, Attack) and other.ship is move.ship]
            return float(benefit.amount) if when is not Window.ATTACK or at_once else 0.0
        case EffectKind.ATTACK_RANGE:
            return 0.0 if any(isinstance(other, Attack) and other.ship is move.ship for other in legal) else 2.0
        case EffectKind.EXTRA_ACTION:
            return extra_action(table, move, benefit)
        case EffectKind.MOVE_BONUS:
            return more_steps(table, move, benefit)
        case EffectKind.CROSS_ISLANDS:
            return crossing(table, move)
        case EffectKind.PASS_ENEMIES:
            return passing(table, legal, move)
        case EffectKind.CONTROL_SECOND_NAVY:
            return second_navy(table)
        case EffectKind.SWAP_VALUES | EffectKind.SHIFT_VALUE:
            return other_values(table, move, shift=benefit.effect is EffectKind.SHIFT_VALUE)
        case _:
            return 0.0


def affected(table: Table, move: Play, benefit: Benefit) -> Iterable[Ship]:
    """The ships under command that it is for."""
    if move.ship is not None:
        return (move.ship,)
    kinds = {Crew.MERCHANT: (ShipKind.MERCHANT,), Crew.PIRATE: (ShipKind.PIRATE,), Crew.NAVY: (ShipKind.NAVY,)}
    wanted = kinds.get(benefit.ships or Crew.FLEET, ROWS)
    return [ship for ship in table.commands if kind_of(ship) in wanted]


def more_steps(table: Table, move: Play, benefit: Benefit) -> float:
    """What the steps add to the hopes of ships that have not acted."""
    added = 0.0
    for ship in affected(table, move, benefit):
        command, space = table.commands[ship], table.space(ship)
        if command.over or space is None or command.spent:
            continue
        earnings = table.earnings(ship)
        now = table.worth(space, command.steps, earnings)
        added += table.worth(space, command.steps + benefit.amount, earnings) - now
    return added if added > ENOUGH else 0.0


def extra_action(table: Table, move: Play, benefit: Benefit) -> float:
    """For a ship that has acted and could act again at once or after its steps."""
    (ship, *_) = affected(table, move, benefit)
    command, space = table.commands[ship], table.space(ship)
    if not command.spent or space is None:
        return 0.0
    worth = table.worth(space, command.steps, {
        end: earned for end, earned in table.earnings(ship).items() if table.sea.steps(space, [end]) <= command.steps
    })  # fmt: skip
    return worth if worth > ENOUGH else 0.0


def crossing(table: Table, move: Play) -> float:
    ship = move.ship
    if ship is None or table.commands[ship].spent:
        return 0.0
    space, steps = table.space(ship), table.commands[ship].steps
    assert space is not None
    earnings = table.earnings(ship)
    added = table.worth(space, steps, earnings, crossing=True) - table.worth(space, steps, earnings)
    return added if added > ENOUGH else 0.0


def passing(table: Table, legal: Sequence[Move], move: Play) -> float:
    """Where the ship would earn within its steps, and can't get there for ships in the way."""
    ship = move.ship
    if ship is None or table.commands[ship].spent:
        return 0.0
    space, steps = table.space(ship), table.commands[ship].steps
    assert space is not None
    far = table.sea.steps_from(space)
    near = {end for end in table.earnings(ship) if far.get(end, steps + 1) <= steps and end not in table.taken}
    open_ = {other.path[-1] for other in legal if isinstance(other, Sail) and other.ship is ship} | {space}
    return 2.0 if near and not near & open_ else 0.0


def second_navy(table: Table) -> float:
    other = next((ship for ship in NAVY_SHIPS if ship not in table.commands), None)
    space = None if other is None else table.space(other)
    if other is None or space is None:
        return 0.0
    worth = table.worth(space, table.view.navy_value, table.earnings(other))
    return worth if worth > ENOUGH else 0.0


def other_values(table: Table, move: Play, *, shift: bool) -> float:
    """What the ships can hope for more with the values exchanged, or shifted."""
    view = table.view
    values = dict(zip(ROWS, (view.navy_value, view.pirate_value, view.merchant_value), strict=True))
    (navy,) = [ship for ship in table.commands if ship in NAVY_SHIPS][:1]
    changed, (one, other) = dict(values), move.rows
    if shift:
        changed[one] -= 1
        changed[other] += 1
    else:
        changed[one], changed[other] = values[other], values[one]
    added = hopes(table, changed, navy) - hopes(table, values, navy)
    return added if added > ENOUGH else 0.0
