"""A stream of WatchLog that is listened to while the test goes on."""

import asyncio
from typing import Any

import grpc

from services.common import wire
from services.common.refusals import Refused
from tests.gateway.floor import Client, told
from tidelog.v1.logs_pb2 import WatchLogRequest


class LogWatching:
    """`entries` holds (match, version) in the order told, `pieces` the messages, `positions` one for each of them."""

    def __init__(self, client: Client, **fields: Any) -> None:
        self.entries: list[tuple[str, int]] = []
        self.pieces: list[Any] = []
        self.position = ""
        self.caught_up = False
        self.checkpoints = 0
        self.refused: Exception | None = None
        self._news = asyncio.Condition()
        self._call = client.logs.WatchLog(WatchLogRequest(**fields), metadata=client.metadata)
        self._task = asyncio.create_task(self._listen())

    @property
    def positions(self) -> list[str]:
        return [piece.position for piece in self.pieces]

    def of(self, match_id: str) -> list[int]:
        return [version for match, version in self.entries if match == match_id]

    def stored(self, match_id: str) -> list[Any]:
        return [entry for piece in self.pieces if piece.match_id == match_id for entry in piece.entries]

    async def _listen(self) -> None:
        try:
            async for response in self._call:
                async with self._news:
                    for update in response.updates:
                        self._take(update)
                    self._news.notify_all()
        except grpc.aio.AioRpcError as error:
            async with self._news:
                self.refused = told(error)
                self._news.notify_all()

    def _take(self, update: Any) -> None:
        kind = update.WhichOneof("update")
        self.position = getattr(update, kind).position
        if kind == "entries":
            self.pieces.append(update.entries)
            self.entries += [(update.entries.match_id, version(entry)) for entry in update.entries.entries]
        self.caught_up |= kind == "caught_up"
        self.checkpoints += kind == "checkpoint"
        if kind == "end":
            self.refused = wire.from_proto(update.end.refusal)

    async def until(self, holds: Any) -> None:
        async with asyncio.timeout(30), self._news:
            await self._news.wait_for(lambda: holds() or self.refused is not None)
        if not holds():
            raise self.refused or AssertionError

    async def arrived(self) -> "LogWatching":
        await self.until(lambda: self.caught_up)
        return self

    async def heard(self, match_id: str, last: int) -> "LogWatching":
        await self.until(lambda: (match_id, last) in self.entries)
        return self

    async def refusal(self) -> Refused:
        """What the stream, or the call, ended with."""
        async with asyncio.timeout(30), self._news:
            await self._news.wait_for(lambda: self.refused is not None)
        assert isinstance(self.refused, Refused), self.refused
        return self.refused

    async def stop(self) -> None:
        self._call.cancel()
        await asyncio.gather(self._task, return_exceptions=True)


def version(entry: Any) -> int:
    return int(entry.cursor.partition("-")[0])
