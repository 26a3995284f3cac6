"""uvicorn's protocol, with an end to those who connect and ask nothing, and a way to break off an answer."""

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from gateway.web.turning_away import turned_away

HEAD_S = 10.0
"""How long the head of a request may take, from the connection or its first byte on."""

HEAD_BYTES = 64 * 1024

ABORT = "abort"
"""Where in a request's `state` the function stands that ends its connection at once."""


class Protocol(HttpToolsProtocol):
    """One connection."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._head: asyncio.TimerHandle | None = None
        self._head_bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.app_state = {**self.app_state, ABORT: transport.abort}
        self._expect()

    def connection_lost(self, exc: Exception | None) -> None:
        self._come()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._come()
            return
        self._expect()
        self._head_bytes += len(data)
        if self._head_bytes > HEAD_BYTES:
            self.transport.abort()

    def send_400_response(self, msg: str) -> None:
        turned_away(400)
        super().send_400_response(msg)

    def _expect(self) -> None:
        if self._head is None and not self.transport.is_closing():
            self._head = self.loop.call_later(HEAD_S, self.transport.abort)

    def _come(self) -> None:
        """The head is there, or nobody waits for it any more."""
        self._head_bytes = 0
        if self._head is not None:
            self._head.cancel()
            self._head = None
