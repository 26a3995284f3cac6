"""Store time: a monotonic clock set by the store's own, so that hosts with wrong clocks agree."""

import time
from collections.abc import Awaitable, Callable


class StoreClock:
    """Ms since 1970 as the store counts them; never goes backwards.

    `store_time_ms` asks the store (EventLog.time_ms); the answer is taken to hold at the middle of the round trip.
    """

    __slots__ = ("_last", "_monotonic_ns", "_offset_ns", "_store_time_ms")

    def __init__(
        self,
        store_time_ms: Callable[[], Awaitable[int]],
        monotonic_ns: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self._store_time_ms = store_time_ms
        self._monotonic_ns = monotonic_ns
        self._offset_ns: int | None = None
        self._last = 0

    async def refresh(self) -> None:
        """Learns the offset anew; the store's errors pass through and leave the old one standing."""
        before = self._monotonic_ns()
        store = await self._store_time_ms()
        middle = (before + self._monotonic_ns()) // 2
        self._offset_ns = store * 1_000_000 - middle

    def now_ms(self) -> int:
        assert self._offset_ns is not None, "refresh comes before the first reading"
        self._last = max(self._last, (self._monotonic_ns() + self._offset_ns) // 1_000_000)
        return self._last
