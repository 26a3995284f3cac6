"""Those who watch by server-sent events, with as little of their own as a client can have."""

import asyncio
import re
from collections.abc import Callable
from types import TracebackType
from typing import Self, cast

from services.cli.errors import CheckFailed

ENTRY = re.compile(rb'"entry":\{"cursor":"(\d+)-')
"""Where an entry begins; within texts quotes are escaped. What else comes is not looked at."""

Hear = Callable[[str, int], None]


class EventStreams:
    """Each match has a connection of its own for each of those who watch; `hear` is told match and version.

    What is done within ends with CheckFailed, in a group, where a stream is refused.
    """

    def __init__(self, place: str, token: str, count: int, hear: Hear) -> None:
        host, _, port = place.rpartition(":")
        self._host, self._port = host, int(port)
        self._token = token
        self._count = count
        self._hear = hear
        self._opening = asyncio.TaskGroup()
        self._open: list[asyncio.BaseTransport] = []

    async def __aenter__(self) -> Self:
        await self._opening.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            await self._opening.__aexit__(kind, error, trace)
        finally:
            for transport in self._open:
                transport.close()

    def begin(self, match: str) -> None:
        """Has all watch the match from its beginning."""
        for _ in range(self._count):
            self._opening.create_task(self._connect(match))

    async def _connect(self, match: str) -> None:
        loop = asyncio.get_running_loop()
        place = f"{self._host}:{self._port}"
        transport, listener = await loop.create_connection(
            lambda: _Listener(place, match, self._token, self._hear), self._host, self._port
        )
        self._open.append(transport)
        status = await listener.status
        if status != b"200":
            raise CheckFailed(f"the stream of {match} was refused: HTTP {status.decode()}")


class _Listener(asyncio.Protocol):
    """`status` is the answer's, once its head is there."""

    def __init__(self, place: str, match: str, token: str, hear: Hear) -> None:
        self.status: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self._place = place
        self._match = match
        self._token = token
        self._hear = hear
        self._held = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        body = f'{{"matchId":"{self._match}"}}'
        cast("asyncio.WriteTransport", transport).write(
            f"POST /api/v1/MatchService/WatchMatch HTTP/1.1\r\nhost: {self._place}\r\n"
            f"authorization: Bearer {self._token}\r\n"
            f"content-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n{body}".encode()
        )

    def data_received(self, data: bytes) -> None:
        self._held += data
        if not self.status.done() and b"\r\n\r\n" in self._held:
            self.status.set_result(self._held.split(maxsplit=2)[1])
        whole, _, self._held = self._held.rpartition(b"\n\n")
        for version in ENTRY.findall(whole):
            self._hear(self._match, int(version))
