"""The matches of a player, page by page."""

import heapq
from collections.abc import Iterator
from itertools import islice, product
from sqlite3 import Connection

from msgspec import Struct

from gateway.projections.lists import Listed, listed
from gateway.projections.ratings import Rating
from services.eventlog.match import Status

Group = tuple[int, str, Status]
"""Of a player's matches: private or not, game, status."""


class HistoryFilters(Struct, frozen=True, kw_only=True):
    """Those that are set must all hold. Private matches are shown to those who may see them: `viewer`, or all."""

    player: str
    viewer: str | None
    game: str = ""
    status: Status | None = None


class HistoryPlace(Struct, frozen=True, array_like=True):
    """After which match a page begins."""

    created_at: int
    match: str


class RatingChange(Struct, frozen=True):
    before: Rating
    after: Rating


class PlayedMatch(Struct, frozen=True):
    """`rating` is None where the match is not rated, or not yet."""

    listed: Listed
    seats: tuple[int, ...]
    rating: RatingChange | None


class HistoryPage(Struct, frozen=True):
    """`after` is where the next page begins, None on the last."""

    matches: tuple[PlayedMatch, ...]
    after: HistoryPlace | None


def history(connection: Connection, filters: HistoryFilters, size: int, after: HistoryPlace | None) -> HistoryPage:
    """The matches made last come first: an order that a match keeps while it is played."""
    own = filters.viewer in (None, filters.player)
    walks = [_walk(connection, filters, group, after) for group in _groups(connection, filters, private=own)]
    if not own:
        walks.append(_shared(connection, filters, after))
    found = list(islice(heapq.merge(*walks, reverse=True), size + 1))
    matches = tuple(_match(connection, filters.player, match) for _, match in found[:size])
    return HistoryPage(matches, HistoryPlace(*found[size - 1]) if len(found) > size else None)


def _groups(connection: Connection, filters: HistoryFilters, *, private: bool) -> Iterator[Group]:
    """Those that pass; each is read off the index in order, so a page looks at no more than it shows."""
    for kind in (0, 1) if private else (0,):
        games = [filters.game] if filters.game else _games(connection, filters.player, kind)
        for game, status in product(games, (filters.status,) if filters.status else Status):
            yield kind, game, status


def _games(connection: Connection, player: str, private: int) -> Iterator[str]:
    """The games of which the player has matches."""
    game = ""
    while game is not None:
        (game,) = connection.execute(
            "SELECT min(game) FROM played WHERE player = ? AND private = ? AND game > ?", (player, private, game)
        ).fetchone()
        if game is not None:
            yield game


def _walk(
    connection: Connection, filters: HistoryFilters, group: Group, after: HistoryPlace | None
) -> Iterator[tuple[int, str]]:
    behind, place = _behind(after)
    return connection.execute(
        "SELECT created_at, match FROM played INDEXED BY played_listed"  # noqa: S608 - fixed texts
        f" WHERE player = ? AND private = ? AND game = ? AND status = ?{behind} ORDER BY created_at DESC, match DESC",
        (filters.player, *group, *place),
    )


def _shared(connection: Connection, filters: HistoryFilters, after: HistoryPlace | None) -> Iterator[tuple[int, str]]:
    """Private matches that the viewer may see too: as many as these have in common are looked at."""
    behind, place = _behind(after)
    return connection.execute(
        "SELECT created_at, played.match FROM insiders CROSS JOIN played"  # noqa: S608 - fixed texts
        " ON played.match = insiders.match AND played.player = ?1"
        " WHERE insiders.player = ?2 AND (?3 = '' OR game = ?3) AND (?4 IS NULL OR status = ?4)"
        f"{behind} ORDER BY created_at DESC, played.match DESC",
        (filters.player, filters.viewer, filters.game, filters.status, *place),
    )


def _behind(after: HistoryPlace | None) -> tuple[str, tuple[int | str, ...]]:
    """A condition, and its values."""
    if after is None:
        return "", ()
    return " AND (created_at, played.match) < (?, ?)", (after.created_at, after.match)


def _match(connection: Connection, player: str, match: str) -> PlayedMatch:
    found = listed(connection, match)
    seats = tuple(number for number, seat in enumerate(found.facts.seats) if seat.player == player)
    return PlayedMatch(found, seats, _rating(connection, player, match))


def _rating(connection: Connection, player: str, match: str) -> RatingChange | None:
    change = connection.execute(
        "SELECT mu_before, sigma_before, mu, sigma, matches FROM rating_changes WHERE match = ? AND player = ?",
        (match, player),
    ).fetchone()
    if change is None:
        return None
    mu_before, sigma_before, mu, sigma, matches = change
    return RatingChange(Rating(mu_before, sigma_before, matches - 1), Rating(mu, sigma, matches))
