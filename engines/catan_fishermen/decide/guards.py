"""What several kinds of moves are judged by."""

from collections.abc import Callable
from typing import Any

from engines.catan_fishermen.cards import holds
from engines.catan_fishermen.catalog import Cards
from engines.catan_fishermen.events import Event, GameEnded, LongestRoadMoved
from engines.catan_fishermen.moves import Move
from engines.catan_fishermen.scoring import has_won, longest_road_holder, result
from engines.catan_fishermen.state import NOBODY, ROLLING, TRADING_AND_BUILDING, Phase, State
from engines.core.draft import Draft
from engines.core.errors import IllegalMove

CatanDraft = Draft[State, Event]
Decisions = dict[type[Move], Callable[[CatanDraft, int, Any], None]]

OWED = {
    Phase.SETTING_UP: "the board is to be laid first",
    Phase.ROLLING: "the dice are to be rolled first",
    Phase.DISCARDING: "cards are to be discarded first",
    Phase.CHOOSING_FISH: "a fish token is to be put back first",
    Phase.MOVING_ROBBER: "the robber is to be moved first",
    Phase.BUILDING_FREE_ROADS: "a free road is to be built first",
    Phase.TRADING_AND_BUILDING: "the dice are rolled",
}


def require_building(state: State, seat: int) -> None:
    """Raises IllegalMove unless the seat may trade and build (CA-8)."""
    if state.phase is not TRADING_AND_BUILDING or state.seat != seat:
        raise out_of_turn(state, seat)


def require_duty_done(state: State, seat: int) -> None:
    """Raises IllegalMove unless it is the seat's turn, before or after the roll, and it owes nothing else (CA-8)."""
    if state.seat != seat or (state.phase is not TRADING_AND_BUILDING and state.phase is not ROLLING):
        raise out_of_turn(state, seat)


def out_of_turn(state: State, seat: int) -> IllegalMove:
    """Why the seat can't move as it asks."""
    if state.phase is Phase.PLACING_SETTLEMENT or state.phase is Phase.PLACING_ROAD:
        return IllegalMove("CA-6", "the set-up goes on: settlements and roads are placed in turn")
    if state.seat != seat:
        return IllegalMove("CA-8", f"it is the turn of seat {state.seat}")
    return IllegalMove("CA-8", OWED[state.phase])


def require_distance(state: State, vertex: int) -> None:
    """CA-7."""
    if not state.open_vertices >> vertex & 1:
        raise IllegalMove("CA-7", "the intersection or a neighbour of it is taken")


def require_price(state: State, seat: int, price: Cards) -> None:
    """CA-13."""
    if not holds(state, seat, price):
        named = " + ".join(
            f"{count} {kind}" for kind, count in zip(price.__struct_fields__, price.counts(), strict=True) if count
        )
        raise IllegalMove("CA-13", f"it costs {named}")


def award_longest_road(draft: CatanDraft) -> None:
    """After a road or a settlement: CA-20."""
    holder = longest_road_holder(draft.state)
    if holder != draft.state.longest_road:
        draft.emit(LongestRoadMoved(None if holder == NOBODY else holder))


def end_if_won(draft: CatanDraft) -> None:
    """CA-22: whose turn it is wins with enough points."""
    seat = draft.state.seat
    if has_won(draft.state, seat):
        draft.emit(GameEnded(result(draft.state, seat)))
