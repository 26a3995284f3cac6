"""Running matches that keep spectators behind, as lists show them: as they were when they started.

A list is everybody's. So neither what it shows of such a match nor where in it the match stands tells anything newer.
"""

import sqlite3
from collections.abc import Sequence

from gateway.projections.changes import start_among
from services.eventlog.entries import Entry
from services.eventlog.match import Match

SCHEMA = """
CREATE TABLE frozen (
  match TEXT PRIMARY KEY, version INTEGER NOT NULL, hash BLOB NOT NULL, at INTEGER NOT NULL, facts BLOB NOT NULL
) WITHOUT ROWID;
"""


def up_to_start(entries: Sequence[Entry]) -> Sequence[Entry]:
    """The platform's entries up to the start; none where the match does not start with these."""
    return entries[: start_among(entries) or 0]


def keep(connection: sqlite3.Connection, facts: Match, encoded: bytes) -> None:
    """The match as it stands at its start, if lists are to show no more of it."""
    if facts.terms.spectator_delay is None or facts.imported:
        return
    row = (facts.id, facts.version, facts.hash, facts.at, encoded)
    connection.execute("INSERT OR REPLACE INTO frozen VALUES (?, ?, ?, ?, ?)", row)


def forget(connection: sqlite3.Connection, match: str) -> None:
    connection.execute("DELETE FROM frozen WHERE match = ?", (match,))


def row(connection: sqlite3.Connection, match: str) -> tuple[int, bytes, int, bytes] | None:
    """Version, hash, time and facts of the match as lists show it; None where they show it as it is."""
    found: tuple[int, bytes, int, bytes] | None = connection.execute(
        "SELECT version, hash, at, facts FROM frozen WHERE match = ?", (match,)
    ).fetchone()
    return found


def changed_at(connection: sqlite3.Connection, match: str) -> int | None:
    """When the match changed last, as lists show it; None where they show it as it is."""
    found = row(connection, match)
    return None if found is None else found[2]
