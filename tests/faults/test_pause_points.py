"""Kill -9 of engine, gateway and store between every two steps of a write: one truth, one effect, the match goes on."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import pytest_asyncio

from services.cli import children
from services.cli.bench.faults.checking import held, losses
from services.cli.bench.faults.player import Player, playing
from services.cli.bench.faults.record import Acknowledged, Record, Told
from services.cli.bench.faults.world import STORE, World
from services.eventlog import embedded
from services.eventlog.redis_log import RedisLog
from tests.faults.pauses import COLD, POINTS, Pauses, start_paused
from tests.integration.platform import SHORT
from tidelog.client import VIEW, new_request_id
from tidelog.client.answers import End, Entry

pytestmark = pytest.mark.asyncio(loop_scope="module")

VICTIMS = ("engine", "gateway", STORE)
PATIENCE_S = 60
MOVES_AFTER = 3


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def pauses(tmp_path_factory) -> AsyncIterator[Pauses]:
    async with Pauses(tmp_path_factory.mktemp("p") / "s").serving() as pauses:
        yield pauses


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def world(tmp_path_factory, pauses) -> AsyncIterator[World]:
    folder: Path = tmp_path_factory.mktemp("w")
    with pytest.MonkeyPatch.context() as patch:
        start_paused(patch, folder, pauses)
        for supervision in (children, embedded):  # the pause that grows where one dies again and again has other tests
            patch.setattr(supervision, "LONGEST_PAUSE_S", supervision.FIRST_PAUSE_S)
        async with World(folder / "data", (SHORT,)).running(bots=False) as world:
            yield world


class Match:
    """Two players who are told all of it, and one move at a time, under a request id."""

    def __init__(self, players: tuple[Player, Player], match: str) -> None:
        self.players = players
        self.record = Record(match, SHORT)
        self.news = asyncio.Condition()

    @property
    def id(self) -> str:
        return self.record.match

    async def listen(self, seat: int) -> None:
        player = self.players[seat]
        begin = player.follow if seat else player.watch
        told, news = Told(f"seat {seat}", seat), begin(self.id, seat, (VIEW,))
        self.record.told.append(told)
        while not isinstance(update := await news.get(), End):
            if isinstance(update, Entry):
                told.hear(update)
                told.see(update.situation)
                async with self.news:
                    self.news.notify_all()

    async def move(self) -> None:
        """Whoever owes a move makes one, and asks for the answer once more: it is the same, of one effect."""
        details = await self.players[0].client.match(self.id)
        seat = next(turn.seat for turn in details.turns if turn.owed)
        player, request, unary = self.players[seat], new_request_id(), seat == 0
        found = await player.client.legal_moves(self.id, seat)
        submit = (self.id, seat, found.legal.moves[0], found.decision, request)
        receipt = (await player.move(*submit, unary=unary)).receipt
        again = (await player.move(*submit, unary=unary)).receipt
        assert again.duplicate
        assert (again.first_version, again.cursor) == (receipt.first_version, receipt.cursor)
        self.record.acknowledged.append(Acknowledged(player.key(request), receipt.first_version, receipt.cursor))

    async def move_until(self, stopped: asyncio.Event) -> asyncio.Task[None]:
        """The move whose write has stopped."""
        waiting = asyncio.create_task(stopped.wait())
        while True:
            moving = asyncio.create_task(self.move())
            await asyncio.wait({waiting, moving}, return_when=asyncio.FIRST_COMPLETED)
            if waiting.done():
                return moving
            moving.result()

    async def heard(self, version: int) -> None:
        async with self.news:
            await self.news.wait_for(lambda: all(told.version >= version for told in self.record.told))


@asynccontextmanager
async def begun(world: World) -> AsyncIterator[Match]:
    async with playing(world.target, "Ann") as ann, playing(world.target, "Ben") as ben:
        receipt = await ann.client.create(SHORT, 2, own_seat=0)
        await ben.client.join(receipt.match_id, 1)
        match = Match((ann, ben), receipt.match_id)
        listening = [asyncio.create_task(match.listen(seat)) for seat in (0, 1)]
        yield match
        for task in listening:
            task.cancel()
        await asyncio.gather(*listening, return_exceptions=True)


def standing(world: World, pid: int) -> str:
    return next(name for name, role in world.roles.items() if role.pid == pid)


async def forget(world: World) -> None:
    """No replica knows any match."""
    await asyncio.gather(*(world.kill(name) for name in world.roles if name.startswith("engine")))


@pytest.mark.parametrize("victim", VICTIMS)
@pytest.mark.parametrize("point", POINTS)
async def test_a_move_has_one_effect_and_one_answer_whoever_dies_at(point, victim, world, pauses):
    async with asyncio.timeout(PATIENCE_S), begun(world) as match:
        if point in COLD:
            await forget(world)
        pauses.stop_at(point, match.id)
        moving = await match.move_until(pauses.stopped)
        names = {"engine": standing(world, pauses.pid), "gateway": "gateway 0", STORE: STORE}
        reviving = asyncio.create_task(world.kill(names[victim]))
        if victim == STORE:
            await reviving
        pauses.release()
        await moving
        for _ in range(MOVES_AFTER):
            await match.move()
        await reviving
        log = await RedisLog.open(world.store.url)
        await match.heard((await log.head(match.id)).version)
        assert list(losses(match.record, await held(log, match.id))) == []
        await log.close()
