"""The island's geometry: 19 hexes, 54 intersections (vertices), 72 paths (edges), and the frame of sea around it."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations, pairwise, permutations

from engines.core.errors import InvalidEdition
from engines.core.shapes import Plain

HEXES, VERTICES, EDGES, RING, PIECES = 19, 54, 72, 18, 6
EMPTY = 255
"""Marks a place where nothing stands."""
PLACES_A_PIECE = RING // PIECES


class Piece(StrEnum):
    """A piece of the frame covers three places of the ring (CA-5)."""

    DOUBLE = "double"
    SINGLE = "single"


HARBOUR_PLACES = {Piece.DOUBLE: (0, 2), Piece.SINGLE: (1,)}
GROUND_PLACE = {Piece.DOUBLE: 1, Piece.SINGLE: 2}


class HexRow(Plain, frozen=True):
    """A land hex at axial coordinates; its vertices clockwise from the north."""

    q: int
    r: int
    vertices: tuple[int, ...]


class EdgeRow(Plain, frozen=True):
    ends: tuple[int, int]


class RingRow(Plain, frozen=True):
    """A sea hex of the frame; the coastal edges that it touches, counterclockwise."""

    q: int
    r: int
    coast: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Paths:
    """How edges and vertices meet. Masks are ints with one bit a vertex, or one an edge."""

    edge_ends: tuple[tuple[int, int], ...]
    vertex_edges: tuple[tuple[tuple[int, int], ...], ...]
    """(bit of the edge, vertex at its other end) for each edge at a vertex."""
    vertex_edge_mask: tuple[int, ...]
    edge_end_mask: tuple[int, ...]
    """The two vertices of each edge."""
    settled_mask: tuple[int, ...]
    """A vertex and its neighbours: where nobody settles once it is taken (CA-7)."""


def paths_of(edge_ends: tuple[tuple[int, int], ...]) -> Paths:
    at_vertex = defaultdict(list)
    for edge, (one, other) in enumerate(edge_ends):
        at_vertex[one].append((1 << edge, other))
        at_vertex[other].append((1 << edge, one))
    return Paths(
        edge_ends=edge_ends,
        vertex_edges=tuple(tuple(at_vertex[vertex]) for vertex in range(VERTICES)),
        vertex_edge_mask=tuple(sum(bit for bit, _ in at_vertex[vertex]) for vertex in range(VERTICES)),
        edge_end_mask=tuple(1 << one | 1 << other for one, other in edge_ends),
        settled_mask=tuple(
            1 << vertex | sum(1 << beyond for _, beyond in at_vertex[vertex]) for vertex in range(VERTICES)
        ),
    )


@dataclass(frozen=True, slots=True, eq=False)
class Topology(Paths):
    """What adjoins what."""

    hex_vertices: tuple[tuple[int, ...], ...]
    vertex_hexes: tuple[tuple[int, ...], ...]
    hex_neighbours: tuple[frozenset[int], ...]
    ring: tuple[tuple[int, ...], ...]
    """The coastal edges at each place of the frame, clockwise from the north-west."""

    def ground(self, place: int) -> tuple[int, ...]:
        """The three vertices of a fishing ground at a side place of the ring, ascending (CA-31)."""
        return tuple(sorted({vertex for edge in self.ring[place] for vertex in self.edge_ends[edge]}))

    def grounds(self, frame: tuple[Piece, ...]) -> tuple[tuple[int, ...], ...]:
        """Those of all pieces, clockwise."""
        return tuple(self.ground(PLACES_A_PIECE * at + GROUND_PLACE[piece]) for at, piece in enumerate(frame))

    def harbour_edges(self, frame: tuple[Piece, ...]) -> tuple[int, ...]:
        """The edges of the nine harbours, clockwise: of a sea hex the edge that touches its piece's ground (CA-5)."""
        edges = []
        for at, (piece, ground) in enumerate(zip(frame, self.grounds(frame), strict=True)):
            for place in HARBOUR_PLACES[piece]:
                coast = self.ring[PLACES_A_PIECE * at + place]
                edges += [edge for edge in coast if set(self.edge_ends[edge]) & set(ground)]
        return tuple(edges)


def longest_trail(paths: Paths, edges: int, stops: int) -> int:
    """The most of these edges that one trail runs through: no edge twice, vertices freely, `stops` only at its ends."""
    best = 0
    for edge in range(EDGES):
        if edges >> edge & 1:
            best = max(best, trail_through(paths, edges, stops, edge))
    return best


def trail_through(paths: Paths, edges: int, stops: int, edge: int) -> int:
    """As `longest_trail`, of the trails that run through this edge."""
    one, other = paths.edge_ends[edge]
    rest = edges ^ 1 << edge
    if not rest & paths.vertex_edge_mask[other]:
        return 1 + _arm(paths, rest, stops, one)
    if not rest & _within_reach(paths, rest, stops, one) & paths.vertex_edge_mask[other]:
        return 1 + _arm(paths, rest, stops, one) + _arm(paths, rest, stops, other)
    return 1 + _both_arms(paths, rest, stops, one, other)


def _arm(paths: Paths, edges: int, stops: int, vertex: int) -> int:
    """The longest trail over these edges that begins at the vertex."""
    if stops >> vertex & 1:
        return 0
    best = 0
    for bit, beyond in paths.vertex_edges[vertex]:
        if edges & bit:
            length = 1 + _arm(paths, edges ^ bit, stops, beyond)
            best = max(best, length)
    return best


def _both_arms(paths: Paths, edges: int, stops: int, one: int, other: int) -> int:
    """The longest two trails without a common edge, one from each vertex, together."""
    best = _arm(paths, edges, stops, other)
    if stops >> one & 1:
        return best
    for bit, beyond in paths.vertex_edges[one]:
        if edges & bit:
            best = max(best, 1 + _both_arms(paths, edges ^ bit, stops, beyond, other))
    return best


def _within_reach(paths: Paths, edges: int, stops: int, vertex: int) -> int:
    """The edges that trails from the vertex can come to."""
    reached = 0
    waiting = [vertex]
    while waiting:
        here = waiting.pop()
        if stops >> here & 1:
            continue
        for bit, beyond in paths.vertex_edges[here]:
            if edges & bit and not reached & bit:
                reached |= bit
                waiting.append(beyond)
    return reached


def survey(hexes: tuple[HexRow, ...], edges: tuple[EdgeRow, ...], ring: tuple[RingRow, ...]) -> Topology:
    """The topology of these rows, checked; raises InvalidEdition."""
    hex_vertices = tuple(row.vertices for row in hexes)
    edge_ends = tuple(row.ends for row in edges)
    require(len(hexes) == HEXES, f"{len(hexes)} hexes, not {HEXES}")
    require(all(len(set(around)) == 6 for around in hex_vertices), "a hex has six different vertices")
    sides = Counter(frozenset(side) for around in hex_vertices for side in pairwise((*around, around[0])))
    require(len(edges) == EDGES, f"{len(edges)} edges, not {EDGES}")
    require({frozenset(ends) for ends in edge_ends} == set(sides), "the edges are not the sides of the hexes")
    vertices = {vertex for around in hex_vertices for vertex in around}
    require(vertices == set(range(VERTICES)), f"the vertices are not 0 to {VERTICES - 1}")
    _check_coast(edge_ends, sides, ring)
    paths = paths_of(edge_ends)
    places = {(row.q, row.r): number for number, row in enumerate(hexes)}
    return Topology(
        hex_vertices=hex_vertices,
        vertex_hexes=tuple(
            tuple(number for number, around in enumerate(hex_vertices) if vertex in around)
            for vertex in range(VERTICES)
        ),
        hex_neighbours=tuple(
            frozenset(places[row.q + q, row.r + r] for q, r in STEPS if (row.q + q, row.r + r) in places)
            for row in hexes
        ),
        edge_ends=paths.edge_ends,
        vertex_edges=paths.vertex_edges,
        vertex_edge_mask=paths.vertex_edge_mask,
        edge_end_mask=paths.edge_end_mask,
        settled_mask=paths.settled_mask,
        ring=tuple(row.coast for row in ring),
    )


STEPS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""To the six neighbours of a hex, in axial coordinates."""


def _check_coast(
    edge_ends: tuple[tuple[int, int], ...], sides: Counter[frozenset[int]], ring: tuple[RingRow, ...]
) -> None:
    """The frame's coastal edges are those of one hex, 30 in all, each at one place."""
    coast = {edge for edge, ends in enumerate(edge_ends) if sides[frozenset(ends)] == 1}
    require(len(coast) == 30, f"{len(coast)} coastal edges, not 30")
    require(len(ring) == RING, f"{len(ring)} places of the frame, not {RING}")
    named = [edge for row in ring for edge in row.coast]
    require(sorted(named) == sorted(coast), "the frame does not name each coastal edge once")
    for place, row in enumerate(ring):
        corner = place % PLACES_A_PIECE == 0
        require(
            len(row.coast) == (1 if corner else 2), f"place {place} of the frame has {len(row.coast)} coastal edges"
        )
    steps = [(b.q - a.q, b.r - a.r) for a, b in pairwise((*ring, ring[0]))]
    require(all(step in STEPS for step in steps), "the places of the frame are not neighbours")


def check_frames(board: Topology) -> None:
    """However the pieces lie, no two grounds share a vertex and the nine harbours have 18 of their own."""
    for frame in sorted(set(permutations([Piece.DOUBLE] * 3 + [Piece.SINGLE] * 3))):
        grounds = board.grounds(frame)
        require(all(len(ground) == 3 for ground in grounds), "a fishing ground has three vertices")
        require(
            not any(set(one) & set(other) for one, other in combinations(grounds, 2)),
            "two fishing grounds share a vertex",
        )
        docks = [vertex for edge in board.harbour_edges(frame) for vertex in board.edge_ends[edge]]
        require(len(docks) == len(set(docks)) == 18, "the nine harbours do not serve 18 vertices")


def require(holds: bool, message: str) -> None:
    """Raises InvalidEdition unless it holds."""
    if not holds:
        raise InvalidEdition(message)


def mask(members: Iterable[int]) -> int:
    """The mask with these bits."""
    result = 0
    for member in members:
        result |= 1 << member
    return result


def union(masks: Iterable[int]) -> int:
    result = 0
    for one in masks:
        result |= one
    return result


def bits(mask: int) -> list[int]:
    """The members of a mask, ascending."""
    members = []
    while mask:
        low = mask & -mask
        members.append(low.bit_length() - 1)
        mask ^= low
    return members


def hexes_by_number(numbers: bytearray) -> tuple[tuple[int, ...], ...]:
    """The hexes with each number of 0 to 12; 0 is none."""
    return ((), *[tuple([at for at, token in enumerate(numbers) if token == number]) for number in range(1, 13)])
