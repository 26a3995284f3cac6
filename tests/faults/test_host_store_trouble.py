"""A host whose store is frozen, killed, read-only or full: a typed refusal that helps, and nothing lost."""

import asyncio
import os
import resource
import signal
import sys

import pytest
from redis.asyncio import Redis

from services.common.refusals import Reason, Refused
from services.eventlog.embedded import EmbeddedStore
from services.eventlog.port import StoreReadOnly
from services.eventlog.redis_log import RedisLog
from tests.faults.persistent import AWAY, Persistent
from tests.services.engine.given import Party, by_then, effects, opened
from tests.services.eventlog.given import EDITION, MATCH

SHORT_S = 0.3


@pytest.fixture
async def log(own_store):
    log = await RedisLog.open(own_store.url, timeout_s=SHORT_S)
    yield log
    await log.close()


@pytest.fixture
async def client(own_store):
    async with Redis.from_url(own_store.url) as client:
        yield client


@pytest.fixture
async def host(log):
    return await opened(log)


@pytest.fixture
async def parties(log, host):
    """Six matches in play."""
    parties = [Party(log, f"{MATCH}-{n}", seats=2 + n % 3, seed=n) for n in range(6)]
    for party in parties:
        await party.sits_down(host)
        await party.plays(host, 5)
    return parties


async def refusals(host, parties, orders, seconds=1.0):
    asked = [host.carry_out(party.match, order, by_then(seconds)) for party, order in zip(parties, orders, strict=True)]
    answers = await asyncio.gather(*asked, return_exceptions=True)
    for answer in answers:
        assert isinstance(answer, Refused), answer
        assert answer.retry_after_ms is not None
    return answers


async def moves(parties):
    return [await party.move() for party in parties]


async def go_on_as_if_nothing_had_been(host, parties, orders):
    """The same orders again: each has one effect, and the matches are played on."""
    for party, order in zip(parties, orders, strict=True):
        await host.carry_out(party.match, order, by_then())
        assert await effects(party.log, order, party.match) == 1
    await asyncio.gather(*(party.plays(host, 4) for party in parties))
    for party in parties:
        await party.agrees(host)
    await host.finish()


async def test_a_frozen_store_leaves_moves_unknown_until_it_goes_on(host, parties, own_store):
    orders = await moves(parties)
    os.kill(own_store.pid, signal.SIGSTOP)
    try:
        answers = await refusals(host, parties, orders)
        assert {answer.reason for answer in answers} == {Reason.OUTCOME_UNKNOWN}
        assert all("ask again with the same request id" in answer.message for answer in answers)
        assert len(host.warm) == 0
        (cold,) = await refusals(host, parties[:1], orders[:1])
        assert (cold.reason, cold.message) == (
            Reason.STORE_AWAY,
            "the store can't be reached; nothing was changed",
        )
        with pytest.raises(Refused) as refused:
            await host.create("NEW", parties[0].creation(), EDITION, by_then(1.0))
        assert refused.value.reason in AWAY
    finally:
        os.kill(own_store.pid, signal.SIGCONT)
    await go_on_as_if_nothing_had_been(host, parties, orders)


async def test_a_killed_store_loses_nothing_that_was_answered(tmp_path):
    """With appendfsync always; each kill comes while moves are under way."""
    deaths: asyncio.Queue[str] = asyncio.Queue()
    store = await EmbeddedStore.start(tmp_path / "killed", on_death=deaths.put_nowait)
    log = await RedisLog.open(store.url, timeout_s=2.0)
    host = await opened(log)
    players = [Persistent(Party(log, f"{MATCH}-{n}", seed=n), host, store.until_up) for n in range(8)]
    for player in players:
        await player.party.sits_down(host)
    playing = [asyncio.create_task(player.plays(12)) for player in players]
    for kill in range(3):
        while sum(len(player.answered) for player in players) < 16 * (kill + 1):  # noqa: ASYNC110 - a turn, not a time
            await asyncio.sleep(0)
        os.kill(store.pid, signal.SIGKILL)
        await deaths.get()
        await store.until_up()
    await asyncio.gather(*playing)
    for player in players:
        await player.finds_every_answer_in_the_log()
    await host.finish()
    await log.close()
    await store.stop()


async def test_a_replica_takes_no_moves_until_it_is_the_primary_again(host, parties, client):
    orders = await moves(parties)
    await client.replicaof("127.0.0.1", 1)
    for answer in await refusals(host, parties, orders):
        assert (answer.reason, answer.message) == (
            Reason.STORE_READ_ONLY,
            "the store takes no writes at present; nothing was changed",
        )
    version, verdict = await host.validate(parties[0].match, orders[0])
    assert (version, verdict) == (parties[0].facts.version, None)
    await client.replicaof("NO", "ONE")
    await go_on_as_if_nothing_had_been(host, parties, orders)


async def test_a_full_store_refuses_moves_and_creations_until_there_is_room(host, parties, client):
    orders = await moves(parties)
    await client.config_set("maxmemory", 1)
    for answer in await refusals(host, parties, orders):
        assert (answer.reason, answer.message) == (Reason.STORE_FULL, "the store is full; nothing was changed")
    with pytest.raises(Refused) as refused:
        await host.create("NEW", parties[0].creation(), EDITION, by_then())
    assert refused.value.reason is Reason.STORE_FULL
    assert await parties[0].log.read("NEW") == []
    await client.config_set("maxmemory", 0)
    await go_on_as_if_nothing_had_been(host, parties, orders)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux sets limits of another process")
async def test_a_store_that_cannot_write_and_may_go_on_refuses_moves_until_it_can(tmp_path):
    """With appendfsync everysec it stays; what it acknowledged and could not write, it writes as soon as it can."""
    store = await EmbeddedStore.start(tmp_path, settings={"appendfsync": "everysec"})
    log = await RedisLog.open(store.url)
    host = await opened(log)
    parties = [Party(log, f"{MATCH}-{n}", seed=n) for n in range(4)]
    for party in parties:
        await party.sits_down(host)
    written = max(file.stat().st_size for file in (tmp_path / "store" / "appendonlydir").iterdir())
    resource.prlimit(store.pid, resource.RLIMIT_FSIZE, (written + 5_000, resource.RLIM_INFINITY))
    pid, refused = store.pid, None
    while refused is None:
        orders = await moves(parties)
        try:
            await host.carry_out(parties[0].match, orders[0], by_then())
        except Refused as error:
            refused = error
    assert refused.reason is Reason.STORE_READ_ONLY
    for answer in await refusals(host, parties, orders):
        assert answer.reason is Reason.STORE_READ_ONLY
    with pytest.raises(StoreReadOnly, match="MISCONF"):
        await log.check()
    resource.prlimit(store.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    async with asyncio.timeout(60):
        while not await takes_appends(log):
            pass
    await go_on_as_if_nothing_had_been(host, parties, orders)
    assert store.pid == pid
    kept = [await log.read(party.match) for party in parties]
    await log.close()
    await store.stop()
    store = await EmbeddedStore.start(tmp_path)
    log = await RedisLog.open(store.url)
    assert [await log.read(party.match) for party in parties] == kept
    await log.close()
    await store.stop()


async def takes_appends(log):
    try:
        await log.check()
    except StoreReadOnly:
        return False
    return True


async def test_a_store_away_from_the_start_refuses_and_is_missed_no_more_once_it_is_there(own_store, tmp_path):
    log = await RedisLog.open(own_store.url)
    host, party = await opened(log), Party(log)
    await party.sits_down(host)
    order = await party.move()
    await own_store.stop()
    for asked in (host.carry_out(MATCH, order, by_then()), host.validate(MATCH, order)):
        with pytest.raises(Refused) as refused:
            await asked
        assert refused.value.reason is Reason.STORE_AWAY
    again = await EmbeddedStore.start(tmp_path / "own")
    await go_on_as_if_nothing_had_been(host, [party], [order])
    await log.close()
    await again.stop()
