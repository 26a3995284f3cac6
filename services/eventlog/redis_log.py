"""The event log in Redis or Valkey: streams, hashes and one script (the log's format, Store).

A single primary is supported. The keys of a match and its shard share a slot, so a Cluster is possible; `follow`, which
reads 16 feeds with one command, and the shared pipelines would then have to be split by node.
"""

from services.eventlog import redis_quietly  # noqa: F401 - before anything else loads it

# isort: split
import asyncio
import os
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Self

import msgspec
from msgspec import Struct
from redis.asyncio import BlockingConnectionPool, ConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from services.eventlog import hashes, keys, redis_errors, redis_facts
from services.eventlog.entries import START, Cursor, Entry
from services.eventlog.port import (
    SHARED_KEY_BYTES,
    UNREADABLE,
    Append,
    Appended,
    Conflict,
    FeedEntry,
    OutcomeUnknown,
    StoreAway,
)
from services.eventlog.redis_facts import Client, StoreFacts
from services.eventlog.redis_pipe import Argument, ScriptPipe
from services.eventlog.redis_timetable import RedisTimetable, words
from services.eventlog.replication import Replication

PAGE = 500
MAX_READS = 32
HASH_BYTES = 32

_HERE = Path(__file__).parent
_SHARDS = range(hashes.SHARDS)
_FEEDS = {keys.feed(shard).encode(): shard for shard in _SHARDS}

Fields = Mapping[bytes, bytes]


class _Versioned(Struct):
    version: int


_versions = msgspec.json.Decoder(_Versioned)


class RedisLog:
    """An EventLog in a store that others share. Made by `open`; `facts` says what the store is.

    Nothing is sent twice behind the caller's back: no retries of the library, no resending of an append.
    """

    def __init__(
        self, url: str, *, replicas: int = 0, lanes: int = 1, timeout_s: float = 5.0, connect_timeout_s: float = 2.0
    ) -> None:
        self.address = redis_errors.address(url)
        self.facts: StoreFacts | None = None
        self._identity: bytes | None = None
        self._closed = False
        self._timeout_s = timeout_s
        self._replication = Replication(replicas, int(timeout_s * 1000 / 2))
        connect: dict[str, Any] = {
            "protocol": 2,  # the same shapes from every version of redis-py
            "retry": Retry(NoBackoff(), 0),
            "socket_connect_timeout": connect_timeout_s,
        }
        # One timeout spans a whole pipeline, or a wait for news, so these connections have none of their own.
        appends = ConnectionPool.from_url(url, socket_timeout=None, **connect)
        follows = ConnectionPool.from_url(url, socket_timeout=None, **connect)
        reads = BlockingConnectionPool.from_url(
            url, socket_timeout=timeout_s, timeout=timeout_s, max_connections=MAX_READS, **connect
        )
        self._pools = (reads, appends, follows)
        self._follows = follows
        self._client: Client = Redis(connection_pool=reads)
        self._followers: list[Client] = []
        self._trim = self._client.register_script((_HERE / "trim.lua").read_bytes())
        self.timetable = RedisTimetable(self._client, self._store)
        script = (_HERE / "append.lua").read_bytes()
        self._pipe = ScriptPipe(
            appends, script, self._replication, where=self.address, lanes=lanes, timeout_s=timeout_s
        )

    @classmethod
    async def open(
        cls, url: str, *, replicas: int = 0, lanes: int = 1, timeout_s: float = 5.0, connect_timeout_s: float = 2.0
    ) -> Self:
        """A log at redis://, rediss:// or unix:// PATH; raises StoreError kinds.

        With `replicas` an append counts once it is on the disks of the store and of so many replicas.
        """
        log = cls(url, replicas=replicas, lanes=lanes, timeout_s=timeout_s, connect_timeout_s=connect_timeout_s)
        try:
            with log._store():
                log.facts = await redis_facts.ask(log._client, log.address)
                await log._replication.check(log._client, log.facts, log.address)
                log._identity = await redis_facts.claim(log._client, log.address)
        except BaseException:
            await log.close()
            raise
        return log

    @property
    def pipelines(self) -> int:
        """Round trips that appends have taken."""
        return self._pipe.pipelines

    @property
    def appends(self) -> int:
        """Appends that were answered, conflicts and refusals too."""
        return self._pipe.commands

    def _new_follower(self) -> Client:
        return Redis(connection_pool=self._follows, single_connection_client=True)

    def _store(self) -> AbstractContextManager[None]:
        """Raises StoreAway where the log was closed: a pool would connect anew, and nobody close that again."""
        if self._closed:
            raise StoreAway(f"{self.address}: closed here")
        return redis_errors.translated(self.address)

    async def append(self, append: Append) -> Appended | Conflict:
        match, head = append.match, append.entries[-1].cursor
        arguments: list[Argument] = [match, str(append.after), str(head), append.secret or b""]
        for entry in append.entries:
            arguments += (entry.header, entry.body, entry.leaf, entry.hash)
        names = keys.appended(match)
        if append.due is not None:
            names += keys.timetable(match)
            arguments += words(match, append.due)
        answer = await self._pipe.run(names, arguments)
        return Appended(head) if answer == 1 else Conflict(Cursor.parse(answer.decode()))

    async def secure(self, match: str) -> None:
        """Writes on the connection that then waits: whatever the shard held before is behind it."""
        if not self._replication:
            return
        with self._store():
            async with self._client.client() as connection:
                await connection.hincrby(keys.meta(hashes.shard(match)), "secured", 1)
                missing = await self._replication.wait(connection.execute_command)
        if missing:
            raise OutcomeUnknown(f"the store at {self.address} has not replicated the log: {missing}")

    async def read(self, match: str, after: int = 0, limit: int | None = None) -> list[Entry]:
        """Read in pages, so that a long log holds nobody up."""
        found: list[Entry] = []
        while limit is None or len(found) < limit:
            count = PAGE if limit is None else min(PAGE, limit - len(found))
            with self._store():
                page = await self._client.xrange(keys.match(match), min=f"{after + 1}-0", count=count)
            found += [_entry(*item) for item in page]
            if len(page) < count:
                break
            after = found[-1].version
        return found

    async def head(self, match: str) -> Cursor:
        with self._store():
            last = await self._client.xrevrange(keys.match(match), count=1)
        return _entry(*last[0]).cursor if last else START

    async def heads(self, shard: int) -> dict[str, Cursor]:
        with self._store():
            pairs = [pair async for pair in self._client.hscan_iter(keys.heads(shard), count=1000)]
        return {match.decode(): Cursor.parse(cursor.decode()) for match, cursor in pairs}

    async def secret(self, match: str) -> bytes | None:
        return await self._get(keys.secret(match))

    async def read_feed(self, shard: int, after: int, limit: int = 1000) -> list[FeedEntry]:
        with self._store():
            page = await self._client.xrange(keys.feed(shard), min=f"{after + 1}-0", count=limit)
        return [_feed_entry(*item) for item in page]

    async def follow(self, after: Sequence[int], wait_ms: int) -> list[tuple[int, FeedEntry]]:
        """Waits on a connection of its own, not replaced in silence; the store wakes it with the first entry."""
        places = {keys.feed(shard): f"{number}-0" for shard, number in zip(_SHARDS, after, strict=True)}
        client = self._followers.pop() if self._followers else self._new_follower()
        with self._store():
            try:
                async with asyncio.timeout(max(wait_ms, 0) / 1000 + self._timeout_s):
                    found = await client.xread(places, count=PAGE, block=max(wait_ms, 0) or None)
            except BaseException:
                await client.aclose()
                raise
        self._followers.append(client)
        return [(_FEEDS[feed], _feed_entry(*item)) for feed, items in found or () for item in items]

    async def feed_numbers(self) -> tuple[int, ...]:
        with self._store():
            async with self._client.pipeline(transaction=False) as pipeline:
                for shard in _SHARDS:
                    pipeline.hget(keys.meta(shard), "feed")
                return tuple(int(number or 0) for number in await pipeline.execute())

    async def feed_hashes(self, numbers: Sequence[int]) -> tuple[bytes, ...]:
        with self._store():
            async with self._client.pipeline(transaction=False) as pipeline:
                for shard, number in zip(_SHARDS, numbers, strict=True):
                    pipeline.xrange(keys.feed(shard), min=f"{number}-0", max=f"{number}-0")
                found = await pipeline.execute()
        return tuple(_feed_entry(*page[0]).entry.hash if page else b"" for page in found)

    async def trim_feeds(self, before_ms: int) -> int:
        with self._store():
            return sum(
                [await self._trim(keys=[keys.feed(shard), keys.meta(shard)], args=[before_ms]) for shard in _SHARDS]
            )

    async def snapshot(self, match: str) -> bytes | None:
        return await self._get(keys.snapshot(match))

    async def put_snapshot(self, match: str, data: bytes) -> None:
        with self._store():
            await self._client.set(keys.snapshot(match), data)

    async def drop_snapshot(self, match: str) -> None:
        with self._store():
            await self._client.unlink(keys.snapshot(match))

    async def edition(self, edition_hash: str) -> bytes | None:
        return await self._get(keys.edition(edition_hash))

    async def put_edition(self, edition_hash: str, data: bytes) -> None:
        """Asks first: an edition has tens of kilobytes, and comes with every match."""
        key = keys.edition(edition_hash)
        with self._store():
            if not await self._client.exists(key):
                await self._client.set(key, data, nx=True)

    async def key(self, name: str) -> bytes:
        with self._store():
            await self._client.set(keys.key(name), os.urandom(SHARED_KEY_BYTES), nx=True)
        held = await self._get(keys.key(name))
        assert held is not None
        return held

    async def check(self) -> None:
        with self._store():
            await redis_facts.check(self._client, self.address, self._identity)

    async def time_ms(self) -> int:
        with self._store():
            seconds, micros = await self._client.time()
        return int(seconds) * 1000 + int(micros) // 1000

    async def close(self) -> None:
        self._closed = True
        await self._pipe.close()
        for client in self._followers:
            await client.aclose()
        for pool in self._pools:
            await pool.disconnect()

    async def _get(self, key: str) -> bytes | None:
        with self._store():
            held: bytes | None = await self._client.get(key)
        return held


def _entry(name: bytes, fields: Fields) -> Entry:
    return _read(_number(name), fields)


def _feed_entry(name: bytes, fields: Fields) -> FeedEntry:
    """A feed names its entries by their numbers in it; an entry's version stands in its header."""
    try:
        version = _versions.decode(fields[b"h"]).version
    except (KeyError, msgspec.DecodeError):
        version = UNREADABLE
    return FeedEntry(_number(name), fields.get(b"m", b"").decode(errors="replace"), _read(version, fields))


def _read(version: int, fields: Fields) -> Entry:
    """What of an entry is missing is as if it were empty: that does not fold, and only its match is at fault."""
    digest = fields.get(b"e", b"").ljust(HASH_BYTES, b"\0")
    return Entry(version, fields.get(b"h", b""), fields.get(b"b", b""), fields.get(b"l", b""), digest)


def _number(name: bytes) -> int:
    return int(name.partition(b"-")[0])
