"""Many who watch one match, without and with one among them who has stopped reading."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, suppress
from statistics import quantiles
from time import perf_counter
from typing import Any

import grpc
from msgspec import Struct

from engines.core import games
from services.cli.bench.faults.player import Player, playing
from services.cli.bench.faults.room import Room
from services.cli.bench.faults.world import World
from services.common.tasks import cancelled
from tidelog.client import VIEW, Client, connect
from tidelog.client.answers import CaughtUp, Entry
from tidelog.v1.matches_pb2 import PlayCommand, PlayRequest
from tidelog.v1.matches_pb2_grpc import MatchServiceStub
from tidelog.v1.payload_pb2 import PAYLOAD_FORM_JSON
from tidelog.v1.refusal_pb2 import RefusalReason

MOVES = 30
PACE_S = 0.3
CLIENTS = 8
PATIENCE_S = 60.0
NARROW = (("grpc.http2.bdp_probe", 0), ("grpc.http2.lookahead_bytes", 65536))
"""What is on its way to who does not read stays small, so that the gateway notices."""


class Delays(Struct, frozen=True):
    """Milliseconds from a move's submit until a watcher has it."""

    deliveries: int
    p50_ms: float
    p99_ms: float


class Watched(Struct, frozen=True):
    """`missed` counts watchers who were not told every entry; `stalled` is how the one who did not read was ended."""

    watchers: int
    before: Delays
    beside: Delays
    missed: int
    stalled: str


class Watcher:
    """Is told a match from its beginning; `came` holds when each version did."""

    def __init__(self) -> None:
        self.came: list[float] = []
        self.here = asyncio.Event()
        self._wanted = 0
        self._told = asyncio.Event()

    async def watch(self, client: Client, match: str) -> None:
        async for update in client.watch(match):
            if isinstance(update, CaughtUp):
                self.here.set()
            elif isinstance(update, Entry) and update.version == len(self.came) + 1:
                self.came.append(perf_counter())
                if len(self.came) >= self._wanted > 0:
                    self._told.set()

    async def reach(self, version: int) -> None:
        self._wanted = version
        if len(self.came) < version:
            await self._told.wait()


class Stalled:
    """Follows matches in one Play session and reads nothing, until `end` does."""

    def __init__(self, call: Any) -> None:
        self._call = call
        self._match = ""

    async def follow(self, match: str, busy: Sequence[str]) -> None:
        """The busy ones fill what waits for it."""
        self._match = match
        follows = [
            PlayCommand(follow=PlayCommand.Follow(match_id=name, accept=PAYLOAD_FORM_JSON, include=(VIEW,)))
            for name in (match, *busy)
        ]
        await self._call.write(PlayRequest(commands=follows))

    async def end(self) -> str:
        """Why it is told no more of the match; empty where it was told to the end."""
        while (response := await self._call.read()) is not grpc.aio.EOF:
            for answer in response.answers:
                if answer.followed.match_id == self._match and answer.followed.update.HasField("end"):
                    refusal = answer.followed.update.end.refusal
                    return RefusalReason.Name(refusal.reason).removeprefix("REFUSAL_REASON_").lower()
        return "the stream ended"


async def watched(world: World, room: Room, watchers: int) -> Watched:
    """Measures while the room plays on; nothing is broken meanwhile."""
    async with AsyncExitStack() as stack:
        gateway = world.roles["gateway 0"].address
        clients = [
            await stack.enter_async_context(connect(gateway, guest=f"watcher {number}")) for number in range(CLIENTS)
        ]
        pair = [await stack.enter_async_context(playing(gateway, f"shown {number}")) for number in (0, 1)]
        crowd = Crowd(world.games, pair, clients, watchers)
        before = await crowd.show(None)
        stalled = Stalled(await _session(stack, gateway))
        busy = [table.match for table in room.tables if table.playing]
        beside = await crowd.show(lambda match: stalled.follow(match, busy))
        ended = await asyncio.wait_for(stalled.end(), PATIENCE_S)
        return Watched(watchers, before, beside, crowd.missed, ended)


async def _session(stack: AsyncExitStack, gateway: str) -> Any:
    async with connect(gateway) as client:
        token = (await client.sign_in_as_guest("stalled")).token
    channel = await stack.enter_async_context(grpc.aio.insecure_channel(gateway, options=NARROW))
    return MatchServiceStub(channel).Play(metadata=(("authorization", f"Bearer {token}"),))


class Crowd:
    """Shows one match after another to the watchers, at a pace."""

    def __init__(self, names: Sequence[str], pair: Sequence[Player], clients: Sequence[Client], watchers: int) -> None:
        self.missed = 0
        self._game = next(name for name in names if _for_two(name))
        self._pair = pair
        self._clients = clients
        self._watchers = watchers

    async def show(self, also: Callable[[str], Awaitable[None]] | None) -> Delays:
        """`also` is done once everybody watches."""
        receipt = await self._pair[0].client.create(self._game, 2, own_seat=0)
        match = receipt.match_id
        await self._pair[1].client.join(match, 1)
        crowd = [Watcher() for _ in range(self._watchers)]
        watching = [
            asyncio.create_task(watcher.watch(self._clients[number % CLIENTS], match))
            for number, watcher in enumerate(crowd)
        ]
        await asyncio.gather(*(watcher.here.wait() for watcher in crowd))
        if also is not None:
            await also(match)
        submitted: dict[int, float] = {}
        for _ in range(MOVES):
            if not await self._move(match, submitted):
                break
            await asyncio.sleep(PACE_S)
        last = max(submitted)
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE_S):
                await asyncio.gather(*(watcher.reach(last) for watcher in crowd))
        await cancelled(*watching)
        self.missed += sum(len(watcher.came) < last for watcher in crowd)
        return _delays(crowd, submitted)

    async def _move(self, match: str, submitted: dict[int, float]) -> bool:
        """Notes when what led to the version was submitted; False once nobody owes a move."""
        turns = (await self._pair[0].client.match(match)).turns
        seat = next((turn.seat for turn in turns if turn.owed), None)
        if seat is None:
            return False
        client = self._pair[seat].client
        found = await client.legal_moves(match, seat)
        assert found.legal is not None
        began = perf_counter()
        accepted = await client.submit(match, seat, found.legal.moves[0], decision=found.decision)
        submitted[accepted.receipt.last_version] = began
        return True


def _for_two(name: str) -> bool:
    engine = games.engine(name)
    return engine.seats[0] <= 2 and 2 not in engine.unofficial_seats


def _delays(crowd: Sequence[Watcher], submitted: dict[int, float]) -> Delays:
    found = [
        (watcher.came[version - 1] - began) * 1000
        for watcher in crowd
        for version, began in submitted.items()
        if version <= len(watcher.came)
    ]
    parts = quantiles(found, n=100)
    return Delays(len(found), round(parts[49], 1), round(parts[98], 1))
