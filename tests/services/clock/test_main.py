"""The clock service with the real engine host, on a log in memory whose time a test sets."""

import asyncio
from collections import Counter
from contextlib import asynccontextmanager

import pytest

from services.clock import main
from services.clock.main import AT_ONCE, ClockService
from services.common.refusals import Reason, Refused
from services.eventlog import hashes
from services.eventlog.entries import header_of
from services.eventlog.outages import OUTAGE_MS
from services.eventlog.port import StoreAway
from services.eventlog.timetable import Due
from tests.gateway.waiting import until
from tests.metered import Metered
from tests.services.engine.given import Party, by_then
from tests.services.engine.hours import Hours
from tests.services.eventlog.given import EDITION, GAME
from tests.services.eventlog.timed import MINUTE, terms
from tidelog.v1.engine_pb2 import EngineAnswer

PATIENCE_S = 30
OUT = "match.timed_out"


class Floor:
    """A host, and the engine link to it that a clock uses. `faults` are met by the next proposals."""

    def __init__(self) -> None:
        self.hours = Hours()
        self.asked: Counter[str] = Counter()
        self.faults: list[Exception] = []

    async def open(self) -> "Floor":
        self.host = await self.hours.host()
        await self.host.beat()
        return self

    async def ask(self, game: str, command, _timeout_s: float) -> EngineAnswer:
        kind = command.WhichOneof("command")
        self.asked[kind] += 1
        assert game == GAME
        if kind == "beat":
            return EngineAnswer(beaten=EngineAnswer.Beaten(outage_until=await self.host.beat()))
        if self.faults:
            raise self.faults.pop(0)
        await self.host.expire(command.match_id, by_then())
        return EngineAnswer()

    async def match(self, name: str, **given) -> str:
        party = Party(self.hours.memory, name, seats=2, mode="young")
        await self.host.create(name, party.creation(terms=terms(absence="forfeit", **given)), EDITION, by_then())
        await self.host.carry_out(name, party.claims()[0], by_then())
        return name

    async def types(self, match: str) -> list[str]:
        return [header_of(entry).type for entry in await self.hours.memory.read(match)]

    async def over(self, *matches: str) -> None:
        """Returns once they are."""
        numbers = [0] * 16
        async with asyncio.timeout(PATIENCE_S):
            while not all([(await self.types(match))[-1] == "match.secret_revealed" for match in matches]):
                for shard, entry in await self.hours.memory.follow(numbers, 1000):
                    numbers[shard] = entry.number


@pytest.fixture
async def floor() -> Floor:
    return await Floor().open()


@asynccontextmanager
async def clock(floor: Floor, *, beats: bool = False, games=(GAME,)):
    service = ClockService(floor.hours.memory, floor.ask, games, beats=beats)
    service.start()
    try:
        yield service
    finally:
        await service.close()


async def test_what_is_due_is_proposed_once_and_nothing_else(floor):
    matches = [await floor.match(f"MATCH{number}") for number in range(5)]
    await floor.hours.pass_by(MINUTE, floor.host)
    later, metered = await floor.match("LATER"), Metered()
    async with clock(floor):
        await floor.over(*matches)
        await until(lambda: metered.since("tidelog_expiries_total", game=GAME, outcome="carried_out") == 5)
    assert floor.asked["expire"] == 5
    assert OUT not in await floor.types(later)


async def test_two_clocks_have_each_deadline_carried_out_once(floor):
    matches = [await floor.match(f"MATCH{number}") for number in range(20)]
    await floor.hours.pass_by(MINUTE, floor.host)
    async with clock(floor), clock(floor):
        await floor.over(*matches)
    for match in matches:
        assert (await floor.types(match)).count(OUT) == 1


@pytest.mark.parametrize("fault", [Refused(Reason.ENGINE_AWAY, "gone"), RuntimeError("broken for the test")])
async def test_a_proposal_that_was_not_answered_is_made_again(floor, fault):
    match = await floor.match("MATCH")
    await floor.hours.pass_by(MINUTE, floor.host)
    floor.faults = [fault]
    async with clock(floor):
        await floor.over(match)
    assert floor.asked["expire"] == 2


async def test_a_store_that_was_away_is_asked_again(floor, monkeypatch):
    match = await floor.match("MATCH")
    await floor.hours.pass_by(MINUTE, floor.host)
    table, faults = floor.hours.memory.timetable, [StoreAway("gone"), RuntimeError("broken for the test")]
    due = table.due

    async def away(*given):
        if faults:
            raise faults.pop()
        return await due(*given)

    monkeypatch.setattr(table, "due", away)
    async with clock(floor):
        await floor.over(match)
    assert faults == []


async def test_matches_of_games_that_it_does_not_reach_are_left_to_others(floor):
    match = await floor.match("MATCH")
    await floor.hours.pass_by(MINUTE, floor.host)
    async with clock(floor, games=("south_seas",)) as service:
        await service._look()
        assert service._proposed == {}
    assert OUT not in await floor.types(match)


async def test_matches_of_other_games_keep_none_of_its_own_from_being_seen(floor):
    match = await floor.match("MATCH")
    await floor.hours.pass_by(MINUTE, floor.host)
    beside = [name for name in map(str, range(10_000)) if hashes.shard(name) == hashes.shard(match)]
    for name in beside[: 3 * AT_ONCE]:
        floor.hours.memory.timetable.write(name, Due("south_seas", 1))
    service = ClockService(floor.hours.memory, floor.ask, (GAME,), beats=False)
    for _ in range(2):
        await looked(service)
    assert floor.asked["expire"] == 1


async def looked(service: ClockService) -> None:
    """It has looked, and what it proposed then is answered."""
    await service._look()
    await asyncio.gather(*service._proposed.values())


async def test_a_match_that_was_refused_is_left_alone_for_a_while(floor):
    await floor.match("MATCH")
    await floor.hours.pass_by(MINUTE, floor.host)
    floor.faults = [Refused(Reason.ENGINE_AWAY, "gone", retry_after_ms=60_000)]
    service = ClockService(floor.hours.memory, floor.ask, (GAME,), beats=False)
    for _ in range(3):
        await looked(service)
    assert floor.asked["expire"] == 1


async def test_a_match_is_proposed_once_at_a_time(floor):
    match = await floor.match("MATCH")
    await floor.hours.pass_by(MINUTE, floor.host)
    service = ClockService(floor.hours.memory, floor.ask, (GAME,), beats=False)
    async with floor.host.warm.turn(match):
        for _ in range(3):
            await service._look()
        assert len(service._proposed) == 1
    await floor.over(match)
    await asyncio.gather(*service._proposed.values())
    assert floor.asked["expire"] == 1


async def test_an_outage_is_made_good_once(floor):
    await floor.match("MATCH")
    floor.hours.now += OUTAGE_MS + 1
    service = ClockService(floor.hours.memory, floor.ask, (GAME,), beats=True)
    told = await service._beat(GAME, 0)
    await (first := service._making_good[GAME])
    assert await service._beat(GAME, told) == told
    assert service._making_good[GAME] is first
    assert floor.asked["expire"] == 1


async def test_one_that_beats_has_what_an_outage_took_given_back_at_once(floor):
    match = await floor.match("MATCH")
    floor.hours.now += OUTAGE_MS + 1
    async with clock(floor, beats=True), asyncio.timeout(PATIENCE_S):
        while (await floor.types(match))[-1] != "match.time_compensated":  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.01)
    assert floor.asked["beat"] >= 1


@pytest.mark.parametrize("fault", [Refused(Reason.ENGINE_AWAY, "gone"), StoreAway("gone"), RuntimeError("broken")])
async def test_a_beat_that_fails_is_followed_by_others(floor, monkeypatch, fault):
    monkeypatch.setattr(main, "BEAT_EVERY_S", 0.01)
    faults = [fault]

    async def failing(game, command, timeout_s):
        if faults and command.HasField("beat"):
            raise faults.pop()
        return await floor.ask(game, command, timeout_s)

    service = ClockService(floor.hours.memory, failing, (GAME,), beats=True)
    service.start()
    try:
        await until(lambda: floor.asked["beat"] > 1)
    finally:
        await service.close()


async def test_an_outage_of_long_ago_is_not_gone_into_again(floor):
    await floor.match("MATCH")
    floor.hours.now += OUTAGE_MS + 1
    await floor.host.beat()
    await floor.hours.pass_by(2 * MINUTE, floor.host)
    service = ClockService(floor.hours.memory, floor.ask, (GAME,), beats=True)
    assert await service._beat(GAME, 0) > 0
    assert service._making_good == {}
    await service.close()
