"""A whole platform for one side of a pair, asked over gRPC or HTTP; what it answers, to the byte but for hashes."""

import re
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import grpc
from msgspec import Struct
from msgspec.structs import replace

from engines.core import games
from gateway.callers.identity import mint
from gateway.main import Gateway
from services.engine.main import EngineService
from services.eventlog import snapshots
from services.eventlog.entries import START, Entry
from services.eventlog.port import Append, Appended
from tests.gateway.web.channel import HttpChannel
from tests.integration.secrets.twins import Pair, Written
from tests.integration.serving import serving
from tidelog.v1 import matches_pb2
from tidelog.v1.matches_pb2 import ExportMatchResponse, ReadLogResponse

SERVICE = "/tidelog.v1.MatchService/"
HEX = re.compile(rb"[0-9a-f]{64}|[0-9a-f]{16}")
CLOSING = re.compile(rb'(?<="sha256":")[0-9a-f]{64}')


class Answer(Struct, frozen=True):
    """All that a caller is told: messages joined, their sizes where these are the server's choice, status, metadata."""

    data: bytes
    sizes: tuple[int, ...] = ()
    code: str = "OK"
    details: str | None = ""
    metadata: tuple[Any, ...] = ()


class World:
    """One gateway, one engine host, one store. Leaves, entry hashes and cursors that it knows of are masked."""

    def __init__(self, service: EngineService, gateway: Gateway, channel: Any) -> None:
        self.log = service.log
        self.gateway = gateway
        self._channel = channel
        self._hex: set[bytes] = set()
        self._leaves: set[bytes] = set()

    async def put(self, pair: Pair, written: Written) -> None:
        """The log, and a snapshot from which host and gateway take the state at its head."""
        edition = games.edition(pair.game)
        await self.log.put_edition(games.edition_hash(edition), edition)
        appended = await self.log.append(Append(pair.match, START, written.entries, written.secret))
        assert isinstance(appended, Appended)
        await self.log.put_snapshot(pair.match, snapshots.dump(written.aggregate))
        self._know(written.entries)

    async def learn(self, match: str, after: int) -> list[Entry]:
        """What was appended since."""
        entries = await self.log.read(match, after)
        self._know(entries)
        return entries

    def _know(self, entries: Iterable[Entry]) -> None:
        for entry in entries:
            self._leaves.add(entry.leaf)
            self._hex |= {entry.leaf.hex().encode(), entry.cursor.hash.encode()}

    def token(self, subject: str) -> tuple[str, str]:
        return "authorization", f"Bearer {mint(self.gateway.parts.guest_key, subject, name=subject.upper())}"

    async def ask(self, subject: str, rpc: str, **fields: Any) -> Answer:
        """What a unary rpc answers."""
        call = self._call(self._channel.unary_unary, subject, rpc, fields)
        try:
            data = await call
        except grpc.aio.AioRpcError:
            data = b""
        return await self.answer(call, data)

    async def read(self, subject: str, rpc: str, **fields: Any) -> Answer:
        """What a stream that ends tells."""
        call = self._call(self._channel.unary_stream, subject, rpc, fields)
        stripped = {"ReadLog": self._without_leaves, "ExportMatch": _chunk}.get(rpc, bytes)
        messages = []
        with suppress(grpc.aio.AioRpcError):
            while (data := await call.read()) is not grpc.aio.EOF:
                messages.append(stripped(data))
        return await self.answer(call, b"".join(messages), tuple(map(len, messages)))

    def watch(self, subject: str, **fields: Any) -> "Watching":
        return Watching(self, self._call(self._channel.unary_stream, subject, "WatchMatch", fields))

    def play(self, subject: str) -> "grpc.aio.StreamStreamCall":
        return self._channel.stream_stream(f"{SERVICE}Play", lambda message: message.SerializeToString())(
            metadata=[self.token(subject)]
        )

    def _call(self, kind: Callable[..., Any], subject: str, rpc: str, fields: dict[str, Any]) -> Any:
        request = getattr(matches_pb2, f"{rpc}Request")(**fields)
        return kind(SERVICE + rpc, lambda message: message.SerializeToString())(request, metadata=[self.token(subject)])

    async def answer(self, call: Any, data: bytes, sizes: tuple[int, ...] = ()) -> Answer:
        """Of a call that has ended."""
        metadata = (*(await call.initial_metadata()), *(await call.trailing_metadata()))
        return self.known(Answer(data, sizes, (await call.code()).name, await call.details() or "", metadata))

    def known(self, answer: Answer) -> Answer:
        """The answer with all masked that is known by now."""
        metadata = tuple((key, self._masked(value)) for key, value in answer.metadata)
        return replace(
            answer, data=self.masked(answer.data), details=self._masked(answer.details or ""), metadata=metadata
        )

    def _masked(self, value: Any) -> Any:
        return self.masked(value) if isinstance(value, bytes) else self.masked(value.encode()).decode()

    def masked(self, data: bytes) -> bytes:
        """Known hashes become as many `x`; all else stays."""
        closed = CLOSING.sub(lambda found: b"x" * len(found[0]), data)
        return HEX.sub(lambda found: b"x" * len(found[0]) if found[0] in self._hex else found[0], closed)

    def _without_leaves(self, data: bytes) -> bytes:
        for entry in ReadLogResponse.FromString(data).entries:
            assert entry.leaf in self._leaves
            data = data.replace(entry.leaf, b"x" * len(entry.leaf))
        return data


def _chunk(data: bytes) -> bytes:
    """The file's own bytes: a hash may be cut by the end of a piece."""
    return ExportMatchResponse.FromString(data).chunk


class Watching:
    """A stream of updates. Where it is cut into messages is a matter of moments, so they are joined."""

    def __init__(self, world: World, call: Any) -> None:
        self._world = world
        self._call = call
        self._told = bytearray()
        self._seen = 0

    async def until(self, reached: Callable[[Any], bool]) -> Answer:
        """All told so far, once an update that will do was among what is new, or the stream has ended."""
        ended = False
        while not ended:
            data = await self._read()
            ended = data is None
            self._told += data or b""
            updates = matches_pb2.WatchMatchResponse.FromString(bytes(self._told)).updates
            ended = ended or any(map(reached, updates[self._seen :]))
            self._seen = len(updates)
        if self._call.done():
            return await self._world.answer(self._call, bytes(self._told))
        return Answer(self._world.masked(bytes(self._told)))

    async def _read(self) -> bytes | None:
        try:
            data = await self._call.read()
        except grpc.aio.AioRpcError:
            return None
        return None if data is grpc.aio.EOF else data

    def close(self) -> None:
        self._call.cancel()


@asynccontextmanager
async def world(game: str, store: str, folder: Path, *, over_http: bool = False) -> AsyncIterator[World]:
    async with (
        serving(game, store, folder, http="127.0.0.1:0" if over_http else "") as (service, gateway),
        grpc.aio.insecure_channel(gateway.address) as over_grpc,
    ):
        channel = HttpChannel(gateway.http_address, over_grpc) if over_http else over_grpc
        yield World(service, gateway, channel)
        if over_http:
            await channel.close()
