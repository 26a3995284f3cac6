"""The store's time, and waiting for it: in tests both are theirs."""

import asyncio
from typing import Protocol

from services.common.logs import logger
from services.common.tasks import cancelled
from services.eventlog.port import EventLog, StoreError
from services.eventlog.store_clock import StoreClock

REFRESH_S = 60.0

log = logger()


class Timer(Protocol):
    def now_ms(self) -> int:
        """As the times of entries: ms since 1970."""
        ...

    async def sleep(self, seconds: float) -> None: ...


class StoreTimer:
    """Learns the store's time when it starts, and again now and then."""

    def __init__(self, event_log: EventLog) -> None:
        self._clock = StoreClock(event_log.time_ms)
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Raises the port's errors."""
        await self._clock.refresh()
        self._task = asyncio.create_task(self._refresh(), name="store time")

    async def close(self) -> None:
        if self._task is not None:
            await cancelled(self._task)

    def now_ms(self) -> int:
        return self._clock.now_ms()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    async def _refresh(self) -> None:
        while True:
            await asyncio.sleep(REFRESH_S)
            try:
                await self._clock.refresh()
            except StoreError as error:
                log.warning("the store's time was not told", error=str(error))
