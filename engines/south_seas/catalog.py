"""The components of one edition, as printed: rows read from its JSON and checked on load."""

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

import msgspec

from engines.core.errors import InvalidEdition
from engines.core.shapes import Plain
from engines.south_seas.board import BRIDGE, ISLAND, SEA, SIDES, Shape, fitting, shapes

TILES, SHIPS, BOATS = 73, 24, 19
"""SS-1."""
MOST_ASKED = 8
"""By a sail of any wares: all ways to pay four of them can still be listed."""
MOST_FEATURES = 16
MOST_SYMBOLS = 9
"""Of a kind on a feature: each group of fish is kept apart."""
MOST_POINTS = MOST_FIXED = 99
"""Of a ship, and asked by a sail of a combination: sums stay within what a log can hold."""


class Terrain(StrEnum):
    """What an islander can stand on (SS-7); evaluated in this order (SS-24)."""

    BRIDGE = "bridge"
    ISLAND = "island"
    SEA = "sea"
    MARKET = "market"


class Side(StrEnum):
    """What a tile shows on a side (SS-5)."""

    SEA = "sea"
    BRIDGE = "bridge"
    ISLAND = "island"


class HalfEdge(StrEnum):
    """Clockwise: the first half of the north side is its west half, of the east side its north half, and so on."""

    N0 = "n0"
    N1 = "n1"
    E0 = "e0"
    E1 = "e1"
    S0 = "s0"
    S1 = "s1"
    W0 = "w0"
    W1 = "w1"


class End(StrEnum):
    """Where a bridge ends: at a side of the tile, or at what closes it (SS-14)."""

    NORTH = "north"
    EAST = "east"
    SOUTH = "south"
    WEST = "west"
    JUNCTION = "junction"
    ISLAND = "island"
    MARKET = "market"


class Ware(StrEnum):
    """SS-1. Hands and payments count them in this order."""

    SHELL = "shell"
    BANANA = "banana"
    FISH = "fish"


class Sail(StrEnum):
    """How a ship asks for wares (SS-26)."""

    SPECIFIC = "specific"
    ANY_SAME = "any_same"
    ANY = "any"


TERRAINS = tuple(Terrain)
HALF_EDGES = tuple(HalfEdge)
SIDE_ENDS = tuple(End)[: len(SIDES)]
WARES = tuple(Ware)
NUMBER_OF_SIDE = {Side.SEA: SEA, Side.BRIDGE: BRIDGE, Side.ISLAND: ISLAND}
PAID_IN = {Terrain.BRIDGE: 0, Terrain.ISLAND: 1, Terrain.SEA: 2}
"""SS-12: the number of the ware."""


class Wares(Plain, frozen=True):
    """So many of each kind."""

    shell: int = 0
    banana: int = 0
    fish: int = 0

    def counts(self) -> tuple[int, int, int]:
        return self.shell, self.banana, self.fish

    def total(self) -> int:
        return self.shell + self.banana + self.fish


class Feature(Plain, frozen=True):
    """A bridge has two `ends`, an island and a sea have `half_edges`.

    `symbols` counts shells, bananas or single fish, `doubles` groups of two fish.
    """

    id: str
    terrain: Terrain
    half_edges: tuple[HalfEdge, ...] = ()
    ends: tuple[End, ...] = ()
    symbols: int = 0
    doubles: int = 0
    boat: bool = False


class Tile(Plain, frozen=True, cache_hash=True):
    """One kind of land tile; `sides` from the north clockwise."""

    id: str
    copies: int
    sides: tuple[Side, ...]
    features: tuple[Feature, ...]
    start: bool = False


class Ship(Plain, frozen=True, cache_hash=True):
    """`wares` are those of a specific sail, `number` is how many a flexible one asks for."""

    id: str
    points: int
    sail: Sail
    wares: Wares = Wares()
    number: int = 0


class Edition(Plain, frozen=True):
    """The file. `official` and `own` say where its content comes from."""

    game: str
    name: str
    official: tuple[str, ...]
    own: tuple[str, ...]
    tiles: tuple[Tile, ...]
    ships: tuple[Ship, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Catalog:
    """An edition ready for play: states name tiles and ships by their place here, features by theirs on the tile."""

    tiles: tuple[Tile, ...]
    ships: tuple[Ship, ...]
    tile_numbers: dict[str, int]
    ship_numbers: dict[str, int]
    feature_numbers: tuple[dict[str, int], ...]
    start: int
    pile: bytes
    """Every tile but the start tile."""
    shapes: tuple[tuple[Shape, ...], ...]
    """Each tile in its four rotations."""
    fits: tuple[tuple[tuple[int, ...], ...], ...]
    """For each tile and pattern, the rotations that fit."""
    evaluated: tuple[tuple[int, ...], ...]
    """Each tile's bridges, then islands, then seas, first the one with a boat."""


@lru_cache(maxsize=16)
def load(data: bytes) -> Catalog:
    """The catalog of an edition's bytes; raises InvalidEdition."""
    try:
        edition = msgspec.json.decode(data, type=Edition)
    except msgspec.DecodeError as error:
        raise InvalidEdition(f"not an edition of South Seas: {error}") from error
    _check(edition)
    numbered = list(enumerate(edition.tiles))
    (start,) = (number for number, tile in numbered if tile.start)
    return Catalog(
        tiles=edition.tiles,
        ships=edition.ships,
        tile_numbers={tile.id: number for number, tile in numbered},
        ship_numbers={ship.id: number for number, ship in enumerate(edition.ships)},
        feature_numbers=tuple({one.id: number for number, one in enumerate(tile.features)} for tile in edition.tiles),
        start=start,
        pile=bytes(number for number, tile in numbered for _ in range(tile.copies - tile.start)),
        shapes=tuple(map(shapes_of, edition.tiles)),
        fits=tuple(fitting(_sides(tile)) for tile in edition.tiles),
        evaluated=tuple(map(_evaluated, edition.tiles)),
    )


def _evaluated(tile: Tile) -> tuple[int, ...]:
    paid = [(number, one) for number, one in enumerate(tile.features) if one.terrain in PAID_IN]
    return tuple(number for number, one in sorted(paid, key=lambda row: (PAID_IN[row[1].terrain], not row[1].boat)))


def _sides(tile: Tile) -> tuple[int, ...]:
    return tuple(NUMBER_OF_SIDE[side] for side in tile.sides)


@lru_cache(maxsize=1024)
def shapes_of(tile: Tile) -> tuple[Shape, ...]:
    """The tile in its four rotations."""
    features = tile.features
    at_half = {half: number for number, one in enumerate(features) for half in one.half_edges}
    at_end = {end: number for number, one in enumerate(features) for end in one.ends}
    joints = []
    for side, shown in enumerate(tile.sides):
        first, second = (at_half[half] for half in HALF_EDGES[2 * side : 2 * side + 2])
        between = {Side.SEA: (first, second), Side.ISLAND: (first,)}
        joints.append(between.get(shown) or (first, at_end[SIDE_ENDS[side]], second))
    groups = [
        2 * number + double
        for number, one in enumerate(features)
        if one.terrain is Terrain.SEA
        for double in [1] * one.doubles + [0] * one.symbols
    ]
    market = next((number for number, one in enumerate(features) if one.terrain is Terrain.MARKET), None)
    symbols = tuple(one.symbols + 2 * one.doubles for one in features)
    return shapes(_sides(tile), tuple(joints), symbols, tuple(groups), market)


def _check(edition: Edition) -> None:
    _require(edition.game == "south_seas", f"the edition is of {edition.game!r}, not of 'south_seas'")
    for tile in edition.tiles:
        _check_tile(tile)
    count = sum(tile.copies for tile in edition.tiles)
    _require(count == TILES, f"{count} tiles, not {TILES}")
    count = sum(tile.copies for tile in edition.tiles if tile.start)
    _require(count == 1, f"{count} start tiles, not 1")
    count = sum(tile.copies for tile in edition.tiles for one in tile.features if one.boat)
    _require(count == BOATS, f"{count} fishing boats, not {BOATS}")
    for ship in edition.ships:
        _check_ship(ship)
    count = len(edition.ships)
    _require(count == SHIPS, f"{count} ships, not {SHIPS}")
    for row in (edition.tiles, edition.ships):
        for name, times in Counter(one.id for one in row).items():
            _require(times == 1, f"the id {name} is used {times} times")


def _check_tile(tile: Tile) -> None:
    name, features = tile.id, tile.features
    _require(tile.copies >= 1, f"tile {name} has {tile.copies} copies")
    _require(len(tile.sides) == len(SIDES), f"tile {name} has {len(tile.sides)} sides, not 4")
    _require(len(features) <= MOST_FEATURES, f"tile {name} has {len(features)} features, more than {MOST_FEATURES}")
    for id_, times in Counter(one.id for one in features).items():
        _require(times == 1, f"tile {name} has {times} features {id_}")
    for one in features:
        _check_feature(f"{name} {one.id}", one, {other.terrain for other in features})
    terrains = Counter(one.terrain for one in features)
    _require(terrains[Terrain.MARKET] <= 1, f"tile {name} has {terrains[Terrain.MARKET]} markets")
    ends = Counter(end for one in features for end in one.ends)
    _require(ends[End.JUNCTION] != 1, f"a single arm meets at the junction of tile {name}")
    halves = [half for one in features for half in one.half_edges]
    _require(sorted(halves) == sorted(HALF_EDGES), f"not every half-edge of tile {name} is in exactly one feature")
    at_half = {half: one for one in features for half in one.half_edges}
    for side, shown in enumerate(tile.sides):
        first, second = (at_half[half] for half in HALF_EDGES[2 * side : 2 * side + 2])
        _require(
            ends[SIDE_ENDS[side]] == (shown is Side.BRIDGE)
            and first.terrain is second.terrain
            and (first.terrain is Terrain.ISLAND) == (shown is Side.ISLAND)
            and (first is second or shown is Side.BRIDGE),
            f"the {SIDE_ENDS[side]} side of tile {name} is not what its features make it",
        )


def _check_feature(name: str, feature: Feature, around: set[Terrain]) -> None:
    terrain = feature.terrain
    for count in (feature.symbols, feature.doubles):
        _require(0 <= count <= MOST_SYMBOLS, f"{name} has {count} symbols, not 0 to {MOST_SYMBOLS}")
    if terrain is Terrain.BRIDGE:
        sides = [end for end in feature.ends if end in SIDE_ENDS]
        _require(
            len(feature.ends) == 2 and 1 <= len(set(sides)) == len(sides),
            f"bridge {name} has not two ends, one outside",
        )
    else:
        _require(not feature.ends, f"{name} has ends, and is no bridge")
    for end, closed_by in ((End.ISLAND, Terrain.ISLAND), (End.MARKET, Terrain.MARKET)):
        _require(end not in feature.ends or closed_by in around, f"bridge {name} ends at no {closed_by}")
    lies_out = terrain in {Terrain.ISLAND, Terrain.SEA}
    _require(bool(feature.half_edges) == lies_out, f"{name} has the half-edges of another kind of feature")
    _require(
        terrain is Terrain.SEA or not (feature.doubles or feature.boat), f"{name} has a boat or fish, and is no sea"
    )
    _require(terrain is not Terrain.MARKET or not feature.symbols, f"market {name} has symbols")


def _check_ship(ship: Ship) -> None:
    _require(1 <= ship.points <= MOST_POINTS, f"ship {ship.id} is worth {ship.points} points, not 1 to {MOST_POINTS}")
    if ship.sail is Sail.SPECIFIC:
        fixed = min(ship.wares.counts()) >= 0 and 1 <= ship.wares.total() <= MOST_FIXED and ship.number == 0
        _require(fixed, f"ship {ship.id} does not ask for a combination of 1 to {MOST_FIXED} wares")
    else:
        _require(1 <= ship.number <= MOST_ASKED, f"ship {ship.id} asks for {ship.number} wares, not 1 to {MOST_ASKED}")
        _require(ship.wares == Wares(), f"ship {ship.id} asks for wares of its own and for any")


def _require(holds: bool, message: str) -> None:
    if not holds:
        raise InvalidEdition(message)
