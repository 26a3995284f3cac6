"""A stream of WatchMatch that is listened to while the test goes on."""

import asyncio
from typing import Any

from tests.gateway.floor import Client
from tidelog.v1.updates_pb2 import End


class Watching:
    """What the stream tells, until it ends: versions, the last situation, the end."""

    def __init__(self, client: Client, match: str, **fields: Any) -> None:
        self.versions: list[int] = []
        self.end: End | None = None
        self.situation: Any = None
        self.delay: Any = None
        self.checkpoint = ""
        self._news = asyncio.Condition()
        self._task = asyncio.create_task(self._listen(client.updates(match, **fields)))

    async def _listen(self, updates: Any) -> None:
        async for update in updates:
            async with self._news:
                self._take(update)
                self._news.notify_all()

    def _take(self, update: Any) -> None:
        kind = update.WhichOneof("update")
        if kind == "entry":
            self.versions.append(update.entry.version)
        if kind == "caught_up":
            self.situation = update.caught_up.situation
            self.delay = update.caught_up.delay
        if kind == "checkpoint":
            self.checkpoint = update.checkpoint.cursor
        if kind == "end":
            self.end = update.end

    async def heard(self, version: int) -> None:
        async with asyncio.timeout(30), self._news:
            await self._news.wait_for(lambda: version in self.versions)

    async def ended(self) -> End:
        """How the stream ended."""
        async with asyncio.timeout(60), self._news:
            await self._news.wait_for(lambda: self.end is not None)
        await asyncio.gather(self._task, return_exceptions=True)
        assert self.end is not None
        return self.end

    async def stop(self) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
