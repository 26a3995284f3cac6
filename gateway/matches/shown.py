"""Matches as a caller may see them: as they are or, for those who are kept behind, as they were.

Whatever is answered of one match begins here, so that the delay of its spectators is one rule.
"""

import asyncio
from collections import OrderedDict

from gateway.callers.identity import Caller
from gateway.callers.rights import check_visible, is_kept_behind
from gateway.matches.delayed import DelayedMatch, due_ms, shown_of
from gateway.matches.live import LiveMatches
from gateway.matches.match import LiveMatch
from gateway.matches.past import PastMatches
from gateway.matches.reading import read_after
from gateway.matches.timer import Timer
from services.common.logs import logger
from services.common.refusals import Reason, Refused
from services.common.tasks import cancelled
from services.eventlog.entries import START, BrokenLog, Cursor, Entry
from services.eventlog.loading import quarantined
from services.eventlog.port import EventLog, StoreError
from services.eventlog.tails import tail
from services.eventlog.terms import DelayUnit

DELAYED_MATCHES = 1_000
"""Kept beyond those that are watched; the least recently used leave."""

PAGE = 256
RETRY_S = 0.5

log = logger()


class _WentBack(Exception):  # noqa: N818 - says what the log did
    """What was told is not of the log any more."""


class Shown:
    """`live` holds the matches as they are; here are those of delayed spectators."""

    def __init__(self, live: LiveMatches, event_log: EventLog, past: PastMatches, timer: Timer) -> None:
        self.live = live
        self.log = event_log
        self.past = past
        self.timer = timer
        self._delayed: OrderedDict[str, DelayedMatch] = OrderedDict()

    async def close(self) -> None:
        await cancelled(*(match.driver for match in self._delayed.values() if match.driver is not None))

    async def current(self, match_id: str, caller: Caller) -> LiveMatch:
        """The match with all that the caller may see of it by now. Raises Refused and the port's errors."""
        live = await self.live.current(match_id)
        check_visible(live.aggregate.facts, caller)
        return await self._behind(live) if is_kept_behind(live.aggregate.facts, caller) else live

    async def sound(self, match_id: str, caller: Caller) -> LiveMatch:
        """As `current`. Raises Refused(QUARANTINED) too."""
        found = await self.current(match_id, caller)
        if found.broken is not None:
            raise found.broken
        return found

    async def hides(self, match_id: str, caller: Caller) -> bool:
        """Whether where the match stands is not for the caller to know, so not in a refusal either."""
        try:
            return is_kept_behind((await self.live.current(match_id)).aggregate.facts, caller)
        except (Refused, StoreError):
            return True

    def stands(self, match: LiveMatch, caller: Caller) -> bool:
        """Whether this is still where the caller is told of the match."""
        if isinstance(match, DelayedMatch):
            return self._delayed.get(match.id) is match
        return self.live.held(match.id) is match and not is_kept_behind(match.aggregate.facts, caller)

    async def read(self, match: LiveMatch, after: Cursor, limit: int) -> list[Entry]:
        """Entries behind the cursor, none that the match hides. Raises Refused(LOG_REWOUND) and the port's errors."""
        if not isinstance(match, DelayedMatch):
            return await read_after(self.log, match.id, after, limit)
        end = match.cursor
        if after.version > end.version:
            raise Refused(Reason.LOG_REWOUND, f"{after} is not of this log, which ends at {end}", cursor=str(end))
        return await read_after(self.log, match.id, after, min(limit, end.version - after.version), end)

    async def _behind(self, live: LiveMatch) -> DelayedMatch:
        while True:
            match = self._delayed.get(live.id) or await self._new(live)
            self._delayed.move_to_end(live.id)
            async with match.lock:
                try:
                    await self._bring_on(match, live)
                except _WentBack:
                    self._forget(match)
                else:
                    match.broken = live.broken and _masked()
                    return match

    async def _new(self, live: LiveMatch) -> DelayedMatch:
        fold = await self.past.at(live.id, 1)
        match = self._delayed.setdefault(live.id, DelayedMatch(fold, self._drive))
        for _ in range(len(self._delayed) - DELAYED_MATCHES):
            match_id, oldest = next(iter(self._delayed.items()))
            if oldest.watched or oldest is match:
                self._delayed.move_to_end(match_id)
            else:
                del self._delayed[match_id]
        return self._delayed.setdefault(live.id, match)

    async def _bring_on(self, match: DelayedMatch, live: LiveMatch) -> int | None:
        """Tells what may be told by now; when there will be more though nothing happens, if there will."""
        if match.delay is not None and match.delay.unit is DelayUnit.TURN and live.turn_began is None:
            await self._find_turn(match, live)
        while True:
            entries = await tail(self.log, match.id, match.cursor, PAGE)
            if entries is None:
                raise _WentBack
            count = shown_of(entries, match.aggregate.facts, live, self.timer.now_ms())
            match.take(entries[:count], of_log=True)
            if count < len(entries):
                return due_ms(entries[count], live)
            if len(entries) < PAGE:
                return None

    async def _find_turn(self, match: DelayedMatch, live: LiveMatch) -> None:
        """Where the turn under way began: what is told already ends before it."""
        fold, end, began = await self.past.at(live.id, match.version), live.version, 0
        turns = fold.engine.turns(fold.state)
        while fold.facts.version < end:
            known = fold.facts.version
            for entry in await self.log.read(live.id, known, min(PAGE, end - known)):
                try:
                    fold.apply(entry)
                except BrokenLog as broken:
                    raise quarantined(broken) from broken
                if fold.engine.turns(fold.state) != turns:
                    turns, began = fold.engine.turns(fold.state), entry.version
            if fold.facts.version == known:
                raise _WentBack
        if live.turn_began is None:
            live.turn_began = began

    async def _drive(self, match: DelayedMatch) -> None:
        """Tells those who watch, with every entry that is appended and as time goes by."""
        live: LiveMatch | None = None
        try:
            while match.watched:
                match.stir.clear()
                try:
                    if live is None or self.live.held(match.id) is not live:
                        live = await self._listened(match, live)
                    await self._drive_once(match, live)
                except StoreError as error:
                    log.warning("a delayed match could not be told further", match=match.id, error=str(error))
                    await asyncio.sleep(RETRY_S)
        except Refused as refused:
            match.end_all(_lost() if refused.reason is Reason.UNKNOWN_MATCH else _masked())
        except _WentBack:
            await self._tell_rewound(match)
        except Exception:
            log.exception("a delayed match can't be told further", match=match.id)
            match.end_all(Refused(Reason.INTERNAL, "the server failed on this match; go on from the last cursor"))
        finally:
            if live is not None:
                live.ignore(match.stir)

    async def _listened(self, match: DelayedMatch, before: LiveMatch | None) -> LiveMatch:
        """The match as it is, which wakes this one from now on; heard of first, then caught up with: none is missed."""
        if before is not None:
            before.ignore(match.stir)
        live = await self.live.get(match.id)
        live.listen(match.stir)
        if live.broken is None and not await self.live.catch_up(live):
            live.ignore(match.stir)
            return await self._listened(match, None)
        return live

    async def _drive_once(self, match: DelayedMatch, live: LiveMatch) -> None:
        async with match.lock:
            due = await self._bring_on(match, live)
        if live.broken is not None:
            match.broken = _masked()
            match.end_all(_masked())
            return
        stirred = asyncio.ensure_future(match.stir.wait())
        waits = [stirred]
        if due is not None:
            seconds = max(due - self.timer.now_ms(), 1) / 1000
            waits.append(asyncio.ensure_future(self.timer.sleep(seconds)))  # type: ignore[arg-type]
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()

    async def _tell_rewound(self, match: DelayedMatch) -> None:
        self._forget(match)
        try:
            head = str((await self._behind(await self.live.current(match.id))).cursor)
        except (Refused, StoreError):
            head = str(START)
        match.end_all(_lost(head))

    def _forget(self, match: DelayedMatch) -> None:
        if self._delayed.get(match.id) is match:
            del self._delayed[match.id]


def _masked() -> Refused:
    """Where the log broke is not for those who are behind."""
    return Refused(Reason.QUARANTINED, "the log can't be folded to its end")


def _lost(head: str = str(START)) -> Refused:
    return Refused(Reason.LOG_REWOUND, "the store went back to an older copy of the log", cursor=head)
