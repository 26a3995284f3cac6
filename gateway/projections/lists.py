"""Questions to the read model: pages of matches, and the seats of a player."""

import base64
import sqlite3
from hashlib import sha256

import msgspec
from msgspec import Struct

from gateway.projections import folding
from gateway.projections.places import Place
from services.common.refusals import Reason, Refused
from services.eventlog import canonical
from services.eventlog.match import Match, Status

SHOWN = (
    "SELECT coalesce(frozen.version, matches.version), coalesce(frozen.hash, matches.hash), changed_at,"
    " coalesce(frozen.facts, matches.facts), created_at FROM matches LEFT JOIN frozen ON frozen.match = id"
)
"""Rows of matches as lists show them."""


class Filters(Struct, frozen=True):
    """Those that are set must all hold."""

    game: str = ""
    status: Status | None = None
    player: str = ""

    @property
    def digest(self) -> bytes:
        return sha256(msgspec.msgpack.encode(self)).digest()[:8]


class Listed(Struct, frozen=True):
    facts: Match
    created_at_ms: int


class Page(Struct, frozen=True):
    matches: tuple[Listed, ...]
    next_token: str


class HeldSeat(Struct, frozen=True):
    """A seat of a match that is open or running."""

    match: str
    game: str
    seat: int


class _Place(Struct, frozen=True, array_like=True):
    """After which match a page begins."""

    changed_at: int
    match: str
    filters: bytes


def page(connection: sqlite3.Connection, filters: Filters, size: int, token: str) -> Page:
    """The most recently changed first. Raises Refused(MALFORMED) for a token of other filters."""
    where, values = _conditions(filters, _place(token, filters))
    found = connection.execute(
        f"{SHOWN}{where} ORDER BY changed_at DESC, id LIMIT ?",
        (*values, size + 1),
    ).fetchall()
    listed = tuple(Listed(folding.read(*row[:4]), row[4]) for row in found[:size])
    return Page(listed, _token(listed[-1], filters) if len(found) > size else "")


def seats_of(connection: sqlite3.Connection, player: str) -> list[HeldSeat]:
    """In matches that are open or running; an import is neither, whatever its log says."""
    rows = connection.execute(
        "SELECT match, game, seat FROM seats JOIN matches ON id = match"
        " WHERE player = ? AND status IN (?, ?) AND NOT imported ORDER BY match, seat",
        (player, Status.OPEN, Status.RUNNING),
    )
    return [HeldSeat(*row) for row in rows]


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


def _conditions(filters: Filters, place: _Place | None) -> tuple[str, list[object]]:
    texts: list[str] = []
    values: list[object] = []
    if filters.game:
        texts.append("game = ?")
        values.append(filters.game)
    if filters.status is not None:
        texts.append("status = ?")
        values.append(filters.status)
    if filters.player:
        texts.append("id IN (SELECT match FROM seats WHERE player = ?)")
        values.append(filters.player)
    if place is not None:
        texts.append("(changed_at < ? OR (changed_at = ? AND id > ?))")
        values += [place.changed_at, place.changed_at, place.match]
    return (f" WHERE {' AND '.join(texts)}" if texts else ""), values


def _token(last: Listed, filters: Filters) -> str:
    place = _Place(last.facts.at, last.facts.id, filters.digest)
    return base64.urlsafe_b64encode(msgspec.msgpack.encode(place)).decode()


def _place(token: str, filters: Filters) -> _Place | None:
    if not token:
        return None
    try:
        place = msgspec.msgpack.decode(base64.urlsafe_b64decode(token), type=_Place)
    except (ValueError, *canonical.UNDECODABLE) as error:
        raise Refused(Reason.MALFORMED, "the page token is none of ours - at `$.page_token`") from error
    if not 0 <= place.changed_at <= canonical.MAX_INTEGER:
        raise Refused(Reason.MALFORMED, "the page token is none of ours - at `$.page_token`")
    if place.filters != filters.digest:
        raise Refused(Reason.MALFORMED, "the page token is of a list with other filters - at `$.page_token`")
    return place
