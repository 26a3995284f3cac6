"""The rpcs that answer from the folds of logs and from the list of matches."""

from gateway import facts
from gateway.api.calls import Call, answering
from gateway.api.pages import page_size
from gateway.match import LiveMatch
from gateway.parts import Parts
from gateway.projections.lists import Filters
from gateway.rights import check_audience
from gateway.situation import legal_moves
from services.common.codec import GameCodec, Root
from services.common.refusals import Reason, Refused
from services.eventlog.aggregate import Aggregate
from tidelog.v1.matches_pb2 import (
    GetMatchRequest,
    GetMatchResponse,
    GetViewRequest,
    GetViewResponse,
    ListLegalMovesRequest,
    ListLegalMovesResponse,
    ListMatchesRequest,
    ListMatchesResponse,
)


class Reads:
    """Never behind what the log held when the call came; the list alone may be a moment late."""

    parts: Parts

    @answering
    async def ListMatches(self, request: ListMatchesRequest, _call: Call) -> ListMatchesResponse:  # noqa: N802
        size = page_size(request.page_size)
        filters = Filters(request.game, facts.STATUS_OF.get(request.status), request.player)
        await self.parts.follower.aligned()
        page = await self.parts.matches.page(filters, size, request.page_token)
        matches = [facts.match_message(listed.facts, listed.created_at_ms) for listed in page.matches]
        return ListMatchesResponse(matches=matches, next_page_token=page.next_token)

    @answering
    async def GetMatch(self, request: GetMatchRequest, _call: Call) -> GetMatchResponse:  # noqa: N802
        live = await _sound(self.parts, request.match_id)
        created = live.aggregate.facts.created
        codec = GameCodec.of(created.game)
        codec.require(request.accept)
        return GetMatchResponse(
            match=facts.match_message(live.aggregate.facts, live.created_at_ms),
            options=codec.payload(Root.OPTIONS, bytes(created.options), request.accept),
            turns=facts.turns(live.aggregate),
        )

    @answering
    async def ListLegalMoves(self, request: ListLegalMovesRequest, call: Call) -> ListLegalMovesResponse:  # noqa: N802
        aggregate = (await _sound(self.parts, request.match_id)).aggregate
        seats = aggregate.facts.seats
        if not 0 <= request.seat < len(seats):
            raise Refused(Reason.UNKNOWN_SEAT, f"seats are numbered 0 to {len(seats) - 1}")
        if not (call.caller.admin or aggregate.facts.holds(call.caller.player, request.seat)):
            raise Refused(Reason.NOT_YOUR_SEAT, f"seat {request.seat} is not yours")
        GameCodec.of(aggregate.facts.created.game).require(request.accept)
        response = ListLegalMovesResponse(cursor=str(aggregate.cursor))
        response.legal.SetInParent()
        if facts.has_decision(aggregate, request.seat):
            response.legal.MergeFromString(legal_moves(aggregate, request.seat, request.accept))
            response.decision = aggregate.facts.decisions[request.seat]
        return response

    @answering
    async def GetView(self, request: GetViewRequest, call: Call) -> GetViewResponse:  # noqa: N802
        live = await self.parts.live.current(request.match_id)
        seat = request.seat if request.HasField("seat") else None
        check_audience(live.aggregate.facts, call.caller, seat)
        GameCodec.of(live.aggregate.facts.created.game).require(request.accept)
        if not request.HasField("version"):
            return _view(_require_sound(live).aggregate, seat, request)
        if request.version == live.version:
            return _view(live.aggregate, seat, request)
        if not 0 < request.version < live.version:
            _require_sound(live)
            raise Refused(Reason.UNKNOWN_VERSION, f"the log has versions 1 to {live.version}", version=live.version)
        past = await self.parts.past.at(request.match_id, request.version)
        try:
            return _view(past, seat, request)
        finally:
            self.parts.past.give_back(past)


async def _sound(parts: Parts, match_id: str) -> LiveMatch:
    return _require_sound(await parts.live.current(match_id))


def _require_sound(live: LiveMatch) -> LiveMatch:
    """Raises Refused(QUARANTINED)."""
    if live.broken is not None:
        raise live.broken
    return live


def _view(aggregate: Aggregate, seat: int | None, request: GetViewRequest) -> GetViewResponse:
    view = aggregate.engine.view(aggregate.state, seat)
    codec = GameCodec.of(aggregate.facts.created.game)
    return GetViewResponse(
        cursor=str(aggregate.cursor),
        version=aggregate.facts.version,
        view=codec.payload_of(Root.VIEW, view, request.accept),
    )
