"""The gateway, from its settings to its end."""

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any

from gateway.api import admin, lobby, log_service, matches
from gateway.api.admin import AdminServicer
from gateway.api.games import GameServicer
from gateway.api.identity import IdentityServicer
from gateway.api.log_service import LogServicer
from gateway.api.matches import MatchServicer
from gateway.api.players import SERVICE as PLAYER_SERVICE
from gateway.api.players import PlayerServicer
from gateway.callers.identity import KEY_NAME, Identity
from gateway.feeds.feed import Follower
from gateway.feeds.positions import KEY_NAME as POSITION_KEY_NAME
from gateway.feeds.positions import Positions
from gateway.feeds.trimming import Trimmer
from gateway.limits import MAX_RECEIVED
from gateway.lobby.invitations import Invitations
from gateway.lobby.quotas import Quotas
from gateway.matches.live import LiveMatches
from gateway.matches.past import PastMatches
from gateway.matches.shown import Shown
from gateway.matches.timer import StoreTimer, Timer
from gateway.metrics import LIVE_MATCHES, PROJECTION_BEHIND
from gateway.parts import Parts
from gateway.projections.database import Database
from gateway.projections.matches import MatchProjection
from gateway.projections.rebuilding import Rebuilder
from gateway.projections.tokens import KEY_NAME as TOKEN_KEY_NAME
from gateway.projections.tokens import PageTokens
from gateway.routing.engines import Engines, read_places
from gateway.routing.games import GameFinder
from gateway.settings import GatewaySettings
from services.clock.main import ClockService
from services.common import metrics
from services.common.codec import GameCodec
from services.common.logs import logger
from services.common.serving import GrpcServer
from services.eventlog.loading import Loader
from services.eventlog.port import EventLog
from services.eventlog.redis_log import RedisLog
from services.eventlog.store_watch import StoreState, StoreWatch
from tidelog.v1 import games_pb2, identity_pb2
from tidelog.v1.admin_pb2_grpc import add_AdminServiceServicer_to_server
from tidelog.v1.games_pb2_grpc import add_GameServiceServicer_to_server
from tidelog.v1.identity_pb2_grpc import add_IdentityServiceServicer_to_server
from tidelog.v1.players_pb2_grpc import add_PlayerServiceServicer_to_server

if TYPE_CHECKING:
    from gateway.web.server import HttpServer

SERVICES = (
    matches.SERVICE,
    admin.SERVICE,
    lobby.SERVICE,
    PLAYER_SERVICE,
    log_service.SERVICE,
    games_pb2.DESCRIPTOR.services_by_name["GameService"].full_name,
    identity_pb2.DESCRIPTOR.services_by_name["IdentityService"].full_name,
)
STORE_KEY_NAME = "store"

log = logger()


class Gateway:
    """One gateway: `start` returns once it listens at `address`, `stop` once everything begun is finished.

    `event_log` and `timer` are given in tests; else the log is the store of the settings, opened and closed here, and
    the time is the store's. Made within the event loop that runs it. Raises BadEngines.
    """

    def __init__(
        self, settings: GatewaySettings, event_log: EventLog | None = None, timer: Timer | None = None
    ) -> None:
        self.settings = settings
        self.parts: Parts
        self.watch: StoreWatch
        self._places = read_places(settings.engines)
        self._given_log = event_log
        self._given_timer = timer
        self.server = GrpcServer(SERVICES, max_message=MAX_RECEIVED)
        self._servicer: MatchServicer
        self._http: HttpServer | None = None
        self._open = AsyncExitStack()

    @property
    def address(self) -> str:
        return self.server.address

    @property
    def http_address(self) -> str:
        """Empty where HTTP is not served."""
        return self._http.address if self._http is not None else ""

    async def start(self) -> None:
        """Raises AddressTaken, SchemaMismatch, and the store's own errors."""
        async with AsyncExitStack() as opened:
            await self._start(opened)
            self._open = opened.pop_all()
        log.info("gateway listens", address=self.address, http=self.http_address, games=self.parts.engines.games)

    async def stop(self) -> None:
        drains = [self.server.drain(self._servicer.drain)]
        if self._http is not None:
            drains.append(self._http.drain())
        await asyncio.gather(*drains)
        await self._open.aclose()
        log.info("gateway stopped")

    async def _tell_store(self, state: StoreState) -> None:
        takes_appends = state is StoreState.UP
        metrics.count_store(state.value, takes_appends=takes_appends)
        await self.server.tell_store(there=self.watch.there, takes_appends=takes_appends)

    async def _start(self, opened: AsyncExitStack) -> None:
        settings = self.settings
        for game in self._places:
            GameCodec.of(game)
        event_log = self._given_log
        if event_log is None:
            event_log = await RedisLog.open(settings.redis_url)
            opened.push_async_callback(event_log.close)
        self.parts = await self._made(event_log, opened)
        self._servicer = MatchServicer(self.parts)
        servicers: tuple[tuple[Callable[[Any, Any], None], object], ...] = (
            (matches.register, self._servicer),
            (add_AdminServiceServicer_to_server, AdminServicer(self.parts)),
            (lobby.register, lobby.LobbyServicer(self.parts, self._servicer)),
            (add_PlayerServiceServicer_to_server, PlayerServicer(self.parts)),
            (log_service.register, LogServicer(self.parts, self._servicer)),
            (add_GameServiceServicer_to_server, GameServicer(self.parts)),
            (add_IdentityServiceServicer_to_server, IdentityServicer(self.parts)),
        )
        for register, servicer in servicers:
            self.server.add(register, servicer)
        if settings.http:
            from gateway.web.server import HttpServer  # what it needs is loaded where it serves

            named = zip(SERVICES, (servicer for _, servicer in servicers), strict=True)
            own, _, _ = settings.http.rpartition(":")
            self._http = HttpServer(dict(named), (*settings.http_hosts, own), settings.trusted_proxies)
            await self._http.start(settings.http)
            opened.push_async_callback(self._http.drain)
        await self.server.start(settings.listen)

    async def _made(self, event_log: EventLog, opened: AsyncExitStack) -> Parts:
        """Everything behind the servicers, started; what was opened last is closed first."""
        settings = self.settings
        guest_key, store_key = await event_log.key(KEY_NAME), await event_log.key(STORE_KEY_NAME)
        token_key = await event_log.key(TOKEN_KEY_NAME)
        loader = Loader(event_log)
        live = LiveMatches(event_log, loader, settings.live_matches)
        opened.push_async_callback(live.close)
        LIVE_MATCHES.set_function(lambda: len(live))
        past = PastMatches(event_log, loader)
        shown = Shown(live, event_log, past, self._given_timer or await _store_timer(event_log, opened))
        opened.push_async_callback(shown.close)
        database = await Database.open(settings.projections_file)
        projection = MatchProjection(database, event_log, settings.projection_pause_s)
        projection.start()
        PROJECTION_BEHIND.set_function(lambda: projection.behind)
        opened.push_async_callback(projection.close)
        rebuilder = Rebuilder(database, event_log, projection)
        opened.push_async_callback(rebuilder.close)
        games = GameFinder(event_log, live)
        follower = Follower(event_log, live, projection, games)
        follower.start()
        opened.push_async_callback(follower.close)
        self.watch = StoreWatch(event_log, self._tell_store)
        self.watch.start()
        opened.push_async_callback(self.watch.close)
        engines = Engines(self._places, settings.cluster_key, live.learn, lambda: self.watch.there)
        engines.start()
        opened.push_async_callback(engines.close)
        clock = ClockService(event_log, engines.ask, engines.games, beats=True)
        clock.start()
        opened.push_async_callback(clock.close)
        trimmer = Trimmer(event_log)
        trimmer.start()
        opened.push_async_callback(trimmer.close)
        return Parts(
            settings=settings,
            log=event_log,
            loader=loader,
            identity=Identity(guest_key, settings.issuers),
            engines=engines,
            games=games,
            live=live,
            past=past,
            shown=shown,
            matches=projection,
            database=database,
            rebuilder=rebuilder,
            follower=follower,
            store_key=store_key,
            guest_key=guest_key,
            pages=PageTokens(token_key),
            invitations=Invitations(token_key),
            quotas=Quotas(settings, database),
            positions=Positions(await event_log.key(POSITION_KEY_NAME)),
        )


async def _store_timer(event_log: EventLog, opened: AsyncExitStack) -> Timer:
    timer = StoreTimer(event_log)
    await timer.start()
    opened.push_async_callback(timer.close)
    return timer
