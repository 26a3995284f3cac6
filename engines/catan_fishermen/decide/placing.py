"""The set-up: CA-6."""

from engines.catan_fishermen.board import EDGES, VERTICES
from engines.catan_fishermen.catalog import KINDS, NOTHING, Cards
from engines.catan_fishermen.decide.fishing import take
from engines.catan_fishermen.decide.guards import CatanDraft, Decisions, require_distance
from engines.catan_fishermen.events import RoadPlaced, SettlementPlaced, TurnBegun
from engines.catan_fishermen.moves import PlaceRoad, PlaceSettlement
from engines.catan_fishermen.state import Phase, State
from engines.core.errors import IllegalMove


def place_settlement(draft: CatanDraft, seat: int, move: PlaceSettlement) -> None:
    state = draft.state
    require_placing(state, seat, Phase.PLACING_SETTLEMENT)
    if not 0 <= move.vertex < VERTICES:
        raise IllegalMove("CA-6", f"the intersections are 0 to {VERTICES - 1}")
    require_distance(state, move.vertex)
    second = state.homes[seat] != 0
    draft.emit(SettlementPlaced(seat, move.vertex, first_cards(state, move.vertex) if second else NOTHING))
    if second and state.waters:
        take(draft, [(seat, first_catch(state, move.vertex))])


def first_cards(state: State, vertex: int) -> Cards:
    """One card for each producing hex at the second settlement."""
    counts = [0] * KINDS
    for at in state.catalog.board.vertex_hexes[vertex]:
        if state.terrain[at] < KINDS:
            counts[state.terrain[at]] += 1
    return Cards(*counts)


def first_catch(state: State, vertex: int) -> int:
    """What the second settlement takes of its water, if it has one: CA-33, CA-52."""
    return sum(
        catch for water in state.waters for at, catch in zip(water.vertices, water.catches, strict=True) if at == vertex
    )


def place_road(draft: CatanDraft, seat: int, move: PlaceRoad) -> None:
    state = draft.state
    require_placing(state, seat, Phase.PLACING_ROAD)
    if not 0 <= move.edge < EDGES:
        raise IllegalMove("CA-6", f"the paths are 0 to {EDGES - 1}")
    if not state.catalog.board.vertex_edge_mask[state.placed] >> move.edge & 1:
        raise IllegalMove("CA-6", "the road adjoins the settlement just placed")
    # No road lies there yet: in the set-up roads adjoin settlements, and those keep their distance.
    draft.emit(RoadPlaced(seat, move.edge, next_to_place(state)))
    if all(homes.bit_count() == 2 for homes in draft.state.homes):
        draft.emit(TurnBegun(0, 1))


def next_to_place(state: State) -> int:
    """Once round, then back: the last seat places twice in a row, the first one begins the game."""
    settlements = sum(homes.bit_count() for homes in state.homes)
    if settlements < state.seats:
        return state.seat + 1
    return max(2 * state.seats - 1 - settlements, 0)


def require_placing(state: State, seat: int, phase: Phase) -> None:
    """Raises IllegalMove unless the seat has to place just this."""
    if state.phase is not Phase.PLACING_SETTLEMENT and state.phase is not Phase.PLACING_ROAD:
        raise IllegalMove("CA-6", "the set-up is over")
    if seat != state.seat:
        raise IllegalMove("CA-6", f"it is for seat {state.seat} to place")
    if state.phase is not phase:
        raise IllegalMove("CA-6", "after each settlement a road is placed, then the next settlement")


DECISIONS: Decisions = {PlaceSettlement: place_settlement, PlaceRoad: place_road}
