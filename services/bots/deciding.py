"""One seat of a bot: it tries its decision until that is answered for good."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import Any

from services.bots.occasions import Moment
from tidelog.client import Refused, new_request_id
from tidelog.client.answers import Accepted, Situation
from tidelog.client.pauses import Pauses
from tidelog.client.trail import version

Choose = Callable[[Situation], Any]
"""The move; None lets the opportunity pass, for a seat that owes nothing."""

Submit = Callable[[Any, int | None, str], Awaitable[Accepted]]
"""(move, decision, request id)."""

FindMoment = Callable[[Situation], Awaitable[Moment | None]]
"""The moment in which a seat that owes nothing is asked; None where it owes a move."""

PASSING = frozenset({"too_much", "store_full", "internal"})
"""Beyond the client's own: refusals that end when the server gets better, and until then the match waits for us."""

OVERTAKEN = frozenset({"stale", "match_over"})
"""The decision does not stand any more; what stands instead is on its way."""

ENDED = "not_your_turn"
"""Somebody else ended what the seat had to decide; a later opportunity can bear the same decision."""


class Deciding:
    """What is heard last is decided, one move at a time.

    A move keeps its request id however often it is sent, so it has one effect. A seat that owes nothing is asked once
    a moment. `retries` bounds how many seats send again at once; `pause_s` comes before each new move.
    """

    def __init__(
        self,
        choose: Choose,
        submit: Submit,
        retries: asyncio.Semaphore,
        log: Any,
        *,
        moment: FindMoment,
        pause_s: float = 0.0,
    ) -> None:
        self._choose = choose
        self._submit = submit
        self._moment = moment
        self._retries = retries
        self._log = log
        self._pause_s = pause_s
        self._open: Situation | None = None
        self._done: int | None = None
        self._asked: Moment | None = None
        self._running: asyncio.Task[None] | None = None

    def hear(self, situation: Situation) -> None:
        """Newer news take the place of older ones; without legal moves there is nothing to decide."""
        if situation.legal is None or situation.decision in {None, self._done}:
            self._open = None
            return
        if self._open is None or self._open.cursor != situation.cursor:
            self._open = situation
        if self._running is None:
            self._running = asyncio.create_task(self._decide())

    def leave(self) -> None:
        """Nothing is decided any more."""
        self._open = None
        if self._running is not None:
            self._running.cancel()

    async def _decide(self) -> None:
        try:
            while self._open is not None:
                if self._pause_s:
                    await asyncio.sleep(self._pause_s)
                if self._open is not None and await self._is_asked(self._open):
                    await self._settle(self._open)
        except Exception:  # noqa: BLE001 - a fault of one policy ends this move only
            self._log.exception("bot failed")
            self._open = None
        finally:
            self._running = None

    async def _is_asked(self, situation: Situation) -> bool:
        """Whether the seat decides on these news; if it does not, and nothing newer is heard, there is nothing open."""
        moment = await self._moment(situation)
        if self._open is not situation:
            return False
        if moment is not None and moment == self._asked:
            self._open = None
            return False
        self._asked = moment
        return True

    async def _settle(self, situation: Situation) -> None:
        """Until the move is answered for good, or something newer is heard."""
        move, request_id, pauses = self._choose(situation), new_request_id(), Pauses()
        if move is None:
            self._open = None
            return
        room: AbstractAsyncContextManager[Any] = nullcontext()
        while True:
            async with room:
                if self._open is not situation:
                    return
                refused = await self._tried(move, situation, request_id)
            if refused is None:
                return
            await pauses.wait(refused)
            room = self._retries

    async def _tried(self, move: Any, situation: Situation, request_id: str) -> Refused | None:
        """The refusal after which to try again."""
        try:
            await self._submit(move, situation.decision, request_id)
        except Refused as refused:
            if refused.transient or refused.reason in PASSING:
                self._log.warning("bot tries again", reason=refused.reason)
                return refused
            self._asked = None
            if refused.reason in OVERTAKEN:
                self._over(situation)
                return None
            if refused.reason != ENDED and not _was_late(refused, situation):
                self._log.warning("bot refused", reason=refused.reason, rule=refused.rule)
            if self._open is situation:
                self._open = None
            return None
        self._over(situation)
        return None

    def _over(self, situation: Situation) -> None:
        """News of the same decision that came meanwhile are out of date too."""
        self._done = situation.decision
        if self._open is not None and self._open.decision == self._done:
            self._open = None


def _was_late(refused: Refused, situation: Situation) -> bool:
    """Whether the match went on while the move was on its way: an offer that is answered may be another by then."""
    return refused.version is not None and refused.version > version(situation.cursor)
