"""What players have played, and how it went."""

from collections.abc import AsyncIterator
from typing import Any

from msgspec import Struct

from tidelog.client import reading
from tidelog.client.answers import Match
from tidelog.client.calling import Caller
from tidelog.v1 import matches_pb2, players_pb2
from tidelog.v1.players_pb2_grpc import PlayerServiceStub


class Rating(Struct, frozen=True):
    """A player is at least as good as `ordinal` almost for sure; it is folded from so many matches."""

    mu: float
    sigma: float
    ordinal: float
    matches: int


class Played(Struct, frozen=True):
    """A match of a player; the ratings are those before and after it, None where it is not rated, or not yet."""

    match: Match
    seats: tuple[int, ...]
    before: Rating | None
    after: Rating | None


class Points(Struct, frozen=True):
    matches: int
    total: int
    least: int
    most: int
    mean: float


class Category(Struct, frozen=True):
    matches: int
    total: int
    mean: float


class Tally(Struct, frozen=True):
    """`seats` is 0 in a total; `places` counts from the first place on; `points` is None where none were scored."""

    seats: int
    matches: int
    aborted: int
    wins: int
    shared_wins: int
    places: tuple[int, ...]
    left: int
    points: Points | None
    categories: dict[str, Category]


class Statistics(Struct, frozen=True):
    """`by_seats` maps numbers of seats."""

    total: Tally
    by_seats: dict[int, Tally]


class HeadToHead(Struct, frozen=True):
    """How often the one was placed before the other, behind, or level."""

    matches: int
    ahead: int
    behind: int
    level: int


class Ranked(Struct, frozen=True):
    place: int
    player: str
    name: str
    rating: Rating


class Players:
    """Every call raises Refused. A player nobody has heard of has empty answers."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller
        self._service = PlayerServiceStub(caller.channel)

    async def history(
        self, player: str, *, game: str = "", status: str = "unspecified", page_size: int = 0
    ) -> AsyncIterator[Played]:
        """The player's matches, the one made last first, fetched page by page."""
        request = players_pb2.ListPlayerMatchesRequest(
            player=player,
            game=game,
            status=matches_pb2.MatchStatus.Value(f"MATCH_STATUS_{status.upper()}"),
            page_size=page_size,
        )
        while True:
            page = await self._caller.ask(self._service.ListPlayerMatches, request)
            for played in page.matches:
                yield _played(played)
            request.page_token = page.next_page_token
            if not request.page_token:
                return

    async def statistics(self, player: str, *, game: str = "") -> dict[str, Statistics]:
        """By game."""
        request = players_pb2.GetPlayerStatisticsRequest(player=player, game=game)
        answer = await self._caller.ask(self._service.GetPlayerStatistics, request)
        return {
            found.game: Statistics(_tally(found.total), {tally.seats: _tally(tally) for tally in found.by_seats})
            for found in answer.games
        }

    async def head_to_head(self, player: str, other: str, *, game: str = "") -> dict[str, HeadToHead]:
        """By game."""
        request = players_pb2.GetHeadToHeadRequest(player=player, other=other, game=game)
        answer = await self._caller.ask(self._service.GetHeadToHead, request)
        return {found.game: HeadToHead(found.matches, found.ahead, found.behind, found.level) for found in answer.games}

    async def ratings(self, player: str) -> dict[str, Rating]:
        """By game."""
        request = players_pb2.ListPlayerRatingsRequest(player=player)
        answer = await self._caller.ask(self._service.ListPlayerRatings, request)
        return {found.game: _rating(found.rating) for found in answer.games}

    async def leaderboard(self, game: str, *, least_matches: int = 0, page_size: int = 0) -> AsyncIterator[Ranked]:
        """The players of the game, the best first, fetched page by page."""
        request = players_pb2.ListLeaderboardRequest(game=game, least_matches=least_matches, page_size=page_size)
        while True:
            page = await self._caller.ask(self._service.ListLeaderboard, request)
            for found in page.entries:
                yield _ranked(found)
            request.page_token = page.next_page_token
            if not request.page_token:
                return

    async def my_place(self, game: str, *, least_matches: int = 0) -> Ranked | None:
        """One's own line on the leaderboard; None for one who is not on it."""
        request = players_pb2.ListLeaderboardRequest(game=game, least_matches=least_matches, page_size=1)
        answer = await self._caller.ask(self._service.ListLeaderboard, request)
        return _ranked(answer.own) if answer.HasField("own") else None


def _rating(found: players_pb2.Rating) -> Rating:
    return Rating(found.mu, found.sigma, found.ordinal, found.matches)


def _played(found: players_pb2.PlayedMatch) -> Played:
    rated = found.HasField("rating")
    return Played(
        match=reading.match(found.match),
        seats=tuple(found.seats),
        before=_rating(found.rating.before) if rated else None,
        after=_rating(found.rating.after) if rated else None,
    )


def _tally(found: players_pb2.Tally) -> Tally:
    points: Any = found.points
    return Tally(
        seats=found.seats,
        matches=found.matches,
        aborted=found.aborted,
        wins=found.wins,
        shared_wins=found.shared_wins,
        places=tuple(found.places),
        left=found.left,
        points=Points(points.matches, points.total, points.least, points.most, points.mean)
        if found.HasField("points")
        else None,
        categories={each.category: Category(each.matches, each.total, each.mean) for each in found.categories},
    )


def _ranked(found: players_pb2.Ranked) -> Ranked:
    return Ranked(found.place, found.player, found.name, _rating(found.rating))
