import random

import pytest

from engines.south_seas.board import AROUND, FARTHEST, Board, cell_at, fitting, position
from tests.engines.south_seas.scenario import CATALOG
from tests.rules import rule

SHAPES = CATALOG.shapes


def shape(tile, rotation=0):
    return SHAPES[CATALOG.tile_numbers[tile]][rotation]


def board_of(*tiles):
    board = Board()
    for tile, x, y, rotation in tiles:
        board.lay(shape(tile, rotation), cell_at(x, y))
    return board


def test_every_cell_in_reach_has_a_number_of_its_own():
    cells = {cell_at(x, y): (x, y) for x in range(-FARTHEST, FARTHEST + 1) for y in range(-FARTHEST, FARTHEST + 1)}
    assert len(cells) == (2 * FARTHEST + 1) ** 2
    assert all(position(cell) == place for cell, place in cells.items())
    assert all(cell_at(x, y) is None for x, y in ((81, 0), (0, -81), (256, 1), (2**53 - 1, -(2**53 - 1))))


def test_cells_ascend_from_west_to_east_then_from_north_to_south():
    assert cell_at(-1, 0) < cell_at(0, 0) < cell_at(1, 0) < cell_at(-80, 1)


def test_eight_cells_lie_around():
    assert {cell_at(x, y) - cell_at(0, 0) for x in (-1, 0, 1) for y in (-1, 0, 1)} - {0} == AROUND


@pytest.mark.parametrize("rotation", range(4))
def test_a_turn_moves_each_side_clockwise(rotation):
    # Island north and east, sea south and west.
    assert shape("SS38", rotation).sides == [(3, 3, 1, 1), (1, 3, 3, 1), (1, 1, 3, 3), (3, 1, 1, 3)][rotation]
    assert shape("SS38", rotation).joints[rotation] == (0,)
    assert shape("SS38", rotation).joints[(rotation + 1) % 4] == (1,)


@rule("SS-5")
def test_the_first_half_of_a_side_meets_the_second_of_the_side_it_faces():
    # Both bridges run from north to south: what is west of one is west of the other.
    board = board_of(("SS09", 0, 0, 0), ("SS10", 0, 1, 0))
    assert [board.root(node) for node in board.nodes(1)] == [0, 1, 2]
    turned = board_of(("SS09", 0, 0, 0), ("SS10", 0, 1, 2))
    assert [turned.root(node) for node in turned.nodes(1)] == [0, 2, 1]


@rule("SS-5")
def test_a_tile_fits_where_all_sides_agree():
    # Asked are sea in the north and island in the east.
    rotations = fitting(shape("SS38").sides)
    assert rotations[0] == (0, 1, 2, 3)
    assert rotations[1 | 3 << 2] == (1,)
    assert rotations[2] == ()
    assert rotations[1 | 1 << 2 | 1 << 4] == ()


def test_features_that_meet_are_one_with_the_sums_of_both():
    board = board_of(("SS24", 0, 0, 0), ("SS62", 0, 1, 0))
    root = board.root(0)
    assert board.root(1) == root
    assert (board.gaps[root], board.symbols[root]) == (3 + 2, 2 + 1)
    other = ({0, 1} - {root}).pop()
    assert (board.gaps[other], board.symbols[other], board.occupants[other]) == (0, 0, 0)


def test_of_equally_large_features_the_first_is_the_root():
    board = board_of(("SS24", 0, 0, 0), ("SS24", 1, 0, 0))
    assert board.parents[:2] == [-2, 0]
    larger = board_of(("SS24", 5, 0, 0), ("SS24", 0, 0, 0), ("SS24", 1, 0, 0), ("SS24", 4, 0, 0), ("SS24", 3, 0, 0))
    larger.lay(shape("SS24"), cell_at(2, 0))
    assert larger.root(1) == 0


def test_the_frontier_is_the_empty_cells_beside_tiles():
    board = board_of(("SS62", 0, 0, 0))
    assert board.frontier == {cell_at(0, -1): 3 << 4, cell_at(1, 0): 3 << 6, cell_at(0, 1): 1, cell_at(-1, 0): 3 << 2}
    board.lay(shape("SS63", 2), cell_at(0, 1))
    assert cell_at(0, 1) not in board.frontier
    assert len(board.frontier) == 6


@rule("SS-20")
def test_a_market_counts_the_empty_cells_around():
    board = board_of(("SS07", 5, 5, 0), ("SS01", 0, 0, 0))
    (node,) = board.markets.values()
    for count, (x, y) in enumerate([(1, 1), (0, 1), (2, 0), (-1, -1)], 1):
        board.lay(shape("SS07"), cell_at(x, y))
        assert board.gaps[node] == 8 - count + (count > 2)
    late = board_of(("SS07", 1, 1, 0), ("SS07", 0, 1, 0), ("SS07", 2, 2, 0), ("SS01", 0, 0, 0))
    assert late.gaps[late.markets[cell_at(0, 0)]] == 6


def test_islanders_and_covers_belong_to_the_whole_feature():
    board = board_of(("SS07", 0, 0, 0), ("SS26", 0, -1, 0))
    sea = board.nodes(1)[1]
    board.settle(sea, 2)
    board.settle(0, 2)
    assert board.occupants[board.root(0)] == 2 << 6
    board.unsettle(sea, 2)
    assert board.occupants[board.root(sea)] == 1 << 6
    assert list(board.groups_of(board.root(0))) == [1, 2 * sea]
    board.cover(1)
    assert board.symbols[board.root(sea)] == 1
    assert list(board.groups_of(board.root(0))) == [2 * sea]


def test_a_copy_shares_nothing_that_changes():
    board = board_of(("SS07", 0, 0, 0), ("SS01", 1, 0, 0))
    before = board.copy()
    twin = board.copy()
    twin.lay(shape("SS26"), cell_at(0, -1))
    twin.settle(0, 1)
    twin.cover(1)
    assert board == before != twin


def test_roots_do_not_depend_on_what_was_asked():
    rng = random.Random(3)
    board, again = Board(), Board()
    row = [(rng.choice(("SS07", "SS01", "SS08")), x, y) for x in range(8) for y in range(8)]
    rng.shuffle(row)
    for tile, x, y in row:
        board.lay(shape(tile), cell_at(x, y))
        for node in range(len(board.parents)):
            board.root(node)
        again.lay(shape(tile), cell_at(x, y))
    assert board == again
