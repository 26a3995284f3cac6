"""The Python client's replays, delays and logs, against real gateways."""

import asyncio
from contextlib import aclosing

import pytest

from gateway.callers.identity import mint
from gateway.matches import scores
from services.eventlog.terms import Terms
from tests.gateway.matches.test_delays import EVENTS
from tests.gateway.played import ENGINE, GAME, PlayedMatch
from tests.gateway.timers import HastyTimer
from tests.gateway.waiting import until
from tidelog.client import VIEW, Refused, connect
from tidelog.client.answers import CaughtUp
from tidelog.client.logs import LogCaughtUp, LogCheckpoint, LogEntries
from tidelog.client.terms import Delay


@pytest.fixture
def timer():
    return HastyTimer()


@pytest.fixture
async def gateway(floor, timer):
    return await floor.gateway(timer, checkpoint_s=0.02)


@pytest.fixture
async def client(gateway):
    async with connect(gateway.address, token=mint(gateway.parts.guest_key, "reader")) as found:
        yield found


async def over(log, name, seed=1):
    return await (await PlayedMatch(log, name, seed).started()).finish()


async def test_a_replay_keeps_its_pauses_and_ends_where_it_was_asked_to(client, log, timer):
    played = await over(log, "MATCH")
    watching = client.watch("MATCH", include=[VIEW], speed=10, longest_pause_ms=50, until=20, situations=True)
    updates = [update async for update in watching]
    assert [update.version for update in updates] == list(range(1, 21))
    assert set(timer.slept) == {0.05}
    ends = {command[-1].version for command in played.commands()} & set(range(1, 21))
    assert {update.version for update in updates if update.situation} in (ends, ends | {20})


async def test_legal_moves_of_the_past_are_asked_for_by_version(client, log):
    played = await over(log, "MATCH")
    found = [await client.legal_moves("MATCH", 0, version=entry.version) for entry in played.entries]
    assert any(one.legal for one in found)
    assert [one.cursor for one in found] == [str(entry.cursor) for entry in played.entries]


async def test_scores_are_those_of_the_views(client, log, monkeypatch):
    monkeypatch.setattr(scores, "PAGE", 5)
    monkeypatch.setattr(scores, "MAX_COMMAND_EVENTS", 20)
    played = await over(log, "MATCH")
    fold, last = played.fresh(), None
    found = {each.version: each for each in await client.scores("MATCH", seat=1)}
    for entry in played.entries:
        fold.apply(entry)
        last = found.get(entry.version, last)
        assert (last.turn, last.scores) == (ENGINE.turns(fold.state), ENGINE.scores(ENGINE.view(fold.state, 1)))
    assert {each.version for each in found.values() if not each.goes_on} == {
        command[-1].version for command in played.commands()
    }


async def test_a_delay_is_told(client, log):
    played = await PlayedMatch(log, "MATCH").started(terms=EVENTS)
    for _ in range(5):
        await played.move()
    details, view = await client.match("MATCH"), await client.view("MATCH")
    async with aclosing(client.watch("MATCH")) as watching:
        async for update in watching:
            if isinstance(update, CaughtUp):
                break
    assert details.delay == view.delay == update.delay == Delay("events", 5)
    assert details.match.cursor == view.cursor == update.cursor
    await PlayedMatch(log, "OTHER").started(terms=Terms())
    assert (await client.match("OTHER")).delay is None


async def test_the_logs_of_all_matches_are_told_over_broken_streams(client, gateway, log):
    told: list[tuple[str, str]] = []
    kinds = set()

    async def listen():
        async for news in client.watch_log(from_start=True, game=GAME):
            kinds.add(type(news))
            if isinstance(news, LogEntries):
                told.extend((news.match_id, entry.cursor) for entry in news.entries)

    played = [await over(log, "FIRST")]
    listening = asyncio.create_task(listen())
    for seed, name in enumerate(("SECOND", "THIRD", "FOURTH"), start=2):
        last = played[-1].id, str(played[-1].entries[-1].cursor)
        await until(lambda last=last: last in told)
        await gateway._servicer.drain()
        played.append(await over(log, name, seed))
        gateway._servicer._draining = False
    await until(lambda: (played[-1].id, str(played[-1].entries[-1].cursor)) in told and LogCheckpoint in kinds)
    listening.cancel()
    assert told == [(one.id, str(entry.cursor)) for one in played for entry in one.entries]
    assert kinds == {LogEntries, LogCaughtUp, LogCheckpoint}


async def test_a_refusal_of_the_logs_is_raised(client):
    with pytest.raises(Refused, match="malformed"):
        async for _ in client.watch_log(after="nonsense"):
            pass
    with pytest.raises(Refused, match="unknown_game"):
        async for _ in client.watch_log(game="chess"):
            pass


async def test_entries_are_told_as_spectators_see_them(client, log):
    played = await over(log, "MATCH")
    async with aclosing(client.watch_log(from_start=True, types=["match.started"], matches=["MATCH"])) as watching:
        news = await anext(watching)
    assert isinstance(news, LogEntries)
    assert [entry.header for entry in news.entries] == [
        entry.header for entry in played.entries if b'"match.started"' in entry.header
    ]
