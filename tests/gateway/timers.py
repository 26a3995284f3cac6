"""Time that goes by when a test says so."""

import asyncio

from tests.gateway.played import NOON


class TestsTimer:
    """`slept` lists what was waited for, in seconds, in the order in which it was begun."""

    __test__ = False

    def __init__(self, now_ms: int = NOON) -> None:
        self._now_ms = now_ms
        self._turned = asyncio.Event()
        self.slept: list[float] = []

    def now_ms(self) -> int:
        return self._now_ms

    async def sleep(self, seconds: float) -> None:
        end = self._now_ms + seconds * 1000
        self.slept.append(seconds)
        while self._now_ms < end:
            await self._turned.wait()

    def pass_by(self, seconds: float) -> None:
        self._now_ms += int(seconds * 1000)
        turned, self._turned = self._turned, asyncio.Event()
        turned.set()


class HastyTimer(TestsTimer):
    """Every wait is over at once; `slept` tells what it would have been."""

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.pass_by(seconds)
