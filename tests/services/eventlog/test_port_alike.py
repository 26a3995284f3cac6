"""Random work gives the same answers, logs and feeds in memory as on a real store."""

import asyncio
from random import Random

import pytest

from services.eventlog import hashes
from services.eventlog.memory import MemoryLog
from services.eventlog.port import Append
from tests.services.eventlog.logs import SECRET, MatchLog

MATCHES = [f"match-{n}" for n in range(6)]


class Host:
    """Appends to matches whose heads it may know wrongly."""

    def __init__(self, random: Random, name: str) -> None:
        self._random = random
        self._name = name
        self._lengths = dict.fromkeys(MATCHES, 0)

    def ask(self) -> Append:
        match = self._random.choice(MATCHES)
        expected = max(0, self._lengths[match] + self._random.choice((0, 0, 0, 0, -1, 1)))
        log = MatchLog(match)
        if expected:
            log.command(expected)
        return log.command(self._random.randint(1, 3), note=f"{self._name} {self._random.random()}")

    def learn(self, asked: Append, head: int) -> None:
        self._lengths[asked.match] = head


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
            host.learn(append, answer.head.version)
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
