"""A channel of gRPC's stubs that speaks HTTP: suites written for gRPC hold the JSON API to the same answers."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any, NamedTuple

import grpc
import httpx
from google.protobuf import descriptor_pool
from google.protobuf.json_format import MessageToJson, ParseDict
from google.protobuf.message_factory import GetMessageClass

from services.common import wire
from tests.gateway.web.events import events_of
from tidelog.v1.refusal_pb2 import Refusal

DOWNLOAD, UPLOAD = "ExportMatch", "ImportMatch"
OF_TRANSPORT = {"date", "transfer-encoding", "content-length", "connection"}


class Seen(NamedTuple):
    """One exchange in JSON; of a stream there is one a message."""

    rpc: str
    asked: Any
    status: int
    answered: Any


class HttpChannel:
    """Streams both ways go over gRPC, as nothing else has them."""

    def __init__(self, place: str, over_grpc: grpc.aio.Channel) -> None:
        self._grpc = over_grpc
        self.seen: list[Seen] = []
        # There is no TLS to load certificates for, which takes long.
        limits = httpx.Limits(max_connections=None)
        self.http = httpx.AsyncClient(base_url=f"http://{place}", timeout=None, limits=limits, verify=False)

    def unary_unary(self, path: str, *_: Any, **how: Any):
        return Stub(self.http, self.seen, path, *_, **how)

    unary_stream = stream_unary = unary_unary

    def stream_stream(self, path: str, *_: Any, **how: Any):
        return self._grpc.stream_stream(path, *_, **how)

    async def close(self) -> None:
        await self.http.aclose()


class Stub:
    """One rpc. Without a serializer and a deserializer its messages are bytes, as gRPC's are."""

    def __init__(self, http, seen, path, request_serializer=None, response_deserializer=None, **_) -> None:
        service, _, name = path.strip("/").rpartition("/")
        method = descriptor_pool.Default().FindServiceByName(service).methods_by_name[name]
        self.http = http
        self.seen = seen
        self.method = method
        self.address = f"/api/v1/{method.containing_service.name}/{name}"
        self.request, self.response = GetMessageClass(method.input_type), GetMessageClass(method.output_type)
        self.in_bytes = request_serializer is None
        self.out_bytes = response_deserializer is None

    def __call__(self, request, metadata=(), timeout=None, **_) -> "HttpCall":
        headers = dict(metadata or ())
        if timeout is not None:
            headers["timeout-ms"] = str(max(int(timeout * 1000), 1))
        return HttpCall(self, request, headers)

    def given(self, message):
        return message.SerializeToString(deterministic=True) if self.out_bytes else message


class HttpCall:
    """A call as gRPC's: awaited, read, or gone through."""

    def __init__(self, stub: Stub, request: Any, headers: dict[str, str]) -> None:
        self._stub = stub
        self._headers = headers
        self._asked = ""
        self._error: grpc.aio.AioRpcError | None = None
        self._metadata: list[tuple[str, str]] = []
        self._messages: asyncio.Queue[Any] = asyncio.Queue(maxsize=1)
        self._task = asyncio.create_task(self._run(request))

    def __await__(self):
        return self._first().__await__()

    async def __aiter__(self):
        try:
            while (message := await self.read()) is not grpc.aio.EOF:
                yield message
        finally:
            self._task.cancel()  # nobody reads on

    async def read(self):
        getting = asyncio.create_task(self._messages.get())
        try:
            await asyncio.wait((getting, self._task), return_when=asyncio.FIRST_COMPLETED)
            if getting.done() or not self._messages.empty():
                return self._stub.given(await getting)
        finally:
            getting.cancel()
        await self._task  # raises CancelledError where the call was cancelled
        if self._error is not None:
            raise self._error
        return grpc.aio.EOF

    async def _first(self):
        message = await self.read()
        await self._task
        assert message is not grpc.aio.EOF
        return message

    def done(self) -> bool:
        return self._task.done()

    def cancelled(self) -> bool:
        return self._task.cancelled()

    def cancel(self) -> bool:
        return self._task.cancel()

    async def wait_for_connection(self) -> None:
        pass

    async def code(self) -> grpc.StatusCode:
        return grpc.StatusCode.OK if self._error is None else self._error.code()

    async def details(self) -> str:
        return "" if self._error is None else self._error.details()

    async def initial_metadata(self) -> list[tuple[str, str]]:
        """All of it trails: see there."""
        return []

    async def trailing_metadata(self) -> list[tuple[str, str]]:
        """With what HTTP says beside: every header and body that came."""
        return self._metadata + list(() if self._error is None else self._error.trailing_metadata())

    async def _run(self, request) -> None:
        stub = self._stub
        try:
            if stub.method.client_streaming:
                await self._sent(await self._file(request))
            else:
                message = stub.request.FromString(request) if stub.in_bytes else request
                self._asked = MessageToJson(message, ensure_ascii=False)
                body = self._asked.encode()
                await self._sent({"content": body, "headers": {"content-type": "application/json"}})
        except httpx.TransportError as error:
            self._error = _broken(grpc.StatusCode.UNAVAILABLE, str(error))

    async def _file(self, requests: AsyncIterator[Any]) -> dict[str, Any]:
        """An import's file and what its address says."""
        found = [request async for request in _each(requests)]
        start = found[0].start if found else None
        query = {"requestId": start.request_id, "restore": str(start.restore).lower()} if start else {}
        content = b"".join(request.chunk for request in found[1:])
        return {"params": query, "content": content, "headers": {"content-type": "application/x-ndjson"}}

    async def _sent(self, how: dict[str, Any]) -> None:
        how["headers"] |= self._headers
        async with self._stub.http.stream("POST", self._stub.address, **how) as answer:
            self._metadata += [pair for pair in sorted(answer.headers.items()) if pair[0] not in OF_TRANSPORT]
            if answer.status_code != 200:
                self._fail((await answer.aread()).decode(), answer.json())
            elif self._stub.method.name == DOWNLOAD:
                await self._downloaded(answer)
            elif self._stub.method.server_streaming:
                await self._streamed(answer)
            else:
                self._metadata.append(("body", (await answer.aread()).decode()))
                self._note(answer.json())
                await self._messages.put(ParseDict(answer.json(), self._stub.response()))

    async def _downloaded(self, answer: httpx.Response) -> None:
        """One message, however the file was cut on its way."""
        whole = await answer.aread()
        self._metadata.append(("body", whole.decode()))
        await self._messages.put(self._stub.response(chunk=whole))

    async def _streamed(self, answer: httpx.Response) -> None:
        async for event in events_of(answer):
            if event.kind == "error":
                self._fail("", event.data)
            elif event.kind == "message":
                self._note(event.data)
                await self._messages.put(ParseDict(event.data, self._stub.response()))
            else:
                assert (event.kind, event.data) == ("end", {})

    def _note(self, answered: Any, status: int = 200) -> None:
        method = self._stub.method
        rpc = f"{method.containing_service.name}/{method.name}"
        self._stub.seen.append(Seen(rpc, json.loads(self._asked or "{}"), status, answered))

    def _fail(self, body: str, said: dict[str, Any]) -> None:
        self._note(said, 400)
        if body:
            self._metadata.append(("body", body))
        trailer = ()
        if "refusal" in said:
            refused = wire.from_proto(ParseDict(said["refusal"], Refusal()))
            trailer = ((wire.DETAILS, wire.details(refused).SerializeToString()),)
        self._error = _broken(grpc.StatusCode[said["code"]], said["message"], trailer)


def _broken(code: grpc.StatusCode, message: str, trailer: tuple[Any, ...] = ()) -> grpc.aio.AioRpcError:
    return grpc.aio.AioRpcError(code, grpc.aio.Metadata(), grpc.aio.Metadata(*trailer), details=message)


async def _each(requests):
    if hasattr(requests, "__aiter__"):
        async for request in requests:
            yield request
    else:
        for request in requests:
            yield request
