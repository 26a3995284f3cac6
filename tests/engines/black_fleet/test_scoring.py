from engines.black_fleet import ENGINE
from engines.black_fleet.scoring import result
from engines.black_fleet.state import Phase
from engines.core.outcome import Score
from tests.engines.black_fleet.scenario import given, turn_up
from tests.rules import rule

ALL = (
    ["D05A", "D08A", "D11A", "D14A"],
    ["D05B", "D08B", "D11B", "D14B"],
    ["D05C", "D08C", "D11C", "D14C"],
    ["D05D", "D08D", "D11D", "D14D"],
)


def ended(buyers, doubloons, developments):
    """The result where these seats have bought the victory card, and each so many developments."""
    seats = len(doubloons)
    state = given(seats=seats, doubloons=dict(enumerate(doubloons)), phase=Phase.BUYING).state
    for seat, count in enumerate(developments):
        turn_up(state, seat, ALL[seat][:count])
    for seat in buyers:
        state.victors[seat] = 1
    return result(state)


def places(outcome):
    return [(standing.seat, standing.place) for standing in outcome.ranking]


@rule("BF-39")
def test_who_bought_the_victory_card_wins_against_richer_ones():
    outcome = ended([1], [50, 0, 3], [4, 4, 2])
    assert places(outcome) == [(1, 1), (0, 2), (2, 3)]
    assert outcome.tie_breaks == ()


@rule("BF-39")
def test_of_several_buyers_the_richer_one_wins():
    outcome = ended([0, 2], [1, 30, 2], [4, 4, 4])
    assert places(outcome) == [(2, 1), (1, 2), (0, 3)]
    assert outcome.tie_breaks == ("doubloons",)


@rule("BF-39")
def test_buyers_with_equal_doubloons_share_the_victory():
    assert places(ended([0, 2], [2, 30, 2], [4, 3, 4])) == [(0, 1), (2, 1), (1, 3)]


@rule("BF-39")
def test_the_others_rank_by_developments_then_doubloons():
    outcome = ended([3], [5, 9, 9, 0], [2, 1, 1, 4])
    assert places(outcome) == [(3, 1), (0, 2), (1, 3), (2, 3)]
    by_doubloons = ended([3], [5, 8, 9, 0], [2, 1, 1, 4])
    assert places(by_doubloons) == [(3, 1), (0, 2), (2, 3), (1, 4)]
    assert by_doubloons.tie_breaks == ("doubloons",)


@rule("BF-39")
def test_points_are_doubloons_paid_and_left():
    (winner, other) = ended([0], [4, 7], [4, 2]).ranking
    assert winner.scores == (Score("victory_card", 10), Score("developments", 38), Score("doubloons", 4))
    assert (winner.points, other.points) == (52, 13 + 7)


@rule("BF-39")
def test_there_is_no_result_before_the_end():
    assert ENGINE.outcome(given().state) is None
