"""A log that comes in as a file: the requests of ImportMatch, made of a body."""

from collections.abc import AsyncIterator

from starlette.datastructures import QueryParams
from starlette.types import Receive

from gateway.limits import MAX_CHUNK
from gateway.web import bodies
from gateway.web.refusing import malformed
from tidelog.v1.matches_pb2 import ImportMatchRequest

NAMES = ("requestId", "restore")


def import_requests(query: QueryParams, receive: Receive) -> AsyncIterator[ImportMatchRequest]:
    """What `start` holds stands in the address. Raises Aborted(400)."""
    return _pieces(_start(query), receive)


async def _pieces(start: ImportMatchRequest.Start, receive: Receive) -> AsyncIterator[ImportMatchRequest]:
    """Raises Aborted(408) and Gone."""
    yield ImportMatchRequest(start=start)
    async for piece in bodies.pieces(receive):
        for place in range(0, len(piece), MAX_CHUNK):
            yield ImportMatchRequest(chunk=piece[place : place + MAX_CHUNK])


def _start(query: QueryParams) -> ImportMatchRequest.Start:
    for name in query:
        if name not in NAMES or len(query.getlist(name)) > 1:
            raise malformed(400, f"{name[:40]!r} is none of {NAMES}, or stands there twice")
    restore = query.get("restore", "false")
    if restore not in ("true", "false"):
        raise malformed(400, "true or false - at `$.restore`")
    return ImportMatchRequest.Start(request_id=query.get("requestId", ""), restore=restore == "true")
