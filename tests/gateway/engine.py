"""The real engine host on any event log, in this process: what a gateway's links talk to in its tests."""

from engines.core import games
from services.common.serving import GrpcServer
from services.engine.host import Host
from services.engine.importing import Importer
from services.engine.server import LINK_MESSAGE_BYTES, EngineServicer
from services.eventlog.port import EventLog
from services.eventlog.sealing import SecretKeeper
from services.eventlog.store_clock import StoreClock
from tidelog.v1 import engine_pb2_grpc
from tidelog.v1.engine_pb2 import DESCRIPTOR

CLUSTER_KEY = "the tests' own"
SERVICE = DESCRIPTOR.services_by_name["EngineService"].full_name


class EngineReplica:
    """Counts the links that gateways opened, and the messages on them."""

    def __init__(self, log: EventLog, game: str) -> None:
        self._log = log
        self._game = game
        self.server = GrpcServer([SERVICE], max_message=LINK_MESSAGE_BYTES)
        self.servicer: EngineServicer

    @property
    def address(self) -> str:
        return self.server.address

    async def start(self, listen: str = "127.0.0.1:0") -> "EngineReplica":
        clock = StoreClock(self._log.time_ms)
        await clock.refresh()
        keeper = SecretKeeper()
        host = Host(games.engine(self._game), self._log, clock, keeper)
        self.servicer = EngineServicer(host, Importer(self._game, self._log, keeper), CLUSTER_KEY)
        self.server.add(engine_pb2_grpc.add_EngineServiceServicer_to_server, self.servicer)
        await self.server.start(listen)
        return self

    async def stop(self) -> None:
        await self.server.drain(self.servicer.finish)
