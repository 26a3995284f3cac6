"""Who owes a move, and which moves there are."""

from collections.abc import Iterable, Iterator
from functools import lru_cache

from engines.core.chance import Chance
from engines.core.draft import refusal
from engines.core.engine import Family
from engines.south_seas.board import position
from engines.south_seas.catalog import Sail
from engines.south_seas.decide import decide
from engines.south_seas.decide.evaluating import best_ships
from engines.south_seas.decide.loading import payments
from engines.south_seas.decide.placing import free_features
from engines.south_seas.moves import ChooseShip, Deliver, Move, PlaceIslander, PlaceTile, RetrieveIslander, Skip
from engines.south_seas.state import CHOOSING_SHIP, DELIVERING, MOVING_ISLANDER, PLACING_TILE, State

SKIP = Skip()


def to_act(state: State) -> tuple[int, ...]:
    if state.phase in WHOSE_ACTIVE:
        return (state.seat,)
    return (state.chooser,) if state.phase is CHOOSING_SHIP else ()


WHOSE_ACTIVE = {PLACING_TILE, MOVING_ISLANDER, DELIVERING}


def may_act(state: State) -> tuple[int, ...]:  # noqa: ARG001 - nobody moves unasked in this game
    return ()


def turns(state: State) -> int:
    return state.turn


def legal_moves(state: State, seat: int) -> Iterator[Move]:
    """Cells from the north-west row by row; features as printed; ships as they lie. To skip comes first."""
    if seat not in to_act(state):
        return iter(())
    if state.phase is PLACING_TILE:
        return iter(placings(state))
    if state.phase is MOVING_ISLANDER:
        return iter(islander_moves(state, seat))
    if state.phase is DELIVERING:
        return iter([SKIP, *deliveries(state, seat, state.display)])
    return iter([ChooseShip(state.catalog.ships[ship].id) for ship in best_ships(state)])


def placings(state: State) -> list[Move]:
    """SS-5: as many as there are cells beside tiles, whatever lies behind them."""
    fits, frontier = state.catalog.fits[state.drawn], state.board.frontier
    rows = [(turnings(cell), fits[frontier[cell]]) for cell in sorted(frontier)]
    return [turned[rotation] for turned, rotations in rows for rotation in rotations]


@lru_cache(maxsize=1 << 14)
def turnings(cell: int) -> tuple[PlaceTile, ...]:
    """The one object of each placing on the cell."""
    x, y = position(cell)
    return tuple(PlaceTile(x, y, rotation) for rotation in range(4))


def islander_moves(state: State, seat: int) -> list[Move]:
    """SS-7 to SS-11."""
    features = state.catalog.tiles[state.tiles[-1]].features
    first = state.new_nodes().start
    placed = [placing_on(features[node - first].id) for node in free_features(state, seat)]
    return [SKIP, *placed, *[RetrieveIslander(*state.place(node)) for node in state.on_board(seat)]]


@lru_cache(maxsize=256)
def placing_on(feature: str) -> PlaceIslander:
    return PlaceIslander(feature)


def deliveries(state: State, seat: int, ships: Iterable[int]) -> list[Deliver]:
    """SS-25, SS-26."""
    rows = state.catalog.ships
    return [Deliver(rows[ship].id, way) for ship in ships for way in payments(state, ship, seat)]


class FreePayments:
    """The deliveries to sails that take any wares (SS-26)."""

    name = "free_payments"

    def __init__(self, state: State, seat: int, ships: list[int]) -> None:
        self.state, self.seat, self.ships = state, seat, ships

    def contains(self, move: Move) -> bool:
        if not isinstance(move, Deliver) or refusal(decide, self.state, self.seat, move) is not None:
            return False
        return self.state.catalog.ship_numbers[move.ship] in self.ships

    def sample(self, chance: Chance) -> Move:
        moves = deliveries(self.state, self.seat, self.ships)
        return moves[chance.draw("payment", len(moves))]


def families(state: State, seat: int) -> tuple[Family[Move], ...]:
    """One, while the seat can load a ship that takes any wares; all of its moves are listed too."""
    if state.phase is not DELIVERING or seat != state.seat:
        return ()
    ships = [ship for ship in state.display if state.catalog.ships[ship].sail is Sail.ANY]
    return (FreePayments(state, seat, ships),) if deliveries(state, seat, ships) else ()


def autopilot(state: State, seat: int) -> Move:
    """The first legal move: the tile on the first cell that it fits, and nothing else."""
    return next(legal_moves(state, seat))
