"""Clocks recomputed by hand from random logs, and logs forged against the clock."""

from random import Random

import pytest

from services.common.refusals import Reason, Refused
from services.eventlog.commands import Claim, Leave
from services.eventlog.entries import header_of
from services.eventlog.export import export_full
from services.eventlog.lifecycle import BotSeated, Resigned, SeatReleased, TimeCompensated, TimedOut
from services.eventlog.outages import Outage
from services.eventlog.reading import BadExport, lines_of, read
from services.eventlog.terms import DAY_MS, Clock, Terms
from services.eventlog.verify import check_log
from tests.services.eventlog.forging import forged, shortened
from tests.services.eventlog.given import BEN, EDITION, MATCH, NOON, PLAYERS, SECRET, creating, next_order
from tests.services.eventlog.timed import BANK, MINUTE, Timed, move, terms, timed

TOO_LATE = {Reason.NOT_DUE, Reason.OUT_OF_TIME, Reason.NOT_YOUR_SEAT, Reason.MATCH_OVER, Reason.NOT_YOUR_TURN}
CLOCKS = [Clock(move_ms=20_000), Clock(bank_ms=90_000), Clock(bank_ms=60_000, increment_ms=3000)]


class Whim:
    """A chance for `next_order`."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def draw(self, _label: str, n: int) -> int:
        return self._random.randrange(n)


def lived(seed: int) -> Timed:
    """A match with pauses, outages, and seats that are left, run out of time or are played by bots."""
    random = Random(seed)
    absence = random.choice(["autopilot", "bot", "forfeit"])
    seats = random.randint(2, 4)
    hosted = timed(seats, random.choice(["young", "expeditions"]), given=terms(random.choice(CLOCKS), absence))
    while not hosted.facts.over and hosted.facts.version < 400:
        pause = random.choice([0, 1, 500, 4000, 4000, 9000, 25_000])
        if random.random() < 0.1:
            hosted.outages = (*hosted.outages, Outage(hosted.at + pause // 4, hosted.at + pause // 2 + 6000))
        hosted.wait(pause)
        try:
            if random.random() < 0.2:
                hosted.expire()
            elif random.random() < 0.02:
                seat = random.randrange(seats)
                hosted.do(PLAYERS[seat], Leave(seat))
            else:
                order = next_order(hosted, Whim(random))
                player = hosted.facts.seats[order.command.seat].played_by
                hosted.do(player, order.command)
        except Refused as refused:
            if refused.reason not in TOO_LATE:
                raise
    return hosted


def recomputed(hosted: Timed) -> list[list[tuple[int, int | None]]]:
    """After each entry each seat's time left at the entry's time, and its deadline; each seat is followed alone."""
    fold, story = hosted.unborn(), []
    for entry in hosted.entries:
        body = fold.apply(entry)
        owing = set() if fold.facts.over else set(fold.facts.owing)
        story.append((header_of(entry), body, owing))
    lives = [_life(hosted, seat, story) for seat in range(len(hosted.facts.seats))]
    return [list(row) for row in zip(*lives, strict=True)]


def _life(hosted: Timed, seat: int, story) -> list[tuple[int, int | None]]:
    clock = hosted.facts.terms.clock
    full = clock.move_ms or clock.bank_ms
    left, looked, runs, played, given_back = full, 0, False, True, 0
    began, found = 0, []
    for header, body, owing in story:
        event, own = body.payload, body.req is not None and header.seat == seat
        if runs:
            left -= header.at - looked
        looked = header.at
        if isinstance(event, TimeCompensated):
            start = max(event.since, given_back, began)
            left += max(0, event.until - start) if runs else 0
            given_back = max(given_back, event.until)
        if isinstance(event, TimedOut) and event.seat == seat:
            left, runs, played = 0, False, False
        if isinstance(event, Resigned) and event.seat == seat:
            played = False
        if isinstance(event, BotSeated) and event.seat == seat:
            left, played = full, True
        decides = own and header.type.startswith("lost_seas")
        now_runs = seat in owing and played
        if runs and (decides or not now_runs):
            left = full if clock.move_ms else left + (clock.increment_ms if decides else 0)
            runs = False
        if now_runs and not runs:
            runs, began = True, header.at
        found.append((left, header.at + left if runs else None))
    return found


def folded(hosted: Timed) -> list[list[tuple[int, int | None]]]:
    fold, found = hosted.unborn(), []
    for entry in hosted.entries:
        fold.apply(entry)
        now = [
            (clock.left_ms - (0 if clock.since is None else fold.facts.at - clock.since), clock.deadline)
            for clock in fold.facts.clocks
        ]
        found.append(now)
    return found


def check_life(seed: int) -> Timed:
    hosted = lived(seed)
    assert folded(hosted) == recomputed(hosted)
    check_log(hosted.entries, EDITION, MATCH, SECRET)
    return hosted


@pytest.mark.parametrize("block", range(4))
def test_every_clock_is_what_the_log_says_by_hand(block):
    types = set()
    for seed in range(10 * block, 10 * block + 10):
        types |= set(check_life(seed).types)
    assert {"match.timed_out", "match.time_compensated"} <= types


@pytest.mark.soak
@pytest.mark.parametrize("block", range(100))
def test_so_it_is_in_thousands_of_logs(block):
    for seed in range(1000 + 40 * block, 1040 + 40 * block):
        check_life(seed)


# What `verify` says of logs that were forged with all their hashes.


def exported(hosted: Timed, last: int | None = None) -> bytes:
    export = b"".join(export_full(hosted.entries, EDITION, None))
    return export if last is None else shortened(export, SECRET, last)


def refusal(export: bytes) -> str:
    with pytest.raises(BadExport) as bad:
        read(lines_of([export]))
    return str(bad.value)


def played_out(given: Terms, waits: tuple[int, ...] = (), outages: tuple[Outage, ...] = ()) -> Timed:
    """A forfeit of two: Ben's time runs out after Ann has moved."""
    hosted = timed(2, given=given)
    hosted.outages = outages
    move(hosted)
    for wait in waits or (5 * MINUTE,):
        hosted.wait(wait)
    hosted.expire()
    return hosted


def version_of(hosted: Timed, kind: str) -> int:
    return hosted.types.index(kind) + 1


def put(**fields: object):
    return lambda line: line["body"]["payload"].update(fields)


def at(time: int):
    return lambda line: line["header"].update(at=time)


FORFEIT = terms(BANK, "forfeit")


def test_an_honest_timeout_checks():
    read(lines_of([exported(played_out(FORFEIT))]))


def test_a_timeout_that_comes_too_early_is_told():
    hosted = played_out(FORFEIT)
    export = exported(hosted)
    for version in range(version_of(hosted, "match.timed_out"), hosted.facts.version + 1):
        export = forged(export, SECRET, version, at(hosted.facts.at - 1))
    assert "the time of seat 1 had not run out" in refusal(export)


@pytest.mark.parametrize("wrong", [{"seat": 0}, {"decision": 1}])
def test_a_timeout_of_another_seat_or_decision_is_told(wrong):
    hosted = played_out(FORFEIT)
    version = version_of(hosted, "match.timed_out")
    assert "had not run out" in refusal(forged(exported(hosted), SECRET, version, put(**wrong)))


def test_a_move_behind_a_deadline_is_told():
    hosted = timed(3)
    move(hosted)
    before = hosted.facts.version
    move(hosted)
    for place in range(before + 1, hosted.facts.version + 1):
        header = header_of(hosted.entries[place - 1])
        assert header.at == NOON
    export = exported(hosted, hosted.facts.version)
    for place in range(before + 1, hosted.facts.version + 1):
        export = forged(export, SECRET, place, at(NOON + MINUTE))
    assert "the time of seat 1 had run out before" in refusal(export)


@pytest.mark.parametrize(
    "wrong",
    [
        {"since": NOON - 10_000, "until": NOON},
        {"since": NOON + 10_000, "until": NOON + 6 * MINUTE},
        {"since": NOON + 20_000, "until": NOON + 20_000},
    ],
)
def test_time_that_no_outage_took_is_told(wrong):
    """Before the clock ran, after the entry's own time, or none."""
    hosted = played_out(FORFEIT, (5 * MINUTE,), (Outage(NOON + 1000, NOON + 2000),))
    assert hosted.types[-1] == "match.time_compensated"
    export = forged(exported(hosted, hosted.facts.version), SECRET, hosted.facts.version, put(**wrong))
    assert "no clock ran in the time that is given back" in refusal(export)


def test_the_same_moment_given_back_twice_is_told():
    hosted = timed(given=terms(BANK))
    for number in (1, 2):
        hosted.outages = (*hosted.outages, Outage(NOON + 1000 * number, NOON + 1000 * number + 1000))
        hosted.wait(4000)
        hosted.expire()
    twice = {"since": NOON + 1500, "until": NOON + 3000}
    export = exported(hosted, hosted.facts.version)
    read(lines_of([export]))
    assert "no clock ran" in refusal(forged(export, SECRET, hosted.facts.version, put(**twice)))


def test_a_bot_that_nobody_asked_for_is_told():
    hosted = timed(given=terms(absence="bot"))
    hosted.wait(MINUTE)
    hosted.expire()
    export = exported(hosted, hosted.facts.version)
    read(lines_of([export]))
    assert "no bot stands in for seat 1" in refusal(forged(export, SECRET, hosted.facts.version, put(seat=1)))
    other = forged(export, SECRET, 1, lambda line: line["body"]["payload"]["terms"].update(absence="forfeit"))
    assert "no bot stands in for seat 0" in refusal(other)


def test_a_match_that_expires_too_early_is_told():
    for hosted in (Timed(creating(own_seat=0)), timed(given=Terms())):
        wait = DAY_MS if not hosted.facts.owing else 90 * DAY_MS
        hosted.wait(wait)
        hosted.expire()
        export = exported(hosted)
        read(lines_of([export]))
        for version in (hosted.facts.version - 1, hosted.facts.version):
            export = forged(export, SECRET, version, at(NOON + wait - 1))
        assert "the match had not expired" in refusal(export)


def test_a_seat_that_is_released_too_early_is_told():
    hosted = Timed(creating(3, own_seat=0))
    hosted.do(BEN, Claim(1, until=NOON + 5000))
    hosted.wait(5000)
    hosted.expire()
    export = exported(hosted, hosted.facts.version)
    read(lines_of([export]))
    assert "seat 1 was held for longer" in refusal(forged(export, SECRET, hosted.facts.version, at(NOON + 4999)))
    assert SeatReleased(1, BEN) == hosted.event(hosted.facts.version)[1].payload


def test_events_of_clocks_in_a_match_without_one_do_not_fold():
    hosted = timed()
    hosted.wait(MINUTE)
    hosted.expire()
    export = exported(hosted, version_of(hosted, "match.timed_out"))
    without = forged(export, SECRET, 1, lambda line: line["body"]["payload"]["terms"].update(clock=None))
    assert "it does not fold" in refusal(without)


def test_a_forfeit_that_nobody_won_is_told():
    hosted = timed(3, given=terms(absence="forfeit"))
    for _ in range(2):
        hosted.wait(MINUTE)
        hosted.expire()
    read(lines_of([exported(hosted)]))
    mild = forged(
        exported(hosted), SECRET, 1, lambda line: line["body"]["payload"]["terms"].update(absence="autopilot")
    )
    assert "the game's outcome is another" in refusal(mild)
