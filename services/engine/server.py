"""The engine link: commands in, answers out, as many in one message as have come together."""

import asyncio
import hmac
from collections.abc import AsyncIterator
from functools import cache, partial
from time import monotonic
from typing import Any

import grpc

from services.common import concerning, logs, metrics, tracing, wire
from services.common.logs import logger
from services.common.refusals import Reason, Refused
from services.common.spacing import spaced
from services.common.unreadable import Unreadable, require_readable
from services.engine import orders
from services.engine.host import Done, Host
from services.engine.importing import MAX_IMPORT_BYTES, Importer
from tidelog.v1 import engine_pb2_grpc
from tidelog.v1.engine_pb2 import (
    AppendedEntry,
    EngineAnswer,
    EngineCommand,
    ImportLogRequest,
    ImportLogResponse,
    LinkRequest,
    LinkResponse,
)
from tidelog.v1.matches_pb2 import Receipt

CLUSTER_KEY = "tidelog-cluster-key"
LONGEST_WAIT_MS = 30_000
MESSAGE_BYTES = 1024 * 1024
"""An answer message is closed once it holds so much."""

LINK_MESSAGE_BYTES = 64 * 1024 * 1024
"""The limit of one message between our own services: a command of the most and largest events fits."""

log = logger()


class EngineServicer(engine_pb2_grpc.EngineServiceServicer):
    """Serves gateways that hold the cluster key. A command that has begun is finished even when its stream breaks."""

    def __init__(self, host: Host, importer: Importer, cluster_key: str) -> None:
        self._host = host
        self._importer = importer
        self._cluster_key = cluster_key.encode()
        self._running: set[asyncio.Task[None]] = set()
        self._links: set[asyncio.Queue[EngineAnswer | None]] = set()
        self._draining = False
        self._counted = cache(partial(metrics.commands.labels, host.engine.name))
        self._moves = metrics.moves.labels(host.engine.name)
        self._latency = metrics.command_seconds.of(host.engine.name)

    async def finish(self) -> None:
        """Refuses what comes, answers what has begun, then ends every link."""
        self._draining = True
        while self._running:
            await asyncio.wait(self._running)
        await self._host.finish()
        for outbox in self._links:
            outbox.put_nowait(None)

    async def Link(  # noqa: N802 - the rpc's name
        self, requests: AsyncIterator[LinkRequest], context: grpc.aio.ServicerContext[LinkRequest, LinkResponse]
    ) -> AsyncIterator[LinkResponse]:
        await self._admit(context)
        outbox: asyncio.Queue[EngineAnswer | None] = asyncio.Queue()
        self._links.add(outbox)
        reader = asyncio.create_task(self._read(requests, outbox))
        try:
            async for response in _batched(outbox):
                yield response
                await spaced(len(self._running))
        finally:
            self._links.discard(outbox)
            reader.cancel()
        if self._draining:
            await wire.abort(context, _draining())
        unreadable = reader.result() if reader.done() and not reader.cancelled() else None
        if unreadable is not None:
            await wire.abort(context, unreadable)

    async def ImportLog(  # noqa: N802 - the rpc's name
        self,
        requests: AsyncIterator[ImportLogRequest],
        context: grpc.aio.ServicerContext[ImportLogRequest, ImportLogResponse],
    ) -> ImportLogResponse:
        await self._admit(context)
        if self._draining:
            await wire.abort(context, _draining())
        span = None
        try:
            start, chunks = await _received(requests)
            span = tracing.begin("ImportLog", concerning.begin(start, start.traceparent))
            done = await self._importer.store(chunks, None if start.restore else start.match_id)
        except Refused as refused:
            logs.outcome("import", outcome=refused.reason.value)
            tracing.end(span, refused.reason.value)
            await wire.abort(context, refused)
        logs.outcome("import", outcome="carried_out", version=done.head.version)
        tracing.end(span, "carried_out")
        self._host.warm.forget(done.match)
        if start.restore and not done.duplicate:
            await self._come_back(done.match)
        receipt = Receipt(
            match_id=done.match,
            cursor=str(done.head),
            first_version=1,
            last_version=done.head.version,
            duplicate=done.duplicate,
        )
        return ImportLogResponse(receipt=receipt)

    async def _come_back(self, match: str) -> None:
        """The match is restored, whatever becomes of this."""
        try:
            await self._host.come_back(match, monotonic() + LONGEST_WAIT_MS / 1000)
        except Refused as refused:
            log.warning("clocks were not given back their time", match=match, reason=refused.reason)

    async def _admit(self, context: grpc.aio.ServicerContext[Any, Any]) -> None:
        given = dict(context.invocation_metadata() or ()).get(CLUSTER_KEY, "")
        if not hmac.compare_digest(str(given).encode(), self._cluster_key):
            await wire.abort(context, Refused(Reason.UNAUTHENTICATED, "the call lacks the cluster key"))

    async def _read(
        self, requests: AsyncIterator[LinkRequest | Unreadable], outbox: asyncio.Queue[EngineAnswer | None]
    ) -> Refused | None:
        """Until the gateway has sent all, or what can't be read."""
        begun: set[asyncio.Task[None]] = set()
        unreadable = None
        async for request in requests:
            if isinstance(request, Unreadable):
                unreadable = request.refused
                break
            for command in request.commands:
                task = asyncio.create_task(self._answer(command, outbox))
                for tasks in (self._running, begun):
                    tasks.add(task)
                    task.add_done_callback(tasks.discard)
        if begun:  # a gateway that has sent all still waits for its answers
            await asyncio.wait(begun)
        outbox.put_nowait(None)
        return unreadable

    async def _answer(self, command: EngineCommand, outbox: asyncio.Queue[EngineAnswer | None]) -> None:
        outcome, began = "carried_out", monotonic()
        concerning.carry_out(command)
        followed, span = tracing.followed(), None
        if followed:
            name = command.WhichOneof("command") or "command"
            span = tracing.begin(name, concerning.current(), game=self._host.engine.name)
        try:
            answer = await self._carried_out(command)
        except Refused as refused:
            outcome = refused.reason.value
            answer = EngineAnswer(id=command.id, refusal=wire.to_proto(refused))
        except Exception:
            # Nothing was sent to the store: a fault after that leaves the host as OUTCOME_UNKNOWN.
            log.exception("command failed")
            outcome = Reason.INTERNAL.value
            failed = Refused(Reason.INTERNAL, "the engine failed on this command; nothing was changed")
            answer = EngineAnswer(id=command.id, refusal=wire.to_proto(failed))
        tracing.end(span, outcome)
        if not command.HasField("beat"):
            self._count(command, answer, outcome)
            if followed:
                logs.outcome("command", outcome=outcome, version=answer.receipt.last_version)
            self._latency.note(monotonic() - began)
        outbox.put_nowait(answer)

    def _count(self, command: EngineCommand, answer: EngineAnswer, outcome: str) -> None:
        self._counted(outcome).inc()
        if answer.entries and command.HasField("submit"):
            self._moves.inc()

    async def _carried_out(self, command: EngineCommand) -> EngineAnswer:
        """Raises Refused."""
        if self._draining:
            raise _draining()
        host, game, match = self._host, self._host.engine.name, command.match_id
        if command.HasField("validate"):
            version, refused = await host.validate(match, orders.order(game, command))
            verdict = EngineAnswer.Verdict(version=version, refusal=wire.to_proto(refused) if refused else None)
            return EngineAnswer(id=command.id, verdict=verdict)
        if command.HasField("beat"):
            return EngineAnswer(id=command.id, beaten=EngineAnswer.Beaten(outage_until=await host.beat()))
        deadline = monotonic() + min(command.timeout_ms or LONGEST_WAIT_MS, LONGEST_WAIT_MS) / 1000
        if command.HasField("create"):
            creation = await orders.creation(game, command, host.loader)
            done = await host.create(match, creation.order, creation.edition, deadline)
        elif command.HasField("expire"):
            done = await host.expire(match, deadline)
        else:
            done = await host.carry_out(match, orders.order(game, command), deadline)
        return _answer(command, done)


def _draining() -> Refused:
    return Refused(Reason.DRAINING, "this replica is going away; another takes over", retry_after_ms=100)


def _answer(command: EngineCommand, done: Done) -> EngineAnswer:
    receipt = Receipt(
        match_id=command.match_id,
        cursor=str(done.cursor),
        first_version=done.first,
        last_version=done.cursor.version,
        duplicate=done.duplicate,
    )
    entries = [
        AppendedEntry(version=entry.version, header=entry.header, body=entry.body, leaf=entry.leaf, hash=entry.hash)
        for entry in done.entries
    ]
    return EngineAnswer(id=command.id, receipt=receipt, entries=entries, seat=done.seat)


async def _batched(outbox: asyncio.Queue[EngineAnswer | None]) -> AsyncIterator[LinkResponse]:
    """Whatever has come together, up to a size; ends with the first None."""
    while (answer := await outbox.get()) is not None:
        answers, size = [answer], answer.ByteSize()
        ended = False
        while not ended and not outbox.empty() and size < MESSAGE_BYTES:
            more = outbox.get_nowait()
            if more is None:
                ended = True
            else:
                answers.append(more)
                size += more.ByteSize()
        yield LinkResponse(answers=answers)
        if ended:
            return


async def _received(requests: AsyncIterator[ImportLogRequest]) -> tuple[ImportLogRequest.Start, list[bytes]]:
    """The opening message and the pieces of the file. Raises Refused."""
    start: ImportLogRequest.Start | None = None
    chunks: list[bytes] = []
    size = 0
    async for request in requests:
        require_readable(request)
        if request.HasField("start"):
            if start is not None:
                raise Refused(Reason.MALFORMED, "`start` comes first and once")
            start = request.start
            continue
        if start is None:
            raise Refused(Reason.MALFORMED, "`start` comes first and once")
        chunks.append(request.chunk)
        size += len(request.chunk)
        if size > MAX_IMPORT_BYTES:
            raise Refused(Reason.TOO_LARGE, f"an import has at most {MAX_IMPORT_BYTES} bytes")
    if start is None:
        raise Refused(Reason.MALFORMED, "`start` comes first and once")
    if start.restore and not start.admin:
        raise Refused(Reason.NOT_ALLOWED, "restoring a match under its own id needs an admin")
    return start, chunks
