"""The tile and the islander: steps 1 and 2 of a turn."""

from engines.core.errors import IllegalMove
from engines.south_seas.board import cell_at
from engines.south_seas.decide.evaluating import evaluate
from engines.south_seas.decide.guards import Decisions, Table, require_step
from engines.south_seas.decide.loading import end_turn
from engines.south_seas.events import IslanderPlaced, IslanderRetrieved, IslanderSkipped, TilePlaced
from engines.south_seas.moves import PlaceIslander, PlaceTile, RetrieveIslander, Skip
from engines.south_seas.scoring import terrain_of
from engines.south_seas.state import CHOOSING_SHIP, DELIVERING, MOVING_ISLANDER, PLACING_TILE, State


def place_tile(draft: Table, seat: int, move: PlaceTile) -> None:
    state = draft.state
    require_step(state, seat, PLACING_TILE, "SS-5")
    if not 0 <= move.rotation <= 3:
        raise IllegalMove("SS-5", "a tile is turned 0 to 3 times")
    cell = cell_at(move.x, move.y)
    if cell in state.board.at:
        raise IllegalMove("SS-5", "a tile lies there")
    if cell not in state.board.frontier:
        raise IllegalMove("SS-5", "a side of the tile has to touch a tile")
    if move.rotation not in state.catalog.fits[state.drawn][state.board.frontier[cell]]:
        raise IllegalMove("SS-5", "bridges, islands and sea have to go on across every side that touches a tile")
    draft.emit(TilePlaced(seat, state.catalog.tiles[state.drawn].id, move.x, move.y, move.rotation))
    if not free_features(state, seat) and not state.on_board(seat):
        leave_islanders(draft, seat)


def free_features(state: State, seat: int) -> list[int]:
    """The nodes of the tile just placed on which the seat may place an islander: SS-7 to SS-9."""
    board = state.board
    if not state.has_islander(seat):
        return []
    return [node for node in state.new_nodes() if not board.occupants[board.root(node)]]


def place_islander(draft: Table, seat: int, move: PlaceIslander) -> None:
    state = draft.state
    require_step(state, seat, MOVING_ISLANDER, "SS-7")
    if not state.placed:
        raise IllegalMove("SS-6", "no tile was placed in this turn")
    features = state.catalog.feature_numbers[state.tiles[-1]]
    if move.feature not in features:
        raise IllegalMove("SS-7", "the tile just placed has no such feature")
    if not state.has_islander(seat):
        raise IllegalMove("SS-9", "all islanders are on the board")
    node = state.new_nodes()[features[move.feature]]
    if state.board.occupants[state.board.root(node)]:
        raise IllegalMove("SS-8", f"there is an islander on this {terrain_of(state, node)}")
    x, y, name = state.place(node)
    draft.emit(IslanderPlaced(seat, x, y, name))
    evaluate(draft)


def retrieve_islander(draft: Table, seat: int, move: RetrieveIslander) -> None:
    state = draft.state
    require_step(state, seat, MOVING_ISLANDER, "SS-10")
    if (move.x, move.y, move.feature) not in map(state.place, state.on_board(seat)):
        raise IllegalMove("SS-10", "none of the own islanders stands there")
    draft.emit(IslanderRetrieved(seat, move.x, move.y, move.feature))
    evaluate(draft)


def leave_islanders(draft: Table, seat: int) -> None:
    """SS-11."""
    draft.emit(IslanderSkipped(seat))
    evaluate(draft)


def skip(draft: Table, seat: int, move: Skip) -> None:  # noqa: ARG001 - a skip has no choices
    state = draft.state
    if state.phase is DELIVERING:
        require_step(state, seat, DELIVERING, "SS-25")
        end_turn(draft)
    else:
        require_step(state, seat, MOVING_ISLANDER, "SS-20" if state.phase is CHOOSING_SHIP else "SS-5")
        leave_islanders(draft, seat)


TABLE: Decisions = {
    PlaceTile: place_tile,
    PlaceIslander: place_islander,
    RetrieveIslander: retrieve_islander,
    Skip: skip,
}
