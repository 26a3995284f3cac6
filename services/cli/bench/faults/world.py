"""What is broken: store, replicas, gateways and bots as processes, and a proxy before each that others connect to."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from time import perf_counter
from typing import BinaryIO

from services.cli.bench.faults.proxy import Proxy
from services.cli.children import Child
from services.common import config
from services.eventlog.embedded import EmbeddedStore

REPLICAS = 2
GATEWAYS = 2
STORE = "store"
BOTS = "bots"
LOG = "roles.log"


class World:
    """All of it while it runs. A process that was killed starts again by its own supervision: store and roles alike.

    `addresses` are where clients reach each gateway; they stay when it starts again.
    """

    def __init__(self, folder: Path, games: tuple[str, ...]) -> None:
        self.folder = folder
        self.games = games
        self.addresses: list[str] = []
        self.store: EmbeddedStore
        self.roles: dict[str, Child] = {}
        self.proxies: list[Proxy] = []
        self._death = asyncio.Event()

    @property
    def names(self) -> tuple[str, ...]:
        """Everything that can be killed; the first word is the kind."""
        return (STORE, *self.roles)

    @property
    def target(self) -> str:
        """All gateways, in gRPC's own form: where one is away the next is tried."""
        return target(self.addresses)

    async def kill(self, name: str) -> float:
        """Kill -9; seconds until it serves again."""
        began = perf_counter()
        if name == STORE:
            self._death.clear()
            os.kill(self.store.pid, signal.SIGKILL)
            await self._death.wait()
            await self.store.until_up()
        else:
            self.roles[name].kill()
            await self.roles[name].until_up()
        return perf_counter() - began

    @asynccontextmanager
    async def running(self, *, bots: bool = True) -> AsyncIterator["World"]:
        """Raises CheckFailed, AlreadyUp, StoreAway."""
        async with AsyncExitStack() as stack:
            self.store = await EmbeddedStore.start(self.folder, on_death=lambda _: self._death.set())
            stack.push_async_callback(self.store.stop)
            log = stack.enter_context((self.folder / LOG).open("ab"))
            await self._start(stack, log, bots=bots)
            yield self

    async def _start(self, stack: AsyncExitStack, log: BinaryIO, *, bots: bool) -> None:
        environment = {
            config.CLUSTER_KEY: config.cluster_key(self.folder, make=True),
            "TIDELOG_REDIS": self.store.url,
            "TIDELOG_DATA": str(self.folder),
        }

        async def start(name: str, *words: str, listen: str | None = "127.0.0.1:0", **more: str) -> Child:
            child = self.roles[name] = Child(name, ("serve", *words), environment | more, listen, log)
            await child.start()
            stack.push_async_callback(child.stop)
            return child

        async def replica(game: str, number: int) -> str:
            child = await start(f"engine {game} {number}", "engine", game)
            return f"{game}={await self._proxied(child, stack)}"

        async def gateway(number: int) -> str:
            data = self.folder / f"gateway-{number}"
            data.mkdir(exist_ok=True)
            child = await start(f"gateway {number}", "gateway", "--engine", engines, TIDELOG_DATA=str(data))
            return await self._proxied(child, stack)

        replicas = (replica(game, number) for game in self.games for number in range(REPLICAS))
        engines = ",".join(await asyncio.gather(*replicas))
        self.addresses += await asyncio.gather(*map(gateway, range(GATEWAYS)))
        if bots:
            await start(BOTS, "bots", "--gateway", self.target, listen=None)

    async def _proxied(self, child: Child, stack: AsyncExitStack) -> str:
        proxy = await Proxy(child.address).start()
        stack.push_async_callback(proxy.stop)
        self.proxies.append(proxy)
        return proxy.address


def target(addresses: list[str]) -> str:
    return f"ipv4:{','.join(addresses)}"
