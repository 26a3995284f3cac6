"""Whose decision stands: the version that an old view would have missed."""

import pytest

from services.common.refusals import Reason
from services.eventlog.commands import Claim, Leave, Start, Submit
from services.eventlog.match import Status, new_match
from tests.services.eventlog.given import ANN, BEN, CAT, EASY, EVE, HARD, YOUNG, Hosted, creating, play_on, started


def test_a_new_match_has_nothing():
    match = new_match("x", Hosted(creating(3)).facts.created)
    assert (match.status, match.version, len(match.seats), match.decisions) == (Status.OPEN, 0, 3, [0, 0, 0])
    assert not match.over


@pytest.mark.parametrize("other", [1, 2])
def test_seats_that_decide_at_the_same_time_do_not_disturb_each_other(other):
    hosted = started(3)
    stands = hosted.facts.decisions[0]
    hosted.do([ANN, BEN, CAT][other], Submit(other, HARD))
    assert hosted.facts.decisions[0] == stands
    hosted.do(ANN, Submit(0, EASY, decision=stands))


def test_a_decision_is_stale_once_the_seat_has_decided():
    hosted = started(3)
    stands = hosted.facts.decisions[0]
    hosted.do(ANN, Submit(0, EASY, decision=stands))
    refused = hosted.refuses(ANN, Submit(0, HARD, decision=stands), Reason.STALE)
    assert refused.version == hosted.facts.version


def test_a_decision_is_stale_once_the_seat_has_another_to_make():
    hosted = started(2)
    first = hosted.facts.decisions[1]
    hosted.do(BEN, Submit(1, EASY))
    hosted.do(ANN, Submit(0, EASY))
    second = hosted.facts.decisions[1]
    dealt = max(version for version, kind in enumerate(hosted.types, 1) if kind == "lost_seas.expeditions_dealt")
    assert (first < second, second) == (True, dealt)
    hosted.refuses(BEN, Submit(1, EASY, decision=first), Reason.STALE)
    hosted.do(BEN, Submit(1, EASY, decision=second))


def test_a_decision_that_lies_ahead_is_stale_too():
    hosted = started(2)
    hosted.refuses(ANN, Submit(0, EASY, decision=hosted.facts.decisions[0] + 1), Reason.STALE)


def test_a_seat_that_moves_twice_in_a_row_has_a_decision_each_time():
    """LS-10: after a tile is taken, the same seat returns one."""
    hosted = play_on(started(2), commands=5)
    seat, stands = hosted.facts.owing[0], hosted.facts.decisions[hosted.facts.owing[0]]
    play_on(hosted, commands=1)
    assert hosted.types[-1] in {"lost_seas.tile_returned", "lost_seas.tile_taken"}
    assert hosted.facts.decisions[seat] > stands


def test_the_decision_of_a_turn_is_the_entry_that_gave_the_turn():
    hosted = started(2, YOUNG)
    play_on(hosted, commands=1)
    assert hosted.facts.owing == (1,)
    assert hosted.event(hosted.facts.decisions[1])[0].type == "lost_seas.tile_taken"
    assert hosted.facts.decisions[0] == hosted.facts.version


@pytest.mark.parametrize("off", [-1, 1])
def test_an_expected_version_is_exact(off):
    hosted = started(2)
    version = hosted.facts.version
    hosted.refuses(ANN, Submit(0, EASY, expected_version=version + off), Reason.STALE)
    hosted.do(BEN, Submit(1, EASY))
    hosted.refuses(ANN, Submit(0, EASY, expected_version=version), Reason.STALE)
    hosted.do(ANN, Submit(0, EASY, expected_version=hosted.facts.version))


def test_a_command_of_autopilot_does_not_change_the_decision_of_those_who_stay():
    hosted = started(4)
    stands = list(hosted.facts.decisions)
    hosted.do(CAT, Leave(2))
    assert [hosted.facts.decisions[seat] for seat in (0, 1, 3)] == [stands[seat] for seat in (0, 1, 3)]


def test_requests_of_a_command_without_a_seat_stand_under_the_creator():
    hosted = Hosted(creating(own_seat=0, auto_start=False))
    hosted.do(BEN, Claim(1))
    hosted.do(EVE, Start(), admin=True)
    assert set(hosted.facts.requests) == {ANN, BEN}


def test_a_seat_is_held_until_it_is_left():
    hosted = started(3)
    assert hosted.facts.holds(BEN, 1)
    assert not hosted.facts.holds(BEN, 0)
    hosted.do(BEN, Leave(1))
    assert not hosted.facts.holds(BEN, 1)


def test_a_log_under_another_id_than_its_own_is_an_import():
    hosted = started()
    assert not hosted.facts.imported
    hosted.facts.id = "X"
    assert hosted.facts.imported
