"""Judges moves: every guard first, then the events."""

from engines.black_fleet.decide import cards, deploying, ending, sailing
from engines.black_fleet.decide.guards import Decisions, Table
from engines.black_fleet.moves import Move
from engines.black_fleet.state import Phase
from engines.core.errors import IllegalMove

OVER = Phase.OVER


def decide(draft: Table, seat: int, move: Move) -> None:
    state = draft.state
    if not 0 <= seat < state.seats:
        raise IllegalMove("BF-44", f"seat {seat} is not in this match")
    if state.phase is OVER:
        raise IllegalMove("BF-38", "the last round is played: the match is over")
    DECIDE[type(move)](draft, seat, move)


DECIDE: Decisions = {**deploying.TABLE, **sailing.TABLE, **cards.TABLE, **ending.TABLE}
