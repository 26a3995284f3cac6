"""Kills and cuts at random, by a seed, and how long it takes until everything goes on."""

import asyncio
from collections.abc import Callable
from random import Random
from time import perf_counter

from msgspec import Struct

from services.cli.bench.faults.room import Room, Table
from services.cli.bench.faults.world import BOTS, World
from services.cli.children import LONG_LIFE_S
from services.cli.errors import CheckFailed
from services.common.tasks import cancelled

LONGEST_PAUSE_S = 3.0
TWO_AT_ONCE = 0.1
LONGEST_HOLD_S = 0.3
CUT_EVERY_S = 0.5
STUCK_S = 60.0


class Kill(Struct, frozen=True):
    """Seconds from the kill until every table in play had its next move, and until the process served again.

    `alone` unless another was killed at the same moment.
    """

    kind: str
    moves_s: float
    serves_s: float
    alone: bool


class Havoc:
    """`kills` and `cuts` (by what was done) tell what happened. The seed gives the order, not the moments.

    Everything is killed once before anything is killed again.
    """

    def __init__(self, world: World, room: Room, seed: int) -> None:
        self.kills: list[Kill] = []
        self.cuts: dict[str, int] = {"cut": 0, "held": 0, "half-closed": 0}
        self._world = world
        self._room = room
        self._random = Random(seed)  # noqa: S311 - no secret
        self._order: list[str] = []
        self._killed: dict[str, float] = {}

    async def run(self, enough: Callable[[], bool]) -> None:
        """Ends with everything serving."""
        cutting = asyncio.create_task(self._cut_on(Random(self._random.random())))  # noqa: S311 - no secret
        try:
            while not enough():
                await asyncio.sleep(self._random.uniform(0, LONGEST_PAUSE_S))
                await self._kill(self._victims())
        finally:
            await cancelled(cutting)

    def _victims(self) -> list[str]:
        """Those whose turn it is, one or two; none that has not lived long: the pause before its restart would grow."""
        if not self._order:
            self._order = self._random.sample(self._world.names, len(self._world.names))
        count = 2 if self._random.random() < TWO_AT_ONCE else 1
        young = perf_counter() - LONG_LIFE_S - 1
        ripe = [name for name in self._order if self._killed.get(name, young) <= young][:count]
        self._order = [name for name in self._order if name not in ripe]
        return ripe

    async def _kill(self, names: list[str]) -> None:
        alone = len(names) == 1
        self.kills += await asyncio.gather(*(self._recovered(name, alone=alone) for name in names))

    async def _recovered(self, name: str, *, alone: bool) -> Kill:
        began = perf_counter()
        going = asyncio.create_task(self._every_table_moved(by_bots=name == BOTS))
        await asyncio.sleep(0)
        serves_s = await self._world.kill(name)
        await going
        moves_s = going.result() - began
        self._killed[name] = perf_counter()
        return Kill(name.partition(" ")[0], moves_s, serves_s, alone)

    async def _every_table_moved(self, *, by_bots: bool) -> float:
        """When every table in play has had an acknowledged move, or one of its bots', or has ended its match."""
        waiting = {table for table in self._room.tables if table.playing and (table.bots or not by_bots)}
        done = asyncio.Event()

        def moved(table: Table, bot: bool) -> None:
            if bot is by_bots:
                waiting.discard(table)
                if not waiting:
                    done.set()

        self._room.listeners.add(moved)
        try:
            if waiting:
                async with asyncio.timeout(STUCK_S):
                    await done.wait()
            return perf_counter()
        except TimeoutError:
            stuck = ", ".join(sorted(table.match for table in waiting))
            raise CheckFailed(f"{STUCK_S:g} s after a kill no move was acknowledged in {stuck}") from None
        finally:
            self._room.listeners.discard(moved)

    async def _cut_on(self, random: Random) -> None:
        while True:
            await asyncio.sleep(random.uniform(0, 2 * CUT_EVERY_S))
            passages = [passage for proxy in self._world.proxies for passage in proxy.passages]
            if not passages:
                continue
            passage, kind = random.choice(passages), random.choice(list(self.cuts))
            if kind == "cut":
                passage.cut()
            elif kind == "held":
                passage.hold(random.uniform(0, LONGEST_HOLD_S))
            else:
                passage.half_close(to_client=random.random() < 0.5)
            self.cuts[kind] += 1
