"""The list of matches on both adapters of the log, fed by the real follower."""

import asyncio
import threading

import pytest
from redis.asyncio import Redis

from gateway.projections import folding, lists
from gateway.projections.changes import Change
from gateway.projections.database import Database
from gateway.projections.places import Place
from services.eventlog import hashes, keys
from services.eventlog.match import Status
from services.eventlog.memory import MemoryLog
from tests.gateway.played import BOB, GAME, PlayedMatch
from tests.gateway.projections.running import Running, told
from tests.gateway.waiting import until


@pytest.fixture
def file(tmp_path):
    return tmp_path / "deep" / "gateway.sqlite"


def check(listed, found):
    """Every match is listed as its own fold says."""
    assert set(listed) == set(found)
    for name, played in found.items():
        facts, row = played.aggregate.facts, listed[name]
        assert (row.facts.cursor, row.facts.status, row.facts.at) == (facts.cursor, facts.status, facts.at)
        assert row.facts.seats == facts.seats
        assert row.facts.outcome == facts.outcome
        assert row.facts.created == facts.created
        assert row.created_at_ms == 1_700_000_000_000


async def test_matches_are_listed_as_their_logs_fold(event_log, file):
    found = await told(event_log)
    async with Running(event_log, file) as running:
        check(await running.listed(), found)
        await found["C"].finish()
        last = found["C"].aggregate.cursor
        await running.until(lambda listed: listed["C"].facts.cursor == last)
        check(await running.listed(), found)


async def test_a_file_kept_goes_on_and_a_deleted_one_is_rebuilt(event_log, file):
    found = await told(event_log)
    async with Running(event_log, file) as running:
        first = await running.listed()
    await found["B"].finish()
    async with Running(event_log, file) as running:
        check(await running.listed(), found)
    file.unlink()
    async with Running(event_log, file) as running:
        check(await running.listed(), found)
        assert (await running.listed())["A"] == first["A"]


async def test_behind_the_trim_point_only_what_differs_is_read(file):
    log = ReadingLog()
    found = await told(log)
    async with Running(log, file):
        pass
    await found["C"].move()
    for feed in log._feeds:
        feed.trim(1 << 60)
    log.asked.clear()
    async with Running(log, file) as running:
        check(await running.listed(), found)
    assert [match for match, _ in log.asked] == ["C"]


async def test_with_nothing_left_of_the_feed_heads_and_logs_are_enough(event_log, file):
    found = await told(event_log)
    await event_log.trim_feeds(await event_log.time_ms() + 1000)
    async with Running(event_log, file) as running:
        check(await running.listed(), found)


async def test_a_log_that_went_back_is_listed_as_it_now_is(file):
    log = MemoryLog()
    found = await told(log)
    async with Running(log, file):
        pass
    twin = await PlayedMatch(MemoryLog(), "D", seed=9).started()
    log._logs["D"] = list(twin.entries)
    for feed in log._feeds:
        feed.trim(1 << 60)
    await found["C"].move()
    for feed in log._feeds:
        feed.first += 1
    async with Running(log, file) as running:
        check(await running.listed(), found | {"D": twin})


@pytest.mark.parametrize("known", [False, True], ids=["not listed", "listed before"])
async def test_a_log_without_its_beginning_concerns_its_own_match_alone(redis_log, clean_store, file, known):
    found = await told(redis_log)
    if known:
        async with Running(redis_log, file):
            pass
    await found["C"].move()
    await found["B"].move()
    async with Redis.from_url(clean_store) as client:
        await client.xdel(keys.match("C"), "1-0")
        for shard in range(hashes.SHARDS):
            await client.xtrim(keys.feed(shard), maxlen=0, approximate=False)
    async with Running(redis_log, file) as running:
        listed = await running.listed()
        assert ("C" in listed) is known
        listed.pop("C", None)
        del found["C"]
        check(listed, found)
        await found["B"].move()
        last = found["B"].aggregate.cursor
        await running.until(lambda listed: listed["B"].facts.cursor == last)


async def test_applying_a_change_twice_changes_nothing(log, file):
    played = await (await PlayedMatch(log, "A").started()).finish()
    database = await Database.open(file)
    changes = [Change.of("A", command) for command in played.commands()]
    once = await rows(database, changes)
    assert await rows(database, changes) == once
    assert await rows(database, changes[::-1]) == once
    await database.close()


async def test_a_change_behind_a_hole_is_reported_and_keeps_no_checkpoint(log, file):
    played = await (await PlayedMatch(log, "A").started()).finish()
    database = await Database.open(file)
    changes = [Change.of("A", command) for command in played.commands()]
    await rows(database, changes[:1])
    behind = await database.run(
        lambda connection: folding.apply(connection, (), changes[2:3], {3: Place(7, bytes(32))})
    )
    assert behind == ["A"]
    assert await database.run(lists.checkpoints) == {}
    await database.close()


async def test_what_is_read_and_not_kept_is_counted(log, file):
    keeps = threading.Event()
    async with Running(log, file) as running:
        blocked = asyncio.create_task(running.database.run(lambda _: keeps.wait()))
        played = await PlayedMatch(log, "A").started()
        await until(lambda: running.projection.behind == len(played.entries))
        await played.move()
        await until(lambda: running.projection.behind == len(played.entries))
        keeps.set()
        await blocked
        await running.projection.settled()
        assert running.projection.behind == 0  # tidelog_gateway_projection_behind_entries


async def test_a_file_of_another_schema_is_begun_anew(event_log, file):
    found = await told(event_log)
    async with Running(event_log, file) as running:
        await running.database.run(lambda connection: connection.execute("PRAGMA user_version = 99"))
    async with Running(event_log, file) as running:
        check(await running.listed(), found)


async def test_filters_must_all_hold(log, file):
    await told(log)
    async with Running(log, file) as running:
        assert set(await running.listed(status=Status.OPEN)) == {"A"}
        assert set(await running.listed(status=Status.RUNNING)) == {"B", "C"}
        assert set(await running.listed(player=BOB)) == set("BCDE")
        assert set(await running.listed(player=BOB, status=Status.FINISHED, game=GAME)) == {"D", "E"}
        assert set(await running.listed(game="chess")) == set()


async def test_pages_hold_every_match_once_the_last_changed_first(log, file):
    await told(log)
    async with Running(log, file) as running:
        whole = [found.facts.id for found in (await running.page()).matches]
        for size in (1, 2, 3, 5):
            after, seen = None, []
            while True:
                page = await running.page(size, after)
                seen += [found.facts.id for found in page.matches]
                after = page.next
                if after is None:
                    break
            assert seen == whole
        assert whole[0] in ("D", "E")
        assert whole[-1] == "A"


async def test_seats_are_those_of_matches_that_are_not_over(log, file):
    await told(log)
    async with Running(log, file) as running:
        held = await running.projection.seats_of(BOB)
        assert [(seat.match, seat.game, seat.seat) for seat in held] == [("B", GAME, 1), ("C", GAME, 1)]


async def test_claims_are_heard_of_until_nobody_listens(log, file):
    played = [await PlayedMatch(log, name).create() for name in "AB"]
    heard = []

    def hear(match, seat):
        heard.append((match, seat))

    async with Running(log, file) as running:
        running.projection.claims.listen(BOB, hear)
        await played[0].join()
        await running.until(lambda listed: listed["A"].facts.status is Status.RUNNING)
        running.projection.claims.ignore(BOB, hear)
        await played[1].join()
        await running.until(lambda listed: listed["B"].facts.status is Status.RUNNING)
    assert heard == [("A", 1)]


class ReadingLog(MemoryLog):
    """Remembers which logs were read, and from where."""

    def __init__(self):
        super().__init__()
        self.asked = []

    async def read(self, match, after=0, limit=None):
        self.asked.append((match, after))
        return await super().read(match, after, limit)


async def rows(database, changes):
    for change in changes:
        await database.run(lambda connection, change=change: folding.apply(connection, (), [change], {}))
    return await database.run(lambda connection: connection.execute("SELECT * FROM matches").fetchall())
