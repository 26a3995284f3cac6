"""Hosts whose store tells the time that a test sets, and that beat as long as the test says that they are served."""

from typing import Any

from services.engine.host import Host
from services.eventlog.memory import MemoryLog
from services.eventlog.outages import BEAT_EVERY_S
from services.eventlog.sealing import SecretKeeper
from services.eventlog.store_clock import StoreClock
from tests.services.eventlog.given import ENGINE, NOON

BEAT_MS = int(1000 * BEAT_EVERY_S)


class Hours:
    """The time, in ms since 1970."""

    def __init__(self) -> None:
        self.now = NOON
        self.memory = MemoryLog(lambda: self.now)

    async def host(self, log: Any = None, **more: Any) -> Host:
        """A replica that has just started."""
        clock = StoreClock(self._time, lambda: self.now * 1_000_000)
        await clock.refresh()
        return Host(ENGINE, log or self.memory, clock, SecretKeeper(), **more)

    async def pass_by(self, ms: int, *hosts: Host) -> None:
        """So much time, in which the hosts are served."""
        end = self.now + ms
        while self.now < end:
            self.now = min(self.now + BEAT_MS, end)
            for host in hosts:
                await host.beat()

    async def _time(self) -> int:
        return self.now
