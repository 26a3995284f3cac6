"""The components of one edition, as printed: rows read from its JSON and checked on load."""

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

import msgspec

from engines.core.errors import InvalidEdition
from engines.core.shapes import Plain

TILES = 65
EXPEDITIONS = 44
MOST_POINTS = 99
"""Of an expedition: sums stay within what a log can hold."""


class Element(StrEnum):
    """LS-2."""

    KRAKEN = "kraken"
    LEVIATHAN = "leviathan"
    MAELSTROM = "maelstrom"
    ROCK = "rock"
    SANDBANK = "sandbank"
    SHIPWRECK = "shipwreck"


class Pattern(StrEnum):
    """What an expedition asks of its line: LS-16 to LS-22."""

    EXACT = "exact"
    EXACT_ANY = "exact_any"
    TOTAL = "total"
    DIFFERENT = "different"
    PER_SET = "per_set"
    ABSENT = "absent"
    MAJORITY = "majority"


class Side(StrEnum):
    EASY = "easy"
    HARD = "hard"


SIDES = tuple(Side)
ELEMENTS = tuple(Element)
INDEX = {element: index for index, element in enumerate(ELEMENTS)}


class Tile(Plain, frozen=True):
    """One kind of sea tile: the elements drawn on it, each as often as it is drawn."""

    id: str
    elements: tuple[Element, ...]
    copies: int


class Demand(Plain, frozen=True):
    """One side of an expedition: the elements drawn on it, each as often as drawn, or a number in their place."""

    pattern: Pattern
    points: int
    elements: tuple[Element, ...] = ()
    number: int = 0


class Expedition(Plain, frozen=True):
    id: str
    easy: Demand
    hard: Demand


class Edition(Plain, frozen=True):
    """The file. `official` and `own` say where its content comes from; `totals` is how often each element is drawn."""

    game: str
    name: str
    official: tuple[str, ...]
    own: tuple[str, ...]
    totals: dict[Element, int]
    tiles: tuple[Tile, ...]
    expeditions: tuple[Expedition, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Catalog:
    """An edition ready for play: states name tiles, and demands (2 x expedition + side), by their place here."""

    tiles: tuple[Tile, ...]
    expeditions: tuple[Expedition, ...]
    demands: tuple[Demand, ...]
    tile_numbers: dict[str, int]
    expedition_numbers: dict[str, int]
    pile: bytes
    """Every physical tile."""
    drawn: tuple[tuple[int, ...], ...]
    """Each tile's elements by number."""


@lru_cache(maxsize=16)
def load(data: bytes) -> Catalog:
    """The catalog of an edition's bytes; raises InvalidEdition."""
    try:
        edition = msgspec.json.decode(data, type=Edition)
    except (msgspec.DecodeError, RecursionError) as error:
        raise InvalidEdition(f"not an edition of Lost Seas: {error}") from error
    _check(edition)
    return Catalog(
        tiles=edition.tiles,
        expeditions=edition.expeditions,
        demands=tuple(demand for expedition in edition.expeditions for demand in (expedition.easy, expedition.hard)),
        tile_numbers={tile.id: number for number, tile in enumerate(edition.tiles)},
        expedition_numbers={expedition.id: number for number, expedition in enumerate(edition.expeditions)},
        pile=bytes(number for number, tile in enumerate(edition.tiles) for _ in range(tile.copies)),
        drawn=tuple(tuple(INDEX[element] for element in tile.elements) for tile in edition.tiles),
    )


def _check(edition: Edition) -> None:
    _require(edition.game == "lost_seas", f"the edition is of {edition.game!r}, not of 'lost_seas'")
    for tile in edition.tiles:
        _require(1 <= len(tile.elements) <= 3, f"tile {tile.id} carries {len(tile.elements)} elements, not 1 to 3")
        _require(tile.copies >= 1, f"tile {tile.id} has {tile.copies} copies")
    count = sum(tile.copies for tile in edition.tiles)
    _require(count == TILES, f"{count} tiles, not {TILES}")
    totals = Counter(element for tile in edition.tiles for element in tile.elements * tile.copies)
    for element in ELEMENTS:
        stated = edition.totals.get(element, 0)
        _require(totals[element] == stated, f"{element} is drawn {totals[element]} times, not {stated}")
    count = len(edition.expeditions)
    _require(count == EXPEDITIONS, f"{count} expeditions, not {EXPEDITIONS}")
    for expedition in edition.expeditions:
        for side in SIDES:
            _check_demand(f"{expedition.id} {side}", getattr(expedition, side))
    ids = [tile.id for tile in edition.tiles] + [expedition.id for expedition in edition.expeditions]
    for name, times in Counter(ids).items():
        _require(times == 1, f"the id {name} is used {times} times")


def _check_demand(name: str, demand: Demand) -> None:
    _require(1 <= demand.points <= MOST_POINTS, f"{name} is worth {demand.points} points, not 1 to {MOST_POINTS}")
    match demand.pattern:
        case Pattern.EXACT_ANY | Pattern.TOTAL | Pattern.DIFFERENT:
            most = len(ELEMENTS) if demand.pattern is Pattern.DIFFERENT else 12
            _require(1 <= demand.number <= most, f"{name} asks for {demand.number}, not for 1 to {most}")
            _require(not demand.elements, f"{name} names elements and a number")
        case _:
            _require(bool(demand.elements), f"{name} names no element")
            _require(demand.number == 0, f"{name} names elements and a number")
            if demand.pattern is Pattern.MAJORITY:
                _require(len(demand.elements) == 1, f"{name} names {len(demand.elements)} elements, not one")


def _require(holds: bool, message: str) -> None:
    if not holds:
        raise InvalidEdition(message)
