"""Keeps the feeds to an hour: whoever is further behind reads the logs themselves."""

import asyncio

from services.common.logs import logger
from services.common.tasks import cancelled
from services.eventlog.port import EventLog, StoreError

KEPT_MS = 60 * 60 * 1000
EVERY_S = 300.0

log = logger()


class Trimmer:
    """Several may trim the same feeds."""

    def __init__(self, event_log: EventLog, kept_ms: int = KEPT_MS) -> None:
        self._log = event_log
        self._kept_ms = kept_ms
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._run(), name="feed trimmer")

    async def close(self) -> None:
        if self._task is not None:
            await cancelled(self._task)

    async def trim(self) -> int:
        """How many entries were dropped. Raises the port's errors."""
        return await self._log.trim_feeds(await self._log.time_ms() - self._kept_ms)

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(EVERY_S)
            try:
                await self.trim()
            except StoreError as error:
                log.warning("feeds not trimmed", error=str(error))
