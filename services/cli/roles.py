"""The roles of `tidelog serve`, each from the same few options to its end."""

from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from msgspec import Struct

from services.cli import ready
from services.cli.errors import UsageError
from services.common import config


class RoleOptions(Struct, frozen=True, kw_only=True):
    """What `serve` was told; `redis` empty asks for the embedded store of a living `up` on `data`."""

    game: str
    listen: str
    http: str
    http_host: str
    trusted_proxy: str
    redis: str
    engine: str
    gateway: str
    data: Path
    metrics: int | None
    demo: bool
    durability: str = "local"
    log: str = "info"


async def engine(options: RoleOptions) -> None:
    from services.engine.main import EngineService, EngineSettings

    if not options.game:
        raise UsageError("name the game: tidelog serve engine GAME")
    service = EngineService(
        EngineSettings(
            game=options.game,
            redis_url=store_url(options),
            cluster_key=config.cluster_key(options.data),
            listen=options.listen,
            secret_key=config.secret_key(),
            replicas=config.replicas(options.durability),
        )
    )
    await service.start()
    ready.tell(f"engine {options.game}", service.address, options.metrics)
    await ready.ended(service.watch.wrong)
    await service.stop()
    service.watch.raise_wrong()


async def gateway(options: RoleOptions) -> None:
    from gateway.main import Gateway
    from gateway.settings import GatewaySettings

    service = Gateway(
        GatewaySettings(
            redis_url=store_url(options),
            cluster_key=config.cluster_key(options.data),
            listen=options.listen,
            http=options.http,
            http_hosts=config.host_names(options.http_host),
            trusted_proxies=config.proxy_addresses(options.trusted_proxy),
            engines=config.engine_places(options.engine),
            data_dir=options.data,
            secret_key=config.secret_key(),
        )
    )
    await service.start()
    ready.tell("gateway", service.address, options.metrics, service.http_address)
    await ready.ended(service.watch.wrong)
    await service.stop()
    service.watch.raise_wrong()


async def bots(options: RoleOptions) -> None:
    from services.bots.service import BotService
    from services.cli.tokens import Minter
    from services.eventlog.redis_log import RedisLog
    from services.eventlog.store_watch import StoreWatch

    if not options.gateway:
        raise UsageError("name the gateway with --gateway HOST:PORT (TIDELOG_GATEWAY)")
    log = await RedisLog.open(store_url(options))
    try:
        minter = await Minter.on(log)
        watch = StoreWatch(log)
        service = BotService(options.gateway, minter.bot, demo=options.demo)
        await service.start()
        watch.start()
        ready.tell("bots", options.gateway, options.metrics)
        await ready.ended(watch.wrong)
        await watch.close()
        await service.stop()
    finally:
        await log.close()
    watch.raise_wrong()


async def clock(options: RoleOptions) -> None:
    from services.clock.main import alone
    from services.eventlog.redis_log import RedisLog
    from services.eventlog.store_watch import StoreWatch

    places = config.engine_places(options.engine)
    if not places:
        raise UsageError("name the engines with --engine GAME=HOST:PORT,... (TIDELOG_ENGINE)")
    log = await RedisLog.open(store_url(options))
    try:
        async with alone(log, places, config.cluster_key(options.data)):
            watch = StoreWatch(log)
            watch.start()
            ready.tell("clock", "", options.metrics)
            await ready.ended(watch.wrong)
            await watch.close()
    finally:
        await log.close()
    watch.raise_wrong()


ROLES: dict[str, Callable[[RoleOptions], Coroutine[Any, Any, None]]] = {
    "engine": engine,
    "gateway": gateway,
    "bots": bots,
    "clock": clock,
}


def store_url(options: RoleOptions) -> str:
    """Raises UsageError where none was given and none runs on the data directory."""
    from services.eventlog.data_directory import owner
    from services.eventlog.store_folder import socket_url

    if options.redis:
        return config.store_url(options.redis)
    if owner(options.data) is None:
        raise UsageError(f"name a store with --redis (TIDELOG_REDIS): nothing is up on {options.data}")
    return socket_url(options.data)
