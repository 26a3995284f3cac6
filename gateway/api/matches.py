"""MatchService."""

from typing import Any

import grpc

from gateway.api.commands import Commands
from gateway.api.imports import Imports
from gateway.api.logs import Logs
from gateway.api.reads import Reads
from gateway.api.streams import Streams
from gateway.parts import Parts
from tidelog.v1 import matches_pb2
from tidelog.v1.matches_pb2 import PlayRequest, WatchMatchRequest
from tidelog.v1.matches_pb2_grpc import MatchServiceServicer, add_MatchServiceServicer_to_server

SERVICE: str = matches_pb2.DESCRIPTOR.services_by_name["MatchService"].full_name


# Streams write their messages to the context, which the generated class does not know of.
class MatchServicer(Commands, Reads, Logs, Imports, Streams, MatchServiceServicer):  # type: ignore[misc]
    """All rpcs, each in the file of its kind."""

    def __init__(self, parts: Parts) -> None:
        super().__init__()
        self.parts = parts


def register(servicer: MatchServicer, server: Any) -> None:
    """Serves the rpcs; the answers of WatchMatch and Play are bytes already."""
    add_MatchServiceServicer_to_server(servicer, server)
    watch: Any = grpc.unary_stream_rpc_method_handler(
        servicer.WatchMatch, request_deserializer=WatchMatchRequest.FromString, response_serializer=None
    )
    play: Any = grpc.stream_stream_rpc_method_handler(
        servicer.Play, request_deserializer=PlayRequest.FromString, response_serializer=None
    )
    server.add_registered_method_handlers(SERVICE, {"WatchMatch": watch, "Play": play})
