"""Appends to a real store share round trips, and stay right whatever shares them."""

import asyncio

import pytest
from redis.asyncio import Redis

from services.eventlog import redis_pipe
from services.eventlog.port import Appended, Conflict, StoreAway
from services.eventlog.redis_log import RedisLog
from tests.services.eventlog.logs import MatchLog, first


@pytest.fixture
async def warm_log(redis_log):
    """A log whose script the store knows."""
    await redis_log.append(first("warm"))
    return redis_log


async def test_appends_that_wait_together_go_out_together(warm_log):
    before = warm_log.pipelines, warm_log.appends
    answers = await asyncio.gather(*(warm_log.append(first(f"match-{n}")) for n in range(64)))
    assert all(isinstance(answer, Appended) for answer in answers)
    assert warm_log.pipelines - before[0] <= 2
    assert warm_log.appends - before[1] == 64


async def test_64_matches_that_go_on_by_themselves_keep_sharing(warm_log):
    async def play(log):
        for _ in range(20):
            assert isinstance(await warm_log.append(log.command()), Appended)

    before = warm_log.pipelines
    await asyncio.gather(*(play(MatchLog(f"match-{n}")) for n in range(64)))
    assert warm_log.pipelines - before < 64 * 20 / 8


async def test_a_pipeline_takes_128_commands_at_most(warm_log):
    before = warm_log.pipelines
    await asyncio.gather(*(warm_log.append(first(f"match-{n}")) for n in range(300)))
    assert warm_log.pipelines - before == 3
    assert redis_pipe.MAX_COMMANDS == 128


async def test_a_pipeline_takes_256_kib_at_most_but_always_one_append(warm_log):
    before = warm_log.pipelines
    large = [first(f"match-{n}", note="x" * 60_000) for n in range(8)]
    larger = MatchLog("larger").command(6, note="x" * 60_000)
    await asyncio.gather(*(warm_log.append(append) for append in (*large, larger)))
    assert warm_log.pipelines - before == 3
    assert await warm_log.read("larger") == list(larger.entries)


async def test_two_appends_of_one_match_in_one_pipeline_are_judged_in_turn(warm_log):
    log = MatchLog()
    one, two, rival = log.command(), log.command(2), MatchLog().command(note="rival")
    before = warm_log.pipelines
    answers = await asyncio.gather(*map(warm_log.append, (one, two, rival)))
    assert warm_log.pipelines == before + 1
    assert answers == [
        Appended(one.entries[-1].cursor),
        Appended(two.entries[-1].cursor),
        Conflict(two.entries[-1].cursor),
    ]


async def test_a_script_that_the_store_forgot_is_loaded_and_only_the_refused_sent_again(warm_log, clean_store):
    async with Redis.from_url(clean_store) as client:
        await client.script_flush()
    log = MatchLog()
    before = warm_log.pipelines, warm_log.appends
    appends = [log.command(), log.command(), *(first(f"match-{n}") for n in range(5))]
    answers = await asyncio.gather(*map(warm_log.append, appends))
    assert all(isinstance(answer, Appended) for answer in answers)
    assert (warm_log.pipelines - before[0], warm_log.appends - before[1]) == (2, 7)
    assert await warm_log.read(log.match) == log.entries


async def test_a_caller_who_leaves_does_not_disturb_those_beside(warm_log):
    appends = [first(f"match-{n}") for n in range(10)]
    asking = [asyncio.create_task(warm_log.append(append)) for append in appends]
    await _sent(warm_log)
    asking[3].cancel()
    answers = await asyncio.gather(*asking, return_exceptions=True)
    assert isinstance(answers.pop(3), asyncio.CancelledError)
    assert all(isinstance(answer, Appended) for answer in answers)


async def _sent(log):
    before = log.pipelines
    while log.pipelines == before:  # noqa: ASYNC110 - a turn of the loop, not a time
        await asyncio.sleep(0)


async def test_what_a_caller_who_left_had_not_sent_is_not_sent(warm_log):
    waiting = asyncio.create_task(warm_log.append(first("left")))
    waiting.cancel()
    await asyncio.wait({waiting})
    await warm_log.append(first("stayed"))
    assert await warm_log.read("left") == []


async def test_closing_waits_for_what_is_in_flight_and_refuses_what_comes_after(clean_store):
    log = await RedisLog.open(clean_store)
    asking = [asyncio.create_task(log.append(first(f"match-{n}"))) for n in range(200)]
    await _sent(log)
    await log.close()
    assert all(isinstance(task.result(), Appended) for task in asking)
    with pytest.raises(StoreAway, match="closed"):
        await log.append(first("late"))


async def test_two_lanes_keep_the_promises(clean_store):
    log = await RedisLog.open(clean_store, lanes=2)
    logs = [MatchLog(f"match-{n}") for n in range(20)]

    async def play(match):
        for _ in range(10):
            assert isinstance(await log.append(match.command(2)), Appended)

    await asyncio.gather(*map(play, logs))
    for match in logs:
        assert await log.read(match.match) == match.entries
    await log.close()
