"""Where a match stands in the lists: a row for everyone, and one for each player whom a list may ask for.

A row holds what narrows a list down (who asks, whether it is private, its stage, its variant) and both times that lists
are ordered by: so a page is read off an index, whatever is asked for. A variant is a game with so many seats and these
options; there are few.
"""

import sqlite3
from enum import StrEnum

from engines.core.digest import digest
from gateway.callers.rights import insiders
from gateway.projections.filters import Filters, awaited, free_seats
from services.eventlog.match import Match, Status

SCHEMA = """
CREATE TABLE variants (
  id INTEGER PRIMARY KEY, game TEXT NOT NULL, seats INTEGER NOT NULL, options TEXT NOT NULL
);
CREATE INDEX variants_game ON variants (game, seats);
CREATE TABLE listed (
  match TEXT NOT NULL, who TEXT NOT NULL, private INTEGER NOT NULL, stage INTEGER NOT NULL, variant INTEGER NOT NULL,
  changed_at INTEGER NOT NULL, created_at INTEGER NOT NULL, PRIMARY KEY (match, who)
) WITHOUT ROWID;
CREATE INDEX listed_changed ON listed (who, private, stage, changed_at, match, variant);
CREATE INDEX listed_created ON listed (who, private, stage, created_at, match, variant);
CREATE INDEX variants_changed ON listed (private, stage, variant, changed_at, match) WHERE who = '';
CREATE INDEX variants_created ON listed (private, stage, variant, created_at, match) WHERE who = '';
"""

RUNNING, FINISHED, ABORTED, IMPORTED_OPEN, IMPORTED_RUNNING, EXPIRED = range(6)
FULL = 10
"""The stage of a match that is open, and has no free seat; one more for each that it has, up to MOST_FREE."""

MOST_FREE = 8
OPEN = range(FULL, FULL + MOST_FREE + 1)

STAGES: dict[Status, tuple[int, ...]] = {
    Status.OPEN: (IMPORTED_OPEN, *OPEN),
    Status.RUNNING: (RUNNING, IMPORTED_RUNNING),
    Status.FINISHED: (FINISHED,),
    Status.ABORTED: (ABORTED,),
    Status.EXPIRED: (EXPIRED,),
}
ALL_STAGES = tuple(stage for stages in STAGES.values() for stage in stages)

EVERYONE = ""


class Relation(StrEnum):
    """Of a player to a match: `insider` of a private one alone."""

    HOLDS = "h"
    MADE = "m"
    INVITED = "i"
    INSIDER = "s"

    def key(self, player: str) -> str:
        return f"{self}{player}"


def stage(facts: Match) -> int:
    """Status and free seats as one number."""
    if facts.status is Status.OPEN:
        return IMPORTED_OPEN if facts.imported else FULL + min(free_seats(facts), MOST_FREE)
    if facts.status is Status.RUNNING:
        return IMPORTED_RUNNING if facts.imported else RUNNING
    return STAGES[facts.status][0]


def stages(filters: Filters) -> tuple[int, ...]:
    """Those that a match must be in to pass."""
    if filters.open_seats:
        if filters.status not in (None, Status.OPEN):
            return ()
        return tuple(OPEN)[min(filters.open_seats, MOST_FREE) :]
    return ALL_STAGES if filters.status is None else STAGES[filters.status]


def keep(connection: sqlite3.Connection, facts: Match, created_at: int) -> None:
    created = facts.created
    whole = (facts.terms.private, stage(facts), _variant(connection, facts), facts.at, created_at)
    who = {EVERYONE, Relation.MADE.key(created.creator)}
    who |= {Relation.HOLDS.key(seat.player) for seat in facts.seats if seat.player is not None}
    who |= {Relation.INVITED.key(player) for player in awaited(facts)}
    if facts.terms.private:
        who |= {Relation.INSIDER.key(player) for player in insiders(facts)}
    forget(connection, facts.id)
    rows = [(facts.id, key, *whole) for key in sorted(who)]
    connection.executemany("INSERT INTO listed VALUES (?, ?, ?, ?, ?, ?, ?)", rows)


def moved(connection: sqlite3.Connection, match: str, changed_at: int) -> None:
    """Nothing of a frozen match: where it stands would tell that somebody moved."""
    connection.execute(
        "UPDATE listed SET changed_at = ?1 WHERE match = ?2 AND NOT EXISTS (SELECT 1 FROM frozen WHERE match = ?2)",
        (changed_at, match),
    )


def forget(connection: sqlite3.Connection, match: str) -> None:
    connection.execute("DELETE FROM listed WHERE match = ?", (match,))


def _variant(connection: sqlite3.Connection, facts: Match) -> int:
    """Its number: the same wherever the list is made."""
    created = facts.created
    options = bytes(created.options).decode()
    number = int.from_bytes(digest(created.game, created.seats, options)[:7])
    row = (number, created.game, created.seats, options)
    connection.execute("INSERT OR IGNORE INTO variants VALUES (?, ?, ?, ?)", row)
    return number
