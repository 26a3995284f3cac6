"""What is called over HTTP: every rpc of the servicers that gRPC serves, found in their descriptors."""

from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from google.protobuf import descriptor_pool, message_factory
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message
from msgspec import Struct

Handler = Callable[[Any, Any], Coroutine[Any, Any, Any]]


class Rpc(Struct, frozen=True):
    """`name` is Service/Rpc. A handler gets the request (or an iterator of requests) and a context, as from gRPC."""

    name: str
    method: MethodDescriptor
    request: type[Message]
    response: type[Message]
    handler: Handler

    @property
    def streams_in(self) -> bool:
        return bool(self.method.client_streaming)

    @property
    def streams_out(self) -> bool:
        return bool(self.method.server_streaming)


def rpcs_of(servicers: Mapping[str, object]) -> dict[str, Rpc]:
    """By name, of servicers by the full names of their services; without those that stream both ways."""
    pool = descriptor_pool.Default()
    found = {}
    for full_name, servicer in servicers.items():
        service = pool.FindServiceByName(full_name)
        for method in service.methods:
            if method.client_streaming and method.server_streaming:
                continue
            name = f"{service.name}/{method.name}"
            found[name] = Rpc(
                name,
                method,
                message_factory.GetMessageClass(method.input_type),
                message_factory.GetMessageClass(method.output_type),
                getattr(servicer, method.name),
            )
    return found
