"""What is seen, what is told, and what could be."""

from engines.catan_fishermen.view.guessing import determinize
from engines.catan_fishermen.view.seeing import (
    EdgeView,
    HexView,
    Player,
    ReplyView,
    UnplayedCard,
    View,
    WaterView,
    redact,
    scores,
    view,
)

__all__ = [
    "EdgeView",
    "HexView",
    "Player",
    "ReplyView",
    "UnplayedCard",
    "View",
    "WaterView",
    "determinize",
    "redact",
    "scores",
    "view",
]
