"""What time alone brings about: outages made good, clocks run out, seats released, matches that nobody goes on with.

The deadline in the log's time decides, whoever tells of it. A host carries out what is due before any other command, so
no move gets in behind a deadline, and no race changes whose time ran out.
"""

from msgspec import structs

from services.common.refusals import Reason, Refused
from services.eventlog import clocks
from services.eventlog.commands import Expire, Order
from services.eventlog.ending import abort_without_persons, expire_match, finish, go_on
from services.eventlog.lifecycle import (
    BotSeated,
    CompensationReason,
    ExpiryReason,
    SeatReleased,
    TimeCompensated,
    TimedOut,
)
from services.eventlog.match import Match, Status
from services.eventlog.outages import Outage
from services.eventlog.ranking import forfeited
from services.eventlog.requests import CLOCK
from services.eventlog.terms import DAY_MS, USUAL_OPEN_MS, AbsencePolicy
from services.eventlog.timetable import Due
from services.eventlog.work import Work

IDLE_MS = 90 * DAY_MS
MOMENT_MS = 60_000

Outages = tuple[Outage, ...]


def bot_player(policy: str) -> str:
    """The platform's own player of that policy."""
    return f"tidelog|bot:{policy}"


def order(facts: Match, outages: Outages = ()) -> Order:
    """The command that carries out what is due; the same one whoever proposes it, so it has one effect."""
    return Order(CLOCK, f"expire-{facts.version}", Expire(facts.version, outages))


def first(facts: Match, asked: Order, at: int, outages: Outages) -> Order:
    """What has to be carried out at that time: what is due goes before anything else where somebody loses by it.

    A match that waited or was idle for too long is over once the clock says so; whoever goes on with it before, may.
    """
    if not facts.clocks and facts.status is not Status.OPEN:
        return asked
    if isinstance(asked.command, Expire):
        outages = tuple(sorted({*outages, *asked.command.outages}, key=lambda outage: outage.since))
    held_too_long = any(seat.until is not None and seat.until <= at for seat in facts.seats)
    loses = held_too_long or bool(clocks.deadlines(facts.clocks))
    return order(facts, outages) if loses and is_due(facts, at, outages) else asked


def due(facts: Match) -> Due:
    """What the timetable is to have of the match."""
    running = bool(clocks.deadlines(facts.clocks))
    return Due(facts.created.game, None if facts.imported else next_due(facts), running)


def due_again(facts: Match, now: int) -> Due:
    """The same of a match that comes back now: it could be neither begun nor gone on with while it was away.

    Its clocks are given their time back next, for which a moment is left.
    """
    found = due(facts)
    if found.at is None:
        return found
    patience = MOMENT_MS
    if not found.clocked:
        patience = (facts.terms.open_ms or USUAL_OPEN_MS) if facts.status is Status.OPEN else IDLE_MS
    return structs.replace(found, at=max(found.at, now + patience))


def next_due(facts: Match) -> int | None:
    """The first moment at which something is due, if nothing happens before.

    None for a match that is over, or that operators keep out of service.
    """
    if facts.over or facts.quarantine is not None:
        return None
    if _idles(facts):
        return facts.at + IDLE_MS
    if facts.status is Status.OPEN:
        return min([_open_until(facts), *(seat.until for seat in facts.seats if seat.until is not None)])
    return clocks.deadlines(facts.clocks)[0][0]


def is_due(facts: Match, at: int, outages: Outages) -> bool:
    """Whether anything is due at that time; never of an import, which takes no commands."""
    due = next_due(facts)
    return due is not None and not facts.imported and (at >= due or bool(_owed(facts, at, outages)))


def out_of_time(facts: Match, at: int, outages: Outages) -> list[int]:
    """The seats whose clocks have run out by then, what outages took given back; the first to do so first."""
    owed = _owed(facts, at, outages)
    found = [
        (deadline + sum(facts.clocks[seat].gain(outage.since, outage.until) for outage in owed), seat)
        for deadline, seat in clocks.deadlines(facts.clocks)
    ]
    return [seat for deadline, seat in sorted(found) if deadline <= at]


def expire(work: Work, command: Expire) -> None:
    """Raises Refused(NOT_DUE)."""
    facts, at = work.facts, work.at
    if not is_due(facts, at, command.outages):
        due = next_due(facts)
        assert due is not None
        raise Refused(Reason.NOT_DUE, "nothing is due yet", version=facts.version, retry_after_ms=due - at)
    if _idles(facts):
        expire_match(work, ExpiryReason.IDLE)
    elif facts.status is Status.OPEN:
        _expire_open(work)
    else:
        _settle_clocks(work, command.outages)


def _expire_open(work: Work) -> None:
    if work.at >= _open_until(work.facts):
        expire_match(work, ExpiryReason.UNSTARTED)
        return
    for number, seat in enumerate(work.facts.seats):
        if seat.player is not None and seat.until is not None and seat.until <= work.at:
            work.write(SeatReleased(number, seat.player))


def _settle_clocks(work: Work, outages: Outages) -> None:
    facts = work.facts
    for outage in _owed(facts, work.at, outages):
        work.write(TimeCompensated(outage.since, outage.until, CompensationReason.OUTAGE))
    while not facts.over and (out := out_of_time(facts, work.at, ())):
        _time_out(work, out[0])


def _time_out(work: Work, number: int) -> None:
    facts, terms = work.facts, work.facts.terms
    seat = facts.seats[number]
    stood_in, person = seat.vacant, not seat.bot
    work.write(TimedOut(number, facts.decisions[number]))
    if person and not stood_in and abort_without_persons(work):
        return
    if terms.absence is AbsencePolicy.FORFEIT and sum(not seat.vacant for seat in facts.seats) == 1:
        finish(work, forfeited(len(facts.seats), facts.left))
        return
    if terms.absence is AbsencePolicy.BOT and not stood_in:
        work.write(BotSeated(number, bot_player(terms.absence_policy)))
    go_on(work)


def _idles(facts: Match) -> bool:
    """Whether it has begun, and no clock runs."""
    return facts.status is Status.RUNNING and not clocks.deadlines(facts.clocks)


def _open_until(facts: Match) -> int:
    return facts.born + (facts.terms.open_ms or USUAL_OPEN_MS)


def _owed(facts: Match, at: int, outages: Outages) -> list[Outage]:
    """What of the outages has to be made good: no moment twice, and only where a clock ran."""
    found: list[Outage] = []
    done = facts.compensated
    for outage in outages:
        since, until = max(outage.since, done), min(outage.until, at)
        if any(clock.gain(since, until) for clock in facts.clocks):
            found.append(Outage(since, until))
            done = until
    return found
