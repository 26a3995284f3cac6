"""What the laws (`tidelog check-game`) need to know of South Seas."""

from collections import Counter
from typing import Any

from engines.south_seas.events import GameEnded
from engines.south_seas.state import IN_SUPPLY, NONE, FirstPlayer, Options, State

VARIANTS = {
    "last-first-and-hidden": Options(first_player=FirstPlayer.SEAT_1, hidden_scores=True),
}
"""Options that are worth a look together; each one alone is found by the laws."""

MODES = ("plain", "hidden_scores=true")
"""The variants that differ in what is seen: they are looked at in full."""

TELLING = (GameEnded,)
"""Events that tell secrets: in states that a seat can't tell apart they may differ."""

TELLS_ALL = True
"""Every event is told to everyone; with `hidden_scores` views alone hide something."""

MOST_DECISIONS = 400

MATCHES = (8, 200)


def pieces(state: State) -> Any:
    """Tiles, ships and islanders, wherever they lie: the same throughout a match."""
    tiles = Counter(state.pile) + Counter(state.tiles) + Counter(state.discards) + Counter([state.drawn])
    del tiles[NONE]
    # The start tile lies in the box until the match begins.
    tiles[state.catalog.start] = 1
    ships = sorted([*state.supply, *state.display, *(ship for ship, owner in enumerate(state.owners) if owner != NONE)])
    standing = [node for node in state.islanders if node != IN_SUPPLY]
    assert len(set(standing)) == len(standing)
    return tiles, ships, len(state.islanders)
