"""A match as those see it who are kept behind its log (Terms.spectator_delay)."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from itertools import takewhile

from gateway.matches.match import LiveMatch
from gateway.matches.onlooker import Onlooker
from gateway.projections.changes import start_among
from services.eventlog.aggregate import Aggregate
from services.eventlog.entries import Entry, header_of
from services.eventlog.match import Match, Status
from services.eventlog.terms import Delay, DelayUnit

Drive = Callable[["DelayedMatch"], Awaitable[None]]


class DelayedMatch(LiveMatch):
    """Folded up to what may be told. `drive` brings it on for as long as somebody watches; `stir` wakes it.

    `lock` is held by whoever brings it on.
    """

    __slots__ = ("_drive", "_driver", "lock", "stir")

    def __init__(self, aggregate: Aggregate, drive: Drive) -> None:
        super().__init__(aggregate)
        self.delay = aggregate.facts.terms.spectator_delay
        self.lock = asyncio.Lock()
        self.stir = asyncio.Event()
        self._drive = drive
        self._driver: asyncio.Task[None] | None = None

    def admit(self, onlooker: Onlooker) -> None:
        super().admit(onlooker)
        if self._driver is None or self._driver.done():
            self._driver = asyncio.ensure_future(self._drive(self))

    def dismiss(self, onlooker: Onlooker) -> None:
        super().dismiss(onlooker)
        if not self.watched:
            self.stir.set()

    @property
    def driver(self) -> asyncio.Task[None] | None:
        return self._driver

    def _turn_out_spectators(self) -> None:
        """All who watch here are behind already."""


def shown_of(entries: Sequence[Entry], behind: Match, live: LiveMatch, now_ms: int) -> int:
    """How many of the entries, which follow `behind`, may be told by now to those who are kept behind the match.

    A match is told up to its start at once, and to its end once it is over.
    """
    start = 0 if behind.status is not Status.OPEN else start_among(entries) or len(entries)
    within = [entry for entry in entries if entry.version <= live.version]
    if live.aggregate.facts.status is not Status.RUNNING:
        return len(within)
    free = sum(1 for _ in takewhile(lambda entry: _is_free(entry, live, now_ms), within))
    return max(free, min(start, len(within)))


def due_ms(entry: Entry, live: LiveMatch) -> int | None:
    """When the entry may be told though nothing else happens; None where that does not come."""
    delay = live.aggregate.facts.terms.spectator_delay
    waits = delay is not None and delay.unit is DelayUnit.SECONDS and entry.version <= live.version
    return header_of(entry).at + 1000 * delay.count if waits and delay is not None else None


def _is_free(entry: Entry, live: LiveMatch, now_ms: int) -> bool:
    delay = live.aggregate.facts.terms.spectator_delay or Delay(DelayUnit.EVENTS)
    if delay.unit is DelayUnit.EVENTS:
        return entry.version <= live.version - delay.count
    if delay.unit is DelayUnit.SECONDS:
        return header_of(entry).at <= now_ms - 1000 * delay.count
    return entry.version < (live.turn_began or 0)
