"""Requests whose bytes are no message: refused like anything else that can't be read.

gRPC would end such a call with UNKNOWN, without a refusal, or a stream with an exception in the midst of its handler.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import grpc
from google.protobuf.message import DecodeError
from msgspec import Struct

from services.common.refusals import Reason, Refused

Deserialize = Callable[[bytes], Any]


class Unreadable(Struct, frozen=True):
    """What a handler gets in a request's place."""

    problem: str

    @property
    def refused(self) -> Refused:
        return Refused(Reason.MALFORMED, f"the request can't be read: {self.problem}")


def require_readable(request: object) -> None:
    """The first look at any request. Raises Refused(MALFORMED)."""
    if isinstance(request, Unreadable):
        raise request.refused


class Registry:
    """A server as services are added to it: their handlers get an Unreadable where a request does not parse."""

    def __init__(self, server: grpc.aio.Server) -> None:
        self._server = server

    def add_generic_rpc_handlers(self, handlers: Sequence[grpc.GenericRpcHandler]) -> None:
        """Nothing: of handlers that are added both ways the registered ones are called."""

    def add_registered_method_handlers(self, service: str, handlers: Mapping[str, Any]) -> None:
        patient = {
            name: handler._replace(request_deserializer=_patient(handler.request_deserializer))
            for name, handler in handlers.items()
        }
        self._server.add_registered_method_handlers(service, patient)


def _patient(deserialize: Deserialize) -> Deserialize:
    def read(data: bytes) -> Any:
        try:
            return deserialize(data)
        except DecodeError as error:
            return Unreadable(str(error))

    return read
