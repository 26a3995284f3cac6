"""What the platform says no to, and why: one published list of reasons, the same in every service."""

from enum import StrEnum


class Reason(StrEnum):
    """The values of `tidelog.v1.RefusalReason`, in lower case; the gRPC status of each is fixed (design, API)."""

    MALFORMED = "malformed"  # INVALID_ARGUMENT
    REQUEST_ID_REUSED = "request_id_reused"  # INVALID_ARGUMENT: the id stands in the log with another body
    TOO_LARGE = "too_large"  # INVALID_ARGUMENT: over a published limit
    CORRUPT_EXPORT = "corrupt_export"  # INVALID_ARGUMENT
    INVALID_EDITION = "invalid_edition"  # INVALID_ARGUMENT
    STALE = "stale"  # ABORTED: the decision or expected version is no longer current
    ILLEGAL_MOVE = "illegal_move"  # FAILED_PRECONDITION: `rule` says which
    ILLEGAL_OPTIONS = "illegal_options"  # FAILED_PRECONDITION: `rule` says which
    NOT_YOUR_TURN = "not_your_turn"  # FAILED_PRECONDITION
    NOT_STARTED = "not_started"  # FAILED_PRECONDITION
    ALREADY_STARTED = "already_started"  # FAILED_PRECONDITION
    SEATS_OPEN = "seats_open"  # FAILED_PRECONDITION: a start needs every seat claimed
    MATCH_OVER = "match_over"  # FAILED_PRECONDITION
    READ_ONLY = "read_only"  # FAILED_PRECONDITION: an imported match
    SEAT_TAKEN = "seat_taken"  # ALREADY_EXISTS
    MATCH_EXISTS = "match_exists"  # ALREADY_EXISTS: another log has this id
    UNAUTHENTICATED = "unauthenticated"  # UNAUTHENTICATED
    NOT_YOUR_SEAT = "not_your_seat"  # PERMISSION_DENIED
    NOT_ALLOWED = "not_allowed"  # PERMISSION_DENIED: needs the creator or an admin
    UNKNOWN_MATCH = "unknown_match"  # NOT_FOUND
    UNKNOWN_GAME = "unknown_game"  # NOT_FOUND
    UNKNOWN_EDITION = "unknown_edition"  # NOT_FOUND
    UNKNOWN_SEAT = "unknown_seat"  # NOT_FOUND
    UNKNOWN_VERSION = "unknown_version"  # NOT_FOUND
    TOO_MUCH = "too_much"  # RESOURCE_EXHAUSTED: retry after the given time
    SLOW_CONSUMER = "slow_consumer"  # RESOURCE_EXHAUSTED: resume from the given cursor
    STORE_FULL = "store_full"  # RESOURCE_EXHAUSTED
    STORE_READ_ONLY = "store_read_only"  # UNAVAILABLE
    STORE_AWAY = "store_away"  # UNAVAILABLE
    ENGINE_AWAY = "engine_away"  # UNAVAILABLE
    DRAINING = "draining"  # UNAVAILABLE
    OUTCOME_UNKNOWN = "outcome_unknown"  # DEADLINE_EXCEEDED: ask again with the same request id
    LOG_REWOUND = "log_rewound"  # DATA_LOSS: the cursor is not of this log; `cursor` is the head's
    QUARANTINED = "quarantined"  # DATA_LOSS: an entry that can't be folded, or operators said so
    INTERNAL = "internal"  # INTERNAL: a fault of ours; nothing was changed
    NOT_QUARANTINED = "not_quarantined"  # FAILED_PRECONDITION: the match is in service
    EXPIRED = "expired"  # FAILED_PRECONDITION: a page token or an invitation that counts no more
    NOT_OVER = "not_over"  # FAILED_PRECONDITION: the match goes on
    CURSOR_EXPIRED = "cursor_expired"  # OUT_OF_RANGE: the position is older than the feeds
    OUT_OF_TIME = "out_of_time"  # FAILED_PRECONDITION: the seat's clock ran out
    NOT_DUE = "not_due"  # FAILED_PRECONDITION: the time for it has not come; `retry_after_ms` says when


class Refused(Exception):  # noqa: N818 - the field's name for it
    """A request that was not carried out and changed nothing (OUTCOME_UNKNOWN alone: may yet have been).

    `rule` is a rule id of the game or empty; `version` the match's current one where it helps, else None;
    `cursor` a position to go on from; `retry_after_ms` when to try again. The message names nothing hidden.
    """

    def __init__(
        self,
        reason: Reason,
        message: str,
        *,
        rule: str = "",
        version: int | None = None,
        cursor: str = "",
        retry_after_ms: int | None = None,
    ) -> None:
        super().__init__(reason, message)
        self.reason = reason
        self.message = message
        self.rule = rule
        self.version = version
        self.cursor = cursor
        self.retry_after_ms = retry_after_ms

    def __str__(self) -> str:
        return f"{self.reason}: {self.rule}: {self.message}" if self.rule else f"{self.reason}: {self.message}"
