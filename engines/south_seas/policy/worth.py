"""Rough guesses in points: what an islander stands to earn, and what having one in the supply is worth."""

from functools import lru_cache

from engines.south_seas.catalog import Terrain

WARE = (1.0, 1.0, 0.95, 0.9, 0.8, 0.7, 0.6, 0.5)
"""A ware while ships are still to be loaded, by how many of its kind one has: sails ask for mixed cargo."""
LEFT_OVER = 0.3
"""A ware at the end."""
SHIP = 4.5
"""What a market earns."""
HOPE = {Terrain.BRIDGE: 0.72, Terrain.ISLAND: 0.8, Terrain.SEA: 0.9, Terrain.MARKET: 0.88}
"""How likely a gap is closed in time."""
GROWTH = {Terrain.BRIDGE: 0.35, Terrain.ISLAND: 0.35, Terrain.SEA: 0.06, Terrain.MARKET: 0.0}
"""How many wares a gap brings along."""
MOST_GAPS = 8
TILES = 72
IDLE = (1.6, 1.0, 0.6, 0.35)
"""What the last islander in the supply, or the next to last ..., is worth there: by how many are left."""


@lru_cache(maxsize=1 << 15)
def earnings(terrain: Terrain, gaps: int, pays: int, pile: int, held: int) -> float:
    """What an owner of the feature who has so many of its wares may expect of it."""
    if terrain is Terrain.MARKET:
        return SHIP * HOPE[terrain] ** gaps if gaps <= pile else 0.0
    gaps = min(gaps, MOST_GAPS)
    season = pile / TILES
    complete = HOPE[terrain] ** gaps * min(1.0, pile / (2 * gaps)) if gaps else 1.0
    grown = pays + GROWTH[terrain] * gaps * season
    return grown * (WARE[min(held, len(WARE) - 1)] * complete + LEFT_OVER * (1 - complete))


def idle(left: int) -> float:
    """What one of so many islanders in the supply is worth there."""
    return IDLE[left - 1]
