"""The Fishermen: how their forms differ, where fish are caught, and what fish pay for."""

from collections.abc import Callable
from enum import StrEnum
from functools import cache, lru_cache
from itertools import product
from operator import le
from typing import NamedTuple

from engines.catan_fishermen.board import EMPTY, Piece, Topology
from engines.catan_fishermen.catalog import Catalog, FishComponents
from engines.core.shapes import Plain

FACES = 3
"""A token bears one, two or three fish; in the supply the boot stands behind them."""
BOOT = FACES
MOST_TOKENS = 7
"""CA-37."""


class Fishermen(StrEnum):
    """CA-30, CA-50, CA-60 and CA-70."""

    SPIELBOX = "spielbox"
    LAKE = "lake"
    NO_SHIPS = "no_ships"
    NONE = "none"


class Fish(Plain, frozen=True):
    """So many tokens with one, two and three fish. Fish of open piles count one by one: CA-62."""

    one: int = 0
    two: int = 0
    three: int = 0

    def counts(self) -> tuple[int, int, int]:
        return self.one, self.two, self.three

    def total(self) -> int:
        """The fish on them."""
        return self.one + 2 * self.two + 3 * self.three


class Benefit(StrEnum):
    """CA-34."""

    ROBBER = "robber"
    STEAL = "steal"
    RESOURCE = "resource"
    ROAD = "road"
    DEVELOPMENT = "development"


PRICES = {Benefit.ROBBER: 2, Benefit.STEAL: 3, Benefit.RESOURCE: 4, Benefit.ROAD: 5, Benefit.DEVELOPMENT: 7}
"""CA-34, in fish; ascending."""


def one_token(board: Topology, docks: frozenset[int], vertex: int) -> int:  # noqa: ARG001 - anywhere
    """CA-32."""
    return 1


def by_place(board: Topology, docks: frozenset[int], vertex: int) -> int:
    """CA-61."""
    return 1 if vertex in docks else 4 - len(board.vertex_hexes[vertex])


class Form(NamedTuple):
    """What a form of the Fishermen has of its own."""

    lake: bool
    """In place of the desert; the robber is at home off the board."""
    open_piles: bool
    """Fish lie face up and are counted one by one; else tokens are drawn, and their faces known to their owner."""
    boots: int
    catch: Callable[[Topology, frozenset[int], int], int]
    """What a settlement at a vertex of a ground takes."""

    def supply(self, components: FishComponents) -> tuple[int, ...]:
        """Tokens by face, and boots, before the first is drawn."""
        if self.open_piles:
            return sum(face * count for face, count in enumerate(components.tokens, 1)), 0, 0, self.boots
        return *components.tokens, self.boots

    @property
    def most(self) -> int:
        """What a seat may hold: CA-37, CA-62."""
        return FACES * MOST_TOKENS if self.open_piles else MOST_TOKENS


FORMS = {
    Fishermen.SPIELBOX: Form(lake=False, open_piles=False, boots=1, catch=one_token),
    Fishermen.LAKE: Form(lake=True, open_piles=False, boots=1, catch=one_token),
    Fishermen.NO_SHIPS: Form(lake=False, open_piles=True, boots=0, catch=by_place),
}


class Water(NamedTuple):
    """A fishing ground or the lake: when it pays, and what a settlement takes at each vertex."""

    numbers: tuple[int, ...]
    vertices: tuple[int, ...]
    catches: tuple[int, ...]
    hex: int | None = None
    """The lake's; the robber blocks it (CA-52)."""


@lru_cache(maxsize=256)
def waters(catalog: Catalog, form: Form, doubles: bytes, numbers: tuple[int, ...], lake: int) -> tuple[Water, ...]:
    """The grounds clockwise (CA-31), then the lake on its hex if the form has one (CA-50)."""
    board = catalog.board
    frame = tuple(Piece.DOUBLE if double else Piece.SINGLE for double in doubles)
    docks = frozenset(end for edge in board.harbour_edges(frame) for end in board.edge_ends[edge])
    found = [
        Water((number,), ground, tuple(form.catch(board, docks, vertex) for vertex in ground))
        for number, ground in zip(numbers, board.grounds(frame), strict=True)
    ]
    if form.lake:
        around = board.hex_vertices[lake]
        found.append(Water(catalog.fishermen.lake, around, (1,) * len(around), lake))
    return tuple(found)


def catches(found: tuple[Water, ...], buildings: bytearray, robber: int, seats: int) -> tuple[tuple[int, ...], ...]:
    """What each seat is owed by each sum of the dice, () where none is: CA-32, for a city twice as much."""
    owed = [[0] * seats for _ in range(13)]
    for water in found:
        for vertex, catch in zip(water.vertices, water.catches, strict=True):
            built = buildings[vertex]
            if built == EMPTY or water.hex == robber:
                continue
            for number in water.numbers:
                owed[number][built >> 1] += catch * (1 + (built & 1))
    return tuple(tuple(row) if any(row) else () for row in owed)


@cache
def payments(price: int, *held: int) -> tuple[Fish, ...]:
    """Tokens of such a hand that pay the price with none to spare; the fewest fish first, of these the most tokens."""
    found = []
    for counts in product(*[range(count + 1) for count in held]):
        fish = Fish(*counts)
        least = next((face for face, count in enumerate(counts, 1) if count), 0)
        if fish.total() - least < price <= fish.total():
            found.append(fish)
    return tuple(sorted(found, key=lambda fish: (fish.total(), -sum(fish.counts()))))


def covers(held: tuple[int, ...], tokens: Fish) -> bool:
    """Whether these are tokens of the hand."""
    counts = tokens.counts()
    return min(counts) >= 0 and all(map(le, counts, held))
