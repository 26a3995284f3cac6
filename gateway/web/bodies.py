"""What comes in with a request: its headers as they matter here, its body within limits."""

import asyncio
from collections.abc import AsyncIterator

from starlette.datastructures import Headers
from starlette.types import Message, Receive

from gateway.limits import MAX_RECEIVED
from gateway.web.attending import Gone
from gateway.web.context import Aborted
from gateway.web.refusing import aborted, malformed
from services.common.refusals import Reason, Refused

BODY_S = 30.0
"""How long a piece of a body is waited for."""

WHOLE_S = 120.0
"""How long a message is, however many pieces it comes in."""

TIMEOUT = "timeout-ms"
LONGEST_TIMEOUT_MS = 24 * 3600 * 1000


def check_type(headers: Headers, wanted: str) -> None:
    """Raises Aborted(415)."""
    given, _, parameters = headers.get("content-type", "").partition(";")
    charset = parameters.strip().lower()
    if given.strip().lower() != wanted or charset not in ("", "charset=utf-8", 'charset="utf-8"'):
        raise malformed(415, f"the body is to be {wanted} - at `$content-type`")


def timeout_s(headers: Headers) -> float | None:
    """How long the caller waits; None: for ever. Raises Aborted(400)."""
    given = headers.get(TIMEOUT)
    if given is None:
        return None
    if not (given.isascii() and given.isdigit()) or not 0 < int(given[:12]) <= LONGEST_TIMEOUT_MS:
        raise malformed(400, f"a time is 1 to {LONGEST_TIMEOUT_MS} ms - at `${TIMEOUT}`")
    return int(given) / 1000


async def whole(headers: Headers, receive: Receive) -> bytes:
    """Raises Aborted(408, 413) and Gone."""
    length = headers.get("content-length", "")
    if length.isdigit() and int(length[:12]) > MAX_RECEIVED:
        raise _too_large()
    held = bytearray()
    try:
        async with asyncio.timeout(WHOLE_S):
            async for piece in pieces(receive):
                held += piece
                if len(held) > MAX_RECEIVED:
                    raise _too_large()
    except TimeoutError:
        raise _late() from None
    return bytes(held)


async def pieces(receive: Receive) -> AsyncIterator[bytes]:
    """As they come. Raises Aborted(408) and Gone."""
    more = True
    while more:
        message = await _next(receive)
        if message["type"] == "http.disconnect":
            raise Gone
        more = message.get("more_body", False)
        yield message.get("body", b"")


async def _next(receive: Receive) -> Message:
    try:
        async with asyncio.timeout(BODY_S):
            return await receive()
    except TimeoutError:
        raise _late() from None


def _late() -> Aborted:
    return malformed(408, "the body did not come", {"Connection": "close"})


def _too_large() -> Aborted:
    refused = Refused(Reason.TOO_LARGE, f"a body has at most {MAX_RECEIVED} bytes")
    return aborted(refused, 413, {"Connection": "close"})
