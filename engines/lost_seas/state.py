"""The table of one match. Tiles, expeditions and demands stand as numbers of the catalog; 255 marks an empty place."""

from copy import copy
from enum import StrEnum
from typing import ClassVar, Self

from engines.core.outcome import Outcome
from engines.core.shapes import GameOptions, GameState
from engines.lost_seas.board import CELLS, LINES, LINES_OF, OFFSET, SIZE, Line
from engines.lost_seas.catalog import ELEMENTS, Catalog

EMPTY = 255
ROUNDS = 16
KINDS = len(ELEMENTS)


class FirstPlayer(StrEnum):
    SEAT_0 = "seat_0"
    SEAT_1 = "seat_1"
    SEAT_2 = "seat_2"
    SEAT_3 = "seat_3"
    DRAWN = "drawn"


class Options(GameOptions, frozen=True):
    """LS-25, LS-4, LS-22 and LS-7."""

    defined_by: ClassVar[dict[str, str]] = {
        "young_explorers": "LS-25",
        "arrange_expeditions": "LS-4",
        "majority_ties": "LS-22",
        "first_player": "LS-7",
    }

    young_explorers: bool = False
    arrange_expeditions: bool = False
    majority_ties: bool = False
    first_player: FirstPlayer = FirstPlayer.SEAT_0


class Phase(StrEnum):
    SETTING_UP = "setting_up"
    CHOOSING_COLUMNS = "choosing_columns"
    CHOOSING_ROWS = "choosing_rows"
    PLAYING = "playing"
    OVER = "over"


CHOOSING = {Line.COLUMNS: Phase.CHOOSING_COLUMNS, Line.ROWS: Phase.CHOOSING_ROWS}
LINE_CHOSEN = {phase: line for line, phase in CHOOSING.items()}


class Duty(StrEnum):
    """What a seat can owe; named as the move that fulfils it."""

    CHOOSE_SIDES = "choose_sides"
    TAKE_TILE = "take_tile"
    RETURN_TILE = "return_tile"


Step = tuple[int, Duty]
"""How many seats clockwise from the round's first player, and what that seat does."""

ROUND: dict[int, tuple[Step, ...]] = {
    2: ((0, Duty.TAKE_TILE), (0, Duty.RETURN_TILE), (1, Duty.TAKE_TILE), (1, Duty.RETURN_TILE)),
    3: ((0, Duty.TAKE_TILE), (0, Duty.RETURN_TILE), (1, Duty.TAKE_TILE), (2, Duty.TAKE_TILE)),
    4: ((0, Duty.TAKE_TILE), (1, Duty.TAKE_TILE), (2, Duty.TAKE_TILE), (3, Duty.TAKE_TILE)),
}
"""LS-8 to LS-10, by the number of seats."""

YOUNG_ROUND: dict[int, tuple[Step, ...]] = {
    seats: tuple((offset, Duty.TAKE_TILE) for offset in range(seats)) for seats in ROUND
}
"""LS-27."""


class State(GameState, kw_only=True):
    derived: ClassVar[tuple[str, ...]] = ("counts",)

    catalog: Catalog
    options: Options
    seats: int
    phase: Phase = Phase.SETTING_UP
    first: int = 0
    round: int = 0
    step: int = 0
    """How many steps of the round are done."""
    box: bytearray
    """Expeditions not dealt, ascending."""
    pile: bytearray
    """Tiles not turned up, ascending: they have no order before they are drawn."""
    face_up: bytearray
    discards: bytearray
    dealt: bytearray
    """4 expeditions a seat, of the phase that is being chosen."""
    laid: bytearray
    """8 demands a seat, by line; secret from the choice to the end of its phase."""
    maps: bytearray
    """16 tiles a seat, by cell."""
    outcome: Outcome | None = None
    counts: bytearray
    """How often each element lies in a line: 8 x 6 a seat."""

    def copy(self) -> Self:
        twin = copy(self)
        twin.box = self.box[:]
        twin.pile = self.pile[:]
        twin.face_up = self.face_up[:]
        twin.discards = self.discards[:]
        twin.dealt = self.dealt[:]
        twin.laid = self.laid[:]
        twin.maps = self.maps[:]
        twin.counts = self.counts[:]
        return twin

    def rederive(self) -> None:
        self.counts = bytearray(self.seats * LINES * KINDS)
        for place, tile in enumerate(self.maps):
            if tile != EMPTY:
                self.count(place // CELLS, place % CELLS, tile)

    def count(self, seat: int, cell: int, tile: int) -> None:
        """Add a tile that lies on the cell to the counts of its column and row."""
        column, row = LINES_OF[cell]
        counts = self.counts
        column = (seat * LINES + column) * KINDS
        row = (seat * LINES + row) * KINDS
        for element in self.catalog.drawn[tile]:
            counts[column + element] += 1
            counts[row + element] += 1

    def line_counts(self, seat: int, line: int) -> bytearray:
        """How often each element lies in one line."""
        start = (seat * LINES + line) * KINDS
        return self.counts[start : start + KINDS]

    def steps(self) -> tuple[Step, ...]:
        """The steps of a round."""
        return (YOUNG_ROUND if self.options.young_explorers else ROUND)[self.seats]

    def owed(self) -> Step | None:
        """The seat whose turn it is in a round, and what it owes."""
        if self.phase is not Phase.PLAYING:
            return None
        steps = self.steps()
        if self.step == len(steps):
            return None
        offset, duty = steps[self.step]
        return (self.first + offset) % self.seats, duty

    def dealt_to(self, seat: int) -> bytearray:
        """The expeditions that the seat is choosing sides of, in the order dealt."""
        return self.dealt[seat * SIZE : seat * SIZE + SIZE]

    def owes_sides(self, seat: int) -> bool:
        """Whether the seat has yet to choose the sides of the phase."""
        line = LINE_CHOSEN.get(self.phase)
        return line is not None and self.dealt[seat * SIZE] != EMPTY and not self.has_laid(seat, line)

    def has_laid(self, seat: int, line: Line) -> bool:
        return self.laid[seat * LINES + OFFSET[line]] != EMPTY
