"""Refusals on their way out and in: as `tidelog.v1.Refusal`, and as a gRPC status with details."""

import re
from typing import Any, NoReturn

import grpc
from google.protobuf.duration_pb2 import Duration
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status
from grpc.aio import AioRpcError

from services.common.refusals import Reason, Refused
from tidelog.v1.refusal_pb2 import Refusal, RefusalReason

DETAILS = "grpc-status-details-bin"
DOMAIN = "tidelog"
RETRY_AFTER_MS = 1000
"""When to try again, where waiting helps and the refusal does not say."""

_INVALID = grpc.StatusCode.INVALID_ARGUMENT
_PRECONDITION = grpc.StatusCode.FAILED_PRECONDITION
_EXISTS = grpc.StatusCode.ALREADY_EXISTS
_DENIED = grpc.StatusCode.PERMISSION_DENIED
_ABSENT = grpc.StatusCode.NOT_FOUND
_EXHAUSTED = grpc.StatusCode.RESOURCE_EXHAUSTED
_AWAY = grpc.StatusCode.UNAVAILABLE

STATUS: dict[Reason, grpc.StatusCode] = {
    Reason.MALFORMED: _INVALID,
    Reason.REQUEST_ID_REUSED: _INVALID,
    Reason.TOO_LARGE: _INVALID,
    Reason.CORRUPT_EXPORT: _INVALID,
    Reason.INVALID_EDITION: _INVALID,
    Reason.STALE: grpc.StatusCode.ABORTED,
    Reason.ILLEGAL_MOVE: _PRECONDITION,
    Reason.ILLEGAL_OPTIONS: _PRECONDITION,
    Reason.NOT_YOUR_TURN: _PRECONDITION,
    Reason.NOT_STARTED: _PRECONDITION,
    Reason.ALREADY_STARTED: _PRECONDITION,
    Reason.SEATS_OPEN: _PRECONDITION,
    Reason.MATCH_OVER: _PRECONDITION,
    Reason.READ_ONLY: _PRECONDITION,
    Reason.OUT_OF_TIME: _PRECONDITION,
    Reason.NOT_DUE: _PRECONDITION,
    Reason.SEAT_TAKEN: _EXISTS,
    Reason.MATCH_EXISTS: _EXISTS,
    Reason.UNAUTHENTICATED: grpc.StatusCode.UNAUTHENTICATED,
    Reason.NOT_YOUR_SEAT: _DENIED,
    Reason.NOT_ALLOWED: _DENIED,
    Reason.UNKNOWN_MATCH: _ABSENT,
    Reason.UNKNOWN_GAME: _ABSENT,
    Reason.UNKNOWN_EDITION: _ABSENT,
    Reason.UNKNOWN_SEAT: _ABSENT,
    Reason.UNKNOWN_VERSION: _ABSENT,
    Reason.TOO_MUCH: _EXHAUSTED,
    Reason.SLOW_CONSUMER: _EXHAUSTED,
    Reason.STORE_FULL: _EXHAUSTED,
    Reason.STORE_READ_ONLY: _AWAY,
    Reason.STORE_AWAY: _AWAY,
    Reason.ENGINE_AWAY: _AWAY,
    Reason.DRAINING: _AWAY,
    Reason.OUTCOME_UNKNOWN: grpc.StatusCode.DEADLINE_EXCEEDED,
    Reason.LOG_REWOUND: grpc.StatusCode.DATA_LOSS,
    Reason.QUARANTINED: grpc.StatusCode.DATA_LOSS,
    Reason.NOT_QUARANTINED: _PRECONDITION,
    Reason.CURSOR_EXPIRED: grpc.StatusCode.OUT_OF_RANGE,
    Reason.INTERNAL: grpc.StatusCode.INTERNAL,
    Reason.EXPIRED: _PRECONDITION,
    Reason.NOT_OVER: _PRECONDITION,
}
"""The table of the API; the comments of refusal.proto say the same."""

_NUMBERS = {reason: RefusalReason.Value(f"REFUSAL_REASON_{reason.upper()}") for reason in Reason}
_REASONS = {number: reason for reason, number in _NUMBERS.items()}
_PLACE = re.compile(r"at `\$\.?([^`]*)`$")


def to_proto(refused: Refused) -> Refusal:
    return Refusal(
        reason=_NUMBERS[refused.reason],
        rule=refused.rule,
        message=refused.message,
        version=refused.version,
        cursor=refused.cursor,
        retry_after_ms=_retry_after_ms(refused),
    )


def from_proto(refusal: Refusal) -> Refused | None:
    """None for a reason that this release does not know."""
    reason = _REASONS.get(refusal.reason)
    if reason is None:
        return None
    return Refused(
        reason,
        refusal.message,
        rule=refusal.rule,
        version=refusal.version if refusal.HasField("version") else None,
        cursor=refusal.cursor,
        retry_after_ms=refusal.retry_after_ms if refusal.HasField("retry_after_ms") else None,
    )


def _retry_after_ms(refused: Refused) -> int | None:
    helps = refused.reason is Reason.TOO_MUCH or STATUS[refused.reason] is _AWAY
    return RETRY_AFTER_MS if refused.retry_after_ms is None and helps else refused.retry_after_ms


def details(refused: Refused) -> Status:
    """The status with our Refusal, google.rpc.ErrorInfo and, where they apply, BadRequest and RetryInfo."""
    refusal = to_proto(refused)
    code = STATUS[refused.reason]
    status = Status(code=code.value[0], message=str(refused))
    status.details.add().Pack(refusal)
    metadata = {"rule": refused.rule} if refused.rule else {}
    status.details.add().Pack(ErrorInfo(reason=refused.reason.upper(), domain=DOMAIN, metadata=metadata))
    if code is _INVALID:
        place = _PLACE.search(refused.message)
        violation = BadRequest.FieldViolation(field=place[1] if place else "", description=refused.message)
        status.details.add().Pack(BadRequest(field_violations=[violation]))
    if refusal.HasField("retry_after_ms"):
        delay = Duration()
        delay.FromMilliseconds(refusal.retry_after_ms)
        status.details.add().Pack(RetryInfo(retry_delay=delay))
    return status


async def abort(context: "grpc.aio.ServicerContext[Any, Any]", refused: Refused) -> NoReturn:
    """Ends the call with the refusal's status; never returns."""
    trailer = ((DETAILS, details(refused).SerializeToString()),)
    await context.abort(STATUS[refused.reason], str(refused), trailer)


def refused_from(error: AioRpcError) -> Refused | None:
    """The refusal that a server of ours ended a call with; None for any other error."""
    for key, value in error.trailing_metadata() or ():
        if key != DETAILS:
            continue
        refusal = Refusal()
        for detail in Status.FromString(value).details:
            if detail.Unpack(refusal):
                return from_proto(refusal)
    return None
