"""What happened, in words: the catalogues are in messages/."""

from collections import Counter
from collections.abc import Iterable

from engines.core.words import Place, Sentence, Teller, Telling, name_of
from engines.lost_seas.board import SIZE
from engines.lost_seas.catalog import ELEMENTS, Demand, Element, Expedition, Pattern, Side
from engines.lost_seas.events import LaidExpedition, SidesChosen, SidesRevealed, TileTaken

NUMBERED = frozenset({Pattern.DIFFERENT, Pattern.EXACT_ANY, Pattern.TOTAL})
"""Patterns that ask for a number; the others name elements."""


def _elements(elements: Iterable[Element]) -> tuple[Sentence, ...]:
    """Each kind once, with how often it is drawn where that is more than once."""
    drawn = Counter(elements)
    return tuple(
        Sentence("counted", {"count": drawn[kind], "element": name_of("element", kind)})
        if drawn[kind] > 1
        else name_of("element", kind)
        for kind in ELEMENTS
        if drawn[kind]
    )


def _tile(telling: Telling, tile: str) -> Sentence:
    """Tiles and expeditions bear no names: they are told by what is drawn on them."""
    row = telling.catalog.tiles[telling.catalog.tile_numbers[tile]]
    return Sentence("tile", {"elements": _elements(row.elements)})


def _demand(demand: Demand) -> Sentence:
    key = f"demand.{demand.pattern}"
    if demand.pattern in NUMBERED:
        return Sentence(key, {"number": demand.number, "points": demand.points})
    return Sentence(key, {"elements": _elements(demand.elements), "points": demand.points})


def _row(telling: Telling, expedition: str) -> Expedition:
    row: Expedition = telling.catalog.expeditions[telling.catalog.expedition_numbers[expedition]]
    return row


def _expedition(telling: Telling, expedition: str) -> Sentence:
    """As it is dealt, with both sides."""
    row = _row(telling, expedition)
    return Sentence("expedition", {"easy": _demand(row.easy), "hard": _demand(row.hard)})


def _laid_expedition(telling: Telling, laid: LaidExpedition) -> Sentence:
    row = _row(telling, laid.expedition)
    side = row.easy if laid.side is Side.EASY else row.hard
    return Sentence("laid_expedition", {"demand": _demand(side), "side": name_of("side", laid.side)})


def _tile_taken(telling: Telling, event: TileTaken) -> Sentence:
    row, column = divmod(event.cell, SIZE)
    return telling.phrase(event, row=row + 1, column=column + 1)


def _sides_chosen(telling: Telling, event: SidesChosen) -> Sentence:
    if event.laid is None:
        return telling.phrase(event)
    return telling.phrase(event, laid=telling.told("laid", event.laid.expeditions))


def _sides_revealed(telling: Telling, event: SidesRevealed) -> Sentence:
    lines = tuple(telling.phrase(line, seat=Place(seat)) for seat, line in enumerate(event.laid))
    return telling.phrase(event, laid=lines)


tell = Teller(
    places=("seat", "first_seat"),
    things={"tile": _tile, "tiles": _tile, "expeditions": _expedition},
    special={
        LaidExpedition: _laid_expedition,
        SidesChosen: _sides_chosen,
        SidesRevealed: _sides_revealed,
        TileTaken: _tile_taken,
    },
)
