"""The whole platform on this machine: store, one engine a game, gateway and bots, started and drained in order."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from msgspec import Struct, field

from engines.core import games
from services.cli.children import Child
from services.common import config


class Settings(Struct, frozen=True):
    """`redis` empty: the embedded store on `data`. `replicas` engines of each game are started.

    With `metrics` each process answers Prometheus on a free port.
    """

    listen: str
    data: Path
    redis: str = ""
    demo: bool = False
    together: bool = False
    replicas: int = 1
    metrics: bool = False


class Platform(Struct):
    """What runs: the gateway's `address`, the store, and by name the processes and their ports for metrics."""

    store: str
    address: str = ""
    pids: dict[str, int] = field(default_factory=dict)
    metrics: dict[str, int] = field(default_factory=dict)


@asynccontextmanager
async def running(settings: Settings) -> AsyncIterator[Platform]:
    """The platform while the block lasts. Raises AlreadyUp, AddressTaken, CheckFailed and the store's errors."""
    key = config.cluster_key(settings.data, make=True)
    start = _together if settings.together else _apart
    if settings.redis:
        async with start(settings, Platform(settings.redis), key) as platform:
            yield platform
        return
    from services.eventlog.embedded import EmbeddedStore

    store = await EmbeddedStore.start(settings.data)
    try:
        async with start(settings, Platform(store.url, pids={"store": store.pid}), key) as platform:
            store.announce(platform.address)
            yield platform
    finally:
        await store.stop()


@asynccontextmanager
async def _apart(settings: Settings, platform: Platform, key: str) -> AsyncIterator[Platform]:
    """Each role a process; engines start in parallel. They drain in the opposite order, bots and gateway first."""
    environment = {config.CLUSTER_KEY: key, "TIDELOG_REDIS": platform.store, "TIDELOG_DATA": str(settings.data)}
    async with AsyncExitStack() as stack:

        async def start(name: str, *words: str) -> Child:
            child = Child(name, ("serve", *words, *(("--metrics", "0") if settings.metrics else ())), environment)
            await child.start()
            stack.push_async_callback(child.stop)
            platform.pids[name] = child.pid
            if child.metrics is not None:
                platform.metrics[name] = child.metrics
            return child

        names = [(name, number) for name in games.names() for number in range(settings.replicas)]
        hosts = await asyncio.gather(*(start(f"engine {name} {number}", "engine", name) for name, number in names))
        engines = ",".join(f"{name}={host.address}" for (name, _), host in zip(names, hosts, strict=True))
        gateway = await start("gateway", "gateway", "--listen", settings.listen, "--engine", engines)
        platform.address = gateway.address
        await start("bots", "bots", "--gateway", gateway.address, *(("--demo",) if settings.demo else ()))
        yield platform


@asynccontextmanager
async def _together(settings: Settings, platform: Platform, key: str) -> AsyncIterator[Platform]:
    """Every role in this process."""
    from gateway.main import Gateway
    from gateway.settings import GatewaySettings
    from services.bots.service import BotService
    from services.cli.tokens import Minter
    from services.engine.main import EngineService, EngineSettings

    store, secret_key = platform.store, config.secret_key()
    async with AsyncExitStack() as stack:
        places: list[str] = []
        for name in games.names():
            host = EngineService(EngineSettings(game=name, redis_url=store, cluster_key=key, secret_key=secret_key))
            await host.start()
            stack.push_async_callback(host.stop)
            places.append(f"{name}={host.address}")
        gateway = Gateway(
            GatewaySettings(
                redis_url=store,
                cluster_key=key,
                listen=settings.listen,
                engines=tuple(places),
                data_dir=settings.data,
                secret_key=secret_key,
            )
        )
        await gateway.start()
        stack.push_async_callback(gateway.stop)
        minter = await Minter.of(store)
        bots = BotService(gateway.address, minter.bot, demo_token=minter.guest("demo") if settings.demo else None)
        await bots.start()
        stack.push_async_callback(bots.stop)
        platform.address = gateway.address
        yield platform
