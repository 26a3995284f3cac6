"""What a handler sees of an HTTP request: the part of gRPC's context that handlers use."""

import time
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, NoReturn

import grpc
from google.protobuf.message import Message
from google.rpc.status_pb2 import Status

from services.common.wire import DETAILS
from tidelog.v1.refusal_pb2 import Refusal

Write = Callable[[Message | bytes], Awaitable[None]]

METADATA = frozenset({b"authorization", b"traceparent"})
"""The headers that handlers are shown."""


class Aborted(grpc.aio.AbortError):
    """A call ends: with a code and, if it is one of ours, a refusal. `status` is HTTP's where the code does not say."""

    def __init__(
        self,
        code: grpc.StatusCode,
        message: str,
        refusal: Refusal | None = None,
        status: int | None = None,
        headers: dict[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.refusal = refusal
        self.status = status
        self.headers = headers or {}


class HttpContext:
    """`write` is given the messages of a stream; `timeout_s` is how long the caller waits, None for ever."""

    def __init__(
        self,
        headers: Iterable[tuple[bytes, bytes]],
        client: tuple[str, int] | None,
        write: Write,
        timeout_s: float | None,
    ) -> None:
        self._metadata = tuple(
            (name.decode("latin-1"), value.decode("latin-1")) for name, value in headers if name in METADATA
        )
        self._client = client
        self._deadline = None if timeout_s is None else time.monotonic() + timeout_s
        self.write = write

    def invocation_metadata(self) -> tuple[tuple[str, str], ...]:
        return self._metadata

    def time_remaining(self) -> float | None:
        return None if self._deadline is None else max(self._deadline - time.monotonic(), 0)

    def peer(self) -> str:
        """As gRPC names it."""
        if self._client is None:
            return "unix:"
        host, port = self._client
        return f"ipv6:[{host}]:{port}" if ":" in host else f"ipv4:{host}:{port}"

    async def abort(
        self, code: grpc.StatusCode, details: str = "", trailing_metadata: Iterable[tuple[str, Any]] = ()
    ) -> NoReturn:
        raise Aborted(code, details, _refusal(trailing_metadata))


def _refusal(trailer: Iterable[tuple[str, Any]]) -> Refusal | None:
    for key, value in trailer:
        if key == DETAILS:
            for detail in Status.FromString(value).details:
                refusal = Refusal()
                if detail.Unpack(refusal):
                    return refusal
    return None
