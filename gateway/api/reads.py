"""The rpcs that answer from the folds of logs and from the list of matches."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from gateway import facts
from gateway.api.calls import answering
from gateway.api.pages import page_size
from gateway.callers.call import Call
from gateway.callers.rights import check_audience, check_holder, may_see
from gateway.lobby import asking
from gateway.matches.match import LiveMatch
from gateway.matches.reading import cursor_of
from gateway.matches.scores import scores
from gateway.matches.situation import legal_moves
from gateway.parts import Parts
from gateway.projections.walking import ListPlace
from services.common.codec import GameCodec, Root
from services.common.refusals import Reason, Refused
from services.eventlog.aggregate import Aggregate
from services.eventlog.match import Status
from tidelog.v1.matches_pb2 import (
    GetMatchRequest,
    GetMatchResponse,
    GetViewRequest,
    GetViewResponse,
    ListLegalMovesRequest,
    ListLegalMovesResponse,
    ListMatchesRequest,
    ListMatchesResponse,
    ListScoresRequest,
    ListScoresResponse,
)


class Reads:
    """Never behind what the log held when the call came; the list alone may be a moment late."""

    parts: Parts

    @answering
    async def ListMatches(self, request: ListMatchesRequest, call: Call) -> ListMatchesResponse:  # noqa: N802
        size = page_size(request.page_size)
        self.parts.engines.check_filter(request.game)
        filters = asking.filters(request)
        pages, who = self.parts.pages, (call.caller.player, filters.digest)
        after = pages.read(*who, request.page_token, ListPlace) if request.page_token else None
        await self.parts.follower.aligned()
        page = await self.parts.matches.page(filters, call.caller, size, after)
        matches = [facts.match_message(listed.facts, listed.created_at_ms) for listed in page.matches]
        token = pages.write(*who, page.next) if page.next is not None else ""
        return ListMatchesResponse(matches=matches, next_page_token=token)

    @answering
    async def GetMatch(self, request: GetMatchRequest, call: Call) -> GetMatchResponse:  # noqa: N802
        guest = await self._for_guest(request, call) if request.HasField("invitation") else None
        live = guest or await self.parts.shown.sound(request.match_id, call.caller)
        created = live.aggregate.facts.created
        codec = GameCodec.of(created.game)
        codec.require(request.accept)
        return GetMatchResponse(
            match=facts.match_message(live.aggregate.facts, live.aggregate.facts.born),
            options=codec.payload(Root.OPTIONS, bytes(created.options), request.accept),
            turns=facts.turns(live.aggregate),
            clocks=facts.clocks(live.aggregate.facts),
            delay=facts.delay_message(live.delay if guest is None else live.aggregate.facts.terms.spectator_delay),
        )

    async def _for_guest(self, request: GetMatchRequest, call: Call) -> LiveMatch | None:
        """The match that the invitation opens; None where it opens nothing more than the caller's own eyes do."""
        invitation = self.parts.invitations.read(request.invitation, request.match_id, call.caller.player)
        live = await self.parts.live.current(request.match_id)
        facts = live.aggregate.facts
        if may_see(facts, call.caller):
            return None
        if invitation.nonce in facts.used or facts.status is not Status.OPEN:
            raise Refused(Reason.EXPIRED, "the invitation was used, or the match has begun - at `$.invitation`")
        if live.broken is not None:
            raise live.broken
        return live

    @answering
    async def ListLegalMoves(self, request: ListLegalMovesRequest, call: Call) -> ListLegalMovesResponse:  # noqa: N802
        live = await self.parts.shown.current(request.match_id, call.caller)
        of_match = live.aggregate.facts
        if request.HasField("version"):
            check_audience(of_match, call.caller, request.seat)
        elif live.broken is not None:
            raise live.broken
        else:
            check_holder(of_match, call.caller, request.seat)
        GameCodec.of(of_match.created.game).require(request.accept)
        async with self._at(live, request) as aggregate:
            return _legal(aggregate, request)

    @answering
    async def GetView(self, request: GetViewRequest, call: Call) -> GetViewResponse:  # noqa: N802
        live = await self.parts.shown.current(request.match_id, call.caller)
        seat = request.seat if request.HasField("seat") else None
        check_audience(live.aggregate.facts, call.caller, seat)
        GameCodec.of(live.aggregate.facts.created.game).require(request.accept)
        async with self._at(live, request) as aggregate:
            response = _view(aggregate, seat, request)
        response.MergeFrom(GetViewResponse(delay=facts.delay_message(live.delay)))
        return response

    @answering
    async def ListScores(self, request: ListScoresRequest, call: Call) -> ListScoresResponse:  # noqa: N802
        live = await self.parts.shown.current(request.match_id, call.caller)
        seat = request.seat if request.HasField("seat") else None
        check_audience(live.aggregate.facts, call.caller, seat)
        response = await scores(live, self.parts.shown, seat, cursor_of(request.after))
        response.MergeFrom(ListScoresResponse(delay=facts.delay_message(live.delay)))
        return response

    @asynccontextmanager
    async def _at(self, live: LiveMatch, request: GetViewRequest | ListLegalMovesRequest) -> AsyncIterator[Aggregate]:
        """The match after the entry asked for, absent: as it is. Raises Refused and the port's errors."""
        version = request.version if request.HasField("version") else None
        if version is None and live.broken is not None:
            raise live.broken
        if version is None or version == live.version:
            yield live.aggregate
            return
        if not 0 < version < live.version:
            raise live.broken or Refused(
                Reason.UNKNOWN_VERSION, f"the log has versions 1 to {live.version}", version=live.version
            )
        past = await self.parts.past.at(live.id, version)
        try:
            yield past
        finally:
            self.parts.past.give_back(past)


def _view(aggregate: Aggregate, seat: int | None, request: GetViewRequest) -> GetViewResponse:
    view = aggregate.engine.view(aggregate.state, seat)
    codec = GameCodec.of(aggregate.facts.created.game)
    return GetViewResponse(
        cursor=str(aggregate.cursor),
        version=aggregate.facts.version,
        view=codec.payload_of(Root.VIEW, view, request.accept),
    )


def _legal(aggregate: Aggregate, request: ListLegalMovesRequest) -> ListLegalMovesResponse:
    response = ListLegalMovesResponse(cursor=str(aggregate.cursor))
    response.legal.SetInParent()
    if facts.has_decision(aggregate, request.seat):
        response.legal.MergeFromString(legal_moves(aggregate, request.seat, request.accept))
        response.decision = aggregate.facts.decisions[request.seat]
    return response
