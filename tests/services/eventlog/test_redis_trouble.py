"""A store in trouble: the typed error, nothing half written, nothing else disturbed."""

import asyncio
import os
import signal

import pytest
from redis.asyncio import Redis
from redis.exceptions import ConnectionError as ConnectionFailed

from services.eventlog import hashes, keys, redis_errors
from services.eventlog.embedded import EmbeddedStore
from services.eventlog.port import (
    UNREADABLE,
    Appended,
    Conflict,
    OutcomeUnknown,
    StoreAway,
    StoreError,
    StoreFull,
    StoreReadOnly,
    WrongStore,
)
from services.eventlog.redis_log import RedisLog
from tests.proxy import Fault, Proxy
from tests.services.eventlog.logs import EVERY_FEED, MatchLog, first

MATCH = "island-42"
SHARD = hashes.shard(MATCH)


@pytest.fixture
async def log(own_store):
    log = await RedisLog.open(own_store.url, timeout_s=2.0)
    await log.append(first("warm"))
    yield log
    await log.close()


@pytest.fixture
async def client(own_store):
    async with Redis.from_url(own_store.url) as client:
        yield client


@pytest.mark.parametrize(
    "key", [keys.match(MATCH), keys.secret(MATCH), keys.feed(SHARD), keys.heads(SHARD), keys.meta(SHARD)]
)
async def test_a_key_of_another_type_is_a_wrong_store_and_nothing_is_written(log, client, key):
    counted = await client.exists(key)
    if counted:
        await client.rename(key, "aside")
    await client.lpush(key, "a list")
    before = await client.dbsize()
    with pytest.raises(WrongStore, match="WRONGTYPE"):
        await log.append(first(MATCH))
    assert await client.dbsize() == before
    await client.delete(key)
    if counted:
        await client.rename("aside", key)
    assert isinstance(await log.append(first(MATCH)), Appended)


@pytest.mark.parametrize("told", [None, "2-0f1e2d3c4b5a6978", "9-0f1e2d3c4b5a6978"])
async def test_a_log_counts_more_than_what_the_heads_say_of_it(log, client, told):
    match = MatchLog(MATCH)
    await log.append(match.command(2))
    await (client.hset(keys.heads(SHARD), MATCH, told) if told else client.hdel(keys.heads(SHARD), MATCH))
    assert await log.append(MatchLog(MATCH).command()) == Conflict(match.entries[-1].cursor)
    assert await log.append(match.command()) == Appended(match.entries[-1].cursor)
    assert await log.heads(SHARD) == {MATCH: match.entries[-1].cursor}


async def test_reading_a_key_of_another_type_is_a_wrong_store(log, client):
    await client.set(keys.match(MATCH), "text")
    await client.lpush(keys.snapshot(MATCH), "a list")
    for reading in (log.read(MATCH), log.head(MATCH), log.snapshot(MATCH)):
        with pytest.raises(WrongStore):
            await reading


async def test_a_replica_is_read_only_and_still_read(log, client):
    kept = first(MATCH)
    await log.append(kept)
    await client.replicaof("127.0.0.1", 1)
    with pytest.raises(StoreReadOnly):
        await log.append(first("other"))
    with pytest.raises(StoreReadOnly):
        await log.put_snapshot(MATCH, b"")
    assert await log.read(MATCH) == list(kept.entries)
    await client.replicaof("NO", "ONE")
    assert isinstance(await log.append(first("other")), Appended)


async def test_a_full_store_refuses_and_keeps_what_it_has(log, client):
    kept = first(MATCH)
    await log.append(kept)
    await client.config_set("maxmemory", 1)
    with pytest.raises(StoreFull, match="maxmemory"):
        await log.append(first("other"))
    with pytest.raises(StoreFull):
        await log.put_snapshot(MATCH, b"x")
    assert await log.read(MATCH) == list(kept.entries)
    assert await log.read("other") == []
    assert (await log.feed_numbers())[SHARD] == len(await log.read_feed(SHARD, 0))
    await client.config_set("maxmemory", 0)
    assert isinstance(await log.append(first("other")), Appended)


async def test_a_stopped_store_is_away_for_everyone(log, own_store, tmp_path):
    await own_store.stop()
    asked = [log.append(first(MATCH)), log.read(MATCH), log.head(MATCH), log.heads(0), log.secret(MATCH)]
    asked += [log.read_feed(0, 0), log.follow(EVERY_FEED, 1000), log.feed_numbers(), log.trim_feeds(0)]
    asked += [log.snapshot(MATCH), log.put_snapshot(MATCH, b""), log.drop_snapshot(MATCH), log.time_ms()]
    for answer in await asyncio.gather(*asked, return_exceptions=True):
        assert isinstance(answer, StoreAway), answer
    again = await EmbeddedStore.start(tmp_path / "own")
    assert isinstance(await log.append(first(MATCH)), Appended)
    await again.stop()


async def test_a_follower_is_told_of_a_store_that_was_away_between_two_calls(log, own_store, tmp_path):
    """What it followed may not be what it follows now."""
    await log.follow(EVERY_FEED, 0)
    await own_store.stop()
    again = await EmbeddedStore.start(tmp_path / "own")
    await log.read(MATCH)
    with pytest.raises(StoreAway):
        await log.follow(EVERY_FEED, 0)
    assert await log.follow(EVERY_FEED, 0)
    await again.stop()


@pytest.mark.parametrize("fields", [{"x": "y"}, {"h": b"\xff", "b": b"", "l": b"", "e": b""}, {"h": b"{}"}])
async def test_an_entry_that_is_none_stands_in_nobodys_way(log, client, fields):
    """Written by a stranger: it is read as what it is, and the feed goes on behind it."""
    match = MatchLog(MATCH)
    await log.append(match.command())
    await client.xadd(keys.match(MATCH), fields, id="2-0")
    await client.xadd(keys.feed(SHARD), {"m": MATCH, "t": "1", **fields}, id="2-0")
    await client.hset(keys.meta(SHARD), "feed", 2)
    other = next(name for n in range(999) if hashes.shard(name := f"other-{n}") == SHARD)
    await log.append(first(other))
    assert [entry.version for entry in await log.read(MATCH)] == [1, 2]
    assert [(fed.match, fed.entry.version) for fed in await log.read_feed(SHARD, 0)] == [
        (MATCH, 1),
        (MATCH, UNREADABLE),
        (other, 1),
    ]
    refused = await log.append(match.command())
    assert isinstance(refused, Conflict)
    assert refused.head.version == 2


async def test_a_frozen_store_leaves_appends_unknown_and_reads_away(own_store):
    log = await RedisLog.open(own_store.url, timeout_s=0.5)
    await log.append(first("warm"))
    command = first(MATCH)
    os.kill(own_store.pid, signal.SIGSTOP)
    answers = await asyncio.gather(log.append(command), log.append(first("other")), return_exceptions=True)
    assert all(isinstance(answer, OutcomeUnknown) for answer in answers)
    with pytest.raises(StoreAway):
        await log.read(MATCH)
    with pytest.raises(StoreAway):
        await log.follow(EVERY_FEED, 1)
    # Its connections gone, an append that needs a new one was never sent.
    with pytest.raises(StoreAway):
        await log.append(first("third"))
    os.kill(own_store.pid, signal.SIGCONT)
    patient = await RedisLog.open(own_store.url)
    await patient.append(command)  # appended, or the conflict of the one that was unknown
    assert await patient.read(MATCH) == list(command.entries)
    await patient.close()
    await log.close()


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (b"-LOADING Valkey is loading the dataset in memory\r\n", StoreAway),
        (b"-MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.\r\n", StoreAway),
        (b"-BUSY Valkey is busy running a script.\r\n", StoreAway),
        (b"-NOAUTH Authentication required.\r\n", StoreAway),
        (b"-READONLY You can't write against a read only replica.\r\n", StoreReadOnly),
        (b"-MISCONF Errors writing to the AOF file: No space left on device\r\n", StoreReadOnly),
        (b"-NOREPLICAS Not enough good replicas to write.\r\n", StoreReadOnly),
        (b"-OOM command not allowed when used memory > 'maxmemory'.\r\n", StoreFull),
        (b"-WRONGTYPE Operation against a key holding the wrong kind of value\r\n", WrongStore),
        (b"-ERR something new\r\n", StoreError),
    ],
)
async def test_each_refusal_has_its_kind_and_costs_the_others_nothing(own_store, tmp_path, answer, kind):
    async with Proxy(own_store.url, tmp_path / "proxy").serving() as proxy:
        log = await RedisLog.open(proxy.url)
        await log.append(first("warm"))
        proxy.arm(Fault.REPLACE, answer=answer + b":1\r\n" + answer)
        asked = [log.append(first(f"match-{n}")) for n in range(3)]
        refused, appended, also_refused = await asyncio.gather(*asked, return_exceptions=True)
        for error in (refused, also_refused):
            assert type(error) is kind
            assert answer.split(maxsplit=1)[1].strip().decode() in str(error)
        assert isinstance(appended, Appended)
        assert isinstance(await log.append(first(MATCH)), Appended)
        await log.close()


async def test_a_store_that_never_keeps_the_script_is_away(own_store, tmp_path):
    async with Proxy(own_store.url, tmp_path / "proxy").serving() as proxy:
        log = await RedisLog.open(proxy.url)
        proxy.arm(Fault.REPLACE, answer=b"-NOSCRIPT No matching script.\r\n")
        proxy.arm(Fault.REPLACE, answer=b"$2\r\nOK\r\n-NOSCRIPT No matching script.\r\n")
        with pytest.raises(StoreAway, match="does not keep the append script"):
            await log.append(first(MATCH))
        await log.close()


async def test_a_store_restarted_between_two_appends_leaves_neither_unknown(log, own_store, tmp_path):
    match = MatchLog()
    await log.append(match.command())
    await own_store.stop()
    again = await EmbeddedStore.start(tmp_path / "own")
    assert isinstance(await log.append(match.command()), Appended)
    assert await log.read(match.match) == match.entries
    await again.stop()


@pytest.mark.parametrize("error", [TimeoutError(), ConnectionFailed(), OSError()])
def test_a_store_that_says_nothing_is_told_with_a_reason(error):
    with pytest.raises(StoreAway, match="reached: no answer in time"), redis_errors.translated("here"):
        raise error
