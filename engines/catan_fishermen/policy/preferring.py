"""The choice among moves by what each is worth."""

from collections.abc import Sequence
from typing import TypeVar

from engines.core.chance import Chance

Kind = TypeVar("Kind")


def preferred(moves: Sequence[Kind], values: Sequence[float], chance: Chance) -> Kind:
    """The move worth most; of equals any."""
    best = max(values)
    equals = [move for move, value in zip(moves, values, strict=True) if value == best]
    return equals[chance.draw("equals", len(equals))]
