"""The land as a player reads it off a view: what adjoins what, what an intersection yields, where the harbours are."""

from dataclasses import dataclass
from functools import lru_cache

from engines.catan_fishermen.board import EDGES, VERTICES, Paths, bits, paths_of, union
from engines.catan_fishermen.catalog import HARBOURS, KINDS, TERRAINS
from engines.catan_fishermen.events import HarbourPlace
from engines.catan_fishermen.fish import Fishermen
from engines.catan_fishermen.view import EdgeView, HexView, View

PIPS = (0, 0, 1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1)
"""The dots on a token: in how many of 36 rolls its hex pays."""
FISH_A_TOKEN, FISH_A_CARD = 1.9, 3.5
"""What a token bears on average (CA-30), and what a card costs in fish, whichever is wanted."""
ALL_EDGES = (1 << EDGES) - 1
ALL_VERTICES = (1 << VERTICES) - 1


@dataclass(frozen=True, slots=True, eq=False)
class Island:
    """Masks are ints with one bit a vertex, or one an edge."""

    paths: Paths
    around: tuple[tuple[tuple[int, int], ...], ...]
    """(edge, vertex at its other end) for each edge at a vertex."""
    yields: tuple[tuple[tuple[int, int, int], ...], ...]
    """(hex, resource, pips) for each hex at a vertex that pays."""
    harbours: dict[int, int]
    """The kind of the harbour at a vertex."""
    fish: dict[int, float]
    """What a vertex at a water yields, as pips of each resource."""

    def touched(self, roads: int) -> int:
        """The vertices at the ends of these edges."""
        return union(self.paths.edge_end_mask[edge] for edge in bits(roads))


@lru_cache(maxsize=64)
def island(
    hexes: tuple[HexView, ...],
    edges: tuple[EdgeView, ...],
    harbours: tuple[HarbourPlace, ...],
    fish: tuple[tuple[int, float], ...],
) -> Island:
    """What does not change in a match."""
    paths = paths_of(tuple((edge.ends[0], edge.ends[1]) for edge in edges))
    yields: list[list[tuple[int, int, int]]] = [[] for _ in range(VERTICES)]
    for at, land in enumerate(hexes):
        resource = TERRAINS.index(land.terrain)
        if resource < KINDS:
            for vertex in land.vertices:
                yields[vertex].append((at, resource, PIPS[land.number]))
    return Island(
        paths=paths,
        around=tuple(tuple((bit.bit_length() - 1, beyond) for bit, beyond in at) for at in paths.vertex_edges),
        yields=tuple(map(tuple, yields)),
        harbours={vertex: HARBOURS.index(dock.trades) for dock in harbours for vertex in paths.edge_ends[dock.edge]},
        fish=dict(fish),
    )


def caught(view: View) -> tuple[tuple[int, float], ...]:
    """The vertices at waters, and what fish there are worth, as pips of each resource."""
    fish = 1.0 if view.options.fishermen is Fishermen.NO_SHIPS else FISH_A_TOKEN
    return tuple(
        (vertex, catch * fish * sum(PIPS[number] for number in water.numbers) / (FISH_A_CARD * KINDS))
        for water in view.waters
        for vertex, catch in zip(water.vertices, water.catches, strict=True)
    )
