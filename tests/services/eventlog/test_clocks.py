"""How clocks run, from the times of entries alone."""

from services.eventlog.commands import Claim, Leave, Quarantine, Release, Submit
from services.eventlog.expiring import next_due
from services.eventlog.match import Status
from services.eventlog.terms import Clock
from tests.services.eventlog.given import ANN, BEN, CAT, EASY, EVE, NOON, Hosted, creating
from tests.services.eventlog.timed import BANK, MINUTE, Timed, move, terms, timed


def test_a_match_without_a_clock_has_none():
    assert Hosted(creating(2)).facts.clocks == []


def test_no_clock_runs_before_the_start():
    hosted = Timed(creating(2, own_seat=0, terms=terms(BANK)))
    assert [hosted.clock(seat) for seat in (0, 1)] == [(5 * MINUTE, False)] * 2
    hosted.wait(60 * MINUTE)
    hosted.do(BEN, Claim(1))
    assert hosted.facts.status is Status.RUNNING
    assert hosted.clock(0) == (5 * MINUTE, True)


def test_a_clock_runs_from_the_entry_after_which_the_seat_owes_a_move():
    hosted = timed(2, given=terms(BANK))
    assert hosted.facts.owing == (0,)
    assert hosted.facts.clocks[0].deadline == NOON + 5 * MINUTE
    hosted.wait(7000)
    move(hosted)
    assert hosted.facts.owing == (1,)
    assert hosted.clock(0) == (5 * MINUTE - 7000 + 2000, False)
    assert hosted.facts.clocks[1].deadline == hosted.at + 5 * MINUTE


def test_a_time_for_each_move_is_whole_each_time():
    hosted = timed(2)
    for waited in (59_000, 1, 59_999):
        hosted.wait(waited)
        seat = hosted.facts.owing[0]
        move(hosted)
        assert hosted.facts.clocks[seat].left_ms == MINUTE
    assert hosted.facts.left == []


def test_seats_that_decide_at_the_same_time_are_each_charged_their_own_time():
    """LS-10: the sides of the expeditions are chosen by all."""
    hosted = timed(3, "expeditions", given=terms(BANK))
    assert hosted.facts.owing == (0, 1, 2)
    for waited, player, seat in ((1000, BEN, 1), (2000, ANN, 0), (4000, CAT, 2)):
        hosted.wait(waited)
        hosted.do(player, Submit(seat, EASY))
    left = [hosted.clock(seat)[0] - 5 * MINUTE - 2000 for seat in range(3)]
    assert left == [-3000, -1000, -7000]


def test_another_seats_move_starts_no_clock_anew():
    hosted = timed(2, "expeditions")
    hosted.wait(50_000)
    hosted.do(BEN, Submit(1, EASY))
    assert hosted.facts.owing == (0,)
    assert hosted.facts.clocks[0].deadline == NOON + MINUTE


def test_a_seat_that_moves_several_times_in_a_row_earns_the_increment_for_each():
    """LS-10: after a tile is taken, the same seat may return one."""
    hosted = timed(2, "expeditions", given=terms(BANK))
    earned = {0: 0, 1: 0}
    in_a_row = 0
    for _ in range(40):
        seat = hosted.facts.owing[0]
        hosted.wait(100)
        spent = hosted.at - hosted.facts.clocks[seat].since
        version = hosted.facts.version
        before = hosted.facts.clocks[seat].left_ms
        move(hosted)
        seat = hosted.event(version + 1)[0].seat
        earned[seat] += 2000
        if seat in hosted.facts.owing:
            in_a_row += 1
            assert hosted.facts.clocks[seat].since == hosted.at
            assert hosted.facts.clocks[seat].left_ms == before - spent + 2000
    assert in_a_row > 3
    assert min(earned.values()) > 0


def test_a_bank_without_increment_only_falls():
    hosted = timed(2, given=terms(Clock(bank_ms=MINUTE)))
    for _ in range(10):
        hosted.wait(3000)
        move(hosted)
    assert [hosted.facts.clocks[seat].left_ms for seat in (0, 1)] == [45_000, 45_000]


def test_a_seat_that_was_left_has_no_clock_that_runs():
    hosted = timed(3)
    hosted.wait(1000)
    hosted.do(ANN, Leave(0))
    assert hosted.facts.clocks[0].since is None
    assert hosted.facts.owing == (1,)
    assert hosted.facts.clocks[1].deadline == hosted.at + MINUTE


def test_no_clock_runs_once_the_match_is_over():
    hosted = timed(2)
    while not hosted.facts.over:
        move(hosted)
    assert [clock.since for clock in hosted.facts.clocks] == [None, None]


def test_the_fold_of_the_log_has_the_same_clocks():
    hosted = timed(3, "expeditions", given=terms(BANK))
    for seed in range(20):
        hosted.wait(977 * seed)
        move(hosted, seed)
    assert hosted.fold().facts.clocks == hosted.facts.clocks


def test_no_clock_runs_while_operators_keep_the_match_out_of_service():
    hosted = timed(2, given=terms(BANK))
    hosted.wait(10_000)
    hosted.do(EVE, Quarantine("a broken edition"), admin=True)
    assert hosted.clock(0) == (5 * MINUTE - 10_000, False)
    assert next_due(hosted.facts) is None
    hosted.wait(60 * MINUTE)
    hosted.do(EVE, Release("mended"), admin=True)
    assert hosted.facts.clocks[0].deadline == hosted.at + 5 * MINUTE - 10_000
