"""What several kinds of moves are judged by."""

from collections.abc import Callable
from typing import Any

from engines.black_fleet.effects.ships import Turn, turn_of
from engines.black_fleet.events import Event
from engines.black_fleet.moves import Move
from engines.black_fleet.state import SAILING, Cause, Phase, State
from engines.core.draft import Draft
from engines.core.errors import IllegalMove

Table = Draft[State, Event]
Decisions = dict[type[Move], Callable[[Table, int, Any], None]]

OWED = {
    Phase.SETTING_UP: ("BF-11", "the match is being set up"),
    Phase.PLACING_MERCHANTS: ("BF-9", "the merchants are placed first"),
    Phase.DEPLOYING: ("BF-31", "the own ships that are off the board are placed first"),
    Phase.PLAYING_MOVEMENT: ("BF-11", "a movement card is played first"),
    Phase.SAILING: ("BF-11", "the ships sail and act; the draw comes after"),
    Phase.DISCARDING: ("BF-33", "fortune cards are discarded first, down to three"),
    Phase.BUYING: ("BF-11", "the turn ends now, with or without buying one card"),
}


def require_phase(state: State, seat: int, phase: Phase) -> None:
    """Raises IllegalMove unless the seat is active and owes this: BF-8, BF-11."""
    if state.seat != seat:
        raise IllegalMove("BF-8", f"it is the turn of seat {state.seat}")
    if state.phase is not phase:
        if state.cause is Cause.SYMBOL:
            raise IllegalMove("BF-32", "a fortune card is discarded first")
        raise IllegalMove(*OWED[state.phase])


def sailing(state: State, seat: int) -> Turn:
    """The seat's turn; raises IllegalMove unless its ships sail and act."""
    if state.phase is not SAILING or state.seat != seat:
        require_phase(state, seat, SAILING)
    return turn_of(state)
