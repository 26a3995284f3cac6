"""Clocks over the API, with parts that are drained or killed: whatever happens, each deadline has one effect."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from services.bots.service import BotService
from services.cli.tokens import Minter
from services.clock.main import alone
from services.eventlog import hashes
from services.eventlog.entries import header_of
from services.eventlog.outages import OUTAGE_MS, Beats
from services.eventlog.reading import lines_of, read
from tests.faults.world import CLUSTER_KEY, Person, World
from tidelog.client import VIEW
from tidelog.client.answers import CaughtUp, Entry
from tidelog.client.terms import Clock, Terms

GAME = "lost_seas"
PATIENCE_S = 60
SHORT = Clock(move_ms=1000)
LONG = Clock(move_ms=600_000)
OUT = "match.timed_out"


@pytest.fixture
async def world(clean_store, tmp_path) -> AsyncIterator[World]:
    async with World(GAME, clean_store, tmp_path) as found:
        yield found


async def begun(people: list[Person], *, clock: Clock = SHORT, absence: str = "forfeit", **more) -> str:
    """A match of persons, of whom nobody moves."""
    given = Terms(clock=clock, absence=absence, **more)
    receipt = (
        await people[0].clients[0].create(GAME, len(people), options={"young_explorers": True}, own_seat=0, terms=given)
    )
    for seat, person in enumerate(people[1:], start=1):
        await person.clients[0].join(receipt.match_id, seat)
    return receipt.match_id


async def ended(person: Person, match: str, door: int = -1) -> list[str]:
    """Returns once the match is over; the types of its entries, by what the API told."""
    async with asyncio.timeout(PATIENCE_S):
        return [each.type async for each in person.clients[door].watch(match) if isinstance(each, Entry)]


async def until(world: World, at_ms: int) -> None:
    """Returns once the store's clock is past that time."""
    async with asyncio.timeout(PATIENCE_S):
        while await world.log.time_ms() <= at_ms:  # noqa: ASYNC110 - the store's clock tells nobody
            await asyncio.sleep(0.01)


async def types(world: World, match: str) -> list[str]:
    return [header_of(entry).type for entry in await world.log.read(match)]


async def checks(person: Person, match: str) -> None:
    """The log of a match that is over checks: every clock recomputed, every draw drawn again."""
    read(lines_of([b"".join([chunk async for chunk in person.clients[-1].log(match).export(full=True)])]))


async def test_who_does_not_move_loses_and_the_log_proves_it(world):
    await world.replica()
    await world.door()
    people = await world.people(2)
    match = await begun(people)
    assert (await ended(people[1], match))[-3:] == [OUT, "match.finished", "match.secret_revealed"]
    details = await people[0].clients[0].match(match)
    assert [(standing.seat, standing.place) for standing in details.match.ranking] == [(1, 1), (0, 2)]
    assert details.match.seats[0].vacant
    assert [clock.deadline_ms for clock in details.clocks] == [None, None]
    await checks(people[0], match)


async def test_clocks_are_told_with_the_match_and_with_situations(world):
    await world.replica()
    await world.door()
    people = await world.people(2)
    match = await begun(people, clock=LONG)
    details = await people[0].clients[0].match(match)
    assert [clock.left_ms for clock in details.clocks] == [600_000, 600_000]
    assert details.clocks[0].deadline_ms == details.match.changed_at_ms + 600_000
    assert details.clocks[1].deadline_ms is None
    async for update in people[0].clients[0].watch(match, include=(VIEW,)):
        if isinstance(update, CaughtUp):
            assert update.situation.clocks == details.clocks
            break


async def test_many_clocks_propose_and_each_deadline_has_one_effect(world):
    await asyncio.gather(world.replica(), world.replica())
    for _ in range(2):
        await world.door()
    people = await world.people(3)
    places = (f"{GAME}={','.join(replica.address for replica in world.replicas)}",)
    async with alone(world.log, places, CLUSTER_KEY), alone(world.log, places, CLUSTER_KEY):
        matches = [await begun(people) for _ in range(12)]
        for told in await asyncio.gather(*(ended(people[0], match) for match in matches)):
            assert Counter(told)[OUT] == 2
    for match in matches:
        assert Counter(await types(world, match))[OUT] == 2
        await checks(people[0], match)
    assert await world.log.timetable.due(2**52, 99) == []


async def test_an_engine_that_is_away_at_the_deadline_delays_it(world):
    replica = await world.replica()
    await world.door()
    people = await world.people(2)
    match = await begun(people)
    await replica.kill()
    deadline = (await people[0].clients[0].match(match)).clocks[0].deadline_ms
    await until(world, deadline)
    assert OUT not in await types(world, match)
    await replica.start()
    assert Counter(await ended(people[1], match))[OUT] == 1
    await checks(people[1], match)


async def test_what_an_engine_was_away_is_given_back_while_store_and_gateway_served(world):
    replica = await world.replica()
    await world.door()
    people = await world.people(2)
    match = await begun(people, clock=Clock(move_ms=3000))
    begin = (await people[0].clients[0].match(match)).match.changed_at_ms
    await replica.kill()
    last = (await world.log.timetable.beats(GAME)).last
    await until(world, max(last, begin) + OUTAGE_MS + 1000)
    await replica.start()
    told = await ended(people[1], match)
    assert (told.count("match.time_compensated"), told.count(OUT)) == (1, 1)
    assert told.index("match.time_compensated") < told.index(OUT)
    await checks(people[1], match)


@pytest.mark.parametrize("gently", [True, False])
async def test_a_gateway_that_begins_again_behind_the_deadline_has_it_carried_out(world, gently):
    await world.replica()
    door = await world.door()
    people = await world.people(2)
    match = await begun(people)
    await (door.drain() if gently else door.kill())
    deadline = (await world.log.timetable.due(2**52, 9))[0].at
    await until(world, deadline)
    assert OUT not in await types(world, match)
    await door.start()
    assert Counter(await ended(people[1], match))[OUT] == 1


async def test_a_match_that_nobody_joins_expires(world):
    await world.replica()
    await world.door()
    (ann,) = await world.people(1)
    receipt = await ann.clients[0].create(GAME, 2, own_seat=0, terms=Terms(open_ms=10_000))
    assert (await ended(ann, receipt.match_id))[-2:] == ["match.expired", "match.secret_revealed"]
    assert (await ann.clients[0].match(receipt.match_id)).match.status == "expired"
    await checks(ann, receipt.match_id)


@asynccontextmanager
async def bots(world: World) -> AsyncIterator[None]:
    minter = await Minter.on(world.log)
    service = BotService(world.doors[0].address, minter.bot)
    await service.start()
    try:
        yield
    finally:
        await service.stop()


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("absence", ["autopilot", "bot", "forfeit"])
async def test_a_match_between_bots_and_an_absent_person_ends(world, absence, seats):
    await world.replica()
    await world.door()
    (ann,) = await world.people(1)
    policy = "greedy" if absence == "bot" else ""
    given = Terms(clock=SHORT, absence=absence, absence_policy=policy)
    async with bots(world):
        client = ann.clients[0]
        taken = dict.fromkeys(range(1, seats), "greedy")
        receipt = await client.create(GAME, seats, own_seat=0, bots=taken, terms=given)
        assert (await ended(ann, receipt.match_id))[-3:] == [OUT, "match.aborted", "match.secret_revealed"]
    await checks(ann, receipt.match_id)


async def test_a_bot_stands_in_for_an_absent_person_and_plays_to_the_end(world):
    """The person who is there has all the time, from a bank that the absent one has used up."""
    await world.replica()
    await world.door()
    ann, ben = await world.people(2)
    bank = Clock(bank_ms=3000, increment_ms=60_000)
    async with bots(world):
        match = await begun([ann, ben], clock=bank, absence="bot", absence_policy="greedy")
        async for turn in ben.clients[0].turns(match, 1):
            await turn.play(turn.moves[0])
        details = await ben.clients[0].match(match)
    assert (details.match.status, details.match.seats[0].stand_in) == ("finished", "tidelog|bot:greedy")
    assert (details.match.seats[0].player, details.match.seats[0].vacant) == (ann.player, True)
    assert [(standing.seat, standing.place) for standing in details.match.ranking] == [(1, 1), (0, 2)]
    told = await types(world, match)
    assert (told.count(OUT), told.count("match.bot_seated")) == (1, 1)
    await checks(ben, match)


async def test_gateways_beat_and_a_lone_clock_does_not(world):
    replica = await world.replica()
    async with alone(world.log, (f"{GAME}={replica.address}",), CLUSTER_KEY):
        await world.log.timetable.due(0, 1)
        assert await world.log.timetable.beats(GAME) == Beats()
    await world.door()
    async with asyncio.timeout(PATIENCE_S):
        while not (await world.log.timetable.beats(GAME)).last:  # noqa: ASYNC110 - beats tell nobody
            await asyncio.sleep(0.01)


async def test_the_timetable_of_a_shard_is_that_of_its_matches(world):
    await world.replica()
    await world.door()
    people = await world.people(2)
    match = await begun(people, clock=LONG)
    (waiting,) = await world.log.timetable.clocked(hashes.shard(match))
    deadline = (await people[0].clients[0].match(match)).clocks[0].deadline_ms
    assert (waiting.match, waiting.game, waiting.at) == (match, GAME, deadline)
