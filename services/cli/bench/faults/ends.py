"""One end of a proxied connection."""

import asyncio
from collections.abc import Callable
from typing import cast


class End(asyncio.Protocol):
    """Reads from its peer and writes to the `other` end, no faster than that one takes it."""

    other: "End"

    def __init__(self, lost: Callable[[], None]) -> None:
        self._lost = lost
        self._transport: asyncio.Transport | None = None
        self._early = b""
        """What the other end said before this one was connected."""
        self._finished = False
        self._held = 0
        """Reasons not to read."""

    def hold(self, seconds: float) -> None:
        self.wait()
        asyncio.get_running_loop().call_later(seconds, self.go_on)

    def finish(self) -> None:
        """The peer hears that nothing more comes; what comes nevertheless is dropped."""
        if self._transport is not None and not self._finished and not self._transport.is_closing():
            self._finished = True
            self._transport.write_eof()

    def abort(self) -> None:
        if self._transport is not None:
            self._transport.abort()

    def write(self, data: bytes) -> None:
        if self._transport is None:
            self._early += data
        elif not self._finished and not self._transport.is_closing():
            self._transport.write(data)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)  # uvloop's is one without saying so
        self.write(self._early)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - why is all the same here
        self._lost()

    def data_received(self, data: bytes) -> None:
        self.other.write(data)

    def eof_received(self) -> bool:
        self.other.finish()
        return True

    def pause_writing(self) -> None:
        self.other.wait()

    def resume_writing(self) -> None:
        self.other.go_on()

    def wait(self) -> None:
        self._held += 1
        if self._held == 1:
            self._reading(on=False)

    def go_on(self) -> None:
        self._held -= 1
        if self._held == 0:
            self._reading(on=True)

    def _reading(self, *, on: bool) -> None:
        if self._transport is None or self._transport.is_closing():
            return
        if on:
            self._transport.resume_reading()
        else:
            self._transport.pause_reading()
