"""A log that comes in as a file: the requests of ImportMatch, made of a body."""

from collections.abc import AsyncIterator

from starlette.datastructures import QueryParams
from starlette.types import Receive

from gateway.limits import MAX_CHUNK
from gateway.web import bodies
from gateway.web.refusing import HttpRefused
from services.common.refusals import Reason, Refused
from tidelog.v1.matches_pb2 import ImportMatchRequest

NAMES = ("requestId", "restore")


async def import_requests(query: QueryParams, receive: Receive) -> AsyncIterator[ImportMatchRequest]:
    """What `start` holds stands in the address. Raises HttpRefused and Gone."""
    yield ImportMatchRequest(start=_start(query))
    async for piece in bodies.pieces(receive):
        for place in range(0, len(piece), MAX_CHUNK):
            yield ImportMatchRequest(chunk=piece[place : place + MAX_CHUNK])


def _start(query: QueryParams) -> ImportMatchRequest.Start:
    for name in query:
        if name not in NAMES or len(query.getlist(name)) > 1:
            raise HttpRefused(400, Refused(Reason.MALFORMED, f"{name[:40]!r} stands once, and is one of {NAMES}"))
    restore = query.get("restore", "false")
    if restore not in ("true", "false"):
        raise HttpRefused(400, Refused(Reason.MALFORMED, "true or false - at `$.restore`"))
    return ImportMatchRequest.Start(request_id=query.get("requestId", ""), restore=restore == "true")
