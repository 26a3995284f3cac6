"""Refusals as HTTP answers: the status by google.rpc.Code's mapping, the body as the pages of the API say."""

import math
from typing import Any

import msgspec
from google.protobuf import json_format
from grpc import StatusCode
from starlette.responses import Response

from gateway.web.context import Aborted
from services.common import wire
from services.common.refusals import Reason, Refused

STATUS = {
    StatusCode.OK: 200,
    StatusCode.INVALID_ARGUMENT: 400,
    StatusCode.FAILED_PRECONDITION: 400,
    StatusCode.OUT_OF_RANGE: 400,
    StatusCode.UNAUTHENTICATED: 401,
    StatusCode.PERMISSION_DENIED: 403,
    StatusCode.NOT_FOUND: 404,
    StatusCode.ABORTED: 409,
    StatusCode.ALREADY_EXISTS: 409,
    StatusCode.RESOURCE_EXHAUSTED: 429,
    StatusCode.CANCELLED: 499,
    StatusCode.DATA_LOSS: 500,
    StatusCode.UNKNOWN: 500,
    StatusCode.INTERNAL: 500,
    StatusCode.UNIMPLEMENTED: 501,
    StatusCode.UNAVAILABLE: 503,
    StatusCode.DEADLINE_EXCEEDED: 504,
}


def aborted(refused: Refused, status: int | None = None, headers: dict[str, str] | None = None) -> Aborted:
    return Aborted(wire.STATUS[refused.reason], str(refused), wire.to_proto(refused), status, headers)


def malformed(status: int, message: str, headers: dict[str, str] | None = None) -> Aborted:
    """What HTTP has a status of its own for."""
    return aborted(Refused(Reason.MALFORMED, message), status, headers)


def body(aborted: Aborted) -> bytes:
    error: dict[str, Any] = {"code": aborted.code.name, "message": aborted.message}
    if aborted.refusal is not None:
        error["refusal"] = json_format.MessageToDict(aborted.refusal)
    return msgspec.json.encode(error)


def answer(aborted: Aborted) -> Response:
    status, headers = aborted.status or STATUS[aborted.code], {"Cache-Control": "no-store", **aborted.headers}
    if status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    refusal = aborted.refusal
    if refusal is not None and refusal.HasField("retry_after_ms"):
        headers["Retry-After"] = str(math.ceil(refusal.retry_after_ms / 1000))
    return Response(body(aborted), status, headers, "application/json")
