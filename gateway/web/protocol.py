"""uvicorn's protocol, with an end to those who ask nothing or without end, and a way to break off an answer."""

import asyncio
from http import HTTPStatus
from typing import Any

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from gateway.web.headers import HEADERS
from gateway.web.refusing import answer, malformed
from gateway.web.turning_away import turned_away

HEAD_S = 10.0
"""How long the head of a request may take, from the connection or its first byte on."""

HEAD_BYTES = 64 * 1024
"""What may come of a head, or behind a body, before it is whole; a read of the socket may hold some more."""

ABORT = "abort"
"""Where in a request's `state` the function stands that ends its connection at once."""


class Protocol(HttpToolsProtocol):
    """One connection. Who offers to speak another protocol is answered in this one."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._head: asyncio.TimerHandle | None = None
        self._loose = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.app_state = {**self.app_state, ABORT: transport.abort}
        self._expect()

    def connection_lost(self, exc: Exception | None) -> None:
        self._come()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._unset_keepalive_if_required()
        self._loose += len(data)
        try:
            self._feed(data)
        except httptools.HttpParserError:
            self.send_400_response("what came is no request of HTTP/1.1")
            return
        if self._loose > HEAD_BYTES:
            self._refuse(431, f"the head of a request has at most {HEAD_BYTES} bytes")
        elif self._asked:
            self._come()
        else:
            self._expect()

    def on_headers_complete(self) -> None:
        if not self.parser.should_upgrade():
            self._loose = 0
            super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._loose = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        if not self.parser.should_upgrade():
            super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        self._refuse(400, msg)

    @property
    def _asked(self) -> bool:
        """Whether a request has come that is not answered yet."""
        return self.cycle is not None and not self.cycle.response_complete

    def _feed(self, data: bytes) -> None:
        """Raises HttpParserError."""
        left = memoryview(data)
        while left:
            try:
                self.parser.feed_data(left)
            except httptools.HttpParserUpgrade as offered:
                left = left[offered.args[0] :]
                self._decline()
            else:
                return

    def _decline(self) -> None:
        """Has the head read again without the offer, at which the parser has stopped. Raises HttpParserError."""
        method, version = self.parser.get_method(), self.parser.get_http_version()
        if method == b"CONNECT":
            raise httptools.HttpParserError
        lines = [b"%b %b HTTP/%b" % (method, self.url, version.encode())]
        lines += [b"%b: %b" % header for header in self.headers if header[0] != b"upgrade"]
        self.parser = httptools.HttpRequestParser(self)
        self.parser.set_dangerous_leniencies(lenient_data_after_close=True)  # as uvicorn has it
        self.parser.feed_data(b"\r\n".join((*lines, b"", b"")))

    def _refuse(self, status: int, message: str) -> None:
        """Ends the connection: in words, where they can't be taken for another answer, or for a part of one."""
        turned_away(status)
        sending = self._asked and self.cycle.more_body and not self.cycle.response_started and not self.pipeline
        if self._asked and not sending:
            self.transport.abort()
            return
        told = answer(malformed(status, message, {"Connection": "close"}))
        lines = [b"HTTP/1.1 %d %b" % (status, HTTPStatus(status).phrase.encode())]
        lines += [b"%b: %b" % header for header in (*told.raw_headers, *HEADERS)]
        self.transport.write(b"\r\n".join((*lines, b"", told.body)))
        self.transport.close()

    def _expect(self) -> None:
        if self._head is None and not self.transport.is_closing():
            self._head = self.loop.call_later(HEAD_S, self.transport.abort)

    def _come(self) -> None:
        """The head is there, or nobody waits for it any more."""
        if self._head is not None:
            self._head.cancel()
            self._head = None
