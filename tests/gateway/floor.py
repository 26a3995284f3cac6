"""A gateway with a real engine host on one log, and clients of it: what the servicers' tests stand on."""

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack
from itertools import count
from pathlib import Path
from typing import Any, Self

import grpc
from msgspec.structs import replace

from gateway.callers.identity import mint
from gateway.main import Gateway
from gateway.matches.timer import Timer
from gateway.settings import GatewaySettings
from services.common.refusals import Refused
from services.common.wire import refused_from
from services.eventlog.port import EventLog
from tests.gateway.engine import CLUSTER_KEY, EngineReplica
from tests.gateway.played import GAME
from tests.gateway.web.channel import HttpChannel
from tidelog.v1 import admin_pb2, games_pb2, lobby_pb2, logs_pb2, matches_pb2, players_pb2, updates_pb2
from tidelog.v1.admin_pb2_grpc import AdminServiceStub
from tidelog.v1.games_pb2_grpc import GameServiceStub
from tidelog.v1.identity_pb2 import SignInAsGuestRequest
from tidelog.v1.identity_pb2_grpc import IdentityServiceStub
from tidelog.v1.lobby_pb2_grpc import LobbyServiceStub
from tidelog.v1.logs_pb2_grpc import LogServiceStub
from tidelog.v1.matches_pb2_grpc import MatchServiceStub
from tidelog.v1.players_pb2_grpc import PlayerServiceStub

NARROW = (("grpc.http2.bdp_probe", 0), ("grpc.http2.lookahead_bytes", 1024))

ids = (str(number) for number in count(1))


def told(error: grpc.aio.AioRpcError) -> Exception:
    """The refusal that the call ended with; any other error is itself."""
    return refused_from(error) or error


MODULES = (matches_pb2, games_pb2, lobby_pb2, admin_pb2, logs_pb2, players_pb2)


class Client:
    """One player's stubs; every call carries the token."""

    def __init__(self, channel: grpc.aio.Channel, token: str, player: str = "") -> None:
        self.token = token
        self.player = player
        self.metadata = (("authorization", f"Bearer {token}"),)
        self.matches = MatchServiceStub(channel)
        self.games = GameServiceStub(channel)
        self.lobby = LobbyServiceStub(channel)
        self.admin = AdminServiceStub(channel)
        self.logs = LogServiceStub(channel)
        self.players = PlayerServiceStub(channel)
        self._stubs = (self.matches, self.games, self.lobby, self.admin, self.logs, self.players)

    async def call(self, rpc: str, **fields: object) -> object:
        """The answer of a unary rpc, or the Refused it ended with."""
        return await self.ask(rpc, self._request(rpc, fields))

    async def ask(self, rpc: str, request: object) -> object:
        try:
            return await getattr(self.stub(rpc), rpc)(request, metadata=self.metadata)
        except grpc.aio.AioRpcError as error:
            raise told(error) from error

    def stream(self, rpc: str, **fields: object):
        return getattr(self.stub(rpc), rpc)(self._request(rpc, fields), metadata=self.metadata)

    def stub(self, rpc: str) -> object:
        return next(stub for stub in self._stubs if hasattr(stub, rpc))

    def _request(self, rpc: str, fields: dict[str, object]) -> object:
        name = f"{rpc}Request"
        module = next(module for module in MODULES if hasattr(module, name))
        return getattr(module, name)(**fields)

    async def drained(self, rpc: str, **fields: object) -> list:
        """All that a server stream gives. Raises Refused."""
        try:
            return [response async for response in self.stream(rpc, **fields)]
        except grpc.aio.AioRpcError as error:
            raise told(error) from error

    async def updates(self, match_id: str, **fields: object) -> AsyncIterator[updates_pb2.Update]:
        """WatchMatch, piece by piece; ends with the stream. Raises Refused."""
        try:
            async for response in self.stream("WatchMatch", match_id=match_id, **fields):
                for update in response.updates:
                    yield update
        except grpc.aio.AioRpcError as error:
            raise told(error) from error


class Floor:
    """One engine replica and any number of gateways, stopped in the opposite order; clients may speak HTTP."""

    def __init__(self, log: EventLog, folder: Path, *, over_http: bool = False) -> None:
        self.log = log
        self._over_http = over_http
        self._folder = folder
        self._open = AsyncExitStack()
        self._gateways = 0
        self.engine = EngineReplica(log, GAME)

    async def __aenter__(self) -> Self:
        await self.engine.start()
        self._open.push_async_callback(self.engine.stop)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._open.aclose()

    async def gateway(self, timer: Timer | None = None, **settings: object) -> Gateway:
        self._gateways += 1
        whole = GatewaySettings(
            redis_url="given",
            engines=(f"{GAME}={self.engine.address}",),
            cluster_key=CLUSTER_KEY,
            data_dir=self._folder / f"gateway {self._gateways}",
            projection_pause_s=0.0,
            http="127.0.0.1:0" if self._over_http else "",
        )
        gateway = Gateway(replace(whole, **settings), self.log, timer)
        await gateway.start()
        self._open.push_async_callback(gateway.stop)
        return gateway

    async def channel(self, gateway: Gateway, options: Sequence[tuple[str, int]] = ()) -> Any:
        channel = await self._open.enter_async_context(grpc.aio.insecure_channel(gateway.address, options=options))
        if not self._over_http:
            return channel
        found = HttpChannel(gateway.http_address, channel)
        self._open.push_async_callback(found.close)
        return found

    async def client(self, gateway: Gateway, subject: str, **claims: object) -> Client:
        """A player whose token is minted here, so that every gateway knows the same one."""
        token = mint(gateway.parts.guest_key, subject, name=subject.capitalize(), **claims)
        return Client(await self.channel(gateway), token, f"tidelog|{subject}")

    async def narrow_client(self, gateway: Gateway, subject: str) -> Client:
        """One whose transport takes little that nobody reads."""
        channel = await self.channel(gateway, NARROW)
        return Client(channel, mint(gateway.parts.guest_key, subject), f"tidelog|{subject}")

    async def guest(self, gateway: Gateway, name: str) -> Client:
        channel = await self.channel(gateway)
        answer = await IdentityServiceStub(channel).SignInAsGuest(SignInAsGuestRequest(name=name))
        return Client(channel, answer.token, answer.player)


async def started_match(ann: Client, bob: Client, **fields: object) -> str:
    """A match with Ann at seat 0 and Bob at seat 1, begun."""
    created = await ann.call("CreateMatch", request_id=next(ids), game=GAME, seats=2, own_seat=0, **fields)
    match_id = created.receipt.match_id
    await bob.call("JoinMatch", request_id=next(ids), match_id=match_id, seat=1)
    return match_id


async def play_on(players: list[Client], match_id: str, moves: int = 10_000) -> int:
    """Plays first legal moves until the match is over, or so many were played; how many were."""
    for played in range(moves):
        found = await players[0].call("GetMatch", match_id=match_id)
        if not found.turns:
            return played
        turn = found.turns[0]
        player = players[turn.seat]
        legal = await player.call("ListLegalMoves", match_id=match_id, seat=turn.seat)
        await player.call(
            "SubmitMove",
            request_id=next(ids),
            match_id=match_id,
            seat=turn.seat,
            move=legal.legal.moves[0],
            decision=turn.decision,
        )
    return moves


async def refusal(awaitable) -> Refused:
    """The refusal that the call ends with."""
    try:
        await awaitable
    except Refused as refused:
        return refused
    raise AssertionError("it was not refused")
