"""The greedy player: it sees what a client sees."""

from collections.abc import Sequence

from engines.core.chance import Chance
from tidelog_pig.game import Hold, Move, View

ENOUGH = 15


def choose(view: View, legal: Sequence[Move], chance: Chance) -> Move:  # noqa: ARG001 - this player leaves nothing to luck
    return Hold() if view.kept >= ENOUGH and Hold() in legal else legal[-1]
