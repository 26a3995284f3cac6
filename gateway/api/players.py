"""PlayerService: what players have played, and how it went."""

from gateway import facts
from gateway.api import records
from gateway.api.calls import answering
from gateway.api.pages import page_size
from gateway.callers.call import Call
from gateway.parts import Parts
from gateway.projections import histories, leaderboards, statistics
from gateway.projections.histories import HistoryFilters, HistoryPlace
from gateway.projections.leaderboards import BoardPlace
from gateway.projections.tokens import list_digest
from services.common.refusals import Reason, Refused
from tidelog.v1.players_pb2 import (
    DESCRIPTOR,
    GetHeadToHeadRequest,
    GetHeadToHeadResponse,
    GetPlayerStatisticsRequest,
    GetPlayerStatisticsResponse,
    ListLeaderboardRequest,
    ListLeaderboardResponse,
    ListPlayerMatchesRequest,
    ListPlayerMatchesResponse,
    ListPlayerRatingsRequest,
    ListPlayerRatingsResponse,
)
from tidelog.v1.players_pb2_grpc import PlayerServiceServicer

SERVICE: str = DESCRIPTOR.services_by_name["PlayerService"].full_name


class PlayerServicer(PlayerServiceServicer):
    """All from the read models, which may be a moment behind the logs."""

    def __init__(self, parts: Parts) -> None:
        self.parts = parts

    @answering
    async def ListPlayerMatches(self, request: ListPlayerMatchesRequest, call: Call) -> ListPlayerMatchesResponse:  # noqa: N802
        size = page_size(request.page_size)
        _check_player("player", request.player)
        self.parts.engines.check_filter(request.game)
        status = facts.STATUS_OF.get(request.status)
        viewer = None if call.caller.admin else call.caller.player
        filters = HistoryFilters(player=request.player, viewer=viewer, game=request.game, status=status)
        me, of = call.caller.player, list_digest("history", request.player, request.game, status)
        after = self.parts.pages.read(me, of, request.page_token, HistoryPlace) if request.page_token else None
        await self.parts.follower.aligned()
        page = await self.parts.database.read(lambda tables: histories.history(tables, filters, size, after))
        return ListPlayerMatchesResponse(
            matches=map(records.played_match, page.matches),
            next_page_token="" if page.after is None else self.parts.pages.write(me, of, page.after),
        )

    @answering
    async def GetPlayerStatistics(  # noqa: N802
        self, request: GetPlayerStatisticsRequest, _call: Call
    ) -> GetPlayerStatisticsResponse:
        _check_player("player", request.player)
        self.parts.engines.check_filter(request.game)
        await self.parts.follower.aligned()
        found = await self.parts.database.read(
            lambda tables: statistics.statistics(tables, request.player, request.game)
        )
        return GetPlayerStatisticsResponse(games=map(records.game_statistics, found))

    @answering
    async def GetHeadToHead(self, request: GetHeadToHeadRequest, _call: Call) -> GetHeadToHeadResponse:  # noqa: N802
        _check_player("player", request.player)
        _check_player("other", request.other)
        self.parts.engines.check_filter(request.game)
        if request.player == request.other:
            raise Refused(Reason.MALFORMED, "nobody has results against themselves - at `$.other`")
        await self.parts.follower.aligned()
        found = await self.parts.database.read(
            lambda tables: statistics.head_to_head(tables, request.player, request.other, request.game)
        )
        return GetHeadToHeadResponse(games=map(records.head_to_head, found))

    @answering
    async def ListPlayerRatings(self, request: ListPlayerRatingsRequest, _call: Call) -> ListPlayerRatingsResponse:  # noqa: N802
        _check_player("player", request.player)
        await self.parts.follower.aligned()
        found = await self.parts.database.read(lambda tables: leaderboards.ratings_of(tables, request.player))
        return ListPlayerRatingsResponse(games=map(records.game_rating, found))

    @answering
    async def ListLeaderboard(self, request: ListLeaderboardRequest, call: Call) -> ListLeaderboardResponse:  # noqa: N802
        size = page_size(request.page_size)
        self.parts.engines.check(request.game)
        if request.least_matches < 0:
            raise Refused(Reason.MALFORMED, "nobody has played fewer than no matches - at `$.least_matches`")
        asked = leaderboards.Asked(request.game, request.least_matches, call.caller.player)
        me, of = call.caller.player, list_digest("board", request.game, request.least_matches)
        after = self.parts.pages.read(me, of, request.page_token, BoardPlace) if request.page_token else None
        await self.parts.follower.aligned()
        board = await self.parts.database.read(lambda tables: leaderboards.leaderboard(tables, asked, size, after))
        return ListLeaderboardResponse(
            entries=map(records.ranked, board.entries),
            own=None if board.own is None else records.ranked(board.own),
            next_page_token="" if board.after is None else self.parts.pages.write(me, of, board.after),
        )


def _check_player(field: str, player: str) -> None:
    """Raises Refused(MALFORMED)."""
    if not player:
        raise Refused(Reason.MALFORMED, f"name a player - at `$.{field}`")
