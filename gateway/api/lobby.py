"""LobbyService."""

from typing import Any

import grpc

from gateway import metrics
from gateway.api.calls import Context, begun, check_request, refusing
from gateway.api.invitations import InvitationCalls
from gateway.api.pairing import PairingCalls
from gateway.api.streams import Streams
from gateway.lobby import asking
from gateway.lobby.pairing import Pairing
from gateway.lobby.watching import LobbyWatch
from gateway.matches.outbox import Outbox
from gateway.parts import Parts
from services.common.refusals import Reason, Refused
from tidelog.v1 import lobby_pb2
from tidelog.v1.lobby_pb2 import WatchMatchesRequest
from tidelog.v1.lobby_pb2_grpc import LobbyServiceServicer, add_LobbyServiceServicer_to_server

SERVICE: str = lobby_pb2.DESCRIPTOR.services_by_name["LobbyService"].full_name

USUAL_LIMIT = 200
MOST_LISTED = 1000


class LobbyServicer(InvitationCalls, PairingCalls, LobbyServiceServicer):
    """All rpcs, each in the file of its kind. `streams` ends those that are open when the gateway drains."""

    def __init__(self, parts: Parts, streams: Streams) -> None:
        super().__init__()
        self.parts = parts
        self.pairing = Pairing(parts)
        self._streams = streams

    # It writes its messages to the context, which the generated class does not know of.
    async def WatchMatches(  # type: ignore[override]  # noqa: N802
        self, request: WatchMatchesRequest, context: Context
    ) -> None:
        with metrics.STREAMS.labels("WatchMatches").track_inprogress():
            await refusing(context, self._watched(request, context), "WatchMatches", request)

    async def _watched(self, request: WatchMatchesRequest, context: Context) -> None:
        call = await begun(self.parts, context)
        check_request(request)
        self.parts.engines.check_filter(request.game)
        filters, limit = asking.filters(request), _limit(request.limit)
        outbox = Outbox(self.parts.settings.outbox_bytes, metrics.DELIVERY_SECONDS.of("WatchMatches"))
        await self._streams.serve(context, call, outbox, LobbyWatch(self.parts, call.caller, filters, limit, outbox))


def _limit(asked: int) -> int:
    if asked < 0:
        raise Refused(Reason.MALFORMED, "a list holds at least one match - at `$.limit`")
    if asked > MOST_LISTED:
        raise Refused(Reason.TOO_LARGE, f"at most {MOST_LISTED} matches are listed - at `$.limit`")
    return asked or USUAL_LIMIT


def register(servicer: LobbyServicer, server: Any) -> None:
    """Serves the rpcs; the answers of WatchMatches are bytes already."""
    add_LobbyServiceServicer_to_server(servicer, server)
    watch: Any = grpc.unary_stream_rpc_method_handler(
        servicer.WatchMatches, request_deserializer=WatchMatchesRequest.FromString, response_serializer=None
    )
    server.add_registered_method_handlers(SERVICE, {"WatchMatches": watch})
