"""The components of one edition, as printed: rows read from its JSON and checked on load."""

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise

import msgspec

from engines.catan_fishermen.board import (
    HEXES,
    PIECES,
    EdgeRow,
    HexRow,
    Piece,
    RingRow,
    Topology,
    check_frames,
    require,
    survey,
)
from engines.core.errors import InvalidEdition
from engines.core.shapes import Plain

CARDS, ROADS, SETTLEMENTS, CITIES = 19, 15, 5, 4
"""CA-3 for each resource, CA-4 for each player."""


class Resource(StrEnum):
    """CA-3. Hands, bank and trades count them in this order."""

    BRICK = "brick"
    LUMBER = "lumber"
    WOOL = "wool"
    GRAIN = "grain"
    ORE = "ore"


class Terrain(StrEnum):
    """CA-1, CA-50. A terrain's number is that of the resource it yields; those that yield none come last."""

    HILLS = "hills"
    FOREST = "forest"
    PASTURE = "pasture"
    FIELDS = "fields"
    MOUNTAINS = "mountains"
    DESERT = "desert"
    LAKE = "lake"


class Harbour(StrEnum):
    """CA-2. A harbour's number is that of the resource it trades 2:1; the 3:1 harbour comes last."""

    BRICK = "brick"
    LUMBER = "lumber"
    WOOL = "wool"
    GRAIN = "grain"
    ORE = "ore"
    ANY = "any"


class Development(StrEnum):
    """CA-3."""

    KNIGHT = "knight"
    ROAD_BUILDING = "road_building"
    YEAR_OF_PLENTY = "year_of_plenty"
    MONOPOLY = "monopoly"
    VICTORY_POINT = "victory_point"


RESOURCES = tuple(Resource)
TERRAINS = tuple(Terrain)
HARBOURS = tuple(Harbour)
DEVELOPMENTS = tuple(Development)
KINDS = len(RESOURCES)
DESERT, LAKE = TERRAINS.index(Terrain.DESERT), TERRAINS.index(Terrain.LAKE)
ANY = HARBOURS.index(Harbour.ANY)
KNIGHT, ROAD_BUILDING, YEAR_OF_PLENTY, MONOPOLY, VICTORY_POINT = range(len(DEVELOPMENTS))

TERRAIN_COUNTS = {
    Terrain.HILLS: 3,
    Terrain.FOREST: 4,
    Terrain.PASTURE: 4,
    Terrain.FIELDS: 4,
    Terrain.MOUNTAINS: 3,
    Terrain.DESERT: 1,
}
HARBOUR_COUNTS = {harbour: 4 if harbour is Harbour.ANY else 1 for harbour in HARBOURS}
TOKENS = (2, *(number for number in (3, 4, 5, 6, 8, 9, 10, 11) for _ in range(2)), 12)
DEVELOPMENT_COUNTS = {
    Development.KNIGHT: 14,
    Development.ROAD_BUILDING: 2,
    Development.YEAR_OF_PLENTY: 2,
    Development.MONOPOLY: 2,
    Development.VICTORY_POINT: 5,
}


class Cards(Plain, frozen=True):
    """So many resource cards of each kind."""

    brick: int = 0
    lumber: int = 0
    wool: int = 0
    grain: int = 0
    ore: int = 0

    def counts(self) -> tuple[int, int, int, int, int]:
        return self.brick, self.lumber, self.wool, self.grain, self.ore

    def total(self) -> int:
        return self.brick + self.lumber + self.wool + self.grain + self.ore


NOTHING = Cards()
ROAD = Cards(brick=1, lumber=1)
SETTLEMENT = Cards(brick=1, lumber=1, wool=1, grain=1)
CITY = Cards(grain=2, ore=3)
DEVELOPMENT = Cards(wool=1, grain=1, ore=1)
"""CA-13."""


def open_harbour(rates: bytearray, start: int, kind: int) -> None:
    """The rates of the five resources from `start` on, once their owner has a harbour of the kind (CA-16)."""
    if kind == ANY:
        for at in range(start, start + KINDS):
            rates[at] = min(rates[at], 3)
    else:
        rates[start + kind] = 2


class Beginner(Plain, frozen=True):
    """The board of a first game: terrain and numbers (0: none) by hex, harbours clockwise."""

    terrain: tuple[Terrain, ...]
    numbers: tuple[int, ...]
    harbours: tuple[Harbour, ...]


class FishComponents(Plain, frozen=True):
    """CA-30, CA-50: `tokens` counts those with one, two and three fish."""

    grounds: tuple[int, ...]
    lake: tuple[int, ...]
    lake_hexes: tuple[int, ...]
    tokens: tuple[int, ...]
    boots: int


class Edition(Plain, frozen=True):
    """The file. `official` and `own` say where its content comes from."""

    game: str
    name: str
    official: tuple[str, ...]
    own: tuple[str, ...]
    hexes: tuple[HexRow, ...]
    edges: tuple[EdgeRow, ...]
    ring: tuple[RingRow, ...]
    pieces: tuple[Piece, ...]
    spirals: tuple[tuple[int, ...], ...]
    letters: tuple[int, ...]
    terrain: dict[Terrain, int]
    harbours: dict[Harbour, int]
    developments: dict[Development, int]
    cards: int
    roads: int
    settlements: int
    cities: int
    beginner: Beginner
    fishermen: FishComponents


@dataclass(frozen=True, slots=True, eq=False)
class Catalog:
    """An edition ready for play."""

    board: Topology
    hexes: tuple[HexRow, ...]
    pieces: tuple[Piece, ...]
    """The frame as printed, clockwise from the north-west."""
    spirals: tuple[tuple[int, ...], ...]
    """All hexes counterclockwise inwards, from each of the six corners (CA-5)."""
    letters: tuple[int, ...]
    beginner: Beginner
    fishermen: FishComponents


@lru_cache(maxsize=16)
def load(data: bytes) -> Catalog:
    """The catalog of an edition's bytes; raises InvalidEdition."""
    try:
        edition = msgspec.json.decode(data, type=Edition)
    except (msgspec.DecodeError, RecursionError) as error:
        raise InvalidEdition(f"not an edition of Catan: {error}") from error
    require(edition.game == "catan_fishermen", f"the edition is of {edition.game!r}, not of 'catan_fishermen'")
    board = survey(edition.hexes, edition.edges, edition.ring)
    check_frames(board)
    _check_components(edition)
    _check_spirals(edition, board)
    _check_beginner(edition, board)
    _check_fishermen(edition.fishermen, board)
    _check_centre(edition.beginner, board)
    return Catalog(
        board, edition.hexes, edition.pieces, edition.spirals, edition.letters, edition.beginner, edition.fishermen
    )


def _check_components(edition: Edition) -> None:
    """CA-1 to CA-4."""
    require(Counter(edition.terrain) == Counter(TERRAIN_COUNTS), f"the terrain is {edition.terrain}")
    require(Counter(edition.harbours) == Counter(HARBOUR_COUNTS), f"the harbours are {edition.harbours}")
    require(Counter(edition.developments) == Counter(DEVELOPMENT_COUNTS), f"the cards are {edition.developments}")
    require(sorted(edition.letters) == list(TOKENS), "the lettered tokens are not the 18 numbers")
    pieces = (edition.cards, edition.roads, edition.settlements, edition.cities)
    require(pieces == (CARDS, ROADS, SETTLEMENTS, CITIES), f"cards of a kind and pieces of a player are {pieces}")
    doubles = edition.pieces.count(Piece.DOUBLE)
    require(len(edition.pieces) == PIECES and doubles == 3, "the frame has three double and three single pieces")


def _check_spirals(edition: Edition, board: Topology) -> None:
    """From the six corners over every hex to the centre, each step to a neighbour."""
    starts = {spiral[0] for spiral in edition.spirals if spiral}
    require(len(starts) == len(edition.spirals) == 6, "the spirals do not start in six corners")
    for spiral in edition.spirals:
        require(sorted(spiral) == list(range(HEXES)), "a spiral visits each hex once")
        steps = pairwise(spiral)
        require(all(b in board.hex_neighbours[a] for a, b in steps), "a spiral goes from neighbour to neighbour")
        require(len(board.hex_neighbours[spiral[0]]) == 3, "a spiral starts in a corner")


def _check_beginner(edition: Edition, board: Topology) -> None:
    beginner = edition.beginner
    require(Counter(beginner.terrain) == Counter(TERRAIN_COUNTS), "the beginner's terrain is not CA-1's")
    require(len(beginner.numbers) == HEXES, "the beginner's board has a number, or 0, for each hex")
    require(sorted(filter(None, beginner.numbers)) == list(TOKENS), "the beginner's tokens are not CA-1's")
    for terrain, number in zip(beginner.terrain, beginner.numbers, strict=True):
        require((terrain is Terrain.DESERT) == (number == 0), "the desert alone bears no token")
    require(Counter(beginner.harbours) == Counter(HARBOUR_COUNTS), "the beginner's harbours are not CA-2's")
    red = [number in {6, 8} for number in beginner.numbers]
    apart = not any(red[one] and red[other] for one in range(HEXES) for other in board.hex_neighbours[one])
    require(apart, "two neighbours of the beginner's board bear a 6 or an 8")


def _check_fishermen(fishermen: FishComponents, board: Topology) -> None:
    """CA-30, CA-50."""
    require(sorted(fishermen.grounds) == [4, 5, 6, 8, 9, 10], "the grounds' numbers are not 4 5 6 8 9 10")
    require(sorted(fishermen.lake) == [2, 3, 11, 12], "the lake's numbers are not 2 3 11 12")
    inner = [number for number, around in enumerate(board.hex_neighbours) if len(around) == 6]
    require(sorted(fishermen.lake_hexes) == inner, "the lake lies on one of the inner hexes")
    require(fishermen.tokens == (11, 10, 8), "the fish tokens are 11, 10 and 8")
    require(fishermen.boots == 1, "there is one old boot")


def _check_centre(beginner: Beginner, board: Topology) -> None:
    """CA-50: where the beginner's desert lies, the lake does."""
    desert = beginner.terrain.index(Terrain.DESERT)
    around = {len(board.hex_neighbours[at]) for at in (desert, *board.hex_neighbours[desert])}
    require(around == {6}, "the beginner's desert is the centre, where the lake lies in its place")
