"""What the doctor says of a store in trouble."""

import asyncio

import pytest
from redis.asyncio import Redis

from services.eventlog import keys
from services.eventlog.embedded import EmbeddedStore
from services.eventlog.redis_log import RedisLog
from tests.replicated import replicated_store


async def findings(tidelog, url, *words, status=0):
    """Of the store and its durability."""
    told = await asyncio.to_thread(tidelog.json, "doctor", "--redis", url, *words, status=status)
    return [
        (each["level"], each["about"], each["message"]) for each in told if each["about"] in {"store", "durability"}
    ]


async def test_a_store_that_keeps_everything_is_fine(tidelog, own_store):
    ((level, about, message),) = await findings(tidelog, own_store.url)
    assert (level, about) == ("ok", "store")
    assert "appendfsync always" in message


@pytest.mark.parametrize(
    ("does", "says"),
    [
        (("REPLICAOF", "127.0.0.1", "1"), "read only replica"),
        (("CONFIG", "SET", "maxmemory", "1"), "maxmemory"),
        (("SET", keys.FORMAT, "tidelog/2"), "holds the format 'tidelog/2'"),
    ],
)
async def test_a_store_that_takes_no_appends_is_an_error_with_its_reason(tidelog, own_store, does, says):
    await (await RedisLog.open(own_store.url)).close()
    async with Redis.from_url(own_store.url) as client:
        await client.execute_command(*does)
    (level, about, message) = (await findings(tidelog, own_store.url, status=1))[-1]
    assert (level, about) == ("error", "store")
    assert says in message


async def test_a_store_that_may_lose_moves_is_a_warning(tidelog, tmp_path):
    store = await EmbeddedStore.start(tmp_path, settings={"appendfsync": "everysec"})
    _, (level, about, message) = await findings(tidelog, store.url)
    assert (level, about) == ("warning", "durability")
    assert "about 2 s of moves" in message
    await store.stop()


async def test_replicas_are_asked_for(tidelog, tmp_path):
    async with replicated_store(tmp_path) as store:
        wanted = "--durability", "replicated(1)"
        _, (level, about, _) = await findings(tidelog, store.primary.url, *wanted)
        assert (level, about) == ("ok", "durability")
        await store.cut_off()
        _, (level, about, message) = await findings(tidelog, store.primary.url, *wanted, status=1)
        assert (level, about) == ("error", "durability")
        assert "0 of 1 replicas had it on disk" in message


async def test_a_platform_is_starting_until_it_has_told_where_it_serves(tidelog, tmp_path):
    store = await EmbeddedStore.start(tmp_path)

    async def up():
        told = await asyncio.to_thread(tidelog.json, "doctor", "--data", str(tmp_path))
        return next(each["message"] for each in told if each["about"] == "up")

    assert (await up()).endswith(" is starting")
    store.announce("127.0.0.1:1", "127.0.0.1:2")
    assert (await up()).endswith(" serves 127.0.0.1:1, 127.0.0.1:2")
    await store.stop()
