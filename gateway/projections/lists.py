"""Questions to the read model: pages of matches, and the seats of a player."""

import sqlite3

from msgspec import Struct

from gateway.callers.identity import Caller
from gateway.projections import folding, listing
from gateway.projections.filters import Filters
from gateway.projections.listing import Relation
from gateway.projections.places import Place
from gateway.projections.walking import ListPlace, walk
from services.eventlog.match import Match, Status

SHOWN = (
    "SELECT coalesce(frozen.version, matches.version), coalesce(frozen.hash, matches.hash), changed_at,"
    " coalesce(frozen.facts, matches.facts), created_at FROM matches LEFT JOIN frozen ON frozen.match = id WHERE id = ?"
)
"""The row of a match as lists show it."""

LOOKED_AT = 3000
"""Matches that a page looks at, at most."""


OPENED = 300
"""Matches that a page reads whole, at most: one full page, and some that did not pass."""


class Listed(Struct, frozen=True):
    facts: Match
    created_at_ms: int


class Page(Struct, frozen=True):
    """`next` is where the next page begins; None on the last one."""

    matches: tuple[Listed, ...]
    next: ListPlace | None


class HeldSeat(Struct, frozen=True):
    """A seat of a match that is open or running."""

    match: str
    game: str
    seat: int


def page(connection: sqlite3.Connection, filters: Filters, caller: Caller, size: int, after: ListPlace | None) -> Page:
    """Up to so many matches that pass; fewer, and a next page, where many had to be looked at."""
    found: list[Listed] = []
    opened, last = 0, None
    walked, variants = walk(connection, filters, caller, after)
    for looked_at, (at, match, variant) in enumerate(walked):
        if len(found) == size or looked_at == LOOKED_AT or opened == OPENED:
            return Page(tuple(found), last)
        last = ListPlace(at, match)
        if variants is not None and variant not in variants:
            continue
        opened += 1
        shown = listed(connection, match)
        if filters.passes(shown.facts, caller):
            found.append(shown)
    return Page(tuple(found), None)


def seats_of(connection: sqlite3.Connection, player: str) -> list[HeldSeat]:
    """In matches that are open or running; an import is neither, whatever its log says."""
    rows = connection.execute(
        "SELECT match, game, seat FROM seats JOIN matches ON id = match"
        " WHERE player = ? AND status IN (?, ?) AND NOT imported ORDER BY match, seat",
        (player, Status.OPEN, Status.RUNNING),
    )
    return [HeldSeat(*row) for row in rows]


def count_waiting(connection: sqlite3.Connection, player: str, most: int) -> int:
    """The matches that the player made and that have not started; counted up to `most`."""
    return _count(
        connection,
        "SELECT 1 FROM listed WHERE who = ? AND private IN (0, 1) AND stage >= ? LIMIT ?",
        (Relation.MADE.key(player), listing.FULL, most),
    )


def count_seats(connection: sqlite3.Connection, player: str, most: int) -> int:
    """The player's seats in matches that are not over; counted up to `most`."""
    stages = ", ".join(str(stage) for stage in (listing.RUNNING, *listing.OPEN))
    return _count(
        connection,
        "SELECT 1 FROM listed CROSS JOIN seats ON seats.player = ? AND seats.match = listed.match"  # noqa: S608
        f" WHERE who = ? AND private IN (0, 1) AND stage IN ({stages}) LIMIT ?",
        (player, Relation.HOLDS.key(player), most),
    )


def _count(connection: sqlite3.Connection, inner: str, values: tuple[object, ...]) -> int:
    (found,) = connection.execute(f"SELECT COUNT(*) FROM ({inner})", values).fetchone()  # noqa: S608 - fixed texts
    return int(found)


def listed(connection: sqlite3.Connection, match: str) -> Listed:
    """A match whose row there is."""
    row = connection.execute(SHOWN, (match,)).fetchone()
    return Listed(folding.read(*row[:4]), row[4])


def checkpoints(connection: sqlite3.Connection) -> dict[int, Place]:
    found = connection.execute("SELECT shard, number, hash FROM checkpoints")
    return {shard: Place(number, digest) for shard, number, digest in found}


def rows(connection: sqlite3.Connection, shard: int) -> dict[str, tuple[int, bytes]]:
    """Every match of the shard with the version and hash of its row."""
    found = connection.execute("SELECT id, version, hash FROM matches WHERE shard = ?", (shard,))
    return {match: (version, digest) for match, version, digest in found}


def row(connection: sqlite3.Connection, match: str) -> tuple[int, bytes] | None:
    """Version and hash of the match's row."""
    found: tuple[int, bytes] | None = connection.execute(
        "SELECT version, hash FROM matches WHERE id = ?", (match,)
    ).fetchone()
    return found
