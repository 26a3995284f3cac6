"""The logs of all matches, told to readers who move between gateways that go away: without gap or repeat."""

import asyncio
import random
from contextlib import aclosing
from itertools import cycle

import pytest

from engines.core import games
from gateway.callers.identity import KEY_NAME, mint
from tests.faults.test_streams import PATIENCE_S, two_gateways
from tidelog.client import connect
from tidelog.client.logs import LogEntries

GAMES = games.names()
MOST_NEWS = 6
AT_ONCE = 8
RESTART_AFTER = 200
"""Entries told to those who watch matches since the last restart."""


class Reader:
    """`told` is what came, in order; each stream is left after a few pieces of news, the next is any gateway's."""

    def __init__(self, world, token, seed):
        self.world, self.token = world, token
        self.told: list[tuple[str, str]] = []
        self.streams = 0
        self._position = None
        self._chance = random.Random(seed)

    async def reads(self):
        while not asyncio.current_task().cancelling():  # as in `Audience.is_killed`
            door = self._chance.choice(self.world.doors)
            async with connect(door._settings.listen, token=self.token) as client:
                await self._some(client, self._chance.randint(1, MOST_NEWS))
            await self.world.someone_is_there()

    async def _some(self, client, most):
        self.streams += 1
        stream = client.watch_log(after=self._position, from_start=self._position is None)
        async with aclosing(stream):
            async for news in stream:
                if isinstance(news, LogEntries):
                    self.told += [(news.match_id, entry.cursor) for entry in news.entries]
                self._position = news.position
                most -= 1
                if not most:
                    return

    async def has(self, wanted):
        """Returns once all of it was told."""
        while not wanted <= set(self.told):  # noqa: ASYNC110 - a look at sets
            await asyncio.sleep(0.01)


async def read_while_parts_go_away(world, matches, moves):
    run, room = await two_gateways(world), asyncio.Semaphore(AT_ONCE)
    key = await world.log.key(KEY_NAME)
    readers = [Reader(world, mint(key, f"reader {seed}", admin=bool(seed % 2)), seed) for seed in range(4)]
    parts = [(world.doors[0], True), (world.doors[1], False), (world.replicas[0], False), (world.doors[0], False)]
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
            await run.plays(moves, lambda audience: audience.is_killed(20))

    async with asyncio.timeout(PATIENCE_S), asyncio.TaskGroup() as reading_on:
        reading = [reading_on.create_task(reader.reads()) for reader in readers]
        async with asyncio.TaskGroup() as going_on:
            going_on.create_task(disturb([going_on.create_task(play()) for _ in range(matches)]))
        logs = await run.check()
        every = {(match, str(entry.cursor)) for match, log in logs.items() for entry in log.entries}
        for reader in readers:
            await reader.has(every)
        for task in reading:
            task.cancel()
    for reader in readers:
        for match, log in logs.items():
            told = [cursor for told, cursor in reader.told if told == match]
            assert told == [str(entry.cursor) for entry in log.entries]
        assert len(reader.told) == len(every)
    assert restarts > 2
    assert all(reader.streams > 2 for reader in readers)


@pytest.mark.parametrize("game", GAMES)
async def test_readers_of_all_logs_are_told_each_entry_once(world_of, game):
    await read_while_parts_go_away(await world_of(game, seed=21), matches=8, moves=4)


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES)
async def test_readers_of_the_logs_of_two_hundred_matches_are_told_each_entry_once(world_of, game):
    await read_while_parts_go_away(await world_of(game, seed=22), matches=200, moves=12)
