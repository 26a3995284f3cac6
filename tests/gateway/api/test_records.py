"""Totals over all numbers of seats."""

from gateway.api.records import game_statistics
from gateway.projections.statistics import Category, GameStatistics, Points, Tally

TWO = Tally(
    seats=2,
    matches=3,
    aborted=1,
    wins=2,
    shared_wins=0,
    places=(2, 1),
    left=1,
    points=Points(2, 10, 3, 7),
    categories=(Category("ships", 2, 4), Category("gold", 2, 6)),
)
FOUR = Tally(
    seats=4,
    matches=2,
    aborted=0,
    wins=0,
    shared_wins=1,
    places=(1, 0, 0, 1),
    left=0,
    points=Points(2, 2, -1, 3),
    categories=(Category("ships", 2, 1), Category("gold", 2, 1)),
)
EIGHT = Tally(seats=8, matches=0, aborted=2, wins=0, shared_wins=0, places=(0,) * 8, left=0, points=None, categories=())


def test_a_total_is_of_all_numbers_of_seats():
    total = game_statistics(GameStatistics("lost_seas", (TWO, FOUR, EIGHT))).total
    assert (total.seats, total.matches, total.aborted, total.wins, total.shared_wins, total.left) == (0, 5, 3, 2, 1, 1)
    assert list(total.places) == [3, 1, 0, 1, 0, 0, 0, 0]
    points = total.points
    assert (points.matches, points.total, points.least, points.most, points.mean) == (4, 12, -1, 7, 3.0)
    found = [(each.category, each.matches, each.total, each.mean) for each in total.categories]
    assert found == [("ships", 4, 5, 1.25), ("gold", 4, 7, 1.75)]


def test_without_points_a_total_has_none():
    assert not game_statistics(GameStatistics("lost_seas", (EIGHT,))).total.HasField("points")
