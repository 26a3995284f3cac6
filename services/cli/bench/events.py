"""Those who watch by server-sent events, with as little of their own as a client can have."""

import asyncio
import re
from collections.abc import Callable
from typing import Self, cast

ENTRY = re.compile(rb'"entry":\{"cursor":"(\d+)-')
"""Where an entry begins; within texts quotes are escaped. What else comes is not looked at."""

Hear = Callable[[str, int], None]


class EventStreams:
    """Each match has a connection of its own for each of those who watch; `hear` is told match and version."""

    def __init__(self, place: str, token: str, count: int, hear: Hear) -> None:
        host, _, port = place.rpartition(":")
        self._host, self._port = host, int(port)
        self._token = token
        self._count = count
        self._hear = hear
        self._opening: set[asyncio.Task[None]] = set()
        self._open: list[asyncio.BaseTransport] = []

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await asyncio.gather(*self._opening)
        for transport in self._open:
            transport.close()

    def begin(self, match: str) -> None:
        """Has all watch the match from its beginning."""
        for _ in range(self._count):
            task = asyncio.create_task(self._connect(match))
            self._opening.add(task)
            task.add_done_callback(self._opening.discard)

    async def _connect(self, match: str) -> None:
        loop = asyncio.get_running_loop()
        transport, _ = await loop.create_connection(
            lambda: _Listener(match, self._token, self._hear), self._host, self._port
        )
        self._open.append(transport)


class _Listener(asyncio.Protocol):
    def __init__(self, match: str, token: str, hear: Hear) -> None:
        self._match = match
        self._token = token
        self._hear = hear
        self._held = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        body = f'{{"matchId":"{self._match}"}}'
        cast("asyncio.WriteTransport", transport).write(
            f"POST /api/v1/MatchService/WatchMatch HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer {self._token}\r\n"
            f"content-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n{body}".encode()
        )

    def data_received(self, data: bytes) -> None:
        self._held += data
        whole, _, self._held = self._held.rpartition(b"\n\n")
        for version in ENTRY.findall(whole):
            self._hear(self._match, int(version))
