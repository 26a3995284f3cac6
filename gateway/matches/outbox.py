"""What is on its way to the client of one stream: bounded, joined into few messages, with a typed end."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from time import monotonic

from gateway import metrics
from gateway.limits import OUTBOX_BYTES, PIECE_BYTES
from services.common.latency import Latency
from services.common.refusals import Reason, Refused

FLUSH_S = 1.0
"""How long a client that reads slowly is waited for once the stream is to end."""

Write = Callable[[bytes], Awaitable[None]]


class Outbox:
    """Serialised messages of one repeated field: joined, they are one message with all of their items.

    `delivery` is told how long they waited.
    """

    __slots__ = ("_delivery", "_items", "_limit", "_pump", "_refused", "_room", "_size", "_times", "_wake", "ended")

    def __init__(self, limit: int = OUTBOX_BYTES, delivery: Latency | None = None) -> None:
        self._limit = limit
        self._delivery = delivery or Latency()
        self._items: deque[bytes] = deque()
        self._times: deque[float] = deque()
        self._size = 0
        self._wake = asyncio.Event()
        self._room = asyncio.Event()
        self._room.set()
        self._refused: Refused | None = None
        self._pump: asyncio.Task[None] | None = None
        self.ended = False

    @property
    def full(self) -> bool:
        return self._size > self._limit

    @property
    def free(self) -> int:
        """Bytes that can be added while there is room."""
        return self._limit // 2 - self._size

    def put(self, data: bytes) -> None:
        self._items.append(data)
        self._times.append(monotonic())
        self._size += len(data)
        if self._size > self._limit // 2:
            self._room.clear()
        self._wake.set()

    async def room(self) -> None:
        """Returns while less than half of the limit waits."""
        await self._room.wait()

    def end(self, refused: Refused | None = None) -> None:
        """Nothing is added any more; what waits is still sent, if the client takes it within a moment."""
        if self.ended:
            return
        self.ended = True
        self._refused = refused
        self._wake.set()
        self._room.set()
        if self._pump is not None:
            asyncio.get_running_loop().call_later(FLUSH_S, self._pump.cancel)

    async def pump(self, write: Write) -> Refused | None:
        """Writes until the end; why it ended, if it was no plain end: SLOW_CONSUMER where not all could be sent."""
        self._pump = asyncio.create_task(self._write_all(write))
        try:
            await asyncio.wait([self._pump])
        finally:
            self._pump.cancel()
        if self._pump.cancelled():
            metrics.SLOW_CONSUMERS.inc()
            return self._refused or Refused(
                Reason.SLOW_CONSUMER, "the client reads too slowly; go on from the last cursor"
            )
        self._pump.result()
        return self._refused

    async def _write_all(self, write: Write) -> None:
        while True:
            while self._items:
                since, data = self._times[0], self._piece()
                await write(data)
                self._delivery.note(monotonic() - since)
                self._size -= len(data)
                if self._size <= self._limit // 2:
                    self._room.set()
            if self.ended:
                return
            self._wake.clear()
            await self._wake.wait()

    def _piece(self) -> bytes:
        first = self._items.popleft()
        self._times.popleft()
        pieces, size = [first], len(first)
        while self._items and size < PIECE_BYTES:
            piece = self._items.popleft()
            self._times.popleft()
            pieces.append(piece)
            size += len(piece)
        return b"".join(pieces)
