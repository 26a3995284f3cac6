"""How the past is told to one who asked for more than all of it at once: with its pauses, and its situations."""

import asyncio
from math import isfinite
from typing import Self

from msgspec import Struct

from gateway.matches.past import PastMatches
from gateway.matches.situation import Audience, situation
from gateway.matches.timer import Timer
from services.common.refusals import Reason, Refused
from services.eventlog.aggregate import Aggregate
from services.eventlog.entries import BrokenLog, Cursor, Entry, header_of
from services.eventlog.loading import quarantined
from tidelog.v1 import updates_pb2

SLOWEST, FASTEST = 0.01, 1000.0


class Replay(Struct, frozen=True):
    """`speed` 0 is as fast as it is read, `longest_s` 0 no limit, `until` 0 no end."""

    speed: float = 0.0
    longest_s: float = 0.0
    until: int = 0
    situations: bool = False

    @classmethod
    def of(cls, asked: updates_pb2.Replay, after: Cursor) -> Self:
        """Raises Refused(MALFORMED)."""
        if asked.speed and not (isfinite(asked.speed) and SLOWEST <= asked.speed <= FASTEST):
            raise _malformed("speed", f"a speed is {SLOWEST} to {FASTEST:.0f}, or 0 for no pauses")
        if asked.longest_pause_ms < 0:
            raise _malformed("longest_pause_ms", "a pause is no less than 0 ms")
        if asked.until < 0 or (asked.until and asked.until <= after.version):
            raise _malformed("until", "it ends behind the cursor that it begins with")
        return cls(asked.speed, asked.longest_pause_ms / 1000, asked.until, asked.situations)

    @property
    def is_plain(self) -> bool:
        """Whether nothing is asked for that the past takes time for."""
        return not (self.speed or self.situations)


class Pacing:
    """One telling of the past; what is beyond version `end` is told without pauses."""

    def __init__(self, replay: Replay, end: int, timer: Timer, past: PastMatches) -> None:
        self._replay = replay
        self._end = end
        self._timer = timer
        self._past = past
        self._at: int | None = None
        self._fold: Aggregate | None = None

    def close(self) -> None:
        if self._fold is not None:
            self._past.give_back(self._fold)
            self._fold = None

    async def pause(self, entry: Entry) -> None:
        """Until the entry's turn has come; the first one's has."""
        before, self._at = self._at, header_of(entry).at
        if not self._replay.speed or before is None or entry.version > self._end:
            return
        seconds = max(self._at - before, 0) / 1000 / self._replay.speed
        if self._replay.longest_s:
            seconds = min(seconds, self._replay.longest_s)
        if seconds:
            await self._timer.sleep(seconds)

    async def situation(self, match_id: str, entry: Entry, who: Audience, *, closes: bool) -> bytes:
        """A serialised Situation behind the entry, if it closes its command and situations are wanted."""
        if not (self._replay.situations and who.wants_situations):
            return b""
        try:
            if self._fold is None:
                self._fold = await self._past.at(match_id, entry.version)
            else:
                self._fold.apply(entry)
        except BrokenLog as broken:
            self._fold = None
            raise quarantined(broken) from broken
        if not closes:
            return b""
        await asyncio.sleep(0)  # views take time: others come in between
        return situation(self._fold, who)


def _malformed(field: str, message: str) -> Refused:
    return Refused(Reason.MALFORMED, f"{message} - at `$.replay.{field}`")
