"""Rebuilds beside a list that serves: what they find, what they put right, and that nothing else changes."""

import asyncio

import pytest
from structlog.testing import capture_logs

from gateway import metrics
from gateway.projections.database import Database
from gateway.projections.rebuilding import Rebuilder
from gateway.projections.relisting import KEYS, VARIANTS
from services.common.refusals import Reason, Refused
from services.eventlog.match import Status
from services.eventlog.port import StoreError
from tests.gateway.played import ANN, BOB, PlayedMatch
from tests.gateway.projections.running import Running, told
from tests.gateway.projections.test_keeping import LATER, SEATED, done, rows, seated

MODELS = (SEATED, LATER)
NAMES = ("matches", "seated", "later")

TWIN = """
CREATE TEMP TABLE twin AS SELECT * FROM matches WHERE id = 'E'; UPDATE twin SET id = 'gone';
INSERT INTO matches SELECT * FROM twin; DROP TABLE twin
"""


@pytest.fixture
async def found(event_log):
    return await told(event_log)


@pytest.fixture
async def running(event_log, found, tmp_path):
    async with Running(event_log, tmp_path / "gateway.sqlite", MODELS) as running:
        running.rebuilder = Rebuilder(running.database, event_log, running.projection)
        await done(running, found)
        yield running
        await running.rebuilder.close()


def damaging(statements):
    return lambda connection: connection.executescript(statements)


async def content(running):
    """Everything that the file holds."""
    return {table: await rows(running, table) for table in (*KEYS, VARIANTS, "seated", "later", "checkpoints")}


@pytest.mark.parametrize("name", NAMES)
async def test_what_is_right_is_found_equal_and_left_alone(running, found, name):
    before = await content(running)
    rebuilt = await running.rebuilder.rebuild(name)
    assert (rebuilt.matches, rebuilt.differing) == (len(found), 0)
    listed = 5 + 5 + 9  # for everyone, for who made them, for who sit there
    assert rebuilt.rows == {"matches": 5 + 9 + listed, "seated": 9, "later": 5}[name]
    assert await content(running) == before


async def test_a_list_kept_command_by_command_is_what_the_logs_make_at_once(event_log, running):
    played = await PlayedMatch(event_log, "F", seed=3).create()
    await kept(running, played)
    await played.join()
    await kept(running, played)
    await played.move()
    await kept(running, played)
    assert (await running.rebuilder.rebuild("matches")).differing == 0


async def kept(running, played):
    last = played.aggregate.cursor
    await running.until(lambda listed: played.id in listed and listed[played.id].facts.cursor == last)


async def test_a_list_that_is_behind_the_logs_is_waited_for(event_log, running, monkeypatch):
    fed, go_on = asyncio.Event(), asyncio.Event()
    feed = running.projection.feed

    async def held_back(shard, entries):
        fed.set()
        await go_on.wait()
        await feed(shard, entries)

    monkeypatch.setattr(running.projection, "feed", held_back)
    await PlayedMatch(event_log, "F").create()
    await fed.wait()
    rebuild = asyncio.create_task(running.rebuilder.rebuild("matches"))
    places, asked = running.projection.places, asyncio.Event()

    async def places_asked():
        asked.set()
        return await places()

    monkeypatch.setattr(running.projection, "places", places_asked)
    await asyncio.wait_for(asked.wait(), 30)
    go_on.set()
    rebuilt = await rebuild
    assert (rebuilt.matches, rebuilt.differing) == (6, 0)


async def test_what_a_model_has_left_is_done_before_it_is_compared(running):
    await running.database.run(damaging("UPDATE later SET done = 0"))
    assert (await running.rebuilder.rebuild("later")).differing == 0


@pytest.mark.parametrize(
    ("statement", "differing"),
    [
        ("UPDATE matches SET status = 'open' WHERE id = 'C'", 2),
        ("UPDATE matches SET facts = replace(facts, 'bob', 'eve') WHERE id = 'C'", 2),
        ("DELETE FROM matches WHERE id = 'B'", 1),
        ("DELETE FROM seats WHERE match = 'D' AND seat = 1", 1),
        ("INSERT INTO seats VALUES ('tidelog|eve', 'D', 7)", 1),
        (TWIN, 1),
        ("DELETE FROM listed WHERE match = 'C' AND who = ''", 1),
        ("UPDATE listed SET changed_at = 0 WHERE match = 'C' AND who = ''", 2),
        ("INSERT INTO frozen VALUES ('D', 1, x'00', 7, '{}')", 1),
        ("INSERT INTO quick VALUES ('D', x'00', 1)", 1),
        ("INSERT INTO quick_asked VALUES ('r', 'D')", 1),
        ("DELETE FROM variants", 5),
    ],
    ids=[
        *("column", "facts", "missing row", "missing seat", "seat too many", "match without a log", "not listed"),
        *("listed elsewhere", "frozen", "quick", "asked for", "variants"),
    ],
)
async def test_a_damaged_list_is_put_right_and_told_of(running, statement, differing):
    before = await content(running)
    counted = metrics.READ_MODEL_DIFFERENCES.labels("matches")
    count = counted._value.get()
    await running.database.run(damaging(statement))
    with capture_logs() as logs:
        rebuilt = await running.rebuilder.rebuild("matches")
    assert rebuilt.differing == differing
    assert counted._value.get() == count + differing
    assert [line["rows"] for line in logs if line["event"] == "a read model was not what it is rebuilt to"] == [
        differing
    ]
    assert await content(running) == before
    assert (await running.rebuilder.rebuild("matches")).differing == 0


@pytest.mark.parametrize(
    ("statement", "differing"),
    [
        ("DELETE FROM seated", 9),
        ("UPDATE seated SET player = 'eve' WHERE match = 'C' AND seat = 0", 2),
        ("INSERT INTO seated VALUES ('gone', 0, 'eve')", 1),
    ],
    ids=["emptied", "changed", "too many"],
)
async def test_a_damaged_model_is_put_right_and_told_of(running, statement, differing):
    before = await content(running)
    await running.database.run(damaging(statement))
    assert (await running.rebuilder.rebuild("seated")).differing == differing
    assert await content(running) == before
    assert (await running.rebuilder.rebuild("seated")).differing == 0


@pytest.mark.parametrize("name", NAMES)
async def test_what_is_played_while_a_model_is_rebuilt_is_in_it(event_log, running, found, name):
    """However the two meet: a match is created, joined, moved in and finished between the steps of every rebuild."""
    await running.database.run(damaging("DELETE FROM seated; DELETE FROM later WHERE match = 'A'"))
    rebuilds = asyncio.create_task(again_and_again(running.rebuilder, name))
    for number in range(12):
        played = found[f"new {number}"] = await PlayedMatch(event_log, f"new {number}", seed=number).create()
        await found["C"].move()
        await played.join()
        await played.move()
    await found["B"].finish()
    rebuilds.cancel()
    with pytest.raises(asyncio.CancelledError):
        await rebuilds
    await running.until(
        lambda listed: all(
            name in listed and listed[name].facts.cursor == played.aggregate.cursor for name, played in found.items()
        )
    )
    assert (await running.rebuilder.rebuild("matches")).differing == 0
    await running.rebuilder.rebuild("seated")
    assert await rows(running, "seated") == seated(found)


async def again_and_again(rebuilder, name):
    found = [await rebuilder.rebuild(name)]
    while True:
        found.append(await rebuilder.rebuild(name))
        assert found[-1].differing == 0


async def test_lists_are_answered_while_a_rebuild_reads_the_logs(event_log, running, found, monkeypatch):
    reading, go_on = asyncio.Event(), asyncio.Event()
    read = event_log.read

    async def slow(match, after=0, limit=None):
        reading.set()
        await go_on.wait()
        return await read(match, after, limit)

    monkeypatch.setattr(event_log, "read", slow)
    rebuild = asyncio.create_task(running.rebuilder.rebuild("matches"))
    await reading.wait()
    await found["A"].join()
    async with asyncio.timeout(30):
        await running.until(lambda listed: listed["A"].facts.status is Status.RUNNING)
    assert not rebuild.done()
    go_on.set()
    assert (await rebuild).differing == 0


async def test_one_who_stops_waiting_stops_nothing(event_log, running, monkeypatch):
    await running.database.run(damaging("DELETE FROM seats WHERE match = 'D'"))
    reading, go_on = asyncio.Event(), asyncio.Event()
    read = event_log.read

    async def slow(match, after=0, limit=None):
        reading.set()
        await go_on.wait()
        return await read(match, after, limit)

    monkeypatch.setattr(event_log, "read", slow)
    first = asyncio.create_task(running.rebuilder.rebuild("matches"))
    await reading.wait()
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    go_on.set()
    assert (await running.rebuilder.rebuild("matches")).differing == 0
    assert [held.match for held in await running.projection.seats_of(BOB)] == ["B", "C"]


async def test_a_rebuild_that_is_cut_off_leaves_all_as_it_was(event_log, running, monkeypatch):
    await running.database.run(damaging("DELETE FROM seats WHERE match = 'D'"))
    before = await content(running)
    reading = asyncio.Event()

    async def never(*_):
        reading.set()
        await asyncio.Event().wait()

    with monkeypatch.context() as patched:
        patched.setattr(event_log, "read", never)
        rebuild = asyncio.create_task(running.rebuilder.rebuild("matches"))
        await reading.wait()
        await running.rebuilder.close()
        with pytest.raises(asyncio.CancelledError):
            await rebuild
    assert await content(running) == before


async def test_a_store_that_is_away_ends_the_rebuild_and_changes_nothing(event_log, running, monkeypatch):
    before = await content(running)

    async def away(*_):
        raise StoreError("away")

    with monkeypatch.context() as patched:
        patched.setattr(event_log, "heads", away)
        with pytest.raises(StoreError):
            await running.rebuilder.rebuild("matches")
    assert await content(running) == before
    assert (await running.rebuilder.rebuild("matches")).differing == 0


@pytest.mark.parametrize("name", ["", "matchs", "seats", "MATCHES"])
async def test_an_unknown_name_is_refused_with_those_that_exist(running, name):
    with pytest.raises(Refused) as raised:
        await running.rebuilder.rebuild(name)
    assert raised.value.reason is Reason.MALFORMED
    assert all(each in raised.value.message for each in NAMES)


async def test_the_players_own_seats_are_served_again(running):
    await running.database.run(damaging("DELETE FROM matches; DELETE FROM seats"))
    rebuilt = await running.rebuilder.rebuild("matches")
    assert rebuilt.differing == 5 + 9
    assert len(await running.projection.seats_of(ANN)) == 3


async def test_no_table_is_left_out(tmp_path):
    """But those of what the file has read and found, which no log holds."""
    database = await Database.open(tmp_path / "gateway.sqlite", MODELS)
    question = "SELECT name FROM sqlite_schema WHERE type = 'table'"
    tables = await database.run(lambda connection: connection.execute(question).fetchall())
    others = {"checkpoints", "models", "rewinds", *(table for model in MODELS for table in model.tables)}
    assert {name for (name,) in tables} - others == {*KEYS, VARIANTS}
    await database.close()
