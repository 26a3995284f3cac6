"""What happened, in words: the catalogues are in messages/."""

from engines.core.words import Place, Sentence, Teller, Telling
from engines.lost_seas.board import SIZE
from engines.lost_seas.events import SidesChosen, SidesRevealed, TileTaken


def _tile(telling: Telling, tile: str) -> Sentence:
    row = telling.catalog.tiles[telling.catalog.tile_numbers[tile]]
    return Sentence("tile", {"id": tile, "elements": telling.told("elements", row.elements)})


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
    things={"tile": _tile, "tiles": _tile},
    special={SidesChosen: _sides_chosen, SidesRevealed: _sides_revealed, TileTaken: _tile_taken},
)
