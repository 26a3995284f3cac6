"""One reader of all feeds: live matches and read models are told what was appended, wherever it was."""

import asyncio
from collections.abc import Sequence
from time import monotonic
from typing import Protocol

from gateway import metrics
from gateway.feeds.lingering import Lingering
from gateway.matches.live import LiveMatches
from gateway.projections.places import NOWHERE, Place
from gateway.routing.games import GameFinder
from services.common.logs import logger
from services.common.tasks import cancelled
from services.eventlog import hashes
from services.eventlog.entries import BrokenLog, Entry, header_of
from services.eventlog.port import EventLog, FeedEntry, StoreError

WAIT_MS = 1000
FULL_PAGE = 500
"""A feed that gave so many entries at once may have more, and the last command may be cut."""

FIRST_PAUSE_S = 0.05
LONGEST_PAUSE_S = 0.25

LOOK_S = 1.0
"""How often the feeds are looked at for having gone back: nobody tells a reader who waits beyond their ends."""

log = logger()


class ReadModels(Protocol):
    """What is built from the feed, and knows how far it has read each shard."""

    async def places(self) -> list[Place]:
        """Up to where each shard has been kept."""
        ...

    async def feed(self, shard: int, entries: list[FeedEntry]) -> None:
        """The next entries of a shard; waits where too many are not kept yet."""
        ...

    async def compare(self, shard: int, place: Place) -> None:
        """Reads from the logs whatever differs from their heads; the shard is known up to the place then."""
        ...

    async def settled(self) -> None:
        """Returns once everything fed so far is kept."""
        ...


class Follower:
    """Reads every feed from where the read models stand. A hole, or a feed that went back, has the logs compared.

    That a feed went back shows in its last number, and where it grew again in another entry of the number read last.
    """

    def __init__(self, event_log: EventLog, live: LiveMatches, models: ReadModels, games: GameFinder) -> None:
        self._log = event_log
        self._live = live
        self._models = models
        self._games = games
        self._places: list[Place] = [NOWHERE] * hashes.SHARDS
        self._anchors: list[Place] = list(self._places)
        self._looked = 0.0
        self._lingering = Lingering(lambda: live.answered)
        self._aligned = asyncio.Event()
        self._keeping: asyncio.Task[None] | None = None
        self.stir = asyncio.Event()
        """Set once there is news in the feeds, or another place to read them from; the next one is another event."""
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._run(), name="feed follower")

    async def close(self) -> None:
        await cancelled(*(task for task in (self._task, self._keeping) if task is not None))

    async def aligned(self) -> None:
        """Returns once the read models hold all that was in the logs when the gateway started."""
        await self._aligned.wait()
        if self._keeping is not None:
            await asyncio.shield(self._keeping)

    async def _run(self) -> None:
        pause, placed = FIRST_PAUSE_S, False
        while True:
            try:
                if not placed:
                    self._places, placed = await self._models.places(), True
                await self._align()
                while True:
                    await self._step()
                    await self._look()
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
        held = await self._log.feed_hashes(self._numbers)
        for shard, (number, hash_there) in enumerate(zip(numbers, held, strict=True)):
            place = self._places[shard]
            # The store was away, or the gateway: what is not there to compare with has to be looked at.
            known = place == NOWHERE or hash_there == place.hash != b""
            if not known or number < place.number or (number > place.number and await self._has_hole(shard)):
                await self._compare(shard, number)
        while any(place.number < number for place, number in zip(self._places, numbers, strict=True)):
            await self._step()
        self._anchors = list(self._places)
        self._live.check(range(hashes.SHARDS))
        if self._keeping is None:
            self._keeping = asyncio.create_task(self._models.settled(), name="first entries kept")
        self._aligned.set()

    @property
    def _numbers(self) -> Sequence[int]:
        return [place.number for place in self._places]

    async def _has_hole(self, shard: int) -> bool:
        number = self._places[shard].number
        first = await self._log.read_feed(shard, number, 1)
        return not first or first[0].number != number + 1

    async def _step(self) -> None:
        found = await self._log.follow(self._numbers, WAIT_MS)
        shards: dict[int, list[FeedEntry]] = {}
        for shard, entry in found:
            shards.setdefault(shard, []).append(entry)
        for shard, entries in shards.items():
            if entries[0].number == self._places[shard].number + 1:
                self._tell_live(entries)
                await self._models.feed(shard, entries)
                self._places[shard] = Place(entries[-1].number, entries[-1].entry.hash)
            else:
                await self._compare(shard, (await self._log.feed_numbers())[shard])
        self._set_stir()
        await self._lingering.after(len(found))

    @property
    def places(self) -> Sequence[Place]:
        return self._places

    def _set_stir(self) -> None:
        stir, self.stir = self.stir, asyncio.Event()
        stir.set()

    async def _look(self) -> None:
        """Finds feeds that went back, now and then, by where they stood at the last look.

        Where they stand now may be of another line already, if it grew so fast.
        """
        if monotonic() - self._looked < LOOK_S:
            return
        numbers = await self._log.feed_numbers()
        held = await self._log.feed_hashes([anchor.number for anchor in self._anchors])
        for shard, (number, hash_there) in enumerate(zip(numbers, held, strict=True)):
            if number < self._places[shard].number or hash_there not in {b"", self._anchors[shard].hash}:
                await self._compare(shard, number)
        await self._measure(numbers)
        self._anchors = list(self._places)
        self._looked = monotonic()
        self._lingering.look()

    async def _measure(self, numbers: Sequence[int]) -> None:
        """Tells how far behind the feeds' ends the reading is."""
        left = {shard: number - self._places[shard].number for shard, number in enumerate(numbers)}
        behind = {shard: count for shard, count in left.items() if count > 0}
        metrics.FEED_BEHIND.set(sum(behind.values()))
        times = [await self._next_at(shard) for shard in behind]
        oldest = min((at for at in times if at is not None), default=None)
        metrics.FEED_BEHIND_SECONDS.set(0 if oldest is None else (await self._log.time_ms() - oldest) / 1000)

    async def _next_at(self, shard: int) -> int | None:
        """The time of the next entry to be read; None where that can't be told."""
        found = await self._log.read_feed(shard, self._places[shard].number, 1)
        try:
            return header_of(found[0].entry).at if found else None
        except BrokenLog:
            return None

    async def _compare(self, shard: int, number: int) -> None:
        log.info("logs are compared", shard=shard, position=self._places[shard].number, number=number)
        self._live.compare(shard)
        self._games.compare(shard)
        numbers = [number if each == shard else 0 for each in range(hashes.SHARDS)]
        place = Place(number, (await self._log.feed_hashes(numbers))[shard])
        await self._models.compare(shard, place)
        self._places[shard] = place
        self._set_stir()

    def _tell_live(self, entries: list[FeedEntry]) -> None:
        matches: dict[str, list[Entry]] = {}
        for entry in entries:
            matches.setdefault(entry.match, []).append(entry.entry)
        cut = entries[-1].match if len(entries) >= FULL_PAGE else None
        for match_id, found in matches.items():
            self._live.offer(match_id, found, whole=match_id != cut)
