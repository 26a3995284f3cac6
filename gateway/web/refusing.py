"""Refusals as HTTP answers: the status by google.rpc.Code's mapping, the body as the pages of the API say."""

import math
from typing import Any

import msgspec
from google.protobuf import json_format
from grpc import StatusCode
from starlette.responses import Response

from gateway.web.context import Aborted
from services.common import wire
from services.common.refusals import Refused

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


class HttpRefused(Exception):  # noqa: N818 - as Refused
    """Refused before any handler was asked, with the status that HTTP has for it."""

    def __init__(self, status: int, refused: Refused, headers: dict[str, str] | None = None) -> None:
        super().__init__(refused)
        self.status = status
        self.refused = refused
        self.headers = headers or {}


def aborted_by(refused: Refused) -> Aborted:
    return Aborted(wire.STATUS[refused.reason], str(refused), wire.to_proto(refused))


def body(aborted: Aborted) -> bytes:
    error: dict[str, Any] = {"code": aborted.code.name, "message": aborted.message}
    if aborted.refusal is not None:
        error["refusal"] = json_format.MessageToDict(aborted.refusal)
    return msgspec.json.encode(error)


def answer(aborted: Aborted, status: int | None = None, headers: dict[str, str] | None = None) -> Response:
    found = status or STATUS[aborted.code]
    headers = dict(headers or {})
    if found == 401:
        headers["WWW-Authenticate"] = "Bearer"
    refusal = aborted.refusal
    if refusal is not None and refusal.HasField("retry_after_ms"):
        headers["Retry-After"] = str(math.ceil(refusal.retry_after_ms / 1000))
    return Response(body(aborted), found, headers, "application/json")


def answer_early(error: HttpRefused) -> Response:
    return answer(aborted_by(error.refused), error.status, error.headers)
