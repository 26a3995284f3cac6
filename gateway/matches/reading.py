"""Stored entries after a cursor, which must be of the log it names."""

from gateway import metrics
from services.common.refusals import Reason, Refused
from services.eventlog.entries import BadCursor, Cursor, Entry
from services.eventlog.port import EventLog
from services.eventlog.tails import tail


def cursor_of(text: str) -> Cursor:
    """Raises Refused(MALFORMED)."""
    try:
        return Cursor.parse(text or "0-0")
    except BadCursor as error:
        raise Refused(Reason.MALFORMED, str(error)) from error


async def read_after(
    event_log: EventLog, match_id: str, after: Cursor, limit: int, end: Cursor | None = None
) -> list[Entry]:
    """Up to `limit` entries after the cursor. Raises Refused(LOG_REWOUND) and the port's errors.

    `end` is where the log ends for the caller, if not at its head.
    """
    entries = await tail(event_log, match_id, after, limit)
    if entries is None:
        metrics.CURSOR_MISMATCH.inc()
        head = str(end or await event_log.head(match_id))
        raise Refused(Reason.LOG_REWOUND, f"{after} is not of this log, which ends at {head}", cursor=head)
    return entries
