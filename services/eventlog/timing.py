"""Checks that what time brought about in a log was due, and that nothing came before it."""

from collections.abc import Callable
from typing import Any

from services.eventlog import clocks, expiring
from services.eventlog.entries import Body, BrokenLog, Header
from services.eventlog.lifecycle import BotSeated, Expired, SeatReleased, TimeCompensated, TimedOut
from services.eventlog.match import Match
from services.eventlog.terms import AbsencePolicy


class Moment:
    """A match before an entry of that time."""

    __slots__ = ("_due", "at", "clocks", "compensated", "decisions", "facts", "out", "untils")

    def __init__(self, facts: Match, at: int) -> None:
        self.at = at
        self.facts = facts
        self._due = expiring.next_due(facts)
        self.out = expiring.out_of_time(facts, at, ())
        self.decisions = tuple(facts.decisions)
        self.compensated = facts.compensated
        self.untils = [seat.until for seat in facts.seats]
        self.clocks = [clocks.SeatClock(clock.left_ms, clock.since) for clock in facts.clocks]

    def check(self, header: Header, body: Body[Any]) -> None:
        """Whether the entry, which has been folded since, could follow. Raises BrokenLog."""
        wrong = self._wrong(header, body)
        if wrong is not None:
            raise BrokenLog(header.version, wrong)

    def _wrong(self, header: Header, body: Body[Any]) -> str | None:
        judge = _JUDGES.get(type(body.payload))
        if judge is not None and (judge is not _released or header.seat is None):
            return judge(self, body.payload)
        # Everything else is a command's, or follows from what it began with.
        if body.req is not None and self.out:
            return f"the time of seat {self.out[0]} had run out before"
        return None

    @property
    def due(self) -> bool:
        return self._due is not None and self.at >= self._due


def _timed_out(moment: Moment, event: TimedOut) -> str | None:
    stood = event.seat in moment.out[:1] and event.decision == moment.decisions[event.seat]
    return None if stood else f"the time of seat {event.seat} had not run out on decision {event.decision}"


def _time_compensated(moment: Moment, event: TimeCompensated) -> str | None:
    ran = any(clock.gain(event.since, event.until) for clock in moment.clocks)
    sound = moment.compensated <= event.since and event.until <= moment.at and ran
    return None if sound else "no clock ran in the time that is given back"


def _bot_seated(moment: Moment, event: BotSeated) -> str | None:
    named = moment.facts.terms.absence is AbsencePolicy.BOT and moment.facts.seats[event.seat].vacant
    return None if named else f"no bot stands in for seat {event.seat}"


def _expired(moment: Moment, _event: Expired) -> str | None:
    return None if moment.due and not clocks.deadlines(moment.clocks) else "the match had not expired"


def _released(moment: Moment, event: SeatReleased) -> str | None:
    until = moment.untils[event.seat]
    return None if until is not None and until <= moment.at else f"seat {event.seat} was held for longer"


_JUDGES: dict[type, Callable[[Moment, Any], str | None]] = {
    TimedOut: _timed_out,
    TimeCompensated: _time_compensated,
    BotSeated: _bot_seated,
    Expired: _expired,
    SeatReleased: _released,
}
