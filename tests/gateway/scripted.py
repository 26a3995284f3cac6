"""An engine service that answers when the test says so."""

import asyncio

from grpc_health.v1.health_pb2 import HealthCheckResponse

from gateway.routing.links import CLUSTER_KEY, SERVICE
from services.common import wire
from services.common.refusals import Reason, Refused
from services.common.serving import GrpcServer
from services.engine.server import LINK_MESSAGE_BYTES
from tests.gateway import engine
from tidelog.v1 import engine_pb2_grpc
from tidelog.v1.engine_pb2 import EngineAnswer, LinkResponse
from tidelog.v1.matches_pb2 import Receipt


class ScriptedEngine(engine_pb2_grpc.EngineServiceServicer):
    """`commands` are those received and not answered, `messages` the sizes of the messages they came in.

    Beats of a gateway's clock are passed over.
    """

    def __init__(self) -> None:
        self.server = GrpcServer([SERVICE], max_message=LINK_MESSAGE_BYTES)
        self.commands = []
        self.received = []
        self.messages = []
        self.links = 0
        self._stopped = False
        self._news = asyncio.Condition()
        self._outboxes = []

    @property
    def address(self) -> str:
        return self.server.address

    async def start(self, listen: str = "127.0.0.1:0") -> "ScriptedEngine":
        engine_pb2_grpc.add_EngineServiceServicer_to_server(self, self.server.server)
        await self.server.start(listen)
        return self

    async def stop(self) -> None:
        """Gone at once; stopping twice is stopping once."""
        self.break_links()
        if not self._stopped:
            self._stopped = True
            await self.server.server.stop(None)

    async def Link(self, requests, context):  # noqa: N802
        if dict(context.invocation_metadata())[CLUSTER_KEY] != engine.CLUSTER_KEY:
            await wire.abort(context, Refused(Reason.UNAUTHENTICATED, "the call lacks the cluster key"))
        outbox = asyncio.Queue()
        self._outboxes.append(outbox)
        self.links += 1
        reader = asyncio.create_task(self._read(requests))
        try:
            while (answer := await outbox.get()) is not None:
                yield LinkResponse(answers=[answer])
        finally:
            reader.cancel()

    async def _read(self, requests) -> None:
        async for request in requests:
            commands = [command for command in request.commands if not command.HasField("beat")]
            if not commands:
                continue
            async with self._news:
                self.messages.append(len(commands))
                self.commands += commands
                self.received += commands
                self._news.notify_all()

    async def has(self, count: int) -> None:
        """Returns once so many commands wait for answers."""
        async with self._news:
            await self._news.wait_for(lambda: len(self.commands) >= count)

    async def answer(self, **fields: object) -> None:
        """Answers the oldest command, on the newest link."""
        await self.has(1)
        command = self.commands.pop(0)
        outcome = fields or {"receipt": Receipt(match_id=command.match_id, first_version=1, last_version=1)}
        self._outboxes[-1].put_nowait(EngineAnswer(id=command.id, **outcome))

    async def refuse(self, reason: Reason) -> None:
        await self.answer(refusal=wire.to_proto(Refused(reason, "as scripted")))

    def break_links(self) -> None:
        """Ends every stream; what was not answered never is."""
        for outbox in self._outboxes:
            outbox.put_nowait(None)
        self.commands.clear()

    async def tell_health(self, *, serving: bool) -> None:
        status = HealthCheckResponse.SERVING if serving else HealthCheckResponse.NOT_SERVING
        await self.server._health.set(SERVICE, status)
