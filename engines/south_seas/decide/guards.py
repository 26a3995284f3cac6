"""What several kinds of moves are judged by."""

from collections.abc import Callable
from typing import Any

from engines.core.draft import Draft
from engines.core.errors import IllegalMove
from engines.south_seas.events import Event
from engines.south_seas.moves import Move
from engines.south_seas.state import CHOOSING_SHIP, Phase, State

Table = Draft[State, Event]
Decisions = dict[type[Move], Callable[[Table, int, Any], None]]

STEPS = {
    Phase.SETTING_UP: "the match has not begun",
    Phase.DRAWING: "a tile is to be drawn",
    Phase.PLACING_TILE: "the tile drawn is to be placed first",
    Phase.MOVING_ISLANDER: "an islander is to be placed, retrieved or left alone",
    Phase.CHOOSING_SHIP: "a ship is to be chosen first",
    Phase.DELIVERING: "a ship is to be loaded, or none",
}


def require_step(state: State, seat: int, phase: Phase, rule: str) -> None:
    """Raises IllegalMove, under `rule` where only the step of the turn is wrong."""
    if state.phase is phase and seat == (state.chooser if phase is CHOOSING_SHIP else state.seat):
        return
    if state.phase is CHOOSING_SHIP and seat != state.chooser:
        raise IllegalMove("SS-21", f"seat {state.chooser} takes a ship first")
    if seat != state.seat and state.phase is not CHOOSING_SHIP:
        raise IllegalMove("SS-4", f"it is the turn of seat {state.seat}")
    raise IllegalMove(rule, STEPS[state.phase])
