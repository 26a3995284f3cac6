"""What answers a streaming rpc over HTTP: begun with the first message, so that a refusal before it has its status."""

import asyncio
import re
from typing import Any

from google.protobuf.message import Message
from starlette.types import Send

from gateway.web.context import Aborted
from gateway.web.json_form import Events
from gateway.web.refusing import body

KEEP_ALIVE_S = 15.0
COMMENT = b":\n\n"
EVENT_HEADERS = [
    (b"content-type", b"text/event-stream"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),  # proxies hand it on at once
]


class Broken(Exception):  # noqa: N818 - says what happened
    """The answer can't be brought to an end: its connection is to be broken off."""


class EventStream:
    """Server-sent events. Where nothing is told for a while a comment keeps the connection alive."""

    def __init__(self, send: Send, events: Events) -> None:
        self.begun = False
        self._send = send
        self._events = events
        self._quiet = True
        self._sending = False

    async def write(self, message: Message | bytes) -> None:
        await self._put(self._events.of(message))

    async def end(self) -> None:
        await self._put(b"event: end\ndata: {}\n\n", last=True)

    async def fail(self, aborted: Aborted) -> None:
        await self._put(b"event: error\ndata: %b\n\n" % body(aborted), last=True)

    async def keep_alive(self) -> None:
        while True:
            await asyncio.sleep(KEEP_ALIVE_S)
            if self._quiet and not self._sending:
                await self._put(COMMENT)
            self._quiet = True

    async def _put(self, data: bytes, *, last: bool = False) -> None:
        self._quiet = False
        self._sending = True
        if not self.begun:
            self.begun = True
            await self._send({"type": "http.response.start", "status": 200, "headers": EVENT_HEADERS})
        await self._send({"type": "http.response.body", "body": data, "more_body": not last})
        self._sending = False


class Download:
    """A file in the pieces that the messages hold."""

    def __init__(self, send: Send, name: str) -> None:
        self.begun = False
        self._send = send
        self._name = re.sub(r"[^\w.-]", "_", name, flags=re.ASCII)

    async def write(self, message: Any) -> None:
        await self._put(message.chunk)

    async def end(self) -> None:
        await self._put(b"", last=True)

    async def fail(self, aborted: Aborted) -> None:
        """Raises Broken: what came is no whole file, and only a connection that breaks off says so."""
        raise Broken from aborted

    async def keep_alive(self) -> None:
        """Its pieces come as fast as they are taken."""

    async def _put(self, data: bytes, *, last: bool = False) -> None:
        if not self.begun:
            self.begun = True
            headers = [
                (b"content-type", b"application/x-ndjson"),
                (b"content-disposition", b'attachment; filename="%b.jsonl"' % self._name.encode()),
                (b"cache-control", b"no-store"),
            ]
            await self._send({"type": "http.response.start", "status": 200, "headers": headers})
        await self._send({"type": "http.response.body", "body": data, "more_body": not last})
