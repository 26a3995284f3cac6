"""Effects that happen at once: for each kind its choices, what stands against one, and what comes of it."""

from collections.abc import Callable, Iterator
from itertools import combinations, permutations
from typing import Any, NamedTuple

from engines.black_fleet.board import PLAIN, ways
from engines.black_fleet.catalog.kinds import (
    ROWS,
    AttackNow,
    Deed,
    Effect,
    GainDoubloons,
    MoveEnemy,
    SellUnlisted,
    ShiftValue,
    ShipKind,
    SwapAdjacentShips,
    SwapOwnShips,
    SwapValues,
    TakeDoubloons,
)
from engines.black_fleet.effects.powers import CREWS, Licence
from engines.black_fleet.effects.ships import (
    Turn,
    attack,
    attack_objection,
    commanded,
    kind_of,
    sale,
    sale_objection,
    targets,
)
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
    ship_of,
)
from engines.core.draft import Draft
from engines.core.errors import IllegalMove


class Choice(NamedTuple):
    """What the player says with a card: the fields of `PlayFortune` and `UseDevelopment`."""

    ship: Ship | None = None
    target: Ship | None = None
    rows: tuple[ShipKind, ...] = ()
    port: str | None = None
    path: tuple[str, ...] = ()


NO_CHOICE = Choice()
Table = Draft[State, Event]


class Reading(NamedTuple):
    """How a kind of effect is read. `objection` gets any choice with the fields asked for; `apply` a sound one."""

    offers: Callable[[Turn, Any], Iterator[Choice]]
    objection: Callable[[Turn, Any, Choice], IllegalMove | None]
    apply: Callable[[Table, Turn, Any, Choice], None]


def no_choice(turn: Turn, effect: Effect) -> Iterator[Choice]:  # noqa: ARG001 - one for all effects that ask nothing
    yield NO_CHOICE


def swap_values_offers(turn: Turn, effect: SwapValues) -> Iterator[Choice]:  # noqa: ARG001 - the same for all
    return (Choice(rows=pair) for pair in combinations(ROWS, 2))


def swap_values_objection(turn: Turn, effect: SwapValues, choice: Choice) -> IllegalMove | None:  # noqa: ARG001
    """BF-48: once for each movement card."""
    state = turn.state
    if len(choice.rows) != 2 or choice.rows[0] is choice.rows[1]:
        return IllegalMove("BF-48", "two rows of the movement card change places")
    if state.swaps:
        return IllegalMove("BF-48", "two values of this movement card have changed places already")
    pair = bytearray(map(ROWS.index, choice.rows))
    printed = state.catalog.values[state.order]
    if printed[pair[0]] == printed[pair[1]]:
        return IllegalMove("BF-48", "the two values are equal")
    if min(shifted(printed, pair, state.shifts)) < 0:
        return IllegalMove("BF-48", "a value would be shifted that is not there any more")
    return None


def swap_values(draft: Table, turn: Turn, effect: SwapValues, choice: Choice) -> None:  # noqa: ARG001
    draft.emit(ValuesSwapped(turn.state.seat, *choice.rows))


def shift_value_offers(turn: Turn, effect: ShiftValue) -> Iterator[Choice]:  # noqa: ARG001 - the same for all
    return (Choice(rows=pair) for pair in permutations(ROWS, 2))


def shift_value_objection(turn: Turn, effect: ShiftValue, choice: Choice) -> IllegalMove | None:  # noqa: ARG001
    if len(choice.rows) != 2 or choice.rows[0] is choice.rows[1]:
        return IllegalMove("BF-48", "1 is taken from one row of the movement card for another")
    if turn.state.values()[ROWS.index(choice.rows[0])] < 1:
        return IllegalMove("BF-48", "1 is taken from a value of at least 1")
    return None


def shift_value(draft: Table, turn: Turn, effect: ShiftValue, choice: Choice) -> None:  # noqa: ARG001
    draft.emit(ValueShifted(turn.state.seat, *choice.rows))


def swap_ships_offers(turn: Turn, effect: SwapAdjacentShips) -> Iterator[Choice]:  # noqa: ARG001 - the same for all
    """Pairs in the order of the ships."""
    ships, exits, deep = turn.state.ships, turn.board.exits, turn.board.deep
    at_sea = [ship for ship, place in enumerate(ships) if place != EMPTY and not deep >> place & 1]
    for one, other in combinations(at_sea, 2):
        if ships[other] in exits[ships[one]]:
            yield Choice(ship=SHIPS[one], target=SHIPS[other])


def swap_ships_objection(turn: Turn, effect: SwapAdjacentShips, choice: Choice) -> IllegalMove | None:  # noqa: ARG001
    one, other = of_two(choice)
    places = turn.state.ships[one], turn.state.ships[other]
    if EMPTY in places or any(turn.board.deep >> place & 1 for place in places):
        return IllegalMove("BF-29", "two ships change places that are on the board and not in a deep sea")
    if places[1] not in turn.board.exits[places[0]]:
        return IllegalMove("BF-29", "two ships change places that are on neighbouring spaces")
    return None


def swap_ships(draft: Table, turn: Turn, effect: SwapAdjacentShips, choice: Choice) -> None:  # noqa: ARG001
    one, other = of_two(choice)
    draft.emit(ShipsSwapped(turn.state.seat, SHIPS[one], SHIPS[other]))


def of_two(choice: Choice) -> tuple[int, int]:
    """The two ships that a choice names."""
    assert choice.ship is not None
    assert choice.target is not None
    return NUMBER[choice.ship], NUMBER[choice.target]


def swap_own_objection(turn: Turn, effect: SwapOwnShips, choice: Choice) -> IllegalMove | None:  # noqa: ARG001
    if turn.board.deep >> turn.state.place_of(PIRATE) & 1:
        return IllegalMove("BF-46", "no ship is moved into a deep sea")
    return None


def swap_own(draft: Table, turn: Turn, effect: SwapOwnShips, choice: Choice) -> None:  # noqa: ARG001
    """Ends the move of either, if in progress."""
    state = draft.state
    if state.moving in (MERCHANT, PIRATE):
        draft.emit(MoveEnded(state.seat, SHIPS[ship_of(state.seat, state.moving)]))
    draft.emit(ShipsSwapped(state.seat, SHIPS[state.seat], SHIPS[FIRST_PIRATE + state.seat]))


def move_enemy_offers(turn: Turn, effect: MoveEnemy) -> Iterator[Choice]:
    """The ends, with a shortest path each."""
    state, board = turn.state, turn.board
    for ship, place in enumerate(state.ships[:FIRST_NAVY]):
        if place != EMPTY and role_of(state.seat, ship) == EMPTY and not board.deep >> place & 1:
            paths = ways(board, place, effect.spaces, state.occupied, PLAIN)
            yield from (Choice(ship=SHIPS[ship], path=path) for path in paths.values() if path)


def move_enemy_objection(turn: Turn, effect: MoveEnemy, choice: Choice) -> IllegalMove | None:
    state, board = turn.state, turn.board
    assert choice.ship is not None
    ship = NUMBER[choice.ship]
    if role_of(state.seat, ship) != EMPTY:
        return IllegalMove("BF-29", "an opponent's merchant or pirate is moved")
    if state.ships[ship] == EMPTY or board.deep >> state.ships[ship] & 1:
        return IllegalMove("BF-29", "a ship is moved that is on the board and not in a deep sea")
    if not displaced_along(turn, effect, choice):
        return IllegalMove(
            "BF-29", f"the ship is moved over 1 to {effect.spaces} free spaces of the sea to another one"
        )
    return None


def displaced_along(turn: Turn, effect: MoveEnemy, choice: Choice) -> tuple[str, ...]:
    """The whole path; empty where there is none."""
    state, board = turn.state, turn.board
    assert choice.ship is not None
    start = state.ships[NUMBER[choice.ship]]
    if len(choice.path) == 1:
        return ways(board, start, effect.spaces, state.occupied, PLAIN).get(
            board.numbers.get(choice.path[0], EMPTY), ()
        )
    here, path = start, [board.numbers.get(name, EMPTY) for name in choice.path]
    for place in path:
        if place not in board.steps[PLAIN][here] or (state.occupied >> place & 1 and place != start):
            return ()
        here = place
    return choice.path if len(path) <= effect.spaces and here != start else ()


def move_enemy(draft: Table, turn: Turn, effect: MoveEnemy, choice: Choice) -> None:
    assert choice.ship is not None
    draft.emit(ShipDisplaced(turn.state.seat, choice.ship, displaced_along(turn, effect, choice)))


def sell_unlisted_offers(turn: Turn, effect: SellUnlisted) -> Iterator[Choice]:  # noqa: ARG001 - the same for all
    ports = turn.board.ports_at[turn.state.place_of(MERCHANT)]
    return (Choice(port=turn.board.port_ids[port]) for port in ports)


def sell_unlisted_objection(turn: Turn, effect: SellUnlisted, choice: Choice) -> IllegalMove | None:  # noqa: ARG001
    assert choice.port is not None
    return sale_objection(turn, choice.port, listed=False)


def sell_unlisted(draft: Table, turn: Turn, effect: SellUnlisted, choice: Choice) -> None:
    assert choice.port is not None
    draft.emit(sale(turn, choice.port, effect.price))


def attackers(turn: Turn, effect: AttackNow, choice: Choice) -> int:
    """The role that attacks."""
    if effect.ships in CREWS:
        return CREWS[effect.ships][0]
    assert choice.ship is not None
    return role_of(turn.state.seat, NUMBER[choice.ship])


def attack_now_offers(turn: Turn, effect: AttackNow) -> Iterator[Choice]:
    licence = Licence(effect.doubloons, effect.loot)
    chosen = effect.ships not in CREWS
    for role in commanded(turn) if chosen else CREWS[effect.ships]:
        ship = SHIPS[ship_of(turn.state.seat, role)] if chosen else None
        for target in targets(turn, role, licence):
            if kind_of(target) is effect.target:
                yield Choice(ship=ship, target=SHIPS[target])


def attack_now_objection(turn: Turn, effect: AttackNow, choice: Choice) -> IllegalMove | None:
    assert choice.target is not None
    target = NUMBER[choice.target]
    if kind_of(target) is not effect.target:
        return IllegalMove("BF-29", f"the card is for an attack on a {effect.target}")
    return attack_objection(turn, attackers(turn, effect, choice), target, Licence(effect.doubloons, effect.loot))


def attack_now(draft: Table, turn: Turn, effect: AttackNow, choice: Choice) -> None:
    assert choice.target is not None
    licence = Licence(effect.doubloons, effect.loot)
    draft.emit(attack(turn, attackers(turn, effect, choice), NUMBER[choice.target], licence))


def takings(turn: Turn, effect: TakeDoubloons) -> tuple[Taking, ...]:
    state = turn.state
    had = [(seat, min(count, effect.doubloons)) for seat, count in enumerate(state.doubloons) if seat != state.seat]
    return tuple(Taking(seat, count) for seat, count in had if count)


def take_objection(turn: Turn, effect: TakeDoubloons, choice: Choice) -> IllegalMove | None:  # noqa: ARG001
    return None if takings(turn, effect) else IllegalMove("BF-29", "no opponent has a doubloon")


def take(draft: Table, turn: Turn, effect: TakeDoubloons, choice: Choice) -> None:  # noqa: ARG001 - it asks nothing
    draft.emit(DoubloonsTaken(turn.state.seat, takings(turn, effect)))


def gain_objection(turn: Turn, effect: GainDoubloons, choice: Choice) -> IllegalMove | None:  # noqa: ARG001
    done = {Deed.ROBBED: turn.state.robbed, Deed.SANK: turn.state.sank}
    missing = [deed for deed in effect.after if not done[deed]]
    return IllegalMove("BF-29", f"the card is for a turn in which you have {missing[0]}") if missing else None


def gain(draft: Table, turn: Turn, effect: GainDoubloons, choice: Choice) -> None:  # noqa: ARG001 - it asks nothing
    draft.emit(DoubloonsGained(turn.state.seat, effect.doubloons))


INSTANT: dict[type[Effect], Reading] = {
    SwapValues: Reading(swap_values_offers, swap_values_objection, swap_values),
    ShiftValue: Reading(shift_value_offers, shift_value_objection, shift_value),
    SwapAdjacentShips: Reading(swap_ships_offers, swap_ships_objection, swap_ships),
    SwapOwnShips: Reading(no_choice, swap_own_objection, swap_own),
    MoveEnemy: Reading(move_enemy_offers, move_enemy_objection, move_enemy),
    SellUnlisted: Reading(sell_unlisted_offers, sell_unlisted_objection, sell_unlisted),
    AttackNow: Reading(attack_now_offers, attack_now_objection, attack_now),
    TakeDoubloons: Reading(no_choice, take_objection, take),
    GainDoubloons: Reading(no_choice, gain_objection, gain),
}
