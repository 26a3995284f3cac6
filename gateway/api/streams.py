"""The rpcs that go on: WatchMatch and Play. What they send is serialised already, once for all who are told it."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Protocol

from gateway import metrics
from gateway.api.calls import Context, begun, check_request, expired, refusing, until_expiry
from gateway.callers.call import Call
from gateway.matches.onlooker import Onlooker, for_watch
from gateway.matches.outbox import Outbox
from gateway.matches.pacing import Replay
from gateway.matches.reading import cursor_of
from gateway.matches.situation import audience
from gateway.parts import Parts
from gateway.streams.following import bring_up
from gateway.streams.play import PlaySession
from services.common.codec import GameCodec
from services.common.logs import logger
from services.common.refusals import Reason, Refused
from services.common.tasks import cancelled
from services.eventlog import store_refusals
from services.eventlog.port import StoreError
from tidelog.v1.matches_pb2 import PlayRequest, WatchMatchRequest

ANSWER_S = 5.0
"""How long a draining gateway waits for the answers to commands under way."""

log = logger()


class Source(Protocol):
    """What fills the outbox of one stream."""

    async def run(self) -> None:
        """Until all is told that there is, or somebody else goes on telling."""
        ...

    def checkpoint(self) -> None: ...

    async def finished(self) -> None:
        """Takes nothing new; returns once everything begun was answered."""
        ...

    async def close(self) -> None: ...


class Streams:
    """Knows the open streams, so that a draining gateway can end them."""

    parts: Parts

    def __init__(self) -> None:
        self._open: dict[Outbox, Source] = {}
        self._draining = False
        for rpc in ("WatchMatch", "Play", "WatchMatches", "WatchLog"):
            metrics.STREAMS.labels(rpc)  # none is open, and that is told

    async def drain(self) -> None:
        """Ends every stream with DRAINING, after the answers to what was sent."""
        self._draining = True
        with suppress(TimeoutError):
            async with asyncio.timeout(ANSWER_S):
                await asyncio.gather(*(source.finished() for source in self._open.values()))
        for outbox in tuple(self._open):
            outbox.end(_draining())

    async def WatchMatch(self, request: WatchMatchRequest, context: Context) -> None:  # noqa: N802
        with metrics.STREAMS.labels("WatchMatch").track_inprogress():
            await refusing(context, self._watched(request, context), "WatchMatch", request)

    async def Play(self, requests: AsyncIterator[PlayRequest], context: Context) -> None:  # noqa: N802
        with metrics.STREAMS.labels("Play").track_inprogress():
            await refusing(context, self._played(requests, context), "Play")

    async def _watched(self, request: WatchMatchRequest, context: Context) -> None:
        call = await begun(self.parts, context)
        check_request(request)
        seat = request.seat if request.HasField("seat") else None
        GameCodec.of(await self.parts.games.of(request.match_id, call.caller)).require(request.accept)
        who = audience(seat, request.accept, request.include)
        outbox = self._outbox("WatchMatch")
        after = cursor_of(request.after)
        replay = Replay.of(request.replay, after)
        onlooker = Onlooker(request.match_id, who, call.caller, after, outbox, for_watch, replay=replay)
        onlooker.on_end = outbox.end
        await self.serve(context, call, outbox, _Watching(self.parts, onlooker))

    async def _played(self, requests: AsyncIterator[PlayRequest], context: Context) -> None:
        call = await begun(self.parts, context)
        outbox = self._outbox("Play")
        await self.serve(context, call, outbox, PlaySession(self.parts, call.caller, outbox, requests))

    def _outbox(self, rpc: str) -> Outbox:
        return Outbox(self.parts.settings.outbox_bytes, metrics.DELIVERY_SECONDS.of(rpc))

    async def serve(self, context: Context, call: Call, outbox: Outbox, source: Source) -> None:
        """Until the source or the client ends it, the token expires, or the gateway drains. Raises Refused."""
        if self._draining:
            raise _draining()
        self._open[outbox] = source
        tasks = [
            asyncio.create_task(_run(source, outbox)),
            asyncio.create_task(_tick(self.parts.settings.checkpoint_s, source.checkpoint)),
        ]
        expiry = asyncio.get_running_loop().call_later(until_expiry(call.caller), outbox.end, expired())
        try:
            refused = await outbox.pump(context.write)
        finally:
            expiry.cancel()
            del self._open[outbox]
            await cancelled(*tasks)
            await source.close()
        if refused is not None:
            raise refused


class _Watching:
    """One onlooker with a stream of its own."""

    def __init__(self, parts: Parts, onlooker: Onlooker) -> None:
        self._parts = parts
        self._onlooker = onlooker

    async def run(self) -> None:
        """Refused before the first news, the call is; afterwards the refusal is the last news."""
        try:
            await bring_up(self._onlooker, self._parts.shown)
        except Refused as refused:
            if not self._onlooker.started:
                raise
            self._onlooker.end(refused)

    def checkpoint(self) -> None:
        self._onlooker.checkpoint()

    async def finished(self) -> None:
        """Nothing is ever begun here."""

    async def close(self) -> None:
        self._onlooker.leave()


async def _run(source: Source, outbox: Outbox) -> None:
    try:
        await source.run()
    except Refused as refused:
        outbox.end(refused)
    except StoreError as error:
        outbox.end(store_refusals.refused(error))
    except Exception:
        log.exception("stream failed")
        outbox.end(Refused(Reason.INTERNAL, "the server failed on this stream; go on from the last cursor"))


async def _tick(seconds: float, checkpoint: Callable[[], None]) -> None:
    while True:
        await asyncio.sleep(seconds)
        checkpoint()


def _draining() -> Refused:
    return Refused(Reason.DRAINING, "the server is stopping; go on from the last cursor", retry_after_ms=500)
