"""What a store must be before a log is opened in it."""

import asyncio

import pytest
from redis.asyncio import Redis

from services.eventlog import hashes, keys, redis_facts, store_server
from services.eventlog.embedded import EmbeddedStore
from services.eventlog.port import Appended, StoreAway, StoreReadOnly, WrongStore
from services.eventlog.redis_log import RedisLog
from tests.services.eventlog.logs import MatchLog, first


@pytest.fixture
async def client(clean_store):
    async with Redis.from_url(clean_store) as client:
        yield client


async def test_an_empty_store_is_made_ours(client, clean_store):
    for _ in range(2):
        log = await RedisLog.open(clean_store)
        await log.close()
    assert await client.get(keys.FORMAT) == keys.FORMAT_VALUE


async def test_many_may_open_an_empty_store_at_once(clean_store):
    async def open_and_append(n):
        log = await RedisLog.open(clean_store)
        await log.append(first(f"match-{n}"))
        await log.close()

    await asyncio.gather(*map(open_and_append, range(20)))


async def test_a_store_of_another_format_is_refused_untouched(client, clean_store):
    await client.set(keys.FORMAT, "tidelog/2")
    with pytest.raises(WrongStore, match=r"holds the format 'tidelog/2'; this code reads 'tidelog/1'"):
        await RedisLog.open(clean_store)
    assert await client.get(keys.FORMAT) == b"tidelog/2"
    assert await client.dbsize() == 1


async def test_our_keys_without_a_format_are_refused(client, clean_store):
    await client.xadd(keys.match("island-42"), {"h": "{}"})
    with pytest.raises(WrongStore, match=r"match:island-42 but no tidelog:format"):
        await RedisLog.open(clean_store)
    assert await client.dbsize() == 1


async def test_a_creation_in_a_store_emptied_under_its_log_is_refused_and_writes_nothing(client, clean_store):
    log = await RedisLog.open(clean_store)
    await client.flushdb()
    with pytest.raises(StoreAway, match="EMPTIED"):
        await log.append(first("island-42"))
    assert await client.dbsize() == 0
    again = await RedisLog.open(clean_store)
    assert isinstance(await log.append(first("island-42")), Appended)
    assert await again.read("island-42") == list(first("island-42").entries)
    await log.close()
    await again.close()


async def test_what_a_role_may_leave_in_a_store_emptied_under_it_does_not_stop_the_next(client, clean_store):
    log = await RedisLog.open(clean_store)
    await client.flushdb()
    await log.put_snapshot("island-42", b"cache")
    await log.put_edition("a hash", b"{}")
    kept = await log.key("guests")
    again = await RedisLog.open(clean_store)
    assert await again.key("guests") == kept
    await log.close()
    await again.close()


@pytest.mark.parametrize("key", [keys.secret("island-42"), keys.heads(0), keys.feed(0)])
async def test_any_part_of_a_log_without_a_format_is_refused(client, clean_store, key):
    await client.set(key, "held")
    with pytest.raises(WrongStore, match="but no tidelog:format"):
        await RedisLog.open(clean_store)


async def test_a_store_that_was_made_before_it_had_an_identity_gets_one(client, clean_store):
    log = await RedisLog.open(clean_store)
    match = MatchLog()
    await log.append(match.command())
    await client.delete(keys.key(keys.IDENTITY), *(keys.meta(n) for n in range(16) if n != hashes.shard(match.match)))
    again = await RedisLog.open(clean_store)
    await again.check()
    assert isinstance(await again.append(match.command()), Appended)
    assert (await again.feed_numbers())[hashes.shard(match.match)] == 2
    await again.check()
    await log.close()
    await again.close()


async def test_other_peoples_keys_are_left_alone(client, clean_store):
    await client.set("shopping", "list")
    log = await RedisLog.open(clean_store)
    await log.append(first("island-42"))
    await log.close()
    assert await client.get("shopping") == b"list"


async def test_a_format_key_of_another_type_is_refused(client, clean_store):
    await client.sadd(keys.FORMAT, "a")
    with pytest.raises(WrongStore, match="WRONGTYPE"):
        await RedisLog.open(clean_store)


async def test_the_facts_name_server_version_and_fsync(own_store):
    log = await RedisLog.open(own_store.url)
    assert log.facts is not None
    server = await store_server.find()
    assert (log.facts.server, log.facts.version) == (server.name, server.version)
    assert log.facts.fsync == "always"
    await log.close()


@pytest.mark.parametrize(
    ("option", "value", "fsync"), [("appendfsync", "everysec", "everysec"), ("appendonly", "no", "off")]
)
async def test_the_facts_tell_a_store_that_promises_less(tmp_path, option, value, fsync):
    store = await EmbeddedStore.start(tmp_path, settings={option: value})
    log = await RedisLog.open(store.url)
    assert log.facts is not None
    assert log.facts.fsync == fsync
    await log.close()
    await store.stop()


async def test_a_store_that_forbids_config_is_taken_as_it_is(own_store):
    async with Redis.from_url(own_store.url) as client:
        await client.execute_command("ACL SETUSER default -config")
    log = await RedisLog.open(own_store.url)
    assert log.facts is not None
    assert log.facts.fsync == "unknown"
    await log.close()


async def test_an_old_server_is_refused_by_its_version():
    class OldServer:
        async def info(self, _section):
            return {"redis_version": "6.2.14"}

    with pytest.raises(WrongStore, match=r"redis 6\.2\.14; Tidelog needs Redis 7\.0 or later, or Valkey"):
        await redis_facts.ask(OldServer(), "unix:///old")


@pytest.mark.parametrize(
    "url", ["unix:///nowhere/store.sock", "redis://127.0.0.1:1", "redis://jo:secret@127.0.0.1:1/0"]
)
async def test_a_store_that_is_not_there_is_away_and_no_password_is_told(url):
    with pytest.raises(StoreAway, match="can't be reached") as away:
        await RedisLog.open(url)
    assert "secret" not in str(away.value)


async def test_a_store_that_asks_for_a_password_is_away_and_says_why(own_store):
    async with Redis.from_url(own_store.url) as client:
        await client.config_set("requirepass", "open sesame")
    with pytest.raises(StoreAway, match=r"(?i)auth"):
        await RedisLog.open(own_store.url)
    with pytest.raises(StoreAway, match=r"(?i)password"):
        await RedisLog.open(f"{own_store.url}?password=wrong")
    log = await RedisLog.open(f"{own_store.url}?password=open%20sesame")
    await log.append(first("island-42"))
    await log.close()


async def test_an_empty_replica_is_read_only(tmp_path):
    replica = await EmbeddedStore.start(tmp_path / "replica")
    async with Redis.from_url(replica.url) as client:
        await client.replicaof("127.0.0.1", 1)
    with pytest.raises(StoreReadOnly):
        await RedisLog.open(replica.url)
    await replica.stop()


async def test_a_closed_log_is_away_and_connects_no_more(client, clean_store):
    log = await RedisLog.open(clean_store)
    await log.close()
    before = (await client.info("stats"))["total_connections_received"]
    for asks in (log.head("MATCH"), log.feed_numbers(), log.timetable.beats("lost_seas")):
        with pytest.raises(StoreAway, match="closed"):
            await asks
    assert (await client.info("stats"))["total_connections_received"] == before
