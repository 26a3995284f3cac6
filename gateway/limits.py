"""What a gateway takes and keeps at most: part of the one published table (log_format, Limits)."""

from services.common.serving import MAX_MESSAGE
from services.eventlog.entries import MAX_ENTRY_BYTES, MAX_REQUEST_ID

__all__ = ["MAX_MESSAGE", "MAX_REQUEST_ID"]

MAX_RECEIVED = 4 * MAX_MESSAGE
"""Bytes of a message that is looked at, to say by how much it is too large; larger ones the transport refuses."""

MAX_PAYLOAD = MAX_ENTRY_BYTES
"""Bytes of one move or of a match's options: what it becomes must fit into an entry."""

MAX_PAGE = 200
DEFAULT_PAGE = 50

MAX_IMPORT = 64 * 1024 * 1024
MAX_CHUNK = 64 * 1024
"""Bytes of one piece of an export or import."""

MAX_NAME = 40
"""Characters of the name that other players are shown."""

LIVE_MATCHES = 20_000
"""Folded matches kept beyond those that are watched; the least recently used leave."""

OUTBOX_BYTES = 1024 * 1024
"""What waits for one stream's client; beyond it what is followed ends with SLOW_CONSUMER."""

MAX_IN_FLIGHT = 1024
"""Unanswered commands of one Play stream; beyond it no more are read."""

MAX_FOLLOWED = 4096
"""Matches and audiences that one Play stream follows."""

PIECE_BYTES = 64 * 1024
"""One message of a stream is closed once it holds so much."""

WAITING_MATCHES = 100
"""Matches of one player that have not started."""

SEATS = MAX_FOLLOWED
"""Seats of one player in matches that are not over: as many as one stream follows."""

MAX_SEATS = 100
"""Seats of a match that a list is asked for: more than any game has."""

MAX_OPTIONS = 20
"""Options that a list is narrowed down by."""
