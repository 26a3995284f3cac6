"""Random work gives the same answers, logs and feeds in memory as on a real store."""

import asyncio
from random import Random

import pytest
from msgspec.structs import replace

from services.eventlog import hashes
from services.eventlog.entries import START, Cursor
from services.eventlog.memory import MemoryLog
from services.eventlog.port import Append
from tests.services.eventlog.logs import SECRET, MatchLog

MATCHES = [f"match-{n}" for n in range(6)]


class Host:
    """Appends to matches whose heads it may know wrongly."""

    def __init__(self, random: Random, name: str) -> None:
        self._random = random
        self._name = name
        self._heads = dict.fromkeys(MATCHES, START)

    def ask(self) -> Append:
        match = self._random.choice(MATCHES)
        head = self._heads[match]
        mistaken = [Cursor(version, "f" * 16) for version in range(max(1, head.version - 1), head.version + 2)]
        after = self._random.choice([head] * 2 * len(mistaken) + mistaken)
        log = MatchLog(match)
        if after != START:
            log.command(after.version)
        append = log.command(self._random.randint(1, 3), note=f"{self._name} {self._random.random()}")
        return replace(append, after=after)

    def learn(self, asked: Append, head: Cursor) -> None:
        self._heads[asked.match] = head


@pytest.mark.parametrize("seed", range(8))
async def test_random_work_is_answered_and_kept_alike(seed, redis_log):
    random = Random(seed)
    memory = MemoryLog()
    hosts = [Host(random, name) for name in ("ada", "bob", "eve")]
    for _ in range(30):
        asked = [(host, host.ask()) for host in random.choices(hosts, k=random.randint(1, 8))]
        in_memory = await asyncio.gather(*(memory.append(append) for _, append in asked))
        in_store = await asyncio.gather(*(redis_log.append(append) for _, append in asked))
        assert in_memory == in_store
        for (host, append), answer in zip(asked, in_store, strict=True):
            host.learn(append, answer.head)
    assert sum(await memory.feed_numbers()) > 50
    for match in MATCHES:
        kept = await redis_log.read(match)
        assert kept == await memory.read(match)
        assert [entry.version for entry in kept] == list(range(1, len(kept) + 1))
        assert await redis_log.head(match) == await memory.head(match)
        assert await redis_log.secret(match) == await memory.secret(match) == (SECRET if kept else None)
    for shard in range(hashes.SHARDS):
        assert await redis_log.read_feed(shard, 0) == await memory.read_feed(shard, 0)
        assert await redis_log.heads(shard) == await memory.heads(shard)
    assert await redis_log.feed_numbers() == await memory.feed_numbers()
