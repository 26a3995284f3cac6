"""One who is told a match: a place in its log, and the stream that the news goes to."""

from collections.abc import Callable
from operator import attrgetter
from typing import Protocol

from gateway import metrics
from gateway.callers.identity import Caller
from gateway.matches import news
from gateway.matches.news import News
from gateway.matches.outbox import Outbox
from gateway.matches.pacing import Replay
from gateway.matches.situation import Audience
from services.common.refusals import Reason, Refused
from services.eventlog.entries import Cursor
from services.eventlog.terms import Delay

Wrap = Callable[[News], bytes]

PLAIN = Replay()

for_play: Wrap = attrgetter("play")
for_watch: Wrap = attrgetter("watch")


class Teller(Protocol):
    """What an onlooker is told by, once the past is told: a live match."""

    def dismiss(self, onlooker: "Onlooker") -> None: ...


class Onlooker:
    """Told what follows `cursor`, each entry once and in order, until `ended`; `on_end` is called then.

    `started` says that something was told, `quiet` that nothing was since the last look, `delay` that it is told late.
    """

    __slots__ = (
        "_outbox",
        "_wrap",
        "caller",
        "cursor",
        "delay",
        "ended",
        "live",
        "match_id",
        "on_end",
        "quiet",
        "replay",
        "started",
        "who",
    )

    def __init__(  # noqa: PLR0913 - who is told what, and how it goes there
        self,
        match_id: str,
        who: Audience,
        caller: Caller,
        after: Cursor,
        outbox: Outbox,
        wrap: Wrap,
        *,
        replay: Replay = PLAIN,
    ) -> None:
        self.match_id = match_id
        self.who = who
        self.caller = caller
        self.cursor = str(after)
        self.replay = replay
        self.live: Teller | None = None
        self.delay: Delay | None = None
        self.quiet = False
        self.started = False
        self.ended = False
        self.on_end: Callable[[], object] | None = None
        self._outbox = outbox
        self._wrap = wrap

    def tell(self, piece: News) -> None:
        """Ends with SLOW_CONSUMER where too much waits for the client already."""
        if self.ended:
            return
        if self._outbox.full:
            metrics.SLOW_CONSUMERS.inc()
            self.end(Refused(Reason.SLOW_CONSUMER, "the client reads too slowly; go on from the cursor"))
            return
        self._outbox.put(self._wrap(piece))
        self.cursor = piece.cursor
        self.started = True
        self.quiet = False
        if 0 < self.replay.until <= Cursor.parse(piece.cursor).version:
            self.end()

    async def room(self) -> int:
        """Waits until there is some; the bytes that can be told at once."""
        await self._outbox.room()
        return self._outbox.free

    def checkpoint(self) -> None:
        """Says that nothing is missing, if nothing was told since the last time."""
        if self.quiet and (self.live is not None or self.started):
            self.tell(news.checkpoint(self.match_id, self.who.seat, self.cursor, self.delay))
        self.quiet = True

    def end(self, refused: Refused | None = None) -> None:
        """The last news; without a refusal all was told, or the client asked to stop."""
        if self.ended:
            return
        if refused is not None and not refused.cursor:
            refused.cursor = self.cursor
        self._outbox.put(self._wrap(news.end(self.match_id, self.who.seat, self.cursor, refused)))
        self.leave()
        if self.on_end is not None:
            self.on_end()

    def leave(self) -> None:
        """Nothing more is told, the end neither."""
        self.ended = True
        if self.live is not None:
            self.live.dismiss(self)
            self.live = None
