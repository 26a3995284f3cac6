"""Whole gateways on a real store, with real engine replicas."""

import asyncio

import pytest

from gateway.feeds.trimming import Trimmer
from gateway.main import Gateway
from gateway.routing.engines import BadEngines
from gateway.settings import GatewaySettings
from services.common.serving import AddressTaken
from tests.gateway.engine import CLUSTER_KEY, EngineReplica
from tests.gateway.floor import Floor, play_on, started_match
from tests.gateway.played import GAME, PlayedMatch
from tests.gateway.waiting import until
from tidelog.v1.matches_pb2 import MATCH_STATUS_FINISHED


@pytest.fixture
async def on_store(redis_log, tmp_path):
    async with Floor(redis_log, tmp_path) as found:
        yield found


async def test_a_gateway_opens_its_own_store_and_closes_it(on_store, clean_store, tmp_path):
    settings = GatewaySettings(
        redis_url=clean_store,
        engines=(f"{GAME}={on_store.engine.address}",),
        cluster_key=CLUSTER_KEY,
        data_dir=tmp_path / "own",
    )
    gateway = Gateway(settings)
    await gateway.start()
    ann = await on_store.client(gateway, "ann")
    bob = await on_store.client(gateway, "bob")
    match_id = await started_match(ann, bob)
    await play_on([ann, bob], match_id, 4)
    assert settings.projections_file.is_file()
    await gateway.stop()


async def test_two_gateways_tell_the_same_match_on_a_real_store(on_store):
    first, second = await on_store.gateway(), await on_store.gateway()
    ann, bob = await on_store.client(first, "ann"), await on_store.client(second, "bob")
    match_id = await started_match(ann, bob)
    watching = [
        asyncio.create_task(_told(await on_store.client(gateway, "stranger"), match_id)) for gateway in (first, second)
    ]
    await play_on([ann, bob], match_id)
    here, there = await asyncio.gather(*watching)
    assert here == there
    assert [version for version, _ in here] == list(range(1, len(here) + 1))
    match = (await ann.call("GetMatch", match_id=match_id)).match
    assert (match.status, match.version) == (MATCH_STATUS_FINISHED, len(here))


async def _told(client, match_id):
    async with asyncio.timeout(60):
        updates = [update async for update in client.updates(match_id)]
    return [(update.entry.version, update.entry.cursor) for update in updates if update.HasField("entry")]


async def test_another_replica_takes_over_when_one_is_stopped(on_store):
    spare = await EngineReplica(on_store.log, GAME).start()
    gateway = await on_store.gateway(engines=(f"{GAME}={on_store.engine.address},{spare.address}",))
    ann, bob = await on_store.client(gateway, "ann"), await on_store.client(gateway, "bob")
    matches = [await started_match(ann, bob) for _ in range(8)]
    playing = [asyncio.create_task(play_on([ann, bob], match_id)) for match_id in matches]
    await until(lambda: gateway.parts.engines.counts.commands >= 60)
    await spare.stop()
    await asyncio.gather(*playing)
    for match_id in matches:
        assert (await ann.call("GetMatch", match_id=match_id)).match.status == MATCH_STATUS_FINISHED


async def test_feeds_are_trimmed_and_logs_are_not(redis_log):
    played = await PlayedMatch(redis_log, "MATCH").started()
    trimmer = Trimmer(redis_log, kept_ms=-60_000)
    assert await trimmer.trim() == len(played.entries)
    assert len(await redis_log.read("MATCH")) == len(played.entries)


async def test_an_address_in_use_is_said_and_nothing_stays_open(on_store):
    gateway = await on_store.gateway()
    with pytest.raises(AddressTaken):
        await on_store.gateway(listen=gateway.address)


async def test_a_game_that_is_not_installed_is_said_at_once(tmp_path):
    settings = GatewaySettings(redis_url="", engines=("chess=a:1",), cluster_key="", data_dir=tmp_path)
    with pytest.raises(BadEngines, match="chess"):
        Gateway(settings)
