"""What becomes of the store is seen, told once, counted, and seen to be over."""

import asyncio
import os
import signal
from contextlib import asynccontextmanager

import pytest
from redis.asyncio import Redis

from services.eventlog import keys, store_watch
from services.eventlog.embedded import EmbeddedStore
from services.eventlog.memory import MemoryLog
from services.eventlog.port import Appended, StoreAway, StoreFull, StoreReadOnly, WrongStore
from services.eventlog.redis_log import RedisLog
from services.eventlog.store_watch import StoreState, StoreWatch
from tests.services.eventlog.logs import MatchLog, first

PATIENCE_S = 30


@pytest.fixture(autouse=True)
def _quick(monkeypatch):
    monkeypatch.setattr(store_watch, "EVERY_S", 0.01)
    monkeypatch.setattr(store_watch, "AGAIN_S", 0.01)
    monkeypatch.setattr(store_watch, "PATIENCE_S", 0.5)


@pytest.fixture
async def log(own_store):
    log = await RedisLog.open(own_store.url)
    yield log
    await log.close()


@pytest.fixture
async def client(own_store):
    async with Redis.from_url(own_store.url) as client:
        yield client


class Watched:
    """A watch, and what it told in turn."""

    def __init__(self, log):
        self._told: asyncio.Queue[StoreState] = asyncio.Queue()
        self.watch = StoreWatch(log, self._told.put)

    async def next(self):
        async with asyncio.timeout(PATIENCE_S):
            state = await self._told.get()
        assert self.watch.state is state
        return state


@asynccontextmanager
async def watching(log):
    watched = Watched(log)
    watched.watch.start()
    assert await watched.next() is StoreState.UP
    yield watched
    await watched.watch.close()


async def test_a_replica_is_seen_to_be_read_only_until_it_is_the_primary_again(log, client):
    async with watching(log) as watched:
        await client.replicaof("127.0.0.1", 1)
        assert await watched.next() is StoreState.READ_ONLY
        assert watched.watch.there
        with pytest.raises(StoreReadOnly):
            await log.check()
        await client.replicaof("NO", "ONE")
        assert await watched.next() is StoreState.UP


async def test_a_full_store_is_seen_until_there_is_room(log, client):
    async with watching(log) as watched:
        await client.config_set("maxmemory", 1)
        assert await watched.next() is StoreState.FULL
        assert watched.watch.there
        with pytest.raises(StoreFull):
            await log.check()
        await client.config_set("maxmemory", 0)
        assert await watched.next() is StoreState.UP


async def test_a_frozen_store_is_away_until_it_goes_on(log, own_store):
    async with watching(log) as watched:
        os.kill(own_store.pid, signal.SIGSTOP)
        assert await watched.next() is StoreState.AWAY
        assert not watched.watch.there
        os.kill(own_store.pid, signal.SIGCONT)
        assert await watched.next() is StoreState.UP


async def test_a_stopped_store_is_away_until_it_is_there_again(log, own_store, tmp_path):
    async with watching(log) as watched:
        await own_store.stop()
        assert await watched.next() is StoreState.AWAY
        again = await EmbeddedStore.start(tmp_path / "own")
        assert await watched.next() is StoreState.UP
        await again.stop()


async def test_a_store_that_still_loads_is_away_and_has_everything_after(tmp_path):
    """300 us for every command of its file; it answers once in 1024 of them."""
    store = await EmbeddedStore.start(tmp_path, settings={"key-load-delay": "300"})
    log = await RedisLog.open(store.url)
    logs = [MatchLog(f"match-{n}") for n in range(500)]
    await asyncio.gather(*(log.append(match.command()) for match in logs))
    kept, loading = logs[0], asyncio.Event()

    async def plays():
        """Refused until it is loaded, and never a thing else."""
        while True:
            try:
                return await log.append(command)
            except StoreAway as away:
                if "loading" in str(away):
                    loading.set()
                await asyncio.sleep(0)

    async with watching(log) as watched:
        os.kill(store.pid, signal.SIGKILL)
        assert await watched.next() is StoreState.AWAY
        command = kept.command()
        assert isinstance(await plays(), Appended)
        assert loading.is_set()
        assert await watched.next() is StoreState.UP
    for match in logs:
        assert await log.read(match.match) == match.entries
    await log.close()
    await store.stop()


@pytest.mark.parametrize(
    ("does", "says"),
    [
        (("FLUSHALL",), "was emptied: it holds no tidelog:format any more"),
        (("SET", keys.FORMAT, "tidelog/2"), "holds the format 'tidelog/2'; this code reads 'tidelog/1'"),
        (("SET", keys.key(keys.IDENTITY), "another's"), "is another one than before, or was emptied"),
    ],
    ids=["emptied", "newer", "replaced"],
)
async def test_a_store_that_is_not_the_one_opened_is_wrong_for_good(log, client, does, says):
    async with watching(log) as watched:
        await client.execute_command(*does)
        assert await watched.next() is StoreState.WRONG
        async with asyncio.timeout(PATIENCE_S):
            assert says in str(await watched.watch.wrong)
        with pytest.raises(WrongStore):
            watched.watch.raise_wrong()
        assert not watched.watch.there


async def test_a_store_emptied_and_opened_by_another_role_meanwhile_is_wrong_too(log, client, own_store):
    await client.flushall()
    other = await RedisLog.open(own_store.url)
    await other.append(first("island-42"))
    async with watching(log) as watched:
        assert await watched.next() is StoreState.WRONG
    await other.check()
    await other.close()


async def test_a_store_that_only_falters_is_not_wrong(log, client):
    """A replica keeps the identity of its primary."""
    async with watching(log) as watched:
        await client.replicaof("127.0.0.1", 1)
        assert await watched.next() is StoreState.READ_ONLY
        watched.watch.raise_wrong()


async def test_a_log_in_memory_is_always_up():
    await MemoryLog().check()


async def test_a_state_that_could_not_be_told_is_told_again(log, client):
    """The first one, and one that follows."""
    told, failing = asyncio.Queue(), ["the first", "the second"]

    async def tell(state):
        if failing:
            raise RuntimeError(failing.pop())
        await told.put(state)

    watch = StoreWatch(log, tell)
    watch.start()
    async with asyncio.timeout(PATIENCE_S):
        assert await told.get() is StoreState.UP
        failing.append("once more")
        await client.replicaof("127.0.0.1", 1)
        assert await told.get() is StoreState.READ_ONLY
    assert told.empty()
    await watch.close()
