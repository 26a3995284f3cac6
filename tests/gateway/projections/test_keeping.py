"""Read models beside `matches`, by two that are made for this: one that lists seats, one that lets work lie."""

import asyncio
from dataclasses import replace

import pytest

from gateway.projections import folding
from gateway.projections.changes import Change
from gateway.projections.database import Database
from gateway.projections.model import ReadModel
from gateway.projections.places import Place
from services.eventlog.match import Status
from services.eventlog.memory import MemoryLog
from tests.gateway.played import BOB, PlayedMatch
from tests.gateway.projections.running import Running, told


def keep_seats(connection, kept):
    for each in kept:
        forget_seats(connection, (each.facts.id,))
        held = [(each.facts.id, number, seat.player) for number, seat in enumerate(each.facts.seats) if seat.player]
        connection.executemany("INSERT INTO seated VALUES (?, ?, ?)", held)


def forget_seats(connection, matches):
    connection.executemany("DELETE FROM seated WHERE match = ?", [(match,) for match in matches])


SEATED = ReadModel(
    name="seated",
    version=1,
    schema="CREATE TABLE seated (match TEXT, seat INTEGER, player TEXT); CREATE INDEX seated_match ON seated (match)",
    tables=("seated",),
    keep=keep_seats,
    forget=forget_seats,
)


def let_lie(connection, kept):
    connection.executemany("INSERT OR REPLACE INTO later VALUES (?, 0)", [(each.facts.id,) for each in kept])


def do_one(connection):
    connection.execute("UPDATE later SET done = 1 WHERE match = (SELECT min(match) FROM later WHERE NOT done)")
    (left,) = connection.execute("SELECT count(*) FROM later WHERE NOT done").fetchone()
    return left > 0


LATER = ReadModel(
    name="later",
    version=1,
    schema="CREATE TABLE later (match TEXT PRIMARY KEY, done INTEGER)",
    tables=("later",),
    keep=let_lie,
    forget=lambda connection, matches: connection.executemany(
        "DELETE FROM later WHERE match = ?", [(match,) for match in matches]
    ),
    catch_up=do_one,
)


@pytest.fixture
def file(tmp_path):
    return tmp_path / "gateway.sqlite"


async def rows(running, table):
    return await running.database.run(lambda connection: set(connection.execute(f"SELECT * FROM {table}")))


def seated(found):
    return {
        (name, number, seat.player)
        for name, played in found.items()
        for number, seat in enumerate(played.aggregate.facts.seats)
        if seat.player
    }


async def test_a_model_is_told_of_every_change_of_a_matchs_facts(event_log, file):
    found = await told(event_log)
    async with Running(event_log, file, (SEATED,)) as running:
        assert await rows(running, "seated") == seated(found)
        await found["A"].join()
        await running.until(lambda listed: listed["A"].facts.status is Status.RUNNING)
        assert ("A", 1, BOB) in await rows(running, "seated")
        assert await rows(running, "seated") == seated(found)


async def test_a_model_is_kept_with_the_rows_or_not_at_all(log, file):
    played = await (await PlayedMatch(log, "A").started()).finish()
    database = await Database.open(file, (SEATED,))
    changes = [Change.of("A", command) for command in played.commands()]

    def apply(connection):
        place = ("not a shard", bytes(32))
        folding.apply(connection, (SEATED,), changes[:1], {place: Place(1, bytes(32))})

    with pytest.raises(Exception, match="type"):
        await database.run(apply)
    for table in ("matches", "seated", "checkpoints"):
        assert await database.run(lambda connection, t=table: connection.execute(f"SELECT * FROM {t}").fetchall()) == []
    await database.close()


async def test_what_a_model_is_told_twice_changes_nothing(log, file):
    played = await (await PlayedMatch(log, "A").started()).finish()
    database = await Database.open(file, (SEATED,))
    changes = [Change.of("A", command) for command in played.commands()]

    async def applied(changes):
        for change in changes:
            await database.run(lambda connection, change=change: folding.apply(connection, (SEATED,), [change], {}))
        return await database.run(lambda connection: connection.execute("SELECT * FROM seated").fetchall())

    once = await applied(changes)
    assert len(once) == 2
    assert await applied(changes) == once
    assert await applied(changes[::-1]) == once
    await database.close()


async def test_a_match_that_a_model_fails_on_is_missing_there_alone(log, file):
    found = await told(log)

    def fail_on_c(connection, kept):
        keep_seats(connection, kept)
        if any(each.facts.id == "C" for each in kept):
            connection.execute("INSERT INTO seated VALUES ('half done', 0, '')")
            raise RuntimeError("no such seat")

    failing = replace(SEATED, keep=fail_on_c)
    async with Running(log, file, (failing, LATER)) as running:
        assert set(await running.listed()) == set(found)
        assert {match for match, *_ in await rows(running, "seated")} == set(found) - {"C"}
        assert {match for match, _ in await rows(running, "later")} == set(found)


async def test_a_changed_model_alone_is_built_anew(log, file):
    found = await told(log)
    async with Running(log, file, (SEATED, LATER)) as running:
        await running.database.run(lambda connection: connection.execute("DELETE FROM later"))
    changed = replace(
        SEATED,
        version=2,
        schema="CREATE TABLE sitting (match, seat, player)",
        tables=("sitting",),
        keep=lambda connection, kept: connection.executemany(
            "INSERT INTO sitting VALUES (?, 0, ?)", [(each.facts.id, each.facts.seats[0].player) for each in kept]
        ),
    )
    async with Running(log, file, (changed, LATER)) as running:
        assert {match for match, *_ in await rows(running, "sitting")} == set(found)
        assert await rows(running, "later") == set()
        tables = await running.database.run(
            lambda connection: connection.execute("SELECT name FROM sqlite_schema WHERE name = 'seated'").fetchall()
        )
        assert tables == []


async def test_a_new_model_is_built_from_the_rows_that_are_there(log, file):
    found = await told(log)
    async with Running(log, file, (SEATED,)):
        pass
    async with Running(log, file, (SEATED, LATER)) as running:
        assert {match for match, _ in await rows(running, "later")} == set(found)
        assert await rows(running, "seated") == seated(found)


async def test_what_a_model_lets_lie_is_done_when_nothing_else_waits(log, file):
    found = await told(log)
    async with Running(log, file, (LATER,)) as running:
        await done(running, found)
        await found["A"].join()
        await running.until(lambda listed: listed["A"].facts.status is Status.RUNNING)
        await done(running, found)


async def test_what_a_closed_gateway_had_left_is_done_by_the_next(log, file):
    found = await told(log)
    async with Running(log, file, (replace(LATER, catch_up=lambda _connection: False),)) as running:
        assert await rows(running, "later") == {(name, 0) for name in found}
    async with Running(log, file, (LATER,)) as running:
        await done(running, found)


async def done(running, found):
    """Returns once nothing is left."""
    async with asyncio.timeout(30):
        while await rows(running, "later") != {(name, 1) for name in found}:
            pass  # each look waits for the file


async def test_a_model_forgets_a_log_that_is_another_now(file):
    log = MemoryLog()
    found = await told(log)
    async with Running(log, file, (SEATED,)):
        pass
    twin = await PlayedMatch(MemoryLog(), "D", seed=9).create()
    log._logs["D"] = list(twin.entries)
    for feed in log._feeds:
        feed.trim(1 << 60)
        feed.first += 1
    del log._logs["E"]
    async with Running(log, file, (SEATED,)) as running:
        del found["E"]
        assert await rows(running, "seated") == seated(found | {"D": twin})
