"""What the laws (`tidelog check-game`) need to know of Lost Seas."""

from collections import Counter
from typing import Any

from engines.lost_seas.events import SidesRevealed
from engines.lost_seas.state import EMPTY, Options, State

VARIANTS = {
    "arrange-and-ties": Options(arrange_expeditions=True, majority_ties=True),
}
"""Options that are worth a look together; each one alone is found by the laws."""

MODES = ("plain", "young_explorers=true", "arrange-and-ties")
"""The variants that differ in how the game is played: they are looked at in full."""

TELLING = (SidesRevealed,)
"""Events that tell secrets: in states that a seat can't tell apart they may differ."""

MOST_DECISIONS = 100


def pieces(state: State) -> Any:
    """The cardboard, wherever it lies: the same throughout a match."""
    tiles = Counter(state.pile) + Counter(state.face_up) + Counter(state.discards) + Counter(state.maps)
    laid = {demand // 2 for demand in state.laid if demand != EMPTY}
    chosen_from = {expedition for expedition in state.dealt if expedition != EMPTY}
    expeditions = sorted([*state.box, *(laid | chosen_from)])
    del tiles[EMPTY]
    assert len(set(expeditions)) == len(expeditions)
    return tiles, expeditions
