"""A log in memory: the promises of the port within one process, for speed beside a real run and for simulations."""

import asyncio
import os
import time
from bisect import bisect_left
from collections.abc import Callable, Sequence
from contextlib import suppress

from services.eventlog import hashes
from services.eventlog.entries import START, Cursor, Entry
from services.eventlog.memory_timetable import MemoryTimetable
from services.eventlog.port import SHARED_KEY_BYTES, Append, Appended, Conflict, FeedEntry


class _Feed:
    """One shard's feed; `first` is the number of the oldest entry still held."""

    __slots__ = ("entries", "first", "times")

    def __init__(self) -> None:
        self.first = 1
        self.entries: list[FeedEntry] = []
        self.times: list[int] = []

    @property
    def last(self) -> int:
        return self.first + len(self.entries) - 1

    def add(self, match: str, entry: Entry, time_ms: int) -> None:
        self.entries.append(FeedEntry(self.last + 1, match, entry))
        self.times.append(time_ms)

    def beyond(self, number: int, limit: int) -> list[FeedEntry]:
        start = max(number + 1 - self.first, 0)
        return self.entries[start : start + limit]

    def hash_of(self, number: int) -> bytes:
        return self.entries[number - self.first].entry.hash if self.first <= number <= self.last else b""

    def trim(self, before_ms: int) -> int:
        count = bisect_left(self.times, before_ms)
        del self.entries[:count], self.times[:count]
        self.first += count
        return count


class MemoryLog:
    """An EventLog that ends with its process. `clock` gives ms since 1970 and never goes backwards."""

    def __init__(self, clock: Callable[[], int] | None = None) -> None:
        self._clock = clock or _wall_clock
        self._logs: dict[str, list[Entry]] = {}
        self._secrets: dict[str, bytes] = {}
        self._snapshots: dict[str, bytes] = {}
        self._editions: dict[str, bytes] = {}
        self._keys: dict[str, bytes] = {}
        self._feeds = [_Feed() for _ in range(hashes.SHARDS)]
        self._news = asyncio.Event()
        self.timetable = MemoryTimetable(self._head)

    async def append(self, append: Append) -> Appended | Conflict:
        log = self._logs.get(append.match, [])
        head = self._head(append.match)
        if head != append.after:
            return Conflict(head)
        if append.secret is not None:
            self._secrets[append.match] = append.secret
        self._logs[append.match] = log
        log.extend(append.entries)
        feed = self._feeds[hashes.shard(append.match)]
        now = self._clock()
        for entry in append.entries:
            feed.add(append.match, entry, now)
        self.timetable.write(append.match, append.due)
        self._news.set()
        self._news = asyncio.Event()
        return Appended(log[-1].cursor)

    async def secure(self, match: str) -> None:
        """Nothing here outlives the process."""

    async def read(self, match: str, after: int = 0, limit: int | None = None) -> list[Entry]:
        log = self._logs.get(match, [])
        return log[after : None if limit is None else after + limit]

    async def head(self, match: str) -> Cursor:
        return self._head(match)

    def _head(self, match: str) -> Cursor:
        log = self._logs.get(match)
        return log[-1].cursor if log else START

    async def heads(self, shard: int) -> dict[str, Cursor]:
        return {match: log[-1].cursor for match, log in self._logs.items() if hashes.shard(match) == shard}

    async def secret(self, match: str) -> bytes | None:
        return self._secrets.get(match)

    async def read_feed(self, shard: int, after: int, limit: int = 1000) -> list[FeedEntry]:
        return self._feeds[shard].beyond(after, limit)

    async def follow(self, after: Sequence[int], wait_ms: int) -> list[tuple[int, FeedEntry]]:
        found = self._beyond(after)
        if found or wait_ms <= 0:
            return found
        with suppress(TimeoutError):
            async with asyncio.timeout(wait_ms / 1000):
                while not found:
                    await self._news.wait()
                    found = self._beyond(after)
        return found

    def _beyond(self, after: Sequence[int]) -> list[tuple[int, FeedEntry]]:
        return [
            (shard, entry)
            for shard, (feed, number) in enumerate(zip(self._feeds, after, strict=True))
            for entry in feed.beyond(number, 1000)
        ]

    async def feed_numbers(self) -> tuple[int, ...]:
        return tuple(feed.last for feed in self._feeds)

    async def feed_hashes(self, numbers: Sequence[int]) -> tuple[bytes, ...]:
        return tuple(feed.hash_of(number) for feed, number in zip(self._feeds, numbers, strict=True))

    async def trim_feeds(self, before_ms: int) -> int:
        return sum(feed.trim(before_ms) for feed in self._feeds)

    async def snapshot(self, match: str) -> bytes | None:
        return self._snapshots.get(match)

    async def put_snapshot(self, match: str, data: bytes) -> None:
        self._snapshots[match] = data

    async def drop_snapshot(self, match: str) -> None:
        self._snapshots.pop(match, None)

    async def edition(self, edition_hash: str) -> bytes | None:
        return self._editions.get(edition_hash)

    async def put_edition(self, edition_hash: str, data: bytes) -> None:
        self._editions.setdefault(edition_hash, data)

    async def key(self, name: str) -> bytes:
        return self._keys.setdefault(name, os.urandom(SHARED_KEY_BYTES))

    async def check(self) -> None:
        """It is always there."""

    async def time_ms(self) -> int:
        return self._clock()

    async def close(self) -> None:
        """Nothing is ever in flight."""


def _wall_clock() -> int:
    return time.time_ns() // 1_000_000
