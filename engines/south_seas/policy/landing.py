"""What a tile's features join where it might be placed."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from engines.south_seas.board import SIDES
from engines.south_seas.catalog import Terrain, Tile, shapes_of
from engines.south_seas.moves import PlaceTile
from engines.south_seas.view import PlacedTile, Region

BESIDE = ((0, -1), (1, 0), (0, 1), (-1, 0))
AROUND = tuple((x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y)

Crew = tuple[tuple[int, int], ...]
"""Seats and how many islanders they have on a feature."""
At = Mapping[tuple[int, int], PlacedTile]


class Group(NamedTuple):
    """Features of the tile that are one with each other, and the regions that they join."""

    terrain: Terrain
    gaps: int
    pays: int
    crew: Crew
    boat: bool
    joined: tuple[int, ...]


class Landing:
    """The tile, placed as the move says; `at` are the tiles on the table, `regions` theirs."""

    def __init__(self, tile: Tile, move: PlaceTile, at: At, regions: Mapping[int, Region]) -> None:
        self.tile, self.move, self.at, self.regions = tile, move, at, regions
        self.shape = shapes_of(tile)[move.rotation]
        self.leads = list(range(len(self.shape.gaps)))
        """Of each feature the first one of its group."""
        self.gaps = list(self.shape.gaps)
        self.leads_of: dict[int, int] = {}
        """Of each region joined, a feature that joins it."""
        self._join()

    def _join(self) -> None:
        x, y = self.move.x, self.move.y
        for side in SIDES:
            neighbour = self.at.get((x + BESIDE[side][0], y + BESIDE[side][1]))
            if neighbour is None:
                continue
            facing = shapes_of(neighbour.tile)[neighbour.rotation].facing[side]
            for own, its in zip(self.shape.joints[side], facing, strict=True):
                self.gaps[own] -= 2
                self._one(self.leads_of.setdefault(neighbour.regions[its], own), own)

    def _one(self, feature: int, other: int) -> None:
        lead, gone = sorted((self.leads[feature], self.leads[other]))
        if lead != gone:
            self.leads = [lead if one == gone else one for one in self.leads]

    def groups(self) -> Iterator[Group]:
        leads = self.leads
        for lead, terrain in enumerate(feature.terrain for feature in self.tile.features):
            if leads[lead] != lead:
                continue
            own = [feature for feature, one in enumerate(leads) if one == lead]
            joined = tuple([number for number, one in self.leads_of.items() if leads[one] == lead])
            gaps = pays = 0
            crew: Crew = ()
            for feature in own:
                gaps += self.gaps[feature]
                pays += self.shape.symbols[feature]
            if terrain is Terrain.MARKET:
                gaps -= sum([(self.move.x + x, self.move.y + y) in self.at for x, y in AROUND])
            for number in joined:
                region = self.regions[number]
                gaps += region.gaps
                pays += region.pays
                crew = with_crew(crew, region)
            boat = any(self.tile.features[feature].boat for feature in own)
            yield Group(terrain, gaps, pays, crew, boat, joined)


def crew_of(region: Region) -> Crew:
    return tuple([(one.seat, one.islanders) for one in region.crews])


def with_crew(crew: Crew, region: Region) -> Crew:
    """The crew and that of the region, together."""
    if not region.crews:
        return crew
    counts = dict(crew)
    for one in region.crews:
        counts[one.seat] = counts.get(one.seat, 0) + one.islanders
    return tuple(counts.items())
