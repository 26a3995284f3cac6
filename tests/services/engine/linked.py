"""A gateway's end of the engine link, over real gRPC."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any, Self

import grpc

from services.common import codec, wire
from services.common.refusals import Reason
from services.engine.main import EngineService, EngineSettings
from services.engine.server import CLUSTER_KEY, LINK_MESSAGE_BYTES
from services.eventlog.commands import Abort, Claim, Create, Leave, Order, Quarantine, Release, Start, Submit, Withdraw
from tests.services.eventlog.given import GAME, MATCH
from tidelog.v1 import engine_pb2_grpc
from tidelog.v1.engine_pb2 import EngineAnswer, EngineCommand, ImportLogRequest, ImportLogResponse, LinkRequest
from tidelog.v1.payload_pb2 import Payload

KEY = "the cluster's key"
CHUNK = 64 * 1024


@asynccontextmanager
async def serving(redis_url: str, **settings: Any) -> AsyncIterator[EngineService]:
    service = EngineService(EngineSettings(game=GAME, redis_url=redis_url, cluster_key=KEY, **settings))
    await service.start()
    try:
        yield service
    finally:
        await service.stop()


class Link:
    """One stream to one host. `messages` are the answers as they came, several in one where they came together."""

    def __init__(self, stub: Any, key: str | None) -> None:
        self.metadata = () if key is None else ((CLUSTER_KEY, key),)
        self.stub = stub
        self.call = stub.Link(metadata=self.metadata)
        self.messages: list[list[EngineAnswer]] = []
        self._sent = 0
        self._answers: dict[int, EngineAnswer] = {}

    @classmethod
    @asynccontextmanager
    async def to(cls, address: str, key: str | None = KEY) -> AsyncIterator[Self]:
        options = (("grpc.max_receive_message_length", LINK_MESSAGE_BYTES),)
        async with grpc.aio.insecure_channel(address, options=options) as channel:
            link = cls(engine_pb2_grpc.EngineServiceStub(channel), key)
            yield link
            link.call.cancel()

    async def send(self, *commands: EngineCommand) -> list[int]:
        """All in one message; their ids."""
        for command in commands:
            self._sent += 1
            command.id = self._sent
        await self.call.write(LinkRequest(commands=commands))
        return [command.id for command in commands]

    async def answers(self, ids: list[int]) -> list[EngineAnswer]:
        while not self._answers.keys() >= set(ids):
            message = await self.call.read()
            assert message is not grpc.aio.EOF, await self.call.details()
            self.messages.append(list(message.answers))
            self._answers |= {answer.id: answer for answer in message.answers}
        return [self._answers.pop(number) for number in ids]

    async def ask(self, *commands: EngineCommand) -> list[EngineAnswer]:
        return await self.answers(await self.send(*commands))

    async def carried_out(self, *commands: EngineCommand) -> list[EngineAnswer]:
        found = await self.ask(*commands)
        for answer in found:
            assert answer.WhichOneof("outcome") != "refusal", answer
        return found

    async def refusal(self, command: EngineCommand) -> Any:
        (answer,) = await self.ask(command)
        assert answer.HasField("refusal"), answer
        return wire.from_proto(answer.refusal)

    async def ended(self) -> grpc.StatusCode:
        """How the stream ends, once it has."""
        with suppress(grpc.aio.AioRpcError):
            while await self.call.read() is not grpc.aio.EOF:
                pass
        return await self.call.code()

    async def imports(self, export: bytes, match: str = "", **start: Any) -> ImportLogResponse:
        return await self.stub.ImportLog(parts(export, match, **start), metadata=self.metadata)


async def parts(export: bytes, match: str, **start: Any) -> AsyncIterator[ImportLogRequest]:
    opening = ImportLogRequest.Start(match_id=match, player="guest|ann", request_id="import", **start)
    yield ImportLogRequest(start=opening)
    for place in range(0, len(export), CHUNK):
        yield ImportLogRequest(chunk=export[place : place + CHUNK])


def command_of(order: Order, match: str = MATCH, **more: Any) -> EngineCommand:
    """The order as a gateway passes it on."""
    asked = order.command
    told = EngineCommand(match_id=match, player=order.player, request_id=order.request_id, admin=order.admin, **more)
    match asked:
        case Create():
            told.create.CopyFrom(_creation(asked))
        case Claim():
            told.claim.CopyFrom(EngineCommand.Claim(seat=asked.seat, name=asked.name, bot=asked.bot))
        case Leave():
            told.leave.seat = asked.seat
        case Withdraw():
            told.withdraw.seat = asked.seat
        case Start():
            told.start.SetInParent()
        case Submit():
            told.submit.CopyFrom(_submission(asked))
        case Abort() | Quarantine() | Release():
            getattr(told, type(asked).__name__.lower()).why = asked.why
    return told


def _creation(asked: Create) -> EngineCommand.Create:
    return EngineCommand.Create(
        edition=asked.edition,
        options=Payload(json=codec.encode(asked.options).decode()),
        seats=asked.seats,
        auto_start=asked.auto_start,
        own_seat=asked.own_seat,
        name=asked.name,
    )


def _submission(asked: Submit) -> EngineCommand.Submit:
    return EngineCommand.Submit(
        seat=asked.seat, move=move_of(asked), decision=asked.decision, expected_version=asked.expected_version
    )


def move_of(asked: Submit) -> Payload:
    return Payload(json=codec.encode(asked.move).decode())


def validating(order: Order, match: str = MATCH) -> EngineCommand:
    judged = EngineCommand.Validate(seat=order.command.seat, move=move_of(order.command))
    return EngineCommand(match_id=match, player=order.player, validate=judged)


def reason_of(error: grpc.aio.AioRpcError) -> Reason | None:
    refused = wire.refused_from(error)
    return refused.reason if refused else None
