"""Judges moves: every guard first, then the events."""

from engines.catan_fishermen.decide import building, developing, fishing, placing, spending, trading, turns
from engines.catan_fishermen.decide.guards import CatanDraft, Decisions
from engines.catan_fishermen.moves import Move
from engines.catan_fishermen.state import OVER
from engines.core.errors import IllegalMove


def decide(draft: CatanDraft, seat: int, move: Move) -> None:
    state = draft.state
    if not 0 <= seat < state.seats:
        raise IllegalMove("CA-4", f"seat {seat} is not in this match")
    if state.phase is OVER:
        raise IllegalMove("CA-22", "the match is won and over")
    DECIDE[type(move)](draft, seat, move)


DECIDE: Decisions = {
    **placing.DECISIONS,
    **turns.DECISIONS,
    **building.DECISIONS,
    **developing.DECISIONS,
    **trading.DECISIONS,
    **fishing.DECISIONS,
    **spending.DECISIONS,
}
