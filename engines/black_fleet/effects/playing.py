"""Cards in play: whether one can be played or used, with which choices, and what comes of it at once."""

from collections.abc import Iterator

from engines.black_fleet.catalog.cards import DevelopmentRow, FortuneRow
from engines.black_fleet.catalog.kinds import (
    AttackBonus,
    AttackNow,
    Crew,
    Effect,
    ExtraAction,
    Instant,
    SellUnlisted,
    Slot,
    Window,
    arguments,
    asks_ship,
    crew_of,
)
from engines.black_fleet.effects.instant import INSTANT, NO_CHOICE, Choice
from engines.black_fleet.effects.powers import Licence, powers_with, roles_of
from engines.black_fleet.effects.ships import (
    Turn,
    commanded,
    kind_of,
    sale_objection,
    targets,
)
from engines.black_fleet.events import DevelopmentUsed, Event, FortunePlayed, MoveEnded
from engines.black_fleet.state import EMPTY, MERCHANT, NUMBER, PIRATE, SHIPS, YELLOW, State, role_of, ship_of
from engines.core.draft import Draft
from engines.core.errors import IllegalMove

ROLES_CHOSEN: dict[Crew | None, tuple[int, ...]] = {
    Crew.ONE_OWN: (MERCHANT, PIRATE),
    Crew.ONE_NAVY: (YELLOW, YELLOW + 1),
}
"""Among which roles a ship is chosen, where not among all."""

Card = FortuneRow | DevelopmentRow


def choices(turn: Turn, card: Card) -> list[Choice]:
    """The choices with which the card can be played or used now, in a fixed order; none where it can't."""
    asking = next((effect for effect in card.effects if arguments(effect)), None)
    if card.when is Window.FIRST and turn.state.stirred:
        return []
    if asking is None:
        offers = [NO_CHOICE]
    elif isinstance(asking, Instant):
        offers = list(INSTANT[type(asking)].offers(turn, asking))
    else:
        offers = [Choice(ship=SHIPS[ship_of(turn.state.seat, role)]) for role in commanded(turn)]
    return [choice for choice in offers if objection(turn, card, choice) is None]


def objection(turn: Turn, card: Card, choice: Choice) -> IllegalMove | None:
    """Why the card can't be played or used now with this choice."""
    asked = {name for effect in card.effects for name in arguments(effect)}
    for name, value in zip(choice._fields, choice, strict=True):
        if bool(value) != (name in asked):
            wanted = "asks for" if name in asked else "does not ask for"
            return IllegalMove("BF-29", f"the card {wanted} `{name}`")
    role = EMPTY
    for effect in card.effects:
        if asks_ship(effect) and choice.ship is not None:
            role = role_of(turn.state.seat, NUMBER[choice.ship])
            if role not in commanded(turn) or role not in ROLES_CHOSEN.get(crew_of(effect), (role,)):
                return IllegalMove("BF-29", "the card is not for this ship")
    return window_objection(turn, card, role) or effect_objection(turn, card, choice, role)


def window_objection(turn: Turn, card: Card, role: int) -> IllegalMove | None:
    """BF-29a."""
    state = turn.state
    match card.when:
        case Window.FIRST if state.stirred:
            return IllegalMove("BF-29a", "the card is played before any ship sails or acts")
        case Window.SHIP if not any(not state.over >> one & 1 for one in roles_for(turn, card, role)):
            return IllegalMove("BF-29a", "the move of the ship is over")
        case Window.ATTACK if not any(attacks_with(turn, card, role)):
            return IllegalMove("BF-29a", "the card is played before an attack, and the ship can make none with it")
        case Window.SALE if not sells_with(turn, card):
            return IllegalMove("BF-29a", "the card is played before a sale, and the merchant can make none")
        case _:
            return None


def roles_for(turn: Turn, card: Card, role: int) -> set[int]:
    """The roles under command that the card is for: those of its effects, the chosen one, or all."""
    named = {one for effect in card.effects for one in roles_of(effect, role)}
    under = set(commanded(turn))
    return named & under if named else under


def attacks_with(turn: Turn, card: Card, role: int) -> Iterator[int]:
    """The ships that the role could attack with the card in force, at once or by another card of the hand."""
    state = turn.state
    number = state.catalog.fortune_numbers[card.id]
    armed = turn._replace(powers=powers_with(state, number, role))
    wanted = {effect.target for effect in card.effects if isinstance(effect, AttackBonus)}
    found = list(targets(armed, role))
    for other in rest_of_hand(state, number):
        for effect in other.effects:
            if isinstance(effect, AttackNow) and window_objection(turn, other, role) is None:
                at_once = targets(armed, role, Licence(effect.doubloons, effect.loot))
                found += [
                    target for target in at_once if kind_of(target) is effect.target and role in roles_of(effect, role)
                ]
    return (target for target in found if not wanted or kind_of(target) in wanted)


def sells_with(turn: Turn, card: Card) -> bool:
    """Whether a sale is legal, at once or by another card of the hand; a card of a kind counts once a sale."""
    state = turn.state
    number = state.catalog.fortune_numbers[card.id]
    if number in state.in_force[::2]:
        return False
    ports = [turn.board.port_ids[port] for port in turn.board.ports_at[state.place_of(MERCHANT)]]
    if any(sale_objection(turn, port) is None for port in ports):
        return True
    unlisted = any(
        isinstance(effect, SellUnlisted) and window_objection(turn, other, EMPTY) is None
        for other in rest_of_hand(state, number)
        for effect in other.effects
    )
    return unlisted and any(sale_objection(turn, port, listed=False) is None for port in ports)


def rest_of_hand(state: State, number: int) -> list[FortuneRow]:
    """The fortune cards of the active player but this one and those that wait for an attack or a sale themselves."""
    hand = list(state.fortune_hands[state.seat])
    hand.remove(number)
    cards = [state.catalog.fortune[other] for other in hand]
    return [card for card in cards if card.when not in (Window.ATTACK, Window.SALE)]


def effect_objection(turn: Turn, card: Card, choice: Choice, role: int) -> IllegalMove | None:
    """An effect that asks for a choice has to come true; of the others one, or the card would change nothing."""
    changes = False
    nothing = IllegalMove("BF-29", "the card would change nothing")
    for effect in card.effects:
        if isinstance(effect, Instant):
            found = INSTANT[type(effect)].objection(turn, effect, choice)
            if found is not None and arguments(effect):
                return found
            nothing = found or nothing
            changes |= found is None
        elif isinstance(card, FortuneRow) and (found := burial_objection(turn, effect)):
            return found
    if changes or (isinstance(card, FortuneRow) and lasts(turn, card, role)):
        return None
    return nothing


def burial_objection(turn: Turn, effect: Effect) -> IllegalMove | None:
    """A slot for burying alone is for a pirate that has robbed a merchant this turn and still sails."""
    state = turn.state
    if not isinstance(effect, ExtraAction) or effect.slot is not Slot.BURY:
        return None
    if not state.pirate_robbed or state.treasures[state.seat] == EMPTY:
        return IllegalMove("BF-29", "the pirate has robbed no merchant this turn, or carries no treasure")
    if state.over >> PIRATE & 1:
        return IllegalMove("BF-29a", "the move of the pirate is over")
    return None


def lasts(turn: Turn, card: FortuneRow, role: int) -> bool:
    """Whether the ships could do anything more with the card in force."""
    number = turn.state.catalog.fortune_numbers[card.id]
    return turn.state.catalog.lasting[number] and powers_with(turn.state, number, role) != turn.powers


def play(draft: Draft[State, Event], turn: Turn, card: FortuneRow, choice: Choice) -> None:
    """The card was found playable with this choice."""
    state = draft.state
    asked = any(map(asks_ship, card.effects))
    draft.emit(FortunePlayed(state.seat, card.id, choice.ship if asked else None))
    carry_out(draft, turn, card, choice)


def use(draft: Draft[State, Event], turn: Turn, card: DevelopmentRow, choice: Choice) -> None:
    """The development was found usable with this choice."""
    draft.emit(DevelopmentUsed(draft.state.seat, card.id))
    carry_out(draft, turn, card, choice)


def carry_out(draft: Draft[State, Event], turn: Turn, card: Card, choice: Choice) -> None:
    """What comes of the card at once; `turn` is as it was before."""
    state = draft.state
    if card.when is Window.BETWEEN and state.moving != EMPTY:
        draft.emit(MoveEnded(state.seat, SHIPS[ship_of(state.seat, state.moving)]))
    for effect in card.effects:
        if isinstance(effect, Instant) and INSTANT[type(effect)].objection(turn, effect, choice) is None:
            INSTANT[type(effect)].apply(draft, turn, effect, choice)
