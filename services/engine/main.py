"""The engine service of one game, from its settings to its end."""

import asyncio

from msgspec import Struct

from engines.core import games
from services.common import metrics
from services.common.codec import GameCodec
from services.common.logs import logger
from services.common.serving import GrpcServer
from services.common.tasks import cancelled
from services.engine.host import Host
from services.engine.importing import Importer
from services.engine.server import LINK_MESSAGE_BYTES, EngineServicer
from services.engine.warm import WARM_MATCHES
from services.eventlog.port import StoreError
from services.eventlog.redis_log import RedisLog
from services.eventlog.sealing import SecretKeeper
from services.eventlog.store_clock import StoreClock
from services.eventlog.store_watch import StoreState, StoreWatch
from tidelog.v1 import engine_pb2_grpc
from tidelog.v1.engine_pb2 import DESCRIPTOR

SERVICE: str = DESCRIPTOR.services_by_name["EngineService"].full_name
CLOCK_REFRESH_S = 60.0

log = logger()


class EngineSettings(Struct, frozen=True, kw_only=True):
    """`secret_key` (32 bytes) seals match secrets at rest; None leaves them as they are.

    A command is acknowledged once so many `replicas` of the store have it on their disks.
    """

    game: str
    redis_url: str
    cluster_key: str
    listen: str = "127.0.0.1:0"
    secret_key: bytes | None = None
    replicas: int = 0
    warm_matches: int = WARM_MATCHES


class EngineService:
    """One replica: `start` returns once it listens at `address`, `stop` once everything begun is finished."""

    def __init__(self, settings: EngineSettings) -> None:
        self.settings = settings
        self.server = GrpcServer([SERVICE], max_message=LINK_MESSAGE_BYTES)
        self.log: RedisLog
        self.host: Host
        self.watch: StoreWatch
        self._servicer: EngineServicer
        self._refreshing: asyncio.Task[None]

    @property
    def address(self) -> str:
        return self.server.address

    async def start(self) -> None:
        """Raises UnknownGame, AddressTaken, and the store's own errors."""
        settings = self.settings
        engine = games.engine(settings.game)
        GameCodec.of(settings.game)
        self.log = await RedisLog.open(settings.redis_url, replicas=settings.replicas)
        clock = StoreClock(self.log.time_ms)
        keeper = SecretKeeper(settings.secret_key)
        self.host = Host(engine, self.log, clock, keeper, settings.warm_matches)
        self._servicer = EngineServicer(self.host, Importer(settings.game, self.log, keeper), settings.cluster_key)
        self.server.add(engine_pb2_grpc.add_EngineServiceServicer_to_server, self._servicer)
        try:
            await clock.refresh()
            await self.server.start(settings.listen)
        except BaseException:
            await self.log.close()
            raise
        self._refreshing = asyncio.create_task(_keep_time(clock))
        self.watch = StoreWatch(self.log, self._tell_store)
        self.watch.start()
        assert self.log.facts is not None
        metrics.fsync_weak.set(self.log.facts.fsync != "always")
        metrics.warm_matches.labels(settings.game).set_function(lambda: len(self.host.warm))
        log.info("engine listens", game=settings.game, address=self.address)

    async def stop(self) -> None:
        await self.server.drain(self._servicer.finish)
        await cancelled(self._refreshing)
        await self.watch.close()
        await self.log.close()
        log.info("engine stopped", game=self.settings.game)

    async def _tell_store(self, state: StoreState) -> None:
        takes_appends = state is StoreState.UP
        metrics.count_store(state.value, takes_appends=takes_appends)
        await self.server.tell_store(there=self.watch.there, takes_appends=takes_appends)


async def _keep_time(clock: StoreClock) -> None:
    while True:
        await asyncio.sleep(CLOCK_REFRESH_S)
        try:
            await clock.refresh()
        except StoreError:
            continue  # the offset learnt last stands until the store answers again
        except Exception:
            log.exception("the store's time can't be told")
