"""The matches that a host keeps in memory: one warm entry and one queue each, the least recently used leave."""

import asyncio
from collections import OrderedDict

from engines.core.engine import AnyEngine
from services.common import metrics
from services.common.refusals import Reason, Refused
from services.eventlog.aggregate import Aggregate

WARM_MATCHES = 20_000
WAITING_COMMANDS = 64
"""Commands that may wait for one match; the next is told to come back."""


class Warm:
    """A match as the host knows it. `aggregate` is None while a decision is under way, and after one that failed."""

    __slots__ = ("aggregate", "lock", "secret", "waiting")

    def __init__(self) -> None:
        self.aggregate: Aggregate | None = None
        self.secret: bytes | None = None
        self.lock = asyncio.Lock()
        self.waiting = 0


class WarmMatches:
    """At most `limit` warm entries beyond those in use."""

    def __init__(self, limit: int = WARM_MATCHES) -> None:
        self._limit = limit
        self._matches: OrderedDict[str, Warm] = OrderedDict()

    def __len__(self) -> int:
        return len(self._matches)

    def forget(self, match: str) -> None:
        """Drops what is known; the next command reads the log. Those that wait keep their order."""
        warm = self._matches.get(match)
        if warm is None:
            return
        warm.aggregate = warm.secret = None
        if not warm.waiting:
            del self._matches[match]

    def turn(self, match: str) -> "Turn":
        """The match for one command; others wait in the order they came. Raises Refused(TOO_MUCH) where too many do."""
        warm = self._matches.get(match)
        if warm is None:
            warm = self._matches[match] = Warm()
        self._matches.move_to_end(match)
        if warm.waiting >= WAITING_COMMANDS:
            raise Refused(Reason.TOO_MUCH, "too many commands wait for this match", retry_after_ms=100)
        warm.waiting += 1
        return Turn(self, match, warm)

    def done(self, match: str, warm: Warm) -> None:
        """A command's turn is over, or will not come."""
        warm.waiting -= 1
        if warm.waiting == 0 and warm.aggregate is None:
            self._matches.pop(match, None)
        self._evict()

    def _evict(self) -> None:
        while len(self._matches) > self._limit:
            match, warm = next(iter(self._matches.items()))
            if warm.waiting:
                self._matches.move_to_end(match)
                return
            del self._matches[match]
            metrics.warm_evicted.inc()


class Turn:
    """One command's place in its match's queue; entered when its turn has come."""

    __slots__ = ("_match", "_matches", "_warm")

    def __init__(self, matches: WarmMatches, match: str, warm: Warm) -> None:
        self._matches = matches
        self._match = match
        self._warm = warm

    async def __aenter__(self) -> Warm:
        try:
            await self._warm.lock.acquire()
        except BaseException:
            self._matches.done(self._match, self._warm)
            raise
        return self._warm

    async def __aexit__(self, *_error: object) -> None:
        self._warm.lock.release()
        self._matches.done(self._match, self._warm)


def served_by(engine: AnyEngine, aggregate: Aggregate) -> Aggregate:
    """The aggregate, if the match is of this host's game and of a rules number that it holds. Raises Refused."""
    created = aggregate.facts.created
    if created.game != engine.name:
        raise Refused(Reason.UNKNOWN_MATCH, f"there is no such match of {engine.title}")
    if created.rules not in engine.rules:
        raise Refused(Reason.ENGINE_AWAY, f"this host does not hold rules {created.rules} of {engine.name}")
    return aggregate
