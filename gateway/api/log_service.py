"""LogService."""

from typing import Any

import grpc

from gateway import metrics
from gateway.api.calls import Context, begun, check_request, refusing
from gateway.api.log_watch import LogWatch
from gateway.api.streams import Streams
from gateway.matches.outbox import Outbox
from gateway.parts import Parts
from tidelog.v1 import logs_pb2
from tidelog.v1.logs_pb2 import WatchLogRequest
from tidelog.v1.logs_pb2_grpc import LogServiceServicer, add_LogServiceServicer_to_server

SERVICE: str = logs_pb2.DESCRIPTOR.services_by_name["LogService"].full_name
RPC = "WatchLog"


# The stream writes its messages to the context, which the generated class does not know of.
class LogServicer(LogServiceServicer):
    """`streams` knows the open ones, and drains them."""

    def __init__(self, parts: Parts, streams: Streams) -> None:
        self._parts = parts
        self._streams = streams

    async def WatchLog(self, request: WatchLogRequest, context: Context) -> None:  # type: ignore[override]  # noqa: N802
        with metrics.STREAMS.labels(RPC).track_inprogress():
            await refusing(context, self._watched(request, context), RPC, request)

    async def _watched(self, request: WatchLogRequest, context: Context) -> None:
        call = await begun(self._parts, context)
        check_request(request)
        outbox = Outbox(self._parts.settings.outbox_bytes, metrics.DELIVERY_SECONDS.of(RPC))
        watch = LogWatch(self._parts, call.caller, request, outbox)
        await self._streams.serve(context, call, outbox, watch)


def register(servicer: LogServicer, server: Any) -> None:
    """Serves the rpc; its answers are bytes already."""
    add_LogServiceServicer_to_server(servicer, server)
    watch: Any = grpc.unary_stream_rpc_method_handler(
        servicer.WatchLog, request_deserializer=WatchLogRequest.FromString, response_serializer=None
    )
    server.add_registered_method_handlers(SERVICE, {RPC: watch})
