"""What a log holds behind a cursor, if it holds the cursor: a store may have gone back since it was given."""

from services.eventlog.entries import START, Cursor, Entry
from services.eventlog.port import EventLog


async def tail(log: EventLog, match: str, known: Cursor, limit: int | None = None) -> list[Entry] | None:
    """Up to `limit` entries; None where the cursor is not of the log. Raises the port's errors."""
    if known == START:
        return await log.read(match, 0, limit)
    entries = await log.read(match, known.version - 1, None if limit is None else limit + 1)
    return entries[1:] if entries and entries[0].cursor == known else None


async def holds(log: EventLog, match: str, cursor: Cursor) -> bool:
    """Whether the cursor is of the log. Raises the port's errors."""
    return cursor == START or await tail(log, match, cursor, 0) is not None
