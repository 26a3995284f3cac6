"""A TCP proxy that does to connections what networks do: cuts them, holds them up, closes them on one side."""

import asyncio
from typing import Self

from services.cli.bench.faults.ends import End


class Passage:
    """One connection: what either end says goes to the other, until somebody ends it."""

    def __init__(self) -> None:
        self.client = End(self.lost)
        self.server = End(self.lost)
        self.client.other, self.server.other = self.server, self.client
        self.over = asyncio.Event()

    def cut(self) -> None:
        """Both ends see the connection break; what was on its way is lost."""
        self.client.abort()
        self.server.abort()

    def hold(self, seconds: float) -> None:
        """Nothing passes for so long; nothing is lost."""
        self.client.hold(seconds)
        self.server.hold(seconds)

    def half_close(self, *, to_client: bool) -> None:
        """One end hears that nothing more will come, though the other goes on speaking."""
        (self.client if to_client else self.server).finish()

    def lost(self) -> None:
        self.cut()
        self.over.set()


class Proxy:
    """Listens at `address` and passes everything on to `upstream`, HOST:PORT; connections stand in `passages`."""

    def __init__(self, upstream: str) -> None:
        self.upstream = upstream
        self.address = ""
        self.passages: dict[Passage, None] = {}
        self._server: asyncio.Server
        self._connecting: set[asyncio.Task[None]] = set()

    async def start(self) -> Self:
        self._server = await asyncio.get_running_loop().create_server(self._accepted, "127.0.0.1", 0)
        self.address = f"127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def stop(self) -> None:
        self._server.close()
        for task in self._connecting:
            task.cancel()
        for passage in tuple(self.passages):
            passage.cut()
        await asyncio.gather(*self._connecting, return_exceptions=True)

    def _accepted(self) -> End:
        passage = Passage()
        task = asyncio.create_task(self._serve(passage))
        self._connecting.add(task)
        task.add_done_callback(self._connecting.discard)
        return passage.client

    async def _serve(self, passage: Passage) -> None:
        host, _, port = self.upstream.rpartition(":")
        try:
            await asyncio.get_running_loop().create_connection(lambda: passage.server, host, int(port))
        except OSError:
            passage.cut()
            return
        self.passages[passage] = None
        try:
            await passage.over.wait()
        finally:
            del self.passages[passage]
