"""Cards in play: how a card can be played or used now, what stands against a play, and what comes of it at once."""

from collections.abc import Sequence
from functools import lru_cache

from engines.black_fleet.catalog import Catalog
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
from engines.black_fleet.effects.instant import INSTANT, Play, Table
from engines.black_fleet.effects.powers import Licence, powers_of, powers_with, roles_of
from engines.black_fleet.effects.ships import Turn, can_act, kind_of, sale_objection, targets
from engines.black_fleet.events import DevelopmentUsed, FortunePlayed, MoveEnded
from engines.black_fleet.moves import PlayFortune, UseDevelopment
from engines.black_fleet.state import (
    ATTACK,
    EMPTY,
    FLEETS,
    MERCHANT,
    NUMBER,
    PIRATE,
    PURPLE,
    SHIPS,
    YELLOW,
    State,
    role_of,
)
from engines.core.errors import IllegalMove

ROLES_CHOSEN: dict[Crew | None, tuple[int, ...]] = {
    Crew.ONE_OWN: (MERCHANT, PIRATE),
    Crew.ONE_NAVY: (YELLOW, PURPLE),
}
"""Among which roles a ship is chosen, where not among all."""

FIRST = Window.FIRST
CHOICES = ("ship", "target", "rows", "port", "path")

Card = FortuneRow | DevelopmentRow


def plays(turn: Turn, number: int) -> Sequence[Play]:
    """All ways to play the fortune card now, in a fixed order; paths and pairs are said in one way of several."""
    state = turn.state
    card = state.catalog.fortune[number]
    if card.when is FIRST and state.stirred:
        return ()
    catalog = state.catalog
    if catalog.steady[number]:
        lasting = (0, b"") if catalog.sure[number] else (state.standing[state.seat], bytes(state.in_force))
        return steady_plays(catalog, number, state.seat, turn.roles, state.over, *lasting)
    return offers(turn, card, PlayFortune(card.id))


def uses(turn: Turn, number: int) -> Sequence[Play]:
    """All ways to use the development now."""
    card = turn.state.catalog.developments[number]
    return offers(turn, card, UseDevelopment(card.id))


def offers(turn: Turn, card: Card, play: Play) -> Sequence[Play]:
    if not thinkable(turn, card):
        return ()
    first = card.effects[0]
    if len(card.effects) == 1 and isinstance(first, Instant) and card.when in AT_ONCE and not asks_ship(first):
        return list(INSTANT[type(first)].offers(turn, first, play))
    if card.when is Window.ATTACK and isinstance(card, FortuneRow):
        return attack_plays(turn, card)
    asking = next((effect for effect in card.effects if arguments(effect)), None)
    plays: Sequence[Play] = [play]
    if isinstance(asking, Instant):
        plays = list(INSTANT[type(asking)].offers(turn, asking, play))
    elif asking is not None:
        plays = [type(play)(play.card, ship=SHIPS[turn.fleet[role]]) for role in turn.roles]
    return [one for one in plays if objection(turn, card, one) is None]


def attack_plays(turn: Turn, card: FortuneRow) -> list[Play]:
    """For each ship that can attack with the card, and gains by it."""
    return [
        PlayFortune(card.id, ship=SHIPS[turn.fleet[role]])
        for role in in_sight(turn)
        if may_be_chosen(card, role) and attacks_with(turn, card, role) and lasts(turn, card, role)
    ]


AT_ONCE = (Window.FIRST, Window.BETWEEN, Window.ANY)
"""The windows that ask nothing of the ships, once it is known whether one has sailed or acted."""


def thinkable(turn: Turn, card: Card) -> bool:
    """A first look that most cards do not pass most of the time."""
    state = turn.state
    match card.when:
        case Window.FIRST:
            return not state.stirred
        case Window.SALE:
            return bool(turn.board.ports_at[state.place_of(MERCHANT)])
        case _:
            first = card.effects[0]
            return state.pirate_robbed or not isinstance(first, ExtraAction) or first.slot is not Slot.BURY


def in_sight(turn: Turn) -> list[int]:
    """The roles of ships that can act, and so near to others that the longest range could reach them."""
    near, ships, hostile = turn.board.near[-1], turn.state.ships, turn.hostile
    return [role for role in turn.roles if near[ships[turn.fleet[role]]] & hostile and can_act(turn, role, ATTACK)]


@lru_cache(maxsize=1 << 13)
def steady_plays(  # noqa: PLR0913, PLR0917 - all that the answer depends on
    catalog: Catalog, number: int, seat: int, roles: tuple[int, ...], over: int, standing: int, in_force: bytes
) -> Sequence[Play]:
    """Of a card whose effects last and that asks for no more than a ship: many positions share these."""
    card, now = catalog.fortune[number], powers_of(catalog, standing, in_force)
    asks = any(map(asks_ship, card.effects))
    found = []
    for role in roles if asks else (EMPTY,):
        if asks and not may_be_chosen(card, role):
            continue
        if card.when is Window.SHIP and not under_way(card, role, roles, over):
            continue
        if powers_of(catalog, standing, bytes((*in_force, number, role))) != now:
            found.append(PlayFortune(card.id, ship=SHIPS[FLEETS[seat][role]] if asks else None))
    return tuple(found)


def objection(turn: Turn, card: Card, play: Play) -> IllegalMove | None:
    """Why the card can't be played or used now in this way."""
    asked = {name for effect in card.effects for name in arguments(effect)}
    for name in CHOICES:
        if bool(getattr(play, name)) != (name in asked):
            wanted = "asks for" if name in asked else "does not ask for"
            return IllegalMove("BF-29", f"the card {wanted} `{name}`")
    role = EMPTY
    if play.ship is not None and any(map(asks_ship, card.effects)):
        role = role_of(turn.state.seat, NUMBER[play.ship])
        if role not in turn.roles or not may_be_chosen(card, role):
            return IllegalMove("BF-29", "the card is not for this ship")
    return window_objection(turn, card, role) or effect_objection(turn, card, play, role)


def may_be_chosen(card: Card, role: int) -> bool:
    return all(role in ROLES_CHOSEN.get(crew_of(effect), (role,)) for effect in card.effects)


def under_way(card: Card, role: int, roles: tuple[int, ...], over: int) -> bool:
    """Whether the move of a ship that the card is for is not over; a card that names none is for all."""
    named = {one for effect in card.effects for one in roles_of(effect, role)}
    return any(not over >> one & 1 for one in roles if not named or one in named)


def window_objection(turn: Turn, card: Card, role: int) -> IllegalMove | None:
    """BF-29a."""
    match card.when:
        case Window.FIRST if turn.state.stirred:
            return IllegalMove("BF-29a", "the card is played before any ship sails or acts")
        case Window.SHIP if not under_way(card, role, turn.roles, turn.state.over):
            return IllegalMove("BF-29a", "the move of the ship is over")
        case Window.ATTACK if not attacks_with(turn, card, role):
            return IllegalMove("BF-29a", "the card is played before an attack, and the ship can make none with it")
        case Window.SALE if not sells_with(turn, card):
            return IllegalMove("BF-29a", "the card is played before a sale, and the merchant can make none")
        case _:
            return None


def attacks_with(turn: Turn, card: Card, role: int) -> bool:
    """Whether the role could attack with the card in force, at once or by another card of the hand."""
    state = turn.state
    number = state.catalog.fortune_numbers[card.id]
    armed = turn._replace(powers=powers_with(state, number, role))
    wanted = {effect.target for effect in card.effects if isinstance(effect, AttackBonus)}
    found = targets(armed, role)
    if found and not wanted:
        return True
    for other in rest_of_hand(state, number):
        for effect in other.effects:
            if isinstance(effect, AttackNow) and role in roles_of(effect, role):
                at_once = targets(armed, role, Licence(effect.doubloons, effect.loot))
                found = found + [target for target in at_once if kind_of(target) is effect.target]
    return any(not wanted or kind_of(target) in wanted for target in found)


def sells_with(turn: Turn, card: Card) -> bool:
    """Whether a sale is legal, at once or by another card of the hand; a card of a kind counts once a sale."""
    state = turn.state
    number = state.catalog.fortune_numbers[card.id]
    ports = [turn.board.port_ids[port] for port in turn.board.ports_at[state.place_of(MERCHANT)]]
    if not ports or number in state.in_force[::2]:
        return False
    others = rest_of_hand(state, number)
    unlisted = any(isinstance(effect, SellUnlisted) for other in others for effect in other.effects)
    ways = (True, False) if unlisted else (True,)
    return any(sale_objection(turn, port, listed=listed) is None for port in ports for listed in ways)


def rest_of_hand(state: State, number: int) -> list[FortuneRow]:
    """The other fortune cards of the active player that could be played next."""
    hand = list(state.fortune_hands[state.seat])
    hand.remove(number)
    cards = [state.catalog.fortune[other] for other in hand]
    return [card for card in cards if card.when is Window.ANY or card.when is Window.BETWEEN]


def effect_objection(turn: Turn, card: Card, play: Play, role: int) -> IllegalMove | None:
    """An effect that asks for a choice has to come true; of the others one, or the card would change nothing."""
    changes = False
    nothing = IllegalMove("BF-29", "the card would change nothing")
    for effect in card.effects:
        if isinstance(effect, Instant):
            found = INSTANT[type(effect)].objection(turn, effect, play)
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


def play_out(draft: Table, turn: Turn, card: Card, play: Play) -> None:
    """A play that nothing stands against."""
    state = draft.state
    if isinstance(card, FortuneRow):
        asks = any(map(asks_ship, card.effects))
        draft.emit(FortunePlayed(state.seat, card.id, play.ship if asks else None))
    else:
        draft.emit(DevelopmentUsed(state.seat, card.id))
    if card.when is Window.BETWEEN and state.moving != EMPTY:
        draft.emit(MoveEnded(state.seat, SHIPS[turn.fleet[state.moving]]))
    for effect in card.effects:
        if isinstance(effect, Instant) and INSTANT[type(effect)].objection(turn, effect, play) is None:
            INSTANT[type(effect)].apply(draft, turn, effect, play)
