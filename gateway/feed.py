"""One reader of all feeds: live matches and read models are told what was appended, wherever it was."""

import asyncio
from typing import Protocol

from gateway.live import LiveMatches
from services.common.logs import logger
from services.eventlog import hashes
from services.eventlog.entries import Entry
from services.eventlog.port import EventLog, FeedEntry, StoreError

WAIT_MS = 1000
FULL_PAGE = 500
"""A feed that gave so many entries at once may have more, and the last command may be cut."""

FIRST_PAUSE_S = 0.05
LONGEST_PAUSE_S = 2.0

log = logger()


class ReadModels(Protocol):
    """What is built from the feed, and knows how far it has read each shard."""

    async def positions(self) -> list[int]:
        """The last feed number of each shard that has been kept."""
        ...

    async def feed(self, shard: int, entries: list[FeedEntry]) -> None:
        """The next entries of a shard; waits where too many are not kept yet."""
        ...

    async def compare(self, shard: int, number: int) -> None:
        """Reads from the logs whatever differs from their heads; the shard is known up to `number` then."""
        ...


class Follower:
    """Reads every feed from where the read models stand. A hole, or a feed that went back, has the logs compared."""

    def __init__(self, event_log: EventLog, live: LiveMatches, models: ReadModels) -> None:
        self._log = event_log
        self._live = live
        self._models = models
        self._positions: list[int] = [0] * hashes.SHARDS
        self._aligned = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._run(), name="feed follower")

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def aligned(self) -> None:
        """Returns once the read models hold all that was in the logs when the gateway started."""
        await self._aligned.wait()

    async def _run(self) -> None:
        self._positions = await self._models.positions()
        pause = FIRST_PAUSE_S
        while True:
            try:
                await self._align()
                while True:
                    await self._step()
                    pause = FIRST_PAUSE_S
            except StoreError as error:
                log.warning("the feed can't be read", error=str(error))
            except Exception:
                log.exception("the feed can't be followed")
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE_S)

    async def _align(self) -> None:
        """Brings all shards to where their feeds can be followed."""
        numbers = await self._log.feed_numbers()
        for shard, (number, position) in enumerate(zip(numbers, self._positions, strict=True)):
            if number < position or (number > position and await self._has_hole(shard)):
                await self._compare(shard, number)
        while any(position < number for position, number in zip(self._positions, numbers, strict=True)):
            await self._step()
        self._live.check(range(hashes.SHARDS))
        self._aligned.set()

    async def _has_hole(self, shard: int) -> bool:
        first = await self._log.read_feed(shard, self._positions[shard], 1)
        return not first or first[0].number != self._positions[shard] + 1

    async def _step(self) -> None:
        found = await self._log.follow(self._positions, WAIT_MS)
        shards: dict[int, list[FeedEntry]] = {}
        for shard, entry in found:
            shards.setdefault(shard, []).append(entry)
        for shard, entries in shards.items():
            if entries[0].number == self._positions[shard] + 1:
                self._tell_live(entries)
                await self._models.feed(shard, entries)
                self._positions[shard] = entries[-1].number
            else:
                await self._compare(shard, (await self._log.feed_numbers())[shard])

    async def _compare(self, shard: int, number: int) -> None:
        log.info("feed has a hole: logs are compared", shard=shard, position=self._positions[shard], number=number)
        await self._models.compare(shard, number)
        self._positions[shard] = number
        self._live.check([shard])

    def _tell_live(self, entries: list[FeedEntry]) -> None:
        matches: dict[str, list[Entry]] = {}
        for entry in entries:
            matches.setdefault(entry.match, []).append(entry.entry)
        cut = entries[-1].match if len(entries) >= FULL_PAGE else None
        for match_id, found in matches.items():
            self._live.offer(match_id, found, whole=match_id != cut)
