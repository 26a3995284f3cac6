import pytest

from engines.core.outcome import Outcome, Standing
from services.eventlog.ranking import forfeited, ranked


def outcome(*places: int) -> Outcome:
    """Seats 0, 1, ... at these places."""
    standings = sorted(((place, seat) for seat, place in enumerate(places)))
    return Outcome(tuple(Standing(seat, place, 10 - place, ()) for place, seat in standings), ("met",))


def places(found: Outcome) -> list[tuple[int, int]]:
    return [(standing.seat, standing.place) for standing in found.ranking]


def test_an_outcome_stands_where_nobody_left():
    assert ranked(outcome(2, 1, 3), []) == outcome(2, 1, 3)


@pytest.mark.parametrize(
    ("before", "left", "after"),
    [
        ((1, 2, 3), [0], [(1, 1), (2, 2), (0, 3)]),
        ((1, 2, 3, 4), [1, 0], [(2, 1), (3, 2), (0, 3), (1, 4)]),
        ((1, 2, 3, 4), [3, 2, 0], [(1, 1), (0, 2), (2, 3), (3, 4)]),
        ((1, 1, 3, 4), [3], [(0, 1), (1, 1), (2, 3), (3, 4)]),
        ((1, 2, 2, 4), [0], [(1, 1), (2, 1), (3, 3), (0, 4)]),
        ((1, 1, 1, 1), [2], [(0, 1), (1, 1), (3, 1), (2, 4)]),
    ],
)
def test_who_left_is_placed_behind_who_stayed_the_first_to_leave_last(before, left, after):
    assert places(ranked(outcome(*before), left)) == after


def test_points_and_tie_breaks_are_the_games():
    found = ranked(outcome(1, 2, 3), [0])
    assert {standing.seat: standing.points for standing in found.ranking} == {0: 9, 1: 8, 2: 7}
    assert found.tie_breaks == ("met",)


@pytest.mark.parametrize("left", [0, 1])
def test_the_other_of_two_wins_without_points(left):
    found = forfeited(2, [left])
    assert places(found) == [(1 - left, 1), (left, 2)]
    assert {standing.points for standing in found.ranking} == {0}
