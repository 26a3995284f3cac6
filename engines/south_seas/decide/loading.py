"""Ships and the end of a turn: step 4."""

from functools import lru_cache
from itertools import product

from engines.core.errors import IllegalMove
from engines.south_seas.catalog import TERRAINS, Sail, Ship, Terrain, Wares
from engines.south_seas.decide.guards import Decisions, Table, require_step
from engines.south_seas.events import Cause, GameEnded, IslanderSkipped, ShipLoaded
from engines.south_seas.moves import Deliver
from engines.south_seas.scoring import evaluation, is_last_turn, result, terrain_of
from engines.south_seas.setup import begin_turn, turn_up
from engines.south_seas.state import DELIVERING, IN_SUPPLY, MOVING_ISLANDER, NONE, State


def begin_delivery(draft: Table) -> None:
    """The active seat is asked if it can load a ship; if it can't, its turn is over."""
    state = draft.state
    if not any(payments(state, ship, state.seat) for ship in state.display):
        end_turn(draft)


def deliver(draft: Table, seat: int, move: Deliver) -> None:
    state = draft.state
    require_step(state, seat, DELIVERING, "SS-25")
    number = state.catalog.ship_numbers.get(move.ship, NONE)
    if number not in state.display:
        raise IllegalMove("SS-25", "no such ship lies face up")
    if move.payment not in ways_to_pay(state.catalog.ships[number]):
        raise IllegalMove("SS-26", "exactly what the sail asks for is paid")
    if move.payment not in payments(state, number, seat):
        raise IllegalMove("SS-25", "only wares that one has are paid")
    draft.emit(ShipLoaded(seat, move.ship, move.payment))
    turn_up(draft)
    end_turn(draft)


@lru_cache(maxsize=1 << 10)
def ways_to_pay(ship: Ship) -> tuple[Wares, ...]:
    """All payments that the sail allows, the most shells first, then the most bananas: SS-26."""
    if ship.sail is Sail.SPECIFIC:
        return (ship.wares,)
    counts = range(ship.number, -1, -1)
    if ship.sail is Sail.ANY_SAME:
        counts = range(ship.number, -1, -ship.number)
    return tuple(Wares(*mix) for mix in product(counts, repeat=3) if sum(mix) == ship.number)


def payments(state: State, ship: int, seat: int) -> tuple[Wares, ...]:
    """Those that the seat can make for the ship."""
    return within(state.catalog.ships[ship], *state.wares_of(seat))


@lru_cache(maxsize=1 << 14)
def within(ship: Ship, shells: int, bananas: int, fish: int) -> tuple[Wares, ...]:
    """The ways to pay with no more than these."""
    return tuple(way for way in ways_to_pay(ship) if way.shell <= shells and way.banana <= bananas and way.fish <= fish)


def end_turn(draft: Table) -> None:
    """The next seat draws; after the last turn all else is evaluated (SS-28) and scored (SS-29)."""
    state = draft.state
    if not is_last_turn(state):
        begin_turn(draft, (state.seat + 1) % state.seats)
        if state.phase is MOVING_ISLANDER and not state.on_board(state.seat):
            # No tile was left, and there is no islander to take back: SS-6, SS-11.
            draft.emit(IslanderSkipped(state.seat))
            begin_delivery(draft)
        return
    for node in unfinished(state):
        draft.emit(evaluation(state, node, Cause.END))
    draft.emit(GameEnded(result(state)))


def unfinished(state: State) -> list[int]:
    """Of each occupied bridge, island and sea, in this order, where its first islander stands."""
    standing = sorted((node for node in state.islanders if node != IN_SUPPLY), reverse=True)
    firsts = {state.board.root(node): node for node in standing}.values()
    found = sorted((TERRAINS.index(terrain_of(state, node)), node) for node in firsts)
    return [node for terrain, node in found if TERRAINS[terrain] is not Terrain.MARKET]


TABLE: Decisions = {Deliver: deliver}
