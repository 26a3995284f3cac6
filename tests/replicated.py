"""A store and its replica, as two embedded servers that also listen on loopback."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from redis.asyncio import Redis

from services.eventlog.embedded import EmbeddedStore
from tests.ports import free_port


class ReplicatedStore:
    """`replica` can be frozen, cut off, and put in the place of `primary`, which is killed for good."""

    def __init__(self, folder: Path) -> None:
        self.primary: EmbeddedStore
        self.replica: EmbeddedStore
        self._folder = folder
        self._started: list[EmbeddedStore] = []

    async def start(self) -> None:
        self.primary, self.replica = await self._server(), await self._server()
        await self._join()

    async def stop(self) -> None:
        self.thaw()
        for server in reversed(self._started):
            await server.stop()

    async def _server(self) -> EmbeddedStore:
        at_once = {"repl-diskless-sync-delay": "0"}
        server = await EmbeddedStore.start(self._folder / f"server {len(self._started)}", settings=at_once)
        self._started.append(server)
        return server

    async def _join(self) -> None:
        """Returns once the replica has everything and takes part."""
        port = await _on_loopback(self.primary.url)
        async with Redis.from_url(self.replica.url) as replica:
            await replica.replicaof("127.0.0.1", port)
        async with asyncio.timeout(60), Redis.from_url(self.primary.url) as primary:
            # In one pipeline: WAITAOF waits for what its own connection wrote.
            joined = primary.pipeline(transaction=False).set("joined", 1).execute_command("WAITAOF", 1, 1, 1000)
            while (await joined.execute())[1][1] < 1:
                joined.set("joined", 1).execute_command("WAITAOF", 1, 1, 1000)

    def freeze(self) -> None:
        os.kill(self.replica.pid, signal.SIGSTOP)

    def thaw(self) -> None:
        os.kill(self.replica.pid, signal.SIGCONT)

    async def cut_off(self) -> None:
        """The replica hears of nothing more, and takes writes itself."""
        async with Redis.from_url(self.replica.url) as replica:
            await replica.replicaof("NO", "ONE")

    async def promote(self) -> None:
        """The replica is the primary from here on, with a new replica of its own."""
        await self.cut_off()
        self.primary, self.replica = self.replica, await self._server()
        await self._join()

    def kill_primary(self) -> None:
        """For good: nobody starts it again."""
        self.primary._watch.cancel()
        os.kill(self.primary.pid, signal.SIGKILL)


async def _on_loopback(url: str) -> int:
    """The server listens on a port, too."""
    async with Redis.from_url(url) as client:
        await client.config_set("bind", "127.0.0.1")
        port = free_port()
        await client.config_set("port", port)
        return port


@asynccontextmanager
async def replicated_store(folder: Path) -> AsyncIterator[ReplicatedStore]:
    store = ReplicatedStore(folder)
    await store.start()
    try:
        yield store
    finally:
        await store.stop()
