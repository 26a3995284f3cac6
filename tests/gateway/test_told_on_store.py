"""Delays, replays and the logs of all matches on a real store, with moves that the engine host decides."""

import asyncio

import pytest

from services.common.refusals import Reason
from tests.gateway.floor import Floor, play_on, started_match
from tests.gateway.log_watching import LogWatching
from tests.gateway.timers import HastyTimer
from tests.gateway.watching import Watching
from tidelog.v1.lifecycle_pb2 import DELAY_UNIT_EVENTS, DELAY_UNIT_SECONDS
from tidelog.v1.updates_pb2 import Replay

STARTED = 4


@pytest.fixture
async def on_store(redis_log, tmp_path):
    async with Floor(redis_log, tmp_path) as found:
        yield found


@pytest.fixture
async def gateways(on_store):
    return [await on_store.gateway(checkpoint_s=0.05) for _ in range(2)]


@pytest.fixture
async def players(on_store, gateways):
    return [await on_store.client(gateways[0], name) for name in ("ann", "bob")]


async def head_of(client, match_id):
    return (await client.call("GetMatch", match_id=match_id)).match.version


async def test_spectators_stay_behind_a_match_that_is_played(on_store, gateways, players):
    """On either gateway: the one that the moves go through, and one that hears of them from the feed."""
    terms = {"spectator_delay": {"unit": DELAY_UNIT_EVENTS, "count": 6}}
    match_id = await started_match(*players, terms=terms)
    watching = [Watching(await on_store.client(gateway, "stranger"), match_id) for gateway in gateways]
    strangers = [await on_store.client(gateway, "stranger") for gateway in gateways]
    while await play_on(players, match_id, 1):
        head = await head_of(players[0], match_id)
        if (await players[0].call("GetMatch", match_id=match_id)).match.status != 2:
            break
        for one, stranger in zip(watching, strangers, strict=True):
            shown = max(head - 6, STARTED)
            await one.heard(shown)
            assert max(one.versions) == await head_of(stranger, match_id) == shown
    head = await head_of(players[0], match_id)
    for one in watching:
        assert not (await one.ended()).HasField("refusal")
        assert one.versions == list(range(1, head + 1))


async def test_the_stores_own_time_tells_what_was_kept_back(on_store, gateways, players):
    terms = {"spectator_delay": {"unit": DELAY_UNIT_SECONDS, "count": 1}}
    match_id = await started_match(*players, terms=terms)
    stranger = await on_store.client(gateways[1], "stranger")
    watching = Watching(stranger, match_id)
    await watching.heard(STARTED)
    await play_on(players, match_id, 3)
    await watching.heard(await head_of(players[0], match_id))
    times = [update.entry.at_ms async for update in _told(stranger, match_id)]
    assert len(times) == len(watching.versions)
    await watching.stop()


async def _told(client, match_id):
    async for update in client.updates(match_id):
        if update.HasField("caught_up"):
            return
        yield update


async def test_a_replay_is_gone_on_with_on_another_gateway(on_store, players):
    match_id = await started_match(*players)
    await play_on(players, match_id)
    told = []
    for number in range(4):
        gateway = await on_store.gateway(HastyTimer())
        client = await on_store.client(gateway, "reader")
        replay = Replay(speed=1, until=0 if number == 3 else 12 * (number + 1))
        after = told[-1] if told else ""
        async with asyncio.timeout(60):
            told += [
                update.entry.cursor
                async for update in client.updates(match_id, after=after, replay=replay)
                if update.HasField("entry")
            ]
        assert gateway.parts.shown.timer.slept
    assert [int(cursor.partition("-")[0]) for cursor in told] == list(range(1, len(told) + 1))
    assert len(told) == await head_of(players[0], match_id)


async def test_all_logs_are_told_whichever_gateway_goes_on_until_the_feeds_are_trimmed(
    on_store, gateways, players, redis_log
):
    readers = [await on_store.client(gateway, "reader") for gateway in gateways]
    admin = await on_store.client(gateways[0], "operator", admin=True)
    live = await LogWatching(admin).arrived()
    matches = []
    stream, told = await LogWatching(readers[0]).arrived(), []
    for number in range(4):
        matches.append(await started_match(*players))
        await play_on(players, matches[-1])
        last = await head_of(players[0], matches[-1])
        await stream.heard(matches[-1], last)
        told += stream.entries
        await stream.stop()
        stream = await LogWatching(readers[number % 2], after=stream.position).arrived()
    walk = await LogWatching(readers[1], from_start=True).arrived()
    every = [(match_id, version) for match_id in matches for version in range(1, len(walk.of(match_id)) + 1)]
    assert told == every
    assert sorted(walk.entries) == sorted(every)
    for match_id in matches:
        await live.heard(match_id, len(walk.of(match_id)))
        assert live.of(match_id) == walk.of(match_id)
    old = live.positions[0]
    assert await redis_log.trim_feeds(await redis_log.time_ms() + 1000) > 0
    expired = await LogWatching(admin, after=old).refusal()
    assert expired.reason is Reason.CURSOR_EXPIRED
    matches.append(await started_match(*players))
    await play_on(players, matches[-1])
    last = await head_of(players[0], matches[-1])
    for one in (stream, walk, live):
        await one.heard(matches[-1], last)
        await one.stop()
    again = await LogWatching(readers[0], after=walk.position).arrived()
    assert again.entries == []
    await again.stop()
