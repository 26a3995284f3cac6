"""What a gateway's file knows of logs that went back: those that it found, and those that it has not seen yet."""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from msgspec import Struct

from services.eventlog import hashes
from services.eventlog.entries import Cursor
from services.eventlog.port import EventLog
from services.eventlog.tails import holds


class Rewind(Struct, frozen=True):
    """A log that ends at `head`, and does not hold the entry at `known`."""

    match: str
    known: Cursor
    head: Cursor


def note(connection: sqlite3.Connection, rewinds: Iterable[Rewind], at_ms: int) -> None:
    """Of each match the last time is kept."""
    rows = [(found.match, str(found.known), str(found.head), at_ms) for found in rewinds]
    connection.executemany("INSERT OR REPLACE INTO rewinds VALUES (?, ?, ?, ?)", rows)


def latest(connection: sqlite3.Connection, limit: int, match: str | None = None) -> list[tuple[Rewind, int]]:
    """Those found, of the match or of all, and when; the latest first."""
    found = connection.execute(
        "SELECT match, known, head, at FROM rewinds WHERE ?1 IS NULL OR match = ?1 ORDER BY at DESC, match LIMIT ?2",
        (match, limit),
    )
    return [(Rewind(match, Cursor.parse(known), Cursor.parse(head)), at) for match, known, head, at in found]


def noted(file: Path) -> list[tuple[Rewind, int]]:
    """Those found, and when, the latest first; none where there is no such file, or one of another schema."""
    found = _asked(file, "SELECT match, known, head, at FROM rewinds ORDER BY at DESC, match")
    return [(Rewind(match, Cursor.parse(known), Cursor.parse(head)), at) for match, known, head, at in found]


async def unseen(file: Path, event_log: EventLog) -> list[Rewind]:
    """Those that the list of matches is ahead of. Raises the port's errors."""
    found: list[Rewind] = []
    for shard in range(hashes.SHARDS):
        heads = await event_log.heads(shard)
        for match, version, digest in _asked(file, "SELECT id, version, hash FROM matches WHERE shard = ?", shard):
            known, head = Cursor(version, digest[:8].hex()), heads.get(match, Cursor(0, "0"))
            if known != head and (head.version <= known.version or not await holds(event_log, match, known)):
                found.append(Rewind(match, known, head))
    return found


def _asked(file: Path, question: str, *values: object) -> Iterator[tuple[Any, ...]]:
    if not file.is_file():
        return
    try:
        with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as connection:
            yield from connection.execute(question, values).fetchall()
    except sqlite3.DatabaseError:
        return
