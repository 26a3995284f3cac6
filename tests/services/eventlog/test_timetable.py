"""The timetable that every event log keeps beside its logs, on the memory adapter and on a real store."""

from random import Random

import pytest
from msgspec.structs import replace

from services.eventlog import hashes, keys
from services.eventlog.memory import MemoryLog
from services.eventlog.outages import OUTAGE_MS, REMEMBERED, Beats, Outage
from services.eventlog.port import Appended, Conflict, StoreAway, WrongStore
from services.eventlog.redis_log import RedisLog
from services.eventlog.timetable import Due, Waiting
from tests.services.eventlog.given import NOON
from tests.services.eventlog.logs import MatchLog, same_shard

GAME = "lost_seas"


async def on_time(event_log, log: MatchLog, at: int | None, *, clocked: bool = False):
    return await event_log.append(replace(log.command(), due=Due(GAME, at, clocked)))


async def clocked(event_log) -> list[Waiting]:
    return [each for shard in range(hashes.SHARDS) for each in await event_log.timetable.clocked(shard)]


async def test_what_is_due_is_told_the_earliest_first_and_never_early(event_log):
    logs = [MatchLog(f"match-{n}") for n in range(20)]
    for n, log in enumerate(logs):
        assert isinstance(await on_time(event_log, log, NOON + 1000 * n, clocked=n % 2 == 0), Appended)
    assert await event_log.timetable.due(NOON - 1, 100) == []
    found = await event_log.timetable.due(NOON + 9000, 100)
    assert found == [Waiting(f"match-{n}", GAME, NOON + 1000 * n) for n in range(10)]


async def test_each_shard_tells_so_many_at_most(event_log):
    matches = same_shard(5)
    for n, match in enumerate(matches):
        await on_time(event_log, MatchLog(match), NOON - n, clocked=False)
    found = await event_log.timetable.due(NOON, 2)
    assert [waiting.match for waiting in found] == [matches[4], matches[3]]


async def test_an_append_puts_the_match_where_it_says_and_one_that_says_nothing_leaves_it(event_log):
    log = MatchLog()
    await on_time(event_log, log, NOON)
    assert await clocked(event_log) == []
    await on_time(event_log, log, NOON + 5, clocked=True)
    here = [Waiting(log.match, GAME, NOON + 5)]
    assert await clocked(event_log) == here == await event_log.timetable.due(NOON + 5, 9)
    await event_log.append(log.command())
    assert await clocked(event_log) == here
    await on_time(event_log, log, NOON + 7)
    assert await clocked(event_log) == []
    await on_time(event_log, log, None)
    assert await event_log.timetable.due(NOON * 2, 9) == []


async def test_an_append_in_conflict_changes_nothing(event_log):
    log, other = MatchLog(), MatchLog()
    await on_time(event_log, log, NOON)
    assert isinstance(await on_time(event_log, other, NOON - 5, clocked=True), Conflict)
    assert await event_log.timetable.due(NOON, 9) == [Waiting(log.match, GAME, NOON)]


async def test_it_is_set_right_only_by_who_knows_the_head(event_log):
    log = MatchLog()
    await on_time(event_log, log, NOON)
    stale = log.entries[-1].cursor
    await on_time(event_log, log, NOON + 1)
    await event_log.timetable.set(log.match, stale, Due(GAME, NOON + 99))
    assert (await event_log.timetable.due(NOON + 1, 9))[0].at == NOON + 1
    await event_log.timetable.set(log.match, log.entries[-1].cursor, Due(GAME, NOON + 99, clocked=True))
    assert await clocked(event_log) == [Waiting(log.match, GAME, NOON + 99)]
    await event_log.timetable.set(log.match, log.entries[-1].cursor, Due(GAME, None))
    await event_log.timetable.set("nowhere", log.entries[-1].cursor, Due(GAME, NOON))
    assert await event_log.timetable.due(NOON * 2, 9) == []


async def test_a_gap_between_beats_is_an_outage(event_log):
    table = event_log.timetable
    assert await table.beats(GAME) == Beats()
    assert await table.beat(GAME, NOON) == Beats(NOON)
    assert await table.beat(GAME, NOON + OUTAGE_MS) == Beats(NOON + OUTAGE_MS)
    late = NOON + 2 * OUTAGE_MS + 1
    assert await table.beat(GAME, late) == Beats(late, (Outage(NOON + OUTAGE_MS, late),))
    assert await table.beat(GAME, NOON) == await table.beats(GAME) == Beats(late, (Outage(NOON + OUTAGE_MS, late),))
    assert await table.beats("south_seas") == Beats()


async def test_the_latest_outages_are_kept(event_log):
    for n in range(REMEMBERED + 3):
        found = await event_log.timetable.beat(GAME, NOON + n * 2 * OUTAGE_MS)
    assert len(found.outages) == REMEMBERED
    assert found.outages[-1].until == found.last
    assert found.outages[0].since == NOON + 2 * 2 * OUTAGE_MS


def test_what_is_known_of_beats_counts_until_an_outage_could_have_ended():
    assert Beats(NOON).known_at(NOON + OUTAGE_MS)
    assert not Beats(NOON).known_at(NOON + OUTAGE_MS + 1)


@pytest.mark.parametrize("seed", range(4))
async def test_random_work_is_kept_alike(seed, redis_log):
    random, memory = Random(seed), MemoryLog()
    logs = [MatchLog(f"match-{n}") for n in range(6)]
    for _ in range(60):
        log = random.choice(logs)
        due = random.choice([None, Due(GAME, None), Due(GAME, NOON + random.randrange(50), random.random() < 0.5)])
        append = replace(log.command(), due=due)
        assert await memory.append(append) == await redis_log.append(append)
        known = random.choice([log.entries[-1], log.entries[0]]).cursor
        put = Due(GAME, NOON + random.randrange(50), random.random() < 0.5)
        for event_log in (memory, redis_log) if random.random() < 0.3 else ():
            await event_log.timetable.set(log.match, known, put)
        by = NOON + random.randrange(50)
        assert await memory.timetable.due(by, 3) == await redis_log.timetable.due(by, 3)
        assert sorted(map(str, await clocked(memory))) == sorted(map(str, await clocked(redis_log)))


async def test_a_key_of_another_type_refuses_the_whole_append(redis_log):
    log = MatchLog()
    await redis_log._client.set(keys.waiting(hashes.shard(log.match)), "a text")
    with pytest.raises(WrongStore):
        await on_time(redis_log, log, NOON)
    assert await redis_log.read(log.match) == []
    assert await redis_log.feed_numbers() == (0,) * hashes.SHARDS


async def test_a_store_that_is_away_is_told(redis_log):
    await redis_log.close()
    lost = RedisLog("redis://127.0.0.1:1", connect_timeout_s=1)
    with pytest.raises(StoreAway):
        await lost.timetable.due(NOON, 9)
    with pytest.raises(StoreAway):
        await lost.timetable.beat(GAME, NOON)
    await lost.close()
