"""Streams that are killed, drained and left behind: resumed anywhere, without gap or repeat."""

import asyncio
from itertools import cycle

import pytest

from engines.core import games
from tests.faults.course import SEATS, course
from tests.faults.ledger import Ledger
from tests.faults.told import Audience, expected
from tidelog.client.trail import version
from tidelog.v1.lifecycle_pb2 import LOG_AFTER_END_CLOSED

GAMES = games.names()
AT_ONCE = 25
MOST_UPDATES = 20
RESTART_AFTER = 500
"""Entries told since the last restart."""

PATIENCE_S = 1800
"""Of the long forms; the short ones take seconds."""


class Run:
    """Matches played at once, each told to two seats and a spectator."""

    def __init__(self, world, people, onlooker):
        self.world, self.people, self.onlooker = world, people, onlooker
        self.ledger = Ledger(world)
        self.audiences = []

    async def plays(self, moves, hears, *, slowly=False):
        """`hears` makes the task of an audience. `slowly`: each request waits until nothing has happened for a while.

        At the end the match is over, and all have been told.
        """
        async with asyncio.TaskGroup() as hearing:
            async for asked in course(self.ledger, self.people, moves, log_after_end=LOG_AFTER_END_CLOSED):
                answer = await self.ledger.ask(asked)
                if asked.rpc == "CreateMatch":
                    hearing.create_task(hears(self.audience(self.onlooker, answer.match, None)))
                if asked.rpc == "StartMatch":
                    for seat in (0, 1):
                        hearing.create_task(hears(self.audience(self.people[seat], answer.match, seat)))
                while slowly and not self.nothing_is_missing(answer):  # noqa: ASYNC110 - a look at sets
                    await asyncio.sleep(0.005)

    @property
    def told(self):
        """How many entries, all audiences together."""
        return sum(len(audience.told) for audience in self.audiences)

    def nothing_is_missing(self, answer):
        """Whether all who are told the match have been told that they have everything up to this answer."""
        here = [audience for audience in self.audiences if audience.match == answer.match]
        wanted = {("checkpoint", answer.cursor), ("end", answer.cursor)}
        return all(wanted & audience.cursors for audience in here)

    def audience(self, person, match, seat):
        self.audiences.append(Audience(self.world, person, match, seat, seed=len(self.audiences)))
        return self.audiences[-1]

    async def check(self):
        logs = await self.ledger.check()
        for audience in self.audiences:
            assert audience.told == expected(logs[audience.match], audience.seat)
        return logs


async def two_gateways(world, checkpoint_s=0.02):
    for _ in range(2):
        await world.replica()
    for _ in range(2):
        await world.door(checkpoint_s=checkpoint_s)
    return Run(world, await world.people(SEATS), await world.person("onlooker"))


async def kill_streams(world, matches, moves):
    """While matches are played, gateways and engines go away too, one after another, in each way."""
    run, room = await two_gateways(world), asyncio.Semaphore(AT_ONCE)
    parts = [(world.doors[0], True), (world.replicas[0], False), (world.doors[1], False), (world.replicas[1], True)]
    restarts = 0

    async def disturb(playing):
        nonlocal restarts
        for part, gently in cycle(parts):
            while run.told < RESTART_AFTER * (restarts + 1):
                if all(match.done() for match in playing):
                    return
                await asyncio.sleep(0.005)
            await world.restart(part, gently=gently)
            restarts += 1

    async def play():
        async with room:
            await run.plays(moves, lambda audience: audience.is_killed(MOST_UPDATES))

    async with asyncio.timeout(PATIENCE_S), asyncio.TaskGroup() as going_on:
        going_on.create_task(disturb([going_on.create_task(play()) for _ in range(matches)]))
    await run.check()
    assert restarts >= len(parts)
    assert sum(audience.streams for audience in run.audiences) > 3 * len(run.audiences)


@pytest.mark.parametrize("game", GAMES)
async def test_streams_killed_at_random_points_of_matches_are_resumed_on_any_gateway(world_of, game):
    await kill_streams(await world_of(game, seed=12), matches=25, moves=4)


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES)
async def test_streams_of_five_hundred_matches_of_each_game_killed_at_random_points_are_resumed(world_of, game):
    await kill_streams(await world_of(game, seed=13), matches=500, moves=12)


async def resume_from_everywhere(world, matches, moves, **settings):
    """Each audience leads; from whatever it is told another stream sets out, live, and once more after the end."""
    run = await two_gateways(world, **settings)
    live = []

    async def leads(audience):
        async with asyncio.TaskGroup() as following:
            async for cursor in audience.leads():
                live.append(audience.from_here(cursor))
                following.create_task(live[-1].listens())

    async with asyncio.timeout(PATIENCE_S), asyncio.TaskGroup() as going_on:
        for _ in range(matches):
            going_on.create_task(run.plays(moves, leads, slowly=True))
    logs = await run.check()
    kinds = {kind for audience in run.audiences for kind, _ in audience.cursors}
    assert kinds == {"entry", "caught_up", "checkpoint", "end"}
    late = []
    for audience in run.audiences:
        every = ["", *(told.cursor for told in expected(logs[audience.match], audience.seat))]
        assert {cursor for _, cursor in audience.cursors} <= set(every)
        late += map(audience.from_here, every)
    await asyncio.gather(*(each.listens() for each in late))
    for each in live + late:
        assert each.told == expected(logs[each.match], each.seat)[version(each.after) :]


@pytest.mark.parametrize("game", GAMES)
async def test_streams_are_resumed_from_every_version_checkpoint_and_present(world_of, game):
    await resume_from_everywhere(await world_of(game, seed=14), matches=2, moves=2)


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES)
async def test_streams_of_ten_matches_of_each_game_are_resumed_from_every_version(world_of, game):
    await resume_from_everywhere(await world_of(game, seed=15), matches=10, moves=12, checkpoint_s=1.0)
