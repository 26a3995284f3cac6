"""The matches of a player, page by page."""

from collections.abc import Sequence
from sqlite3 import Connection
from typing import Any

from msgspec import Struct

from gateway.projections import folding
from gateway.projections.lists import Listed
from gateway.projections.ratings import Rating
from services.eventlog.match import Status

SHOWN = (
    "coalesce(frozen.version, matches.version), coalesce(frozen.hash, matches.hash), changed_at,"
    " coalesce(frozen.facts, matches.facts)"
)
"""Of a match that keeps spectators behind no more than all lists show."""


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
    texts, values = _conditions(filters, after)
    found = connection.execute(
        f"SELECT {SHOWN}, played.created_at, played.match FROM played CROSS JOIN matches ON id = played.match"  # noqa: S608
        f" LEFT JOIN frozen ON frozen.match = id WHERE {' AND '.join(texts)}"
        " ORDER BY played.created_at DESC, played.match DESC LIMIT ?",
        (*values, size + 1),
    ).fetchall()
    matches = tuple(_match(connection, filters.player, row) for row in found[:size])
    return HistoryPage(matches, HistoryPlace(*found[size - 1][4:]) if len(found) > size else None)


def _conditions(filters: HistoryFilters, after: HistoryPlace | None) -> tuple[list[str], list[Any]]:
    texts: list[str] = ["played.player = ?"]
    values: list[Any] = [filters.player]
    if filters.viewer is not None:
        inside = "SELECT 1 FROM insiders WHERE insiders.match = played.match AND insiders.player = ?"
        texts.append(f"(NOT private OR EXISTS ({inside}))")
        values.append(filters.viewer)
    if filters.game:
        texts.append("played.game = ?")
        values.append(filters.game)
    if filters.status is not None:
        texts.append("played.status = ?")
        values.append(filters.status)
    if after is not None:
        texts.append("(played.created_at, played.match) < (?, ?)")
        values += [after.created_at, after.match]
    return texts, values


def _match(connection: Connection, player: str, row: Sequence[Any]) -> PlayedMatch:
    facts = folding.read(*row[:4])
    seats = tuple(number for number, seat in enumerate(facts.seats) if seat.player == player)
    return PlayedMatch(Listed(facts, row[4]), seats, _rating(connection, player, facts.id))


def _rating(connection: Connection, player: str, match: str) -> RatingChange | None:
    change = connection.execute(
        "SELECT mu_before, sigma_before, mu, sigma, matches FROM rating_changes WHERE match = ? AND player = ?",
        (match, player),
    ).fetchone()
    if change is None:
        return None
    mu_before, sigma_before, mu, sigma, matches = change
    return RatingChange(Rating(mu_before, sigma_before, matches - 1), Rating(mu, sigma, matches))
