"""Matches for whoever asks next, by queue: the players who ask in the same words."""

import sqlite3

from engines.core.digest import digest
from services.eventlog import canonical
from services.eventlog.lifecycle import LogAfterEnd
from services.eventlog.match import Match, Status
from services.eventlog.terms import Terms

SCHEMA = """
CREATE TABLE quick (
  match TEXT PRIMARY KEY, queue BLOB NOT NULL, waiting INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX quick_queue ON quick (queue, waiting);
CREATE TABLE quick_asked (
  asked TEXT NOT NULL, match TEXT NOT NULL, PRIMARY KEY (asked, match)
) WITHOUT ROWID;
CREATE INDEX quick_asked_match ON quick_asked (match);
"""


def queue_of(game: str, options: bytes, seats: int, edition: str, terms: Terms, after_end: LogAfterEnd) -> bytes:
    """What tells those who ask for the same from all others: options in canonical JSON, the edition's hash."""
    return digest("quick", game, options, seats, edition, canonical.encode(terms), after_end)[:16]


def queue_of_match(facts: Match) -> bytes:
    made = facts.created
    return queue_of(made.game, bytes(made.options), made.seats, made.edition, facts.terms, made.log_after_end)


def keep(connection: sqlite3.Connection, facts: Match) -> None:
    if not facts.terms.quick or facts.imported:
        return
    queue = queue_of_match(facts)
    waiting = facts.status is Status.OPEN
    connection.execute("INSERT OR REPLACE INTO quick VALUES (?, ?, ?)", (facts.id, queue, waiting))
    connection.executemany(
        "INSERT OR IGNORE INTO quick_asked VALUES (?, ?)", [(asked, facts.id) for asked in facts.used]
    )


def forget(connection: sqlite3.Connection, match: str) -> None:
    connection.execute("DELETE FROM quick WHERE match = ?", (match,))
    connection.execute("DELETE FROM quick_asked WHERE match = ?", (match,))


def count_begun(connection: sqlite3.Connection, queue: bytes) -> int:
    """How many matches of the queue do not wait for players any more: so many at least were made before the next."""
    (found,) = connection.execute("SELECT COUNT(*) FROM quick WHERE queue = ? AND waiting = 0", (queue,)).fetchone()
    return int(found)


def answered(connection: sqlite3.Connection, asked: str) -> str | None:
    """The match in which that request was given a seat."""
    found = connection.execute("SELECT match FROM quick_asked WHERE asked = ?", (asked,)).fetchone()
    return None if found is None else str(found[0])
