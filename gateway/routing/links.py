"""The link to one engine replica: one stream, commands out and answers in, as many in one message as come together."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from time import monotonic
from typing import Any, Protocol

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc
from msgspec import Struct

from gateway.routing.commands import Pending
from services.common.logs import logger
from services.common.spacing import spaced
from services.common.tasks import cancelled
from tidelog.v1 import engine_pb2
from tidelog.v1.engine_pb2 import EngineAnswer, LinkResponse

CLUSTER_KEY = "tidelog-cluster-key"
SERVICE: str = engine_pb2.DESCRIPTOR.services_by_name["EngineService"].full_name
BATCH_BYTES = 1024 * 1024
TAKEN_TOGETHER = 16
"""Answers passed on before whoever waits for them may go on: a long message holds nobody up."""

FIRST_PAUSE_S = 0.05
LONGEST_PAUSE_S = 2.0
OPTIONS = (
    ("grpc.max_receive_message_length", -1),  # an answer carries all that its command appended
    ("grpc.initial_reconnect_backoff_ms", 50),
    ("grpc.min_reconnect_backoff_ms", 2000),  # for a handshake, too: one cut short would be begun again and again
    ("grpc.max_reconnect_backoff_ms", 2000),
    ("grpc.keepalive_time_ms", 10_000),  # a connection that has gone silent is given up
    ("grpc.http2.ping_timeout_ms", 5000),
    ("grpc.use_local_subchannel_pool", 1),
)

log = logger()


class LinkCounts(Struct):
    """What all links have carried since the start."""

    opened: int = 0
    messages: int = 0
    commands: int = 0
    resent: int = 0


class Owner(Protocol):
    """The replicas of a game, as one of their links sees them."""

    def ready(self) -> None:
        """A link takes commands."""
        ...

    def lost(self, unanswered: list[Pending]) -> None:
        """A link broke before these were answered."""
        ...

    def answered(self, pending: Pending | None, answer: EngineAnswer, link: "Link") -> None:
        """An answer came; the command is unknown where nobody waits for it any more."""
        ...


class LinkEnded(Exception):  # noqa: N818 - says what happened
    """The engine closed the stream."""


class Link:
    """One replica. It takes commands while `ready`; whatever ends the stream hands back what was not answered."""

    def __init__(self, address: str, cluster_key: str, owner: Owner, counts: LinkCounts) -> None:
        self.address = address
        self.ready = False
        self._metadata = ((CLUSTER_KEY, cluster_key),)
        self._owner = owner
        self._counts = counts
        self._waiting: deque[Pending] = deque()
        self._on_way: dict[int, Pending] = {}
        self._wake = asyncio.Event()
        self._channel: grpc.aio.Channel | None = None
        self._closed = False
        self._task = asyncio.create_task(self._run(), name=f"link {address}")

    @property
    def channel(self) -> grpc.aio.Channel:
        assert self._channel is not None, "a link that is ready has a channel"
        return self._channel

    @property
    def metadata(self) -> tuple[tuple[str, str], ...]:
        return self._metadata

    def send(self, pending: Pending) -> None:
        self._waiting.append(pending)
        self._wake.set()

    def forget(self, command: int) -> None:
        """Nobody waits for the answer any more."""
        self._on_way.pop(command, None)

    def pause(self) -> None:
        """The replica says that it is going away: it gets no more commands until its health says otherwise."""
        self.ready = False

    async def close(self) -> None:
        self._closed = True
        await cancelled(self._task)

    async def _run(self) -> None:
        pause = FIRST_PAUSE_S
        # A group of tasks that fails while it is cancelled tells of the failure alone, so the flag counts.
        while not self._closed:
            began = monotonic()
            try:
                async with grpc.aio.insecure_channel(self.address, options=OPTIONS) as channel:
                    self._channel = channel
                    await self._serve(channel)
            except* Exception as errors:  # noqa: BLE001 - whatever ended it, the link is opened again
                log.warning("engine link ended", address=self.address, reason=_reason(errors))
            finally:
                self.ready = False
                self._owner.lost(self._unanswered())
            await asyncio.sleep(0 if self._closed else pause)
            pause = FIRST_PAUSE_S if monotonic() - began > LONGEST_PAUSE_S else min(2 * pause, LONGEST_PAUSE_S)

    def _unanswered(self) -> list[Pending]:
        for pending in self._on_way.values():
            pending.unknown = True
        found = [*self._on_way.values(), *self._waiting]
        self._on_way.clear()
        self._waiting.clear()
        return found

    async def _serve(self, channel: grpc.aio.Channel) -> None:
        """Until the stream or the health watch ends; always raises."""
        watch = health_pb2_grpc.HealthStub(channel).Watch(
            health_pb2.HealthCheckRequest(service=SERVICE), metadata=self._metadata, wait_for_ready=True
        )
        # Requests go out as bytes: joined messages are one message with all of their commands.
        call: Any = channel.stream_stream(
            f"/{SERVICE}/Link", request_serializer=None, response_deserializer=LinkResponse.FromString
        )(metadata=self._metadata, wait_for_ready=True)
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._watch_health(watch))
            tasks.create_task(self._write(call))
            tasks.create_task(self._read(call))

    async def _watch_health(self, watch: Any) -> None:
        seen = False
        async for response in watch:
            self.ready = response.status == health_pb2.HealthCheckResponse.SERVING
            if self.ready:
                if not seen:
                    seen = True
                    self._counts.opened += 1
                    log.info("engine link opened", address=self.address)
                self._owner.ready()
        raise LinkEnded("the health watch ended")

    async def _write(self, call: Any) -> None:
        while True:
            if not self._waiting:
                self._wake.clear()
                await self._wake.wait()
            data = b"".join(self._batch())
            if data:
                self._counts.messages += 1
                await call.write(data)
                await spaced(len(self._on_way))

    def _batch(self) -> Iterator[bytes]:
        size = 0
        while self._waiting and size < BATCH_BYTES:
            pending = self._waiting.popleft()
            if pending.settled:
                continue
            pending.sent = True
            self._on_way[pending.id] = pending
            self._counts.commands += 1
            size += len(pending.data)
            yield pending.data

    async def _read(self, call: Any) -> None:
        async for response in call:
            for place, answer in enumerate(response.answers, start=1):
                self._owner.answered(self._on_way.pop(answer.id, None), answer, self)
                if place % TAKEN_TOGETHER == 0:
                    await asyncio.sleep(0)
        raise LinkEnded("the engine closed the stream")


def _reason(errors: BaseExceptionGroup[Exception]) -> str:
    first = errors.exceptions[0]
    while isinstance(first, BaseExceptionGroup):
        first = first.exceptions[0]
    return f"{first.code().name}: {first.details()}" if isinstance(first, grpc.aio.AioRpcError) else str(first)


Learn = Callable[[EngineAnswer], None]
"""What is done with every answer's entries, whoever asked."""
