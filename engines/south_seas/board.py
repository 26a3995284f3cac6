"""The sea of one match: tiles on an unbounded grid of squares, and the features that they make together.

Cell numbers ascend from west to east, then from north to south; the start tile lies at x 0, y 0. Sides count clockwise
from the north, and so do half-edges: half 2s and then 2s + 1 are on side s. Half h of a side meets half 1 - h of the
side that it faces (SS-5).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Self, TypeVar

from msgspec import Struct, field

T = TypeVar("T")

SIDES = range(4)
WIDTH = 256
ORIGIN = WIDTH // 2 * (WIDTH + 1)
FARTHEST = 80
"""No row of a box's tiles comes as far."""
STEPS = (-WIDTH, 1, WIDTH, -1)
"""To the neighbour on each side."""
AROUND = frozenset((-WIDTH - 1, -WIDTH, -WIDTH + 1, -1, 1, WIDTH - 1, WIDTH, WIDTH + 1))
"""To the eight cells round a market (SS-20)."""
SEA, BRIDGE, ISLAND = 1, 2, 3
"""What is on a side; a pattern has two bits for each side, 0 where nothing is asked."""


def cell_at(x: int, y: int) -> int | None:
    """The cell's number; None where no tile can come."""
    if abs(x) > FARTHEST or abs(y) > FARTHEST:
        return None
    return ORIGIN + WIDTH * y + x


@lru_cache(maxsize=1 << 14)
def position(cell: int) -> tuple[int, int]:
    """The x and y of the cell."""
    y, x = divmod(cell - ORIGIN + WIDTH // 2, WIDTH)
    return x - WIDTH // 2, y


def opposite(side: int) -> int:
    return (side + 2) % 4


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """A tile turned so far: what of it meets its neighbours, its features by number."""

    sides: tuple[int, ...]
    joints: tuple[tuple[int, ...], ...]
    """The features on each side, clockwise; at a bridge the sea beside it too."""
    facing: tuple[tuple[int, ...], ...]
    """For each side of a neighbour, what faces it, in the order of the neighbour's joints."""
    asked: tuple[int, ...]
    """For each side, what it asks of a tile laid there, as a part of that cell's pattern."""
    roots: tuple[int, ...]
    gaps: tuple[int, ...]
    symbols: tuple[int, ...]
    nobody: tuple[int, ...]
    groups: tuple[int, ...]
    """Its fish: 2 x feature, + 1 for a group of two."""
    market: int | None


def shapes(
    sides: tuple[int, ...], joints: tuple[tuple[int, ...], ...], symbols: tuple[int, ...], groups: tuple[int, ...],
    market: int | None,
) -> tuple[Shape, ...]:  # fmt: skip
    """The tile in its four rotations, clockwise."""
    meets = [joint for side in joints for joint in side]
    count = len(symbols)
    return tuple(
        Shape(
            sides=(turned := turn(sides, rotation)),
            joints=(own := turn(joints, rotation)),
            facing=tuple(own[opposite(side)][::-1] for side in SIDES),
            asked=tuple(shown << 2 * opposite(side) for side, shown in enumerate(turned)),
            roots=(-1,) * count,
            gaps=tuple(len(AROUND) if feature == market else meets.count(feature) for feature in range(count)),
            symbols=symbols,
            nobody=(0,) * count,
            groups=groups,
            market=market,
        )
        for rotation in range(4)
    )


def turn(around: tuple[T, ...], rotation: int) -> tuple[T, ...]:
    return around[4 - rotation :] + around[: 4 - rotation]


@lru_cache(maxsize=256)
def fitting(sides: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """By the pattern of a cell, the rotations in which a tile with these sides fits there."""
    return tuple(
        tuple(rotation for rotation in range(4) if fits(turn(sides, rotation), pattern)) for pattern in range(256)
    )


def fits(sides: tuple[int, ...], pattern: int) -> bool:
    return all(pattern >> 2 * side & 3 in {0, shown} for side, shown in enumerate(sides))


class Board(Struct):
    """Features are nodes, numbered as their tiles were laid; nodes that join have one root (union by size).

    What belongs to a feature stands at its root, and is 0 at all other nodes. Roots are found without shortening the
    ways to them, so that boards with the same tiles, laid in the same order, are equal.
    """

    at: dict[int, int] = field(default_factory=dict)
    """Cell -> the number of its tile, in the order laid."""
    shapes: list[Shape] = field(default_factory=list)
    frontier: dict[int, int] = field(default_factory=dict)
    """Empty cell beside a tile -> its pattern."""
    starts: list[int] = field(default_factory=list)
    """Each tile's first node."""
    tile_of: bytearray = field(default_factory=bytearray)
    """Each node's tile."""
    parents: list[int] = field(default_factory=list)
    """Of a root, - the number of its nodes."""
    gaps: list[int] = field(default_factory=list)
    """Sides of a bridge or island and half-edges of a sea that face an empty cell; of a market, empty cells around."""
    symbols: list[int] = field(default_factory=list)
    """Wares that it pays: fish that are covered do not count."""
    occupants: list[int] = field(default_factory=list)
    """How many islanders each seat has there: three bits a seat."""
    groups: list[int] = field(default_factory=list)
    """Fish not covered, in the order laid: 2 x node, + 1 for a group of two."""
    markets: dict[int, int] = field(default_factory=dict)
    """Cell -> node."""

    def copy(self) -> Self:
        return type(self)(
            self.at.copy(), self.shapes[:], self.frontier.copy(), self.starts[:], self.tile_of[:], self.parents[:],
            self.gaps[:], self.symbols[:], self.occupants[:], self.groups[:], self.markets.copy(),
        )  # fmt: skip

    def lay(self, shape: Shape, cell: int) -> None:
        """Lay a tile: all it costs is its own four sides and the few markets."""
        tile, start = len(self.starts), len(self.parents)
        self.starts.append(start)
        self.shapes.append(shape)
        self.tile_of += bytes([tile]) * len(shape.roots)
        self.parents += shape.roots
        self.gaps += shape.gaps
        self.symbols += shape.symbols
        self.occupants += shape.nobody
        self.groups += [2 * start + group for group in shape.groups]
        self.frontier.pop(cell, None)
        for side, step in enumerate(STEPS):
            beside = cell + step
            neighbour = self.at.get(beside)
            if neighbour is None:
                self.frontier[beside] = self.frontier.get(beside, 0) | shape.asked[side]
                continue
            begin = self.starts[neighbour]
            for own, its in zip(shape.joints[side], self.shapes[neighbour].facing[side], strict=True):
                self._join(start + own, begin + its)
        for market, node in self.markets.items():
            if market - cell in AROUND:
                self.gaps[node] -= 1
        if shape.market is not None:
            self.markets[cell] = start + shape.market
            self.gaps[start + shape.market] -= sum(cell + step in self.at for step in AROUND)
        self.at[cell] = tile

    def _join(self, one: int, other: int) -> None:
        """Two that meet are one feature, and face each other instead of empty cells."""
        parents = self.parents
        root, gone = self.root(one), self.root(other)
        if root != gone:
            if (parents[gone], gone) < (parents[root], root):
                root, gone = gone, root
            parents[root] += parents[gone]
            parents[gone] = root
            for tally in (self.gaps, self.symbols, self.occupants):
                tally[root] += tally[gone]
                tally[gone] = 0
        self.gaps[root] -= 2

    def root(self, node: int) -> int:
        parents = self.parents
        while (parent := parents[node]) >= 0:
            node = parent
        return node

    def nodes(self, tile: int) -> range:
        """The tile's features, in their order."""
        start = self.starts[tile]
        return range(start, start + len(self.shapes[tile].roots))

    def node(self, cell: int, feature: int) -> int:
        return self.starts[self.at[cell]] + feature

    def part(self, node: int) -> tuple[int, int]:
        """The tile of the node, and the feature of that tile."""
        tile = self.tile_of[node]
        return tile, node - self.starts[tile]

    def cover(self, group: int) -> None:
        """SS-18."""
        self.groups.remove(group)
        self.symbols[self.root(group // 2)] -= 1 + group % 2

    def groups_of(self, root: int) -> Iterator[int]:
        """The fish of the region that are not covered, in the order laid."""
        return (group for group in self.groups if self.root(group // 2) == root)

    def settle(self, node: int, seat: int) -> None:
        self.occupants[self.root(node)] += 1 << 3 * seat

    def unsettle(self, node: int, seat: int) -> None:
        self.occupants[self.root(node)] -= 1 << 3 * seat


@lru_cache(maxsize=1 << 12)
def crews(occupants: int) -> tuple[int, ...]:
    """How many islanders each seat has, the last seats without any left out."""
    return (occupants & 7, *crews(occupants >> 3)) if occupants else ()


@lru_cache(maxsize=1 << 12)
def owners(occupants: int) -> tuple[int, ...]:
    """The seats with the most islanders there (SS-13)."""
    crew = crews(occupants)
    return tuple(seat for seat, count in enumerate(crew) if count == max(crew))
