"""A player's map: cells 0 to 15 row by row, and its eight lines: columns 0 to 3, then rows 4 to 7 (LS-3, LS-4)."""

from enum import StrEnum

SIZE = 4
CELLS = SIZE * SIZE
LINES = 2 * SIZE


class Line(StrEnum):
    """A direction of lines; each lies under its own four expeditions."""

    COLUMNS = "columns"
    ROWS = "rows"


OFFSET = {Line.COLUMNS: 0, Line.ROWS: SIZE}
"""The first line of each direction."""

DIRECTION_OF = (Line.COLUMNS,) * SIZE + (Line.ROWS,) * SIZE
"""Each line's direction."""

CELLS_OF: tuple[tuple[int, ...], ...] = (
    *(tuple(range(column, CELLS, SIZE)) for column in range(SIZE)),
    *(tuple(range(row * SIZE, row * SIZE + SIZE)) for row in range(SIZE)),
)
"""Each line's cells."""

LINES_OF: tuple[tuple[int, int], ...] = tuple((cell % SIZE, SIZE + cell // SIZE) for cell in range(CELLS))
"""Each cell's column and row, as lines."""
