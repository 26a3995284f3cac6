"""Effects that happen at once: for each kind how it can be played, what stands against that, and what comes of it."""

from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import combinations, permutations
from typing import Any, NamedTuple

from engines.black_fleet.board import PLAIN, Board, reached, way
from engines.black_fleet.catalog.kinds import (
    ROWS,
    AttackNow,
    Deed,
    Effect,
    GainDoubloons,
    MoveEnemy,
    SellUnlisted,
    ShiftValue,
    SwapAdjacentShips,
    SwapOwnShips,
    SwapValues,
    TakeDoubloons,
)
from engines.black_fleet.effects.powers import CREWS, Licence
from engines.black_fleet.effects.ships import Turn, attack, attack_objection, kind_of, sale, sale_objection, targets
from engines.black_fleet.events import (
    DoubloonsGained,
    DoubloonsTaken,
    Event,
    MoveEnded,
    ShipDisplaced,
    ShipsSwapped,
    Taking,
    ValueShifted,
    ValuesSwapped,
)
from engines.black_fleet.moves import PlayFortune, UseDevelopment
from engines.black_fleet.state import (
    EMPTY,
    FIRST_NAVY,
    FIRST_PIRATE,
    MERCHANT,
    NUMBER,
    PIRATE,
    SHIPS,
    Ship,
    State,
    role_of,
    shifted,
)
from engines.core.draft import Draft
from engines.core.errors import IllegalMove

Play = PlayFortune | UseDevelopment
"""A card played or used, with the choices that it asks for."""

Table = Draft[State, Event]


class Reading(NamedTuple):
    """How a kind of effect is read. `offers` are all plays that nothing stands against, given one without choices.

    `objection` gets any play with the choices asked for; `apply` a sound one.
    """

    offers: Callable[[Turn, Any, Play], Iterable[Play]]
    objection: Callable[[Turn, Any, Play], IllegalMove | None]
    apply: Callable[[Table, Turn, Any, Play], None]


def swap_values_offers(turn: Turn, effect: SwapValues, play: Play) -> list[Play]:
    plays: list[Play] = [type(play)(play.card, rows=pair) for pair in combinations(ROWS, 2)]
    return [one for one in plays if swap_values_objection(turn, effect, one) is None]


def swap_values_objection(turn: Turn, effect: SwapValues, play: Play) -> IllegalMove | None:  # noqa: ARG001
    """BF-48: once for each movement card."""
    state = turn.state
    if not are_two(play):
        return IllegalMove("BF-48", "two rows of the movement card change places")
    if state.swaps:
        return IllegalMove("BF-48", "two values of this movement card have changed places already")
    pair = bytearray(map(ROWS.index, play.rows))
    printed = state.catalog.values[state.order]
    if printed[pair[0]] == printed[pair[1]]:
        return IllegalMove("BF-48", "the two values are equal")
    if min(shifted(printed, pair, state.shifts)) < 0:
        return IllegalMove("BF-48", "a value would be shifted that is not there any more")
    return None


def are_two(play: Play) -> bool:
    """Whether it names two rows."""
    return len(play.rows) == 2 and play.rows[0] is not play.rows[1]


def swap_values(draft: Table, turn: Turn, effect: SwapValues, play: Play) -> None:  # noqa: ARG001
    draft.emit(ValuesSwapped(turn.state.seat, *play.rows))


def shift_value_offers(turn: Turn, effect: ShiftValue, play: Play) -> list[Play]:
    plays: list[Play] = [type(play)(play.card, rows=pair) for pair in permutations(ROWS, 2)]
    return [one for one in plays if shift_value_objection(turn, effect, one) is None]


def shift_value_objection(turn: Turn, effect: ShiftValue, play: Play) -> IllegalMove | None:  # noqa: ARG001
    if not are_two(play):
        return IllegalMove("BF-48", "1 is taken from one row of the movement card for another")
    if turn.state.values()[ROWS.index(play.rows[0])] < 1:
        return IllegalMove("BF-48", "1 is taken from a value of at least 1")
    return None


def shift_value(draft: Table, turn: Turn, effect: ShiftValue, play: Play) -> None:  # noqa: ARG001
    draft.emit(ValueShifted(turn.state.seat, *play.rows))


def swap_ships_offers(turn: Turn, effect: SwapAdjacentShips, play: Play) -> list[Play]:  # noqa: ARG001
    """Pairs in the order of the ships."""
    ships, near, deep = turn.state.ships, turn.board.near[1], turn.board.deep
    at_sea = [(ship, place) for ship, place in enumerate(ships) if place != EMPTY and not deep >> place & 1]
    return [
        type(play)(play.card, ship=SHIPS[one], target=SHIPS[other])
        for (one, here), (other, there) in combinations(at_sea, 2)
        if near[here] >> there & 1
    ]


def swap_ships_objection(turn: Turn, effect: SwapAdjacentShips, play: Play) -> IllegalMove | None:  # noqa: ARG001
    places = [turn.state.ships[number] for number in of_two(play)]
    if EMPTY in places or any(turn.board.deep >> place & 1 for place in places):
        return IllegalMove("BF-29", "two ships change places that are on the board and not in a deep sea")
    if not turn.board.near[1][places[0]] >> places[1] & 1:
        return IllegalMove("BF-29", "two ships change places that are on neighbouring spaces")
    return None


def swap_ships(draft: Table, turn: Turn, effect: SwapAdjacentShips, play: Play) -> None:  # noqa: ARG001
    one, other = of_two(play)
    draft.emit(ShipsSwapped(turn.state.seat, SHIPS[one], SHIPS[other]))


def of_two(play: Play) -> tuple[int, int]:
    """The two ships that it names."""
    return of_ship(play.ship), of_ship(play.target)


def of_ship(ship: Ship | None) -> int:
    assert ship is not None, "a card that asks for a ship is judged with one"
    return NUMBER[ship]


def swap_own_offers(turn: Turn, effect: SwapOwnShips, play: Play) -> list[Play]:
    return [play] if swap_own_objection(turn, effect, play) is None else []


def swap_own_objection(turn: Turn, effect: SwapOwnShips, play: Play) -> IllegalMove | None:  # noqa: ARG001
    if turn.board.deep >> turn.state.place_of(PIRATE) & 1:
        return IllegalMove("BF-46", "no ship is moved into a deep sea")
    return None


def swap_own(draft: Table, turn: Turn, effect: SwapOwnShips, play: Play) -> None:  # noqa: ARG001
    """Ends the move of either, if in progress."""
    state = turn.state
    if state.moving in (MERCHANT, PIRATE):
        draft.emit(MoveEnded(state.seat, SHIPS[turn.fleet[state.moving]]))
    draft.emit(ShipsSwapped(state.seat, SHIPS[state.seat], SHIPS[FIRST_PIRATE + state.seat]))


def move_enemy_offers(turn: Turn, effect: MoveEnemy, play: Play) -> list[Play]:
    """To every end, along a shortest path."""
    state, board = turn.state, turn.board
    plays: list[Play] = []
    for ship, place in enumerate(state.ships[:FIRST_NAVY]):
        if place != EMPTY and ship % FIRST_PIRATE != state.seat and not board.deep >> place & 1:
            spans = board.spans[place]
            taken = state.occupied & spans[min(effect.spaces, len(spans) - 1)]
            plays += displacements(board, play, ship, place, effect.spaces, taken)
    return plays


@lru_cache(maxsize=1 << 13)
def displacements(board: Board, play: Play, ship: int, place: int, spaces: int, taken: int) -> tuple[Play, ...]:
    around = reached(board, place, spaces, taken & ~(1 << place), PLAIN)
    ends = [end for end in around if end != place]
    return tuple(type(play)(play.card, ship=SHIPS[ship], path=way(board, around, end)) for end in ends)


def move_enemy_objection(turn: Turn, effect: MoveEnemy, play: Play) -> IllegalMove | None:
    state = turn.state
    ship = of_ship(play.ship)
    if role_of(state.seat, ship) != EMPTY:
        return IllegalMove("BF-29", "an opponent's merchant or pirate is moved")
    if state.ships[ship] == EMPTY or turn.board.deep >> state.ships[ship] & 1:
        return IllegalMove("BF-29", "a ship is moved that is on the board and not in a deep sea")
    if not displaced_along(turn, effect, play):
        return IllegalMove("BF-29", f"the ship is moved over 1 to {effect.spaces} free spaces to another one")
    return None


def displaced_along(turn: Turn, effect: MoveEnemy, play: Play) -> tuple[str, ...]:
    """The whole path; empty where there is none."""
    state, board = turn.state, turn.board
    start = here = state.ships[of_ship(play.ship)]
    path = [board.numbers.get(name, EMPTY) for name in play.path]
    if len(path) == 1:
        around = reached(board, start, effect.spaces, state.occupied & ~(1 << start), PLAIN)
        return way(board, around, path[0]) if path[0] in around else ()
    for place in path:
        if place not in board.steps[PLAIN][here] or (state.occupied >> place & 1 and place != start):
            return ()
        here = place
    return play.path if len(path) <= effect.spaces and here != start else ()


def move_enemy(draft: Table, turn: Turn, effect: MoveEnemy, play: Play) -> None:
    draft.emit(ShipDisplaced(turn.state.seat, SHIPS[of_ship(play.ship)], displaced_along(turn, effect, play)))


def sell_unlisted_offers(turn: Turn, effect: SellUnlisted, play: Play) -> list[Play]:  # noqa: ARG001
    board = turn.board
    ports = [board.port_ids[port] for port in board.ports_at[turn.state.place_of(MERCHANT)]]
    return [type(play)(play.card, port=port) for port in ports if sale_objection(turn, port, listed=False) is None]


def sell_unlisted_objection(turn: Turn, effect: SellUnlisted, play: Play) -> IllegalMove | None:  # noqa: ARG001
    assert play.port is not None
    return sale_objection(turn, play.port, listed=False)


def sell_unlisted(draft: Table, turn: Turn, effect: SellUnlisted, play: Play) -> None:
    assert play.port is not None
    draft.emit(sale(turn, play.port, effect.price))


def attacker(turn: Turn, effect: AttackNow, play: Play) -> int:
    """The role that attacks."""
    roles = CREWS.get(effect.ships)
    return role_of(turn.state.seat, of_ship(play.ship)) if roles is None else roles[0]


def attack_now_offers(turn: Turn, effect: AttackNow, play: Play) -> list[Play]:
    licence = Licence(effect.doubloons, effect.loot)
    roles = CREWS.get(effect.ships)
    return [
        type(play)(play.card, ship=None if roles else SHIPS[turn.fleet[role]], target=SHIPS[target])
        for role in roles or turn.roles
        for target in targets(turn, role, licence)
        if kind_of(target) is effect.target
    ]


def attack_now_objection(turn: Turn, effect: AttackNow, play: Play) -> IllegalMove | None:
    target = of_ship(play.target)
    if kind_of(target) is not effect.target:
        return IllegalMove("BF-29", f"the card is for an attack on a {effect.target}")
    return attack_objection(turn, attacker(turn, effect, play), target, Licence(effect.doubloons, effect.loot))


def attack_now(draft: Table, turn: Turn, effect: AttackNow, play: Play) -> None:
    licence = Licence(effect.doubloons, effect.loot)
    draft.emit(attack(turn, attacker(turn, effect, play), of_ship(play.target), licence))


def takings(turn: Turn, effect: TakeDoubloons) -> tuple[Taking, ...]:
    state = turn.state
    had = [(seat, min(count, effect.doubloons)) for seat, count in enumerate(state.doubloons) if seat != state.seat]
    return tuple(Taking(seat, count) for seat, count in had if count)


def take_offers(turn: Turn, effect: TakeDoubloons, play: Play) -> list[Play]:
    return [play] if takings(turn, effect) else []


def take_objection(turn: Turn, effect: TakeDoubloons, play: Play) -> IllegalMove | None:  # noqa: ARG001
    return None if takings(turn, effect) else IllegalMove("BF-29", "no opponent has a doubloon")


def take(draft: Table, turn: Turn, effect: TakeDoubloons, play: Play) -> None:  # noqa: ARG001 - it asks nothing
    draft.emit(DoubloonsTaken(turn.state.seat, takings(turn, effect)))


def gain_offers(turn: Turn, effect: GainDoubloons, play: Play) -> list[Play]:
    return [play] if gain_objection(turn, effect, play) is None else []


def gain_objection(turn: Turn, effect: GainDoubloons, play: Play) -> IllegalMove | None:  # noqa: ARG001
    done = {Deed.ROBBED: turn.state.robbed, Deed.SANK: turn.state.sank}
    if all(done[deed] for deed in effect.after):
        return None
    return IllegalMove("BF-29", "the ships have not done this turn what the card is for")


def gain(draft: Table, turn: Turn, effect: GainDoubloons, play: Play) -> None:  # noqa: ARG001 - it asks nothing
    draft.emit(DoubloonsGained(turn.state.seat, effect.doubloons))


INSTANT: dict[type[Effect], Reading] = {
    SwapValues: Reading(swap_values_offers, swap_values_objection, swap_values),
    ShiftValue: Reading(shift_value_offers, shift_value_objection, shift_value),
    SwapAdjacentShips: Reading(swap_ships_offers, swap_ships_objection, swap_ships),
    SwapOwnShips: Reading(swap_own_offers, swap_own_objection, swap_own),
    MoveEnemy: Reading(move_enemy_offers, move_enemy_objection, move_enemy),
    SellUnlisted: Reading(sell_unlisted_offers, sell_unlisted_objection, sell_unlisted),
    AttackNow: Reading(attack_now_offers, attack_now_objection, attack_now),
    TakeDoubloons: Reading(take_offers, take_objection, take),
    GainDoubloons: Reading(gain_offers, gain_objection, gain),
}
