"""What time brings about: judged by the log's time, before any other command."""

import pytest

from services.common.refusals import Reason, Refused
from services.eventlog import expiring
from services.eventlog.checking import earlier
from services.eventlog.commands import BotSeat, Claim, Expire, Leave, Order, Start, Submit
from services.eventlog.lifecycle import (
    Aborted,
    AbortReason,
    BotSeated,
    CompensationReason,
    Expired,
    ExpiryReason,
    SeatReleased,
    TimeCompensated,
    TimedOut,
)
from services.eventlog.match import Status
from services.eventlog.outages import Outage
from services.eventlog.terms import DAY_MS, Terms
from services.eventlog.timetable import Due
from tests.services.eventlog.given import ANN, BEN, CAT, EASY, EVE, GAME, NOON, PLAYERS, creating
from tests.services.eventlog.timed import BANK, MINUTE, Timed, last_command, move, terms, timed

GREEDY = "tidelog|bot:greedy"
END = ["match.finished", "match.secret_revealed"]
OUT = "match.timed_out"


def refused_of(asked, *given) -> Refused:
    with pytest.raises(Refused) as refused:
        asked(*given)
    return refused.value


def places(hosted) -> dict[int, int]:
    return {standing.seat: standing.place for standing in hosted.facts.outcome.ranking}


def test_nothing_is_due_before_the_deadline_and_the_refusal_says_when():
    hosted = timed()
    hosted.wait(MINUTE - 1)
    refused = refused_of(hosted.expire)
    assert (refused.reason, refused.retry_after_ms) == (Reason.NOT_DUE, 1)
    assert hosted.facts.left == []


def test_at_the_deadline_the_time_has_run_out():
    hosted = timed(3)
    decision = hosted.facts.decisions[0]
    hosted.wait(MINUTE)
    assert hosted.expire()[0] == OUT
    assert last_command(hosted)[0] == (OUT, TimedOut(0, decision))
    assert (hosted.facts.seats[0].vacant, hosted.facts.left) == (True, [0])


def test_a_move_in_the_last_millisecond_is_in_time():
    hosted = timed(3)
    hosted.wait(MINUTE - 1)
    move(hosted)
    assert hosted.facts.left == []


def test_a_move_at_the_deadline_is_too_late_though_nobody_had_told_of_it():
    hosted = timed(3, "expeditions")
    decision = hosted.facts.decisions[1]
    for player, seat in ((ANN, 0), (CAT, 2)):
        hosted.do(player, Submit(seat, EASY))
    hosted.wait(MINUTE)
    assert refused_of(hosted.do, BEN, Submit(1, EASY)).reason is Reason.OUT_OF_TIME
    assert last_command(hosted)[0] == (OUT, TimedOut(1, decision))


def test_who_ran_out_of_time_can_do_nothing_more_with_the_seat():
    hosted = timed(3)
    hosted.wait(MINUTE)
    hosted.expire()
    for command in (Submit(0, EASY), Leave(0)):
        assert hosted.refuses(ANN, command, Reason.OUT_OF_TIME).version == hosted.facts.version
    hosted.refuses(BEN, Submit(0, EASY), Reason.NOT_YOUR_SEAT)


@pytest.mark.parametrize("absence", ["autopilot", "forfeit", "bot"])
def test_all_whose_time_ran_out_leave_in_the_order_in_which_it_did(absence):
    """Seats that have decided do not run out of time with those that have not."""
    hosted = timed(4, "expeditions", given=terms(BANK, absence))
    hosted.wait(4000)
    hosted.do(CAT, Submit(2, EASY))
    hosted.outages = (Outage(NOON + 5000, NOON + 6000),)
    hosted.wait(60 * MINUTE)
    hosted.expire()
    out = [payload.seat for kind, payload in last_command(hosted) if kind == OUT]
    assert (out, hosted.facts.left) == ([0, 1, 3], [0, 1, 3])
    assert hosted.facts.over is (absence == "forfeit")


def test_of_two_whose_time_ran_out_the_one_with_less_time_leaves_first():
    hosted = timed(3, "expeditions", given=terms(BANK))
    for waited, seat in ((4000, 2), (2000, 0), (1000, 1)):
        hosted.wait(waited)
        hosted.do(PLAYERS[seat], Submit(seat, EASY))
    left = [clock.left_ms for clock in hosted.facts.clocks]
    assert sorted(range(3), key=left.__getitem__) == [1, 0, 2]
    facts = hosted.facts
    for clock in facts.clocks:
        clock.since = hosted.at
    hosted.wait(60 * MINUTE)
    assert expiring.out_of_time(facts, hosted.at, ()) == [1, 0, 2]


class TestAbsence:
    """The three policies, with two seats and with more."""

    def test_of_two_seats_autopilot_plays_the_absent_one_to_the_end(self):
        hosted = timed(2)
        hosted.wait(MINUTE)
        assert hosted.expire()[:2] == [OUT, "lost_seas.tile_taken"]
        while not hosted.facts.over:
            assert hosted.facts.owing == (1,)
            move(hosted)
        assert places(hosted) == {1: 1, 0: 2}

    def test_of_three_seats_autopilot_plays_the_absent_ones_who_rank_last_in_the_order_of_leaving(self):
        hosted = timed(3)
        for _ in range(2):
            hosted.wait(MINUTE)
            hosted.expire()
        while not hosted.facts.over:
            move(hosted)
        assert places(hosted) == {2: 1, 1: 2, 0: 3}

    def test_of_two_seats_the_other_wins_a_forfeit(self):
        hosted = timed(2, given=terms(absence="forfeit"))
        move(hosted)
        hosted.wait(MINUTE)
        assert hosted.expire() == [OUT, *END]
        assert places(hosted) == {0: 1, 1: 2}

    def test_of_three_seats_the_last_one_wins_when_the_others_have_forfeited(self):
        hosted = timed(3, given=terms(absence="forfeit"))
        hosted.wait(MINUTE)
        assert hosted.expire()[:2] == [OUT, "lost_seas.tile_taken"]
        assert hosted.facts.owing == (1,)
        hosted.wait(MINUTE)
        assert hosted.expire() == [OUT, *END]
        assert places(hosted) == {2: 1, 1: 2, 0: 3}

    @pytest.mark.parametrize("seats", [2, 3])
    def test_a_bot_stands_in_for_the_absent_one_who_ranks_last(self, seats):
        hosted = timed(seats, given=terms(absence="bot"))
        hosted.wait(MINUTE)
        assert hosted.expire() == [OUT, "match.bot_seated"]
        assert last_command(hosted)[1][1] == BotSeated(0, GREEDY)
        seat = hosted.facts.seats[0]
        assert (seat.player, seat.vacant, seat.stand_in, seat.out_of_time) == (ANN, True, GREEDY, True)
        assert hosted.clock(0) == (MINUTE, True)
        assert not hosted.facts.holds(ANN, 0)
        while not hosted.facts.over:
            number = hosted.facts.owing[0]
            legal = hosted.aggregate.engine.legal_moves(hosted.state, number)
            hosted.do(GREEDY if number == 0 else PLAYERS[number], Submit(number, next(legal)))
        assert places(hosted)[0] == seats

    def test_a_bots_request_sent_again_is_known_again(self):
        """Ben's seat, for who made the match is asked for requests of anybody's."""
        hosted = timed(2, given=terms(absence="bot"))
        move(hosted)
        hosted.wait(MINUTE)
        hosted.expire()
        legal = hosted.aggregate.engine.legal_moves(hosted.state, 1)
        order = hosted.order(GREEDY, Submit(1, next(legal)))
        hosted.carry_out(order)
        assert earlier(hosted.facts, order).last == hosted.facts.version

    def test_autopilot_takes_over_from_a_bot_whose_time_runs_out_too(self):
        hosted = timed(3, given=terms(absence="bot"))
        hosted.wait(MINUTE)
        hosted.expire()
        hosted.wait(MINUTE)
        assert hosted.expire()[:2] == [OUT, "lost_seas.tile_taken"]
        assert (hosted.facts.seats[0].stand_in, hosted.facts.left) == (None, [0])
        assert hosted.clock(0) == (0, False)
        hosted.refuses(GREEDY, Submit(0, EASY), Reason.NOT_YOUR_SEAT)

    def test_a_bot_that_stands_in_may_leave(self):
        hosted = timed(3, given=terms(absence="bot"))
        hosted.wait(MINUTE)
        hosted.expire()
        assert hosted.do(GREEDY, Leave(0))[:2] == ["match.resigned", "lost_seas.tile_taken"]
        assert hosted.facts.left == [0]

    @pytest.mark.parametrize("absence", ["autopilot", "bot", "forfeit"])
    @pytest.mark.parametrize("seats", [2, 3])
    def test_a_match_in_which_no_person_is_left_is_aborted(self, absence, seats):
        bots = [BotSeat(seat, GREEDY, "greedy") for seat in range(1, seats)]
        hosted = timed(seats, given=terms(absence=absence), bots=bots)
        hosted.wait(MINUTE)
        assert hosted.expire() == [OUT, "match.aborted", "match.secret_revealed"]
        assert hosted.event(hosted.facts.version - 1)[1].payload == Aborted(AbortReason.ALL_LEFT)

    def test_a_bot_whose_time_runs_out_ends_no_match_of_bots(self):
        bots = [BotSeat(seat, GREEDY, "greedy") for seat in range(3)]
        hosted = Timed(creating(3, type(creating().options)(young_explorers=True), terms=terms(), bots=tuple(bots)))
        hosted.wait(MINUTE)
        assert hosted.expire()[:2] == [OUT, "lost_seas.tile_taken"]
        assert hosted.facts.status is Status.RUNNING


class TestOutages:
    """What an outage took is given back, once, before anything else happens."""

    def test_time_in_which_nobody_could_move_is_given_back(self):
        hosted = timed(given=terms(BANK))
        hosted.outages = (Outage(NOON + 10_000, NOON + 70_000),)
        hosted.wait(80_000)
        version = hosted.facts.version + 1
        move(hosted)
        header, body = hosted.event(version)
        assert body.payload == TimeCompensated(NOON + 10_000, NOON + 70_000, CompensationReason.OUTAGE)
        assert (header.seat, hosted.event(version + 1)[0].seat) == (None, 0)
        assert hosted.clock(0) == (5 * MINUTE - 20_000 + 2000, False)

    def test_an_outage_puts_the_deadline_off(self):
        hosted = timed(3)
        hosted.outages = (Outage(NOON + 10_000, NOON + 70_000),)
        hosted.wait(MINUTE + 30_000)
        assert hosted.expire() == ["match.time_compensated"]
        assert hosted.deadline == NOON + 2 * MINUTE
        hosted.wait(29_999)
        assert refused_of(hosted.expire).reason is Reason.NOT_DUE
        hosted.wait(1)
        assert hosted.expire()[0] == OUT

    def test_time_that_ran_out_in_spite_of_what_was_given_back_has_run_out(self):
        hosted = timed(3)
        hosted.outages = (Outage(NOON + 10_000, NOON + 70_000),)
        hosted.wait(2 * MINUTE)
        assert hosted.expire()[:2] == ["match.time_compensated", OUT]

    def test_no_moment_is_given_back_twice(self):
        hosted = timed(given=terms(BANK))
        hosted.outages = (Outage(NOON + 10_000, NOON + 20_000),)
        hosted.wait(30_000)
        hosted.expire()
        assert refused_of(hosted.expire).reason is Reason.NOT_DUE
        hosted.outages = (*hosted.outages, Outage(NOON + 15_000, NOON + 25_000))
        hosted.expire()
        assert last_command(hosted)[0][1].since == NOON + 20_000
        assert hosted.facts.clocks[0].left_ms == 5 * MINUTE + 15_000

    def test_only_the_part_in_which_the_clock_ran_is_given_back(self):
        hosted = timed(given=terms(BANK))
        hosted.wait(20_000)
        move(hosted)
        hosted.outages = (Outage(NOON + 10_000, NOON + 30_000),)
        hosted.wait(20_000)
        hosted.expire()
        assert hosted.facts.clocks[1].left_ms == 5 * MINUTE + 10_000

    def test_an_outage_in_which_no_clock_ran_is_none_of_the_matchs(self):
        hosted = timed(given=terms(BANK))
        hosted.outages = (Outage(NOON - 50_000, NOON),)
        hosted.wait(10_000)
        assert refused_of(hosted.expire).reason is Reason.NOT_DUE

    def test_what_lies_ahead_of_the_command_is_given_back_later(self):
        hosted = timed(given=terms(BANK))
        hosted.outages = (Outage(NOON + 10_000, NOON + 40_000),)
        hosted.wait(20_000)
        hosted.expire()
        hosted.wait(30_000)
        hosted.expire()
        assert hosted.facts.clocks[0].left_ms == 5 * MINUTE + 30_000


class TestOpen:
    """Before the start."""

    def test_a_match_that_does_not_start_in_a_day_expires(self):
        hosted = Timed(creating(own_seat=0))
        hosted.wait(DAY_MS - 1)
        assert refused_of(hosted.expire).reason is Reason.NOT_DUE
        hosted.wait(1)
        assert hosted.expire() == ["match.expired", "match.secret_revealed"]
        assert hosted.event(hosted.facts.version - 1)[1].payload == Expired(ExpiryReason.UNSTARTED)
        assert (hosted.facts.status, hosted.facts.over) == (Status.EXPIRED, True)
        assert hosted.facts.opened
        hosted.refuses(BEN, Claim(1), Reason.MATCH_OVER)

    def test_its_terms_may_give_it_another_time(self):
        hosted = Timed(creating(own_seat=0, terms=Terms(open_ms=10_000)))
        hosted.wait(10_000)
        assert hosted.expire()[0] == "match.expired"

    def test_who_fills_it_before_the_clock_has_come_may(self):
        hosted = Timed(creating(own_seat=0))
        hosted.wait(DAY_MS + 1)
        hosted.do(BEN, Claim(1))
        assert hosted.facts.status is Status.RUNNING

    def test_a_seat_is_released_when_the_time_until_which_it_was_held_has_come(self):
        hosted = Timed(creating(3, own_seat=0))
        hosted.do(BEN, Claim(1, until=NOON + 10_000))
        hosted.wait(9999)
        assert refused_of(hosted.expire).retry_after_ms == 1
        hosted.wait(1)
        assert hosted.expire() == ["match.seat_released"]
        assert last_command(hosted) == [("match.seat_released", SeatReleased(1, BEN))]
        assert hosted.event(hosted.facts.version)[0].seat is None
        assert [seat.player for seat in hosted.facts.seats] == [ANN, None, None]

    def test_a_seat_held_too_long_is_free_for_another(self):
        hosted = Timed(creating(own_seat=0, auto_start=False))
        hosted.do(BEN, Claim(1, until=NOON + 10_000))
        hosted.wait(10_000)
        assert hosted.do(CAT, Claim(1)) == ["match.seat_claimed"]
        assert hosted.facts.seats[1].player == CAT

    def test_a_match_does_not_start_with_a_seat_held_too_long(self):
        hosted = Timed(creating(own_seat=0, auto_start=False))
        hosted.do(BEN, Claim(1, until=NOON + 10_000))
        hosted.wait(10_000)
        assert refused_of(hosted.do, ANN, Start()).reason is Reason.SEATS_OPEN

    def test_after_the_start_a_seat_is_held_for_good(self):
        hosted = Timed(creating(own_seat=0))
        hosted.do(BEN, Claim(1, until=NOON + 10_000))
        hosted.wait(20_000)
        assert hosted.facts.status is Status.RUNNING
        assert refused_of(hosted.expire).reason is Reason.NOT_DUE


class TestIdle:
    def test_a_match_without_a_clock_expires_after_90_idle_days(self):
        hosted = timed(given=Terms())
        hosted.wait(MINUTE)
        move(hosted)
        hosted.wait(90 * DAY_MS - 1)
        assert refused_of(hosted.expire).retry_after_ms == 1
        hosted.wait(1)
        assert hosted.expire() == ["match.expired", "match.secret_revealed"]
        assert hosted.event(hosted.facts.version - 1)[1].payload == Expired(ExpiryReason.IDLE)

    def test_who_goes_on_with_it_before_the_clock_has_come_may(self):
        hosted = timed(given=Terms())
        hosted.wait(91 * DAY_MS)
        move(hosted)
        assert hosted.facts.status is Status.RUNNING


class TestProposals:
    def test_only_the_clock_service_proposes(self):
        hosted = timed()
        hosted.wait(MINUTE)
        for player in (ANN, EVE):
            refused = refused_of(hosted.append, Order(player, "expire-1", Expire(hosted.facts.version)))
            assert refused.reason is Reason.NOT_ALLOWED

    def test_a_proposal_of_another_version_is_stale(self):
        hosted = timed()
        hosted.wait(MINUTE)
        stale = Order("service:clock", "expire-1", Expire(hosted.facts.version - 1))
        assert refused_of(hosted.append, stale).reason is Reason.STALE

    def test_what_is_due_is_on_the_timetable(self):
        hosted = Timed(creating(own_seat=0, terms=terms()))
        assert expiring.due(hosted.facts) == Due(GAME, NOON + DAY_MS)
        hosted.do(BEN, Claim(1, until=NOON + 77))
        assert expiring.due(hosted.facts) == Due(GAME, NOON + MINUTE, clocked=True)
        hosted.facts.id = "elsewhere"
        assert expiring.due(hosted.facts).at is None

    def test_a_restored_match_has_its_whole_patience_again(self):
        open_, idle, over = Timed(creating()), timed(given=Terms()), timed(given=terms(absence="forfeit"))
        over.wait(MINUTE)
        over.expire()
        later = NOON + 365 * DAY_MS
        assert expiring.due_again(open_.facts, later).at == later + DAY_MS
        assert expiring.due_again(idle.facts, later).at == later + 90 * DAY_MS
        assert expiring.due_again(over.facts, later).at is None
        assert expiring.due_again(timed().facts, later).at == later + MINUTE
