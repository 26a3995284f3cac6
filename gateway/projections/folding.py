"""Changes folded into the rows of matches. Applying one twice changes nothing."""

import sqlite3
from collections.abc import Iterable, Mapping

import msgspec

from gateway.projections.changes import Change
from services.common.logs import logger
from services.eventlog import hashes
from services.eventlog.aggregate import created_of
from services.eventlog.entries import BrokenLog, Entry, body_of, header_of
from services.eventlog.match import Match, new_match, note

MOVED = "UPDATE matches SET version = ?, hash = ?, changed_at = ? WHERE id = ? AND version BETWEEN ? AND ?"
KEPT = (
    "INSERT OR REPLACE INTO matches (id, version, hash, shard, game, status, created_at, changed_at, imported, facts)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)

log = logger()

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Match).decode


def apply(connection: sqlite3.Connection, changes: Iterable[Change], checkpoints: Mapping[int, int]) -> list[str]:
    """Rows and checkpoints in one transaction; the matches whose rows are behind the change's first entry.

    Where there are any, the checkpoints are not kept. A row whose log can't be read stays as it is.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        behind = [change.match for change in changes if not _applied(connection, change)]
        if not behind:
            connection.executemany("INSERT OR REPLACE INTO checkpoints VALUES (?, ?)", checkpoints.items())
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    return behind


def forget(connection: sqlite3.Connection, matches: Iterable[str]) -> None:
    """Drops rows whose logs are others than they were."""
    for match in matches:
        connection.execute("DELETE FROM matches WHERE id = ?", (match,))
        connection.execute("DELETE FROM seats WHERE match = ?", (match,))


def _applied(connection: sqlite3.Connection, change: Change) -> bool:
    try:
        return _apply(connection, change)
    except BrokenLog:
        log.exception("a match is not listed", match=change.match)
        return True
    except msgspec.DecodeError:
        forget(connection, (change.match,))  # a row of other code: its log is read
        return False


def _apply(connection: sqlite3.Connection, change: Change) -> bool:
    last = change.last
    if not change.platform:
        moved = (last.version, last.hash, change.at, change.match, change.first - 1, last.version - 1)
        if connection.execute(MOVED, moved).rowcount:
            return True
    row = connection.execute("SELECT version, created_at, facts FROM matches WHERE id = ?", (change.match,)).fetchone()
    version, created_at, facts = row or (0, 0, None)
    if version >= last.version:
        return True
    if version < change.first - 1:
        return False
    folded = None if facts is None else _decode(facts)
    for entry in change.platform:
        if entry.version > version:
            folded = _folded(change.match, folded, entry)
    if folded is None:
        return False
    _keep(connection, change, folded, created_at)
    return True


def _folded(match: str, facts: Match | None, entry: Entry) -> Match:
    """The facts after one of the platform's entries; of requests and decisions nothing is kept."""
    facts = facts or new_match(match, created_of(entry))
    header = header_of(entry)
    note(facts, header, body_of(None, header, entry.body), ())
    facts.requests, facts.actor, facts.acting = {}, "", None
    return facts


def _keep(connection: sqlite3.Connection, change: Change, facts: Match, created_at: int) -> None:
    last = change.last
    facts.version, facts.hash, facts.at = last.version, last.hash, change.at
    created_at = created_at or header_of(change.platform[0]).at
    shard, times = hashes.shard(facts.id), (created_at, facts.at)
    head = (facts.id, facts.version, facts.hash, shard, facts.created.game, facts.status)
    connection.execute(KEPT, (*head, *times, facts.imported, _encode(facts)))
    connection.execute("DELETE FROM seats WHERE match = ?", (facts.id,))
    held = [(seat.player, facts.id, number) for number, seat in enumerate(facts.seats) if seat.player is not None]
    connection.executemany("INSERT INTO seats VALUES (?, ?, ?)", held)


def read(version: int, digest: bytes, changed_at: int, data: bytes) -> Match:
    """The facts of a row: what moves say stands in columns of its own."""
    facts = _decode(data)
    facts.version, facts.hash, facts.at = version, digest, changed_at
    return facts
