"""ImportMatch: an export is passed on to the engine service of its game, which alone writes logs."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress

import grpc
import msgspec

from gateway.api.calls import Context, begun, refusing
from gateway.limits import MAX_CHUNK, MAX_IMPORT
from gateway.parts import Parts
from gateway.routing import commanding
from services.common import concerning
from services.common.refusals import Reason, Refused
from services.common.unreadable import require_readable
from services.common.wire import refused_from
from services.eventlog import canonical, hashes
from services.eventlog.reading import MAX_LINE
from tidelog.v1.engine_pb2 import ImportLogRequest
from tidelog.v1.engine_pb2_grpc import EngineServiceStub
from tidelog.v1.matches_pb2 import ImportMatchRequest, ImportMatchResponse

TIMEOUT_S = 120.0


class _Named(msgspec.Struct):
    """What of an export's header line says where it goes."""

    game: str
    match: str


_decoder = msgspec.json.Decoder(_Named)


class Imports:
    """Pieces go on as they come; only the header line is looked at here."""

    parts: Parts

    async def ImportMatch(  # noqa: N802
        self, requests: AsyncIterator[ImportMatchRequest], context: Context
    ) -> ImportMatchResponse:
        return await refusing(context, self._imported(requests, context), "ImportMatch")

    async def _imported(self, requests: AsyncIterator[ImportMatchRequest], context: Context) -> ImportMatchResponse:
        call = await begun(self.parts, context)
        start = await _start(requests)
        concern = concerning.current()
        assert concern is not None, "every call has one"
        concern.about = start
        commanding.command("", call.caller, start.request_id)
        if start.restore and not call.caller.admin:
            raise Refused(Reason.NOT_ALLOWED, "restoring a match under its own id needs an admin")
        pieces = _pieces(requests)
        opening, named = await _header(pieces)
        match_id = (
            named.match
            if start.restore
            else hashes.match_id(self.parts.store_key, call.caller.player, start.request_id)
        )
        message = ImportLogRequest.Start(
            match_id=match_id,
            player=call.caller.player,
            admin=call.caller.admin,
            restore=start.restore,
            request_id=start.request_id,
            traceparent=concern.traceparent,
        )
        concern.about = message
        return await self._passed_on(named.game, message, opening, pieces)

    async def _passed_on(
        self, game: str, start: ImportLogRequest.Start, opening: bytes, pieces: AsyncIterator[bytes]
    ) -> ImportMatchResponse:
        link = await self.parts.engines.link(game, start.match_id)
        call = EngineServiceStub(link.channel).ImportLog(metadata=link.metadata, timeout=TIMEOUT_S)
        try:
            with suppress(asyncio.InvalidStateError):  # the engine has answered before the end
                await call.write(ImportLogRequest(start=start))
                for place in range(0, len(opening), MAX_CHUNK):
                    await call.write(ImportLogRequest(chunk=opening[place : place + MAX_CHUNK]))
                async for piece in pieces:
                    await call.write(ImportLogRequest(chunk=piece))
                await call.done_writing()
            answer = await call
        except grpc.aio.AioRpcError as error:
            raise refused_from(error) or _away(error) from error
        finally:
            call.cancel()
        return ImportMatchResponse(receipt=answer.receipt)


async def _start(requests: AsyncIterator[ImportMatchRequest]) -> ImportMatchRequest.Start:
    async for request in requests:
        require_readable(request)
        if request.HasField("start"):
            return request.start
        break
    raise Refused(Reason.MALFORMED, "an import begins with `start`")


async def _pieces(requests: AsyncIterator[ImportMatchRequest]) -> AsyncIterator[bytes]:
    """The pieces of the file within the limits. Raises Refused."""
    size = 0
    async for request in requests:
        require_readable(request)
        if request.HasField("start"):
            raise Refused(Reason.MALFORMED, "`start` comes first and once")
        size += len(request.chunk)
        if len(request.chunk) > MAX_CHUNK or size > MAX_IMPORT:
            message = f"a piece has at most {MAX_CHUNK} bytes, an import {MAX_IMPORT}"
            raise Refused(Reason.TOO_LARGE, message)
        yield request.chunk


async def _header(pieces: AsyncIterator[bytes]) -> tuple[bytes, _Named]:
    """What was read until the header line was whole, and what the line says. Raises Refused(CORRUPT_EXPORT)."""
    held = bytearray()
    async for piece in pieces:
        held += piece
        line, found, _ = held.partition(b"\n")
        if found:
            try:
                return bytes(held), _decoder.decode(line)
            except canonical.UNDECODABLE as error:
                raise Refused(Reason.CORRUPT_EXPORT, f"header: {error}", version=0) from error
        if len(held) > MAX_LINE:
            break
    raise Refused(Reason.CORRUPT_EXPORT, "header: the file does not begin with a line", version=0)


def _away(error: grpc.aio.AioRpcError) -> Refused:
    return Refused(
        Reason.OUTCOME_UNKNOWN,
        f"the engine did not answer ({error.code().name}): import again with the same request id",
    )
