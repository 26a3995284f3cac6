"""What a server said no to, as the client's own exception."""

from collections.abc import Iterable
from typing import Any

from google.rpc.status_pb2 import Status
from grpc.aio import AioRpcError

from tidelog.v1.refusal_pb2 import Refusal, RefusalReason

_DETAILS = "grpc-status-details-bin"
_PREFIX = "REFUSAL_REASON_"

TRANSIENT = frozenset(
    {
        "unavailable",
        "deadline_exceeded",
        "cancelled",
        "outcome_unknown",
        "engine_away",
        "store_away",
        "store_read_only",
        "draining",
    }
)
"""Reasons after which the same request, sent again, may well succeed."""

LOST = frozenset({"unavailable", "deadline_exceeded", "cancelled"})
"""Bare statuses: no server of Tidelog has answered, and the request may have reached one or not.

A server that stops, and a proxy before it, may cancel a call; one that the caller cancels never comes back.
"""


class Refused(Exception):  # noqa: N818 - says what happened
    """A request that was not carried out.

    `reason` is a value of RefusalReason in lower case without its prefix (`illegal_move`), or, where no server of
    Tidelog answered, the gRPC status in lower case (`unavailable`). `rule` is a rule id of the game or empty, `version`
    the match's current one where it helps, `cursor` a position to go on from, `retry_after_ms` when to try again.
    After `outcome_unknown`, `unavailable`, `deadline_exceeded`, `cancelled`, and `closed` where one's own session was
    closed meanwhile, a change may yet have been made: ask again with the same request id.
    """

    def __init__(
        self,
        reason: str,
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

    @property
    def transient(self) -> bool:
        return self.reason in TRANSIENT

    @property
    def answered(self) -> bool:
        """Whether it is a server's word, and not a deadline or a connection that broke."""
        return self.reason not in LOST

    @property
    def certain(self) -> bool:
        """Whether the attempt changed nothing."""
        return self.answered and self.reason != "outcome_unknown"


def from_refusal(refusal: Refusal) -> Refused:
    known = refusal.reason in RefusalReason.values()
    return Refused(
        RefusalReason.Name(refusal.reason).removeprefix(_PREFIX).lower() if known else f"reason_{refusal.reason}",
        refusal.message,
        rule=refusal.rule,
        version=refusal.version if refusal.HasField("version") else None,
        cursor=refusal.cursor,
        retry_after_ms=refusal.retry_after_ms if refusal.HasField("retry_after_ms") else None,
    )


def from_error(error: AioRpcError) -> Refused:
    """The refusal in the status details, or the bare status."""
    metadata: Iterable[tuple[str, Any]] = error.trailing_metadata() or ()
    refusal = Refusal()
    for key, value in metadata:
        if key == _DETAILS and any(detail.Unpack(refusal) for detail in Status.FromString(value).details):
            return from_refusal(refusal)
    return Refused(error.code().name.lower(), error.details() or "")
