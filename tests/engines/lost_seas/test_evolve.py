import pytest

from engines.lost_seas import ENGINE
from engines.lost_seas.board import Line
from engines.lost_seas.events import GameEnded, RoundBegun, SidesChosen, TileReturned, TilesTurnedUp, TileTaken
from engines.lost_seas.scoring import result
from engines.lost_seas.state import EMPTY, Phase
from tests.engines.lost_seas.scenario import CATALOG, choosing, dealt, given, opened, revealed
from tests.rules import rule


def numbers(*tiles):
    return [CATALOG.tile_numbers[tile] for tile in tiles]


@rule("LS-5")
def test_expeditions_dealt_leave_the_box():
    state = given(*choosing()).state
    assert list(state.box) == list(range(8, 44))
    assert list(state.dealt) == list(range(8))
    assert state.phase is Phase.CHOOSING_COLUMNS


def test_a_reveal_ends_the_choice():
    state = given(*choosing(), revealed()).state
    assert set(state.dealt) == {EMPTY}
    assert list(state.laid[:8]) == [0, 2, 4, 6, EMPTY, EMPTY, EMPTY, EMPTY]
    assert given(*choosing(), revealed(), *dealt(2, Line.ROWS)).state.phase is Phase.CHOOSING_ROWS


def test_a_redacted_choice_is_told_never_folded():
    with pytest.raises(AssertionError, match="redacted"):
        given(*choosing(), SidesChosen(0, Line.COLUMNS))


def test_tiles_turned_up_come_from_the_pile_and_lie_in_their_order():
    state = given(TilesTurnedUp(("LS20", "LS01"))).state
    assert list(state.face_up) == numbers("LS20", "LS01")
    assert len(state.pile) == 63
    assert list(state.pile) == sorted(state.pile)


def test_tiles_taken_and_returned_are_steps_of_the_round():
    state = given(*opened(), TileTaken(0, "LS20", 7), TileReturned(0, "LS19")).state
    assert state.step == 2
    assert state.maps[7] == numbers("LS20")[0]
    assert list(state.discards) == numbers("LS19")
    assert list(state.face_up) == numbers("LS21", "LS22", "LS23")
    ENGINE.evolve(state, RoundBegun(2, 1))
    assert (state.round, state.first, state.step) == (2, 1, 0)


def test_the_end_keeps_the_result_that_the_event_holds():
    outcome = result(given().state)
    state = given(*opened(), GameEnded(outcome)).state
    assert state.phase is Phase.OVER
    assert ENGINE.outcome(state) is outcome
