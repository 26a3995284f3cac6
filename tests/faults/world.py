"""Real parts in this process, on a real store and over gRPC; each may be drained or killed, and begun where it was."""

import asyncio
import random
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, Self

import grpc
from msgspec.structs import replace

from gateway.callers.identity import KEY_NAME, mint
from gateway.main import Gateway
from gateway.settings import GatewaySettings
from services.engine.main import EngineService, EngineSettings
from services.eventlog.redis_log import RedisLog
from tests.integration.serving import CLUSTER_KEY
from tests.ports import free_port
from tidelog.client import Client, Play
from tidelog.client.calling import Caller
from tidelog.client.client import OPTIONS
from tidelog.v1.matches_pb2_grpc import MatchServiceStub

DEADLINE_S = 60.0


def place() -> str:
    return f"127.0.0.1:{free_port()}"


class Replica:
    """An engine replica of one game."""

    def __init__(self, game: str, store: str) -> None:
        self._settings = EngineSettings(game=game, redis_url=store, cluster_key=CLUSTER_KEY, listen=place())
        self.service: EngineService
        self.up = False

    @property
    def address(self) -> str:
        return self.service.address

    async def start(self) -> None:
        self.service = EngineService(self._settings)
        await self.service.start()
        self.up = True

    @property
    def draining(self) -> bool:
        return self.service._servicer._draining

    async def drain(self) -> None:
        """What SIGTERM does."""
        if self.up:
            self.up = False
            await self.service.stop()

    async def kill(self) -> None:
        """What is under way gets no answer, sent to the store or not; nothing is finished."""
        self.up = False
        servicer, log = self.service._servicer, self.service.log
        stopping = asyncio.create_task(self.service.server.server.stop(None))
        while servicer._running or not stopping.done():
            for task in servicer._running:
                task.cancel()
            await asyncio.sleep(0)
        await self.service.watch.close()
        lasting = (*self.service.host._saver.tasks, *log._pipe._lanes, self.service._refreshing)
        for task in lasting:
            task.cancel()
        await asyncio.gather(*lasting, return_exceptions=True)
        for pool in log._pools:
            await pool.disconnect()


class Door:
    """A gateway."""

    def __init__(self, settings: GatewaySettings) -> None:
        self._settings = settings
        self.gateway: Gateway
        self.up = False

    @property
    def address(self) -> str:
        return self.gateway.address

    async def start(self) -> None:
        self.gateway = Gateway(self._settings)
        await self.gateway.start()
        self.up = True

    @property
    def draining(self) -> bool:
        return self.gateway._servicer._draining

    async def drain(self) -> None:
        """What SIGTERM does."""
        if self.up:
            self.up = False
            await self.gateway.stop()

    async def kill(self) -> None:
        """Every stream breaks off, every call is lost."""
        self.up = False
        await self.gateway.server.server.stop(None)
        await self.gateway._open.aclose()


class Person:
    """One player, with a client and a Play session at each door."""

    def __init__(self, name: str, token: str) -> None:
        self.name = name
        self.player = f"tidelog|{name}"
        self.token = token
        self.callers: list[Caller] = []
        self.clients: list[Client] = []
        self.plays: list[Play] = []
        self.stubs: list[Any] = []

    @property
    def metadata(self) -> tuple[tuple[str, str], ...]:
        return (("authorization", f"Bearer {self.token}"),)


class World:
    """One game, its replicas and its doors. `store` is the store's own URL; `log` reads it undisturbed."""

    def __init__(self, game: str, store: str, folder: Path, seed: int = 1) -> None:
        self.game = game
        self.store = store
        self.random = random.Random(seed)
        self.log: RedisLog
        self.replicas: list[Replica] = []
        self.doors: list[Door] = []
        self._folder = folder
        self._open = AsyncExitStack()

    async def __aenter__(self) -> Self:
        self.log = await RedisLog.open(self.store)
        self._open.push_async_callback(self.log.close)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._open.aclose()

    async def replica(self, store: str = "", game: str = "") -> Replica:
        """One on this store, or behind what leads to it."""
        found = Replica(game or self.game, store or self.store)
        await found.start()
        self._open.push_async_callback(found.drain)
        self.replicas.append(found)
        return found

    async def door(self, *replicas: Replica, **settings: Any) -> Door:
        """A gateway that knows these replicas, by default all there are."""
        places = ",".join(replica.address for replica in replicas or self.replicas)
        whole = GatewaySettings(
            redis_url=self.store,
            engines=(f"{self.game}={places}",),
            cluster_key=CLUSTER_KEY,
            data_dir=self._folder / f"gateway {len(self.doors)}",
            listen=place(),
            projection_pause_s=0.0,
        )
        found = Door(replace(whole, **settings))
        await found.start()
        self._open.push_async_callback(found.drain)
        self.doors.append(found)
        return found

    async def person(self, name: str, deadline_s: float = DEADLINE_S) -> Person:
        """Comes to every door there is by now."""
        found = Person(name, mint(await self.log.key(KEY_NAME), name, name=name.capitalize()))
        for door in self.doors:
            channel = await self._open.enter_async_context(grpc.aio.insecure_channel(door.address, options=OPTIONS))
            caller = Caller(channel, found.token, deadline_s)
            client = Client(caller)
            found.callers.append(caller)
            found.clients.append(client)
            found.stubs.append(MatchServiceStub(channel))
            found.plays.append(await self._open.enter_async_context(client.play()))
        return found

    async def people(self, count: int) -> list[Person]:
        return [await self.person(f"p{number}") for number in range(count)]

    async def restart(self, part: Replica | Door, *, gently: bool) -> None:
        async with asyncio.timeout(30):
            await (part.drain() if gently else part.kill())
            await part.start()

    async def restart_all(self, *, gently: bool) -> None:
        """One after another: somebody is always there."""
        for part in (*self.replicas, *self.doors):
            await self.restart(part, gently=gently)
            await self.linked()

    async def someone_is_there(self) -> None:
        """Returns once a door is up."""
        async with asyncio.timeout(30):
            while not any(door.up for door in self.doors):  # noqa: ASYNC110 - doors tell nobody
                await asyncio.sleep(0.005)

    async def linked(self) -> None:
        """Returns once every door that is up reaches every replica it knows that is up."""
        async with asyncio.timeout(30):
            up = {replica.address for replica in self.replicas if replica.up}
            while not all(self._reaches(door, up) for door in self.doors if door.up):  # noqa: ASYNC110 - links tell none
                await asyncio.sleep(0.005)

    def serves(self, door: Door, match: str) -> Replica:
        """The replica that the door passes the match's commands to."""
        link = door.gateway.parts.engines._games[self.game].choose(match)
        return next(replica for replica in self.replicas if replica.address == link.address)

    def _reaches(self, door: Door, up: set[str]) -> bool:
        links = door.gateway.parts.engines._games[self.game]._links
        return all(link.ready for address, link in links.items() if address in up)
