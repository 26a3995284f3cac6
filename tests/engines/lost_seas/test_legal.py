import pytest

from engines.core.chance import SeededChance
from engines.lost_seas import ENGINE
from engines.lost_seas.events import TileReturned, TileTaken
from engines.lost_seas.legal import MOST_LISTED
from engines.lost_seas.moves import ChooseSides, ReturnTile, TakeTile
from tests.engines.lost_seas.scenario import ALL_EASY, HARD, choosing, chosen, given, hand, opened
from tests.rules import rule


def listed(position, seat):
    return list(ENGINE.legal_moves(position.state, seat))


@rule("LS-3")
def test_there_are_sixteen_ways_to_turn_four_expeditions():
    moves = listed(given(*choosing()), 0)
    assert moves[0] == ChooseSides(ALL_EASY)
    assert len(set(moves)) == 16


@rule("LS-4")
def test_an_arrangement_is_one_of_384():
    position = given(*choosing(), arrange_expeditions=True)
    (family,) = ENGINE.families(position.state, 0)
    assert family.name == "arranged_sides"
    assert len(set(family.members())) == 16 * 24
    assert len(set(listed(position, 0))) == MOST_LISTED
    assert all(family.contains(family.sample(SeededChance(seed))) for seed in range(20))


@rule("LS-4")
def test_an_arrangement_lists_each_expedition_once():
    (family,) = ENGINE.families(given(*choosing(), arrange_expeditions=True).state, 0)
    assert family.contains(ChooseSides((HARD,) * 4, ("EX04", "EX02", "EX03", "EX01")))
    assert not family.contains(ChooseSides(ALL_EASY))
    assert not family.contains(ChooseSides(ALL_EASY[:3], hand(1)))
    assert not family.contains(ChooseSides(ALL_EASY, (*hand(1), "EX01")))
    assert not family.contains(TakeTile("LS01", 0))


@pytest.mark.parametrize("seat", [-1, 0, 2])
def test_a_seat_that_owes_nothing_has_neither_moves_nor_families(seat):
    position = given(*choosing(), chosen(0), arrange_expeditions=True)
    assert listed(position, seat) == []
    assert ENGINE.families(position.state, seat) == ()


@rule("LS-11")
def test_each_tile_lies_over_each_empty_cell():
    position = given(*opened(), TileTaken(0, "LS19", 5), TileReturned(0, "LS20"), TileTaken(1, "LS21", 0))
    position.when(1, ReturnTile("LS22")).play()
    assert len(listed(position, 1)) == 15 * len({tile.id for tile in ENGINE.view(position.state, 1).face_up})


def test_two_copies_of_a_tile_are_one_choice():
    position = given(*opened(tiles=("LS01", "LS01", "LS02", "LS02", "LS03")))
    assert len(listed(position, 0)) == 3 * 16
    position.when(0, TakeTile("LS03", 0)).play()
    assert listed(position, 0) == [ReturnTile("LS01"), ReturnTile("LS02")]


def test_an_absent_player_takes_the_first_tile_to_the_first_empty_cell():
    position = given(*opened())
    assert ENGINE.autopilot(position.state, 0) == TakeTile("LS19", 0)
    position.when(0, TakeTile("LS19", 0)).play()
    assert ENGINE.autopilot(position.state, 0) == ReturnTile("LS20")


def test_nobody_may_move_unasked():
    assert ENGINE.may_act(given(*opened()).state) == ()


@pytest.mark.parametrize(("seats", "moves_a_turn"), [(2, (2, 2)), (3, (2, 1, 1)), (4, (1, 1, 1, 1))])
def test_a_turn_is_what_one_seat_does_in_a_round(seats, moves_a_turn):
    position = given(*opened(seats=seats), seats=seats)
    for number, moves in enumerate(moves_a_turn, 1):
        for _ in range(moves):
            assert ENGINE.turns(position.state) == number
            (seat,) = ENGINE.to_act(position.state)
            position.when(seat, listed(position, seat)[0]).play()
    assert ENGINE.turns(position.state) == seats + 1


def test_no_turn_has_begun_while_sides_are_chosen():
    assert ENGINE.turns(given(*choosing()).state) == 0
