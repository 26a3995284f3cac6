"""A proxy before a store, on a Unix socket, that can lose, hold, halve or replace what passes through it.

A fault waits for a request that holds its marker and then happens once; nothing depends on time.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path
from urllib.parse import unquote, urlsplit

CHUNK = 1 << 20


class Fault(Enum):
    DROP_REQUEST = auto()  # the request is lost, and the connection with it
    DROP_ANSWER = auto()  # the store does it and answers; the answer is lost, and the connection with it
    HALF_ANSWER = auto()  # the first half of the answer's bytes arrives, then the connection is cut
    HOLD_ANSWER = auto()  # the store does it and answers; nothing arrives, and the connection stays open
    HOLD_REQUEST = auto()  # the request waits here until `let_go`, and is passed on then, whoever still wants it
    REPLACE = auto()  # the store hears nothing; the client gets the answer given


@dataclass
class Armed:
    fault: Fault
    marker: bytes
    answer: bytes
    skip: int
    happened: asyncio.Event

    def meets(self, data: bytes) -> bool:
        if self.marker not in data:
            return False
        self.skip -= 1
        return self.skip < 0


class Proxy:
    """`url` is where clients connect; without a fault armed everything passes."""

    def __init__(self, upstream: str, socket: Path) -> None:
        self.url = f"unix://{socket}"
        self._socket = socket
        self._upstream = unquote(urlsplit(upstream).path)
        self._armed: list[Armed] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._let_go = asyncio.Event()

    def arm(self, fault: Fault, *, on: bytes = b"EVALSHA", answer: bytes = b"", skip: int = 0) -> asyncio.Event:
        """The next request that holds `on`, after `skip` of them, meets the fault; the event says that it happened."""
        happened = asyncio.Event()
        self._armed.append(Armed(fault, on, answer, skip, happened))
        return happened

    def lead_to(self, upstream: str) -> None:
        """The store has another address from here on; connections to the old one end."""
        self._upstream = unquote(urlsplit(upstream).path)
        self.cut()

    def let_go(self) -> None:
        """What is held goes on its way."""
        self._let_go.set()
        self._let_go = asyncio.Event()

    def cut(self) -> None:
        """Ends every connection there is."""
        for task in self._tasks:
            task.cancel()

    @asynccontextmanager
    async def serving(self) -> AsyncIterator["Proxy"]:
        server = await asyncio.start_unix_server(self._accept, self._socket)
        try:
            yield self
        finally:
            server.close()
            self.cut()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            await server.wait_closed()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        try:
            store_reader, store_writer = await asyncio.open_unix_connection(self._upstream)
        except OSError:  # no store is there: the client is told by the end of its connection
            writer.close()
            return
        answers = asyncio.create_task(_copy(store_reader, writer))
        # A cut and a connection lost are what the proxy is for.
        try:
            with suppress(OSError, asyncio.CancelledError):
                await self._pass_requests(reader, store_writer, store_reader, writer, answers)
        finally:
            answers.cancel()
            store_writer.close()
            writer.close()

    async def _pass_requests(
        self,
        reader: asyncio.StreamReader,
        store_writer: asyncio.StreamWriter,
        store_reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        answers: asyncio.Task[None],
    ) -> None:
        while data := await reader.read(CHUNK):
            armed = next((armed for armed in self._armed if armed.meets(data)), None)
            if armed is None:
                store_writer.write(data)
                await store_writer.drain()
                continue
            self._armed.remove(armed)
            if armed.fault is Fault.REPLACE:
                writer.write(armed.answer)
                armed.happened.set()
                continue
            if armed.fault is Fault.HOLD_REQUEST:
                armed.happened.set()
                await self._let_go.wait()
                store_writer.write(data)
                await store_writer.drain()
                continue
            if armed.fault is not Fault.DROP_REQUEST:
                answers.cancel()
                await asyncio.wait({answers})
                store_writer.write(data)
                answer = await store_reader.read(CHUNK)
                if armed.fault is Fault.HALF_ANSWER:
                    writer.write(answer[: len(answer) // 2])
                    await writer.drain()
            armed.happened.set()
            if armed.fault is Fault.HOLD_ANSWER:
                await reader.read()
            return


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await reader.read(CHUNK):
            writer.write(data)
            await writer.drain()
    writer.close()
