from engines.lost_seas.board import CELLS, CELLS_OF, LINES, LINES_OF
from tests.rules import rule


@rule("LS-3")
def test_the_columns_come_first():
    assert CELLS_OF[0] == (0, 4, 8, 12)
    assert CELLS_OF[3] == (3, 7, 11, 15)


@rule("LS-4")
def test_the_rows_come_last():
    assert CELLS_OF[4] == (0, 1, 2, 3)
    assert CELLS_OF[7] == (12, 13, 14, 15)


def test_a_cell_lies_in_one_column_and_one_row():
    for cell in range(CELLS):
        assert [line for line in range(LINES) if cell in CELLS_OF[line]] == list(LINES_OF[cell])
