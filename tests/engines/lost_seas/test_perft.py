"""How many sequences of moves there are from a few openings, and the order in which moves are listed."""

import pytest

from engines.lost_seas import ENGINE
from engines.lost_seas.moves import ChooseSides, TakeTile
from engines.lost_seas.state import FirstPlayer
from tests.engines.lost_seas.scenario import EASY, HARD, choosing, given, opened, start
from tests.engines.perft import counted, opening


@pytest.mark.parametrize(
    ("seats", "plies", "options", "counts"),
    [
        (2, 0, {}, (32, 512)),
        (2, 0, {"arrange_expeditions": True}, (400,)),
        (2, 4, {}, (80, 320, 15360)),
        (3, 6, {}, (80, 320, 15360)),
        (4, 8, {"first_player": FirstPlayer.DRAWN}, (80, 5120)),
        (4, 0, {"young_explorers": True}, (48, 2304)),
        (2, 64, {}, (5, 20, 60, 120, 0)),
        (4, 68, {}, (5, 20, 60, 120, 0)),
    ],
)
def test_the_number_of_move_sequences(seats, plies, options, counts):
    assert counted(ENGINE, opening(ENGINE, start(seats, **options), plies), plies, counts) == counts


def test_sides_are_listed_easy_first_the_last_expedition_turning_fastest():
    moves = list(ENGINE.legal_moves(given(*choosing()).state, 0))
    assert moves[:3] == [
        ChooseSides((EASY, EASY, EASY, EASY)),
        ChooseSides((EASY, EASY, EASY, HARD)),
        ChooseSides((EASY, EASY, HARD, EASY)),
    ]
    assert moves[-1] == ChooseSides((HARD, HARD, HARD, HARD))


def test_takings_are_listed_tile_by_tile_as_they_lie_then_cell_by_cell():
    moves = list(ENGINE.legal_moves(given(*opened(tiles=("LS23", "LS19", "LS21", "LS20", "LS22"))).state, 0))
    assert moves == [TakeTile(tile, cell) for tile in ("LS23", "LS19", "LS21", "LS20", "LS22") for cell in range(16)]
