"""A lone clock's way to engine services: one short stream a command, to whichever replica answers."""

from collections.abc import Iterable
from contextlib import AsyncExitStack
from itertools import count
from typing import Any

import grpc

from services.common import wire
from services.common.refusals import Reason, Refused
from tidelog.v1 import engine_pb2_grpc
from tidelog.v1.engine_pb2 import EngineAnswer, EngineCommand, LinkRequest

CLUSTER_KEY = "tidelog-cluster-key"
DNS = "dns:"
OPTIONS = (("grpc.max_receive_message_length", -1), ("grpc.lb_policy_name", "round_robin"))


class EngineCaller:
    """`places` are texts GAME=PLACE[,PLACE...], as for gateways."""

    def __init__(self, places: Iterable[str], cluster_key: str) -> None:
        self._metadata = ((CLUSTER_KEY, cluster_key),)
        self._open = AsyncExitStack()
        self._stubs: dict[str, list[Any]] = {}
        self._ids = count(1)
        for text in places:
            game, _, listed = text.partition("=")
            self._stubs[game] = [self._stub(place.strip()) for place in listed.split(",")]

    @property
    def games(self) -> frozenset[str]:
        return frozenset(self._stubs)

    async def close(self) -> None:
        await self._open.aclose()

    async def ask(self, game: str, command: EngineCommand, timeout_s: float) -> EngineAnswer:
        """From the first replica that takes it. Raises Refused."""
        if game not in self._stubs:
            raise Refused(Reason.UNKNOWN_GAME, f"{game!r} is not served here")
        command.id = next(self._ids)
        command.timeout_ms = int(1000 * timeout_s)
        refused = Refused(Reason.ENGINE_AWAY, f"no engine service of {game} answers at present")
        for stub in self._stubs[game]:
            try:
                return await self._asked(stub, command, timeout_s)
            except Refused as error:
                if error.reason is not Reason.DRAINING:
                    raise
                refused = error
            except grpc.aio.AioRpcError as error:
                refused = wire.refused_from(error) or refused
        raise refused

    async def _asked(self, stub: Any, command: EngineCommand, timeout_s: float) -> EngineAnswer:
        call = stub.Link(iter([LinkRequest(commands=(command,))]), metadata=self._metadata, timeout=timeout_s)
        async for response in call:
            answer: EngineAnswer = response.answers[0]
            if answer.HasField("refusal"):
                raise wire.from_proto(answer.refusal) or Refused(Reason.ENGINE_AWAY, answer.refusal.message)
            return answer
        raise Refused(Reason.DRAINING, "the engine closed the stream without an answer")

    def _stub(self, place: str) -> Any:
        target = f"dns:///{place.removeprefix(DNS)}" if place.startswith(DNS) else place
        channel = grpc.aio.insecure_channel(target, options=OPTIONS)
        self._open.push_async_callback(channel.close)
        return engine_pb2_grpc.EngineServiceStub(channel)
