import pytest

from engines.lost_seas.board import Line
from engines.lost_seas.events import RoundBegun, TileTaken
from engines.lost_seas.state import Duty
from tests.engines.lost_seas.scenario import choosing, chosen, given, mapped, opened, revealed, young
from tests.rules import rule


@pytest.mark.parametrize(
    ("seats", "steps"),
    [
        (2, [(0, "take"), (0, "return"), (1, "take"), (1, "return")]),
        (3, [(0, "take"), (0, "return"), (1, "take"), (2, "take")]),
        (4, [(0, "take"), (1, "take"), (2, "take"), (3, "take")]),
    ],
)
@rule("LS-8", "LS-9", "LS-10", "LS-11")
def test_four_tiles_leave_in_a_round(seats, steps):
    state = given(*opened(seats), seats=seats).state
    assert [(offset, duty.removesuffix("_tile")) for offset, duty in state.steps()] == steps


@rule("LS-27")
def test_young_explorers_take_one_tile_each():
    state = given(*young(), seats=3, young_explorers=True).state
    assert state.steps() == tuple((offset, Duty.TAKE_TILE) for offset in range(3))


@rule("LS-12")
def test_a_turn_counts_from_the_first_player():
    assert given(*opened(3), RoundBegun(2, 2), TileTaken(2, "LS19", 0), seats=3).state.owed() == (2, Duty.RETURN_TILE)


def test_nobody_has_a_turn_between_two_rounds():
    taken = [TileTaken(seat, f"LS{19 + seat}", 0) for seat in range(4)]
    assert given(*opened(4), *taken, seats=4).state.owed() is None


@rule("LS-3")
def test_a_seat_owes_sides_from_the_deal_to_its_choice():
    assert not given().state.owes_sides(0)
    state = given(*choosing(), chosen(0)).state
    assert [state.owes_sides(seat) for seat in range(2)] == [False, True]
    assert state.has_laid(0, Line.COLUMNS)
    assert not state.has_laid(0, Line.ROWS)
    assert not given(*choosing(), revealed()).state.owes_sides(0)


def test_a_line_counts_the_elements_of_its_four_tiles():
    # Row 0: three krakens, a leviathan, two rocks and a kraken with a sandbank.
    state = given(*mapped(1, ["LS03", "LS04", "LS11", "LS22"])).state
    assert list(state.line_counts(1, 4)) == [4, 1, 0, 2, 1, 0]
    assert list(state.line_counts(1, 0)) == [3, 0, 0, 0, 0, 0]
    assert not any(state.line_counts(0, 4))


def test_a_copy_shares_nothing_but_the_catalog():
    state = given(*opened()).state
    twin = state.copy()
    assert twin.catalog is state.catalog
    for name in ("box", "pile", "face_up", "discards", "dealt", "laid", "maps", "counts"):
        assert getattr(twin, name) == getattr(state, name)
        assert getattr(twin, name) is not getattr(state, name)
