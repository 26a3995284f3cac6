"""Judges moves: every guard first, then the events."""

from engines.core.errors import IllegalMove
from engines.south_seas.decide import evaluating, loading, placing
from engines.south_seas.decide.guards import Decisions, Table
from engines.south_seas.moves import Move
from engines.south_seas.state import OVER


def decide(draft: Table, seat: int, move: Move) -> None:
    state = draft.state
    if not 0 <= seat < state.seats:
        raise IllegalMove("SS-1", f"seat {seat} is not in this match")
    if state.phase is OVER:
        raise IllegalMove("SS-27", "the last tile is placed or the last ship taken: the match is over")
    DECIDE[type(move)](draft, seat, move)


DECIDE: Decisions = {**placing.TABLE, **evaluating.TABLE, **loading.TABLE}
