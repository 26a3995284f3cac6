"""The clock: has what is due carried out, and tells hosts that the platform is there."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from contextlib import asynccontextmanager
from time import monotonic
from typing import TypeAlias

from services.clock.engines import EngineCaller
from services.clock.pauses import Pauses
from services.common import metrics
from services.common.logs import logger
from services.common.refusals import Reason, Refused
from services.common.tasks import cancelled
from services.eventlog import hashes
from services.eventlog.outages import BEAT_EVERY_S
from services.eventlog.port import EventLog, StoreError
from services.eventlog.requests import CLOCK
from services.eventlog.timetable import Waiting
from tidelog.v1.engine_pb2 import EngineAnswer, EngineCommand

LOOK_EVERY_S = 0.5
"""The timetable is looked at so often, for what is due and nothing else."""

AT_ONCE = 64
"""Proposals on their way at the same time."""

TIMEOUT_S = 10.0
NEWS_MS = 60_000
"""An outage that ended longer ago has been made good, or will be when its matches go on."""

Ask: TypeAlias = "Callable[[str, EngineCommand, float], Awaitable[EngineAnswer]]"
"""(game, command, seconds to wait): the engine's answer, never a refusal. Raises Refused."""

log = logger()


class ClockService:
    """One clock. Any number of them may run: a proposal has one effect however often it is made.

    With `beats` it tells each game's host that players are served: for gateways, which serve them.
    """

    def __init__(self, event_log: EventLog, ask: Ask, games: Collection[str], *, beats: bool) -> None:
        self._log = event_log
        self._ask = ask
        self._games = frozenset(games)
        for game in self._games:
            metrics.expiries.labels(game, "carried_out")  # none so far, and that is told
        self._beats = beats
        self._pauses = Pauses()
        self._foreign = 0
        self._proposed: dict[str, asyncio.Task[None]] = {}
        self._room = asyncio.Semaphore(AT_ONCE)
        self._tasks: list[asyncio.Task[None]] = []
        self._making_good: dict[str, asyncio.Task[None]] = {}

    def start(self) -> None:
        self._tasks.append(asyncio.create_task(self._look_on(), name="clock"))
        for game in sorted(self._games) if self._beats else ():
            self._tasks.append(asyncio.create_task(self._beat_on(game), name=f"beats of {game}"))

    async def close(self) -> None:
        await cancelled(*self._tasks, *self._making_good.values(), *self._proposed.values())

    async def _look_on(self) -> None:
        while True:
            try:
                await self._look()
            except StoreError as error:
                log.warning("the timetable can't be read", error=str(error))
            except Exception:
                log.exception("the timetable can't be followed")
            await asyncio.sleep(LOOK_EVERY_S)

    async def _look(self) -> None:
        # Those that wait for another try, are on their way or for other clocks must not keep others from being seen.
        limit = 2 * AT_ONCE + len(self._pauses) + len(self._proposed) + self._foreign
        due = await self._log.timetable.due(await self._log.time_ms(), limit)
        ours = [waiting for waiting in due if waiting.game in self._games]
        self._foreign = len(due) - len(ours)
        self._pauses.keep(waiting.match for waiting in ours)
        for waiting in ours:
            if self._pauses.over(waiting.match):
                self._propose(waiting)

    def _propose(self, waiting: Waiting) -> None:
        if waiting.match in self._proposed:
            return
        task = asyncio.create_task(self._have_expired(waiting), name=f"expiry of {waiting.match}")
        self._proposed[waiting.match] = task
        task.add_done_callback(lambda _done: self._proposed.pop(waiting.match, None))

    async def _have_expired(self, waiting: Waiting) -> None:
        command = EngineCommand(match_id=waiting.match, player=CLOCK, request_id="expire")
        command.expire.SetInParent()
        outcome = "carried_out"
        try:
            async with self._room:
                await self._ask(waiting.game, command, TIMEOUT_S)
            self._pauses.forget(waiting.match)
            log.info("expiry carried out", match=waiting.match)
        except Refused as refused:
            outcome = refused.reason.value
            self._pauses.refused(waiting.match, refused)
        except Exception:
            outcome = Reason.INTERNAL.value
            log.exception("expiry failed", match=waiting.match)
            self._pauses.failed(waiting.match)
        metrics.expiries.labels(waiting.game, outcome).inc()

    async def _beat_on(self, game: str) -> None:
        """One beat after another, at the same pace however long a host takes to answer."""
        told = 0
        while True:
            began = monotonic()
            try:
                told = await self._beat(game, told)
            except (Refused, StoreError):
                pass  # it is away, and that is what the missing beat tells
            except Exception:
                log.exception("a beat failed", game=game)
            await asyncio.sleep(max(0.0, BEAT_EVERY_S - (monotonic() - began)))

    async def _beat(self, game: str, told: int) -> int:
        """When the last outage ended that matches of the game are told of. Raises Refused and StoreError kinds."""
        command = EngineCommand(player=CLOCK)
        command.beat.SetInParent()
        ended = (await self._ask(game, command, BEAT_EVERY_S)).beaten.outage_until
        if ended != told and await self._log.time_ms() - ended < NEWS_MS:
            # Beside the beats, which must not wait for it.
            await cancelled(*filter(None, [self._making_good.get(game)]))
            self._making_good[game] = asyncio.create_task(self._make_good(game), name=f"what {game} missed")
        return ended

    async def _make_good(self, game: str) -> None:
        """Has matches in which clocks run told what the outage took; one not told now is told before its next move."""
        log.info("an outage is over", game=game)
        for shard in range(hashes.SHARDS):
            try:
                found = [each for each in await self._log.timetable.clocked(shard) if each.game == game]
            except StoreError as error:
                log.warning("an outage is not made good at once", game=game, error=str(error))
                return
            for start in range(0, len(found), AT_ONCE):
                await asyncio.gather(*(self._have_expired(each) for each in found[start : start + AT_ONCE]))


@asynccontextmanager
async def alone(event_log: EventLog, places: Sequence[str], cluster_key: str) -> AsyncIterator[ClockService]:
    """A clock that serves no players, with its own way to the engines at `places` (GAME=PLACE[,PLACE...])."""
    engines = EngineCaller(places, cluster_key)
    clock = ClockService(event_log, engines.ask, engines.games, beats=False)
    clock.start()
    try:
        yield clock
    finally:
        await clock.close()
        await engines.close()
