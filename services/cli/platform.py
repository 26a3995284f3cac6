"""The whole platform on this machine: store, one engine a game, gateway and bots, started and drained in order."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from msgspec import Struct, field

from engines.core import games
from services.cli.children import Child
from services.common import config
from services.common.serving import AddressTaken
from services.eventlog.port import WrongStore


class Settings(Struct, frozen=True):
    """`redis` empty: the embedded store on `data`; `http` empty: no JSON API and no pages.

    `replicas` engines of each game are started. With `metrics` each process answers Prometheus on a free port.
    """

    listen: str
    data: Path
    redis: str = ""
    durability: str = "local"
    demo: bool = False
    together: bool = False
    replicas: int = 1
    metrics: bool = False
    log: str = ""
    http: str = ""
    http_host: str = ""
    trusted_proxy: str = ""


class Platform(Struct):
    """What runs: the gateway's `address` and `http` address, the store, and the roles that are processes of their own.

    Those end, and are started again, when the store turns out to be `wrong`; roles in this process can't.
    """

    store: str
    address: str = ""
    http: str = ""
    store_pid: int | None = None
    children: dict[str, Child] = field(default_factory=dict)
    wrong: asyncio.Future[WrongStore] | None = None

    @property
    def pids(self) -> dict[str, int]:
        """The processes as they are now: one that died has another after its restart."""
        store = {} if self.store_pid is None else {"store": self.store_pid}
        return store | {name: child.pid for name, child in self.children.items()}


@asynccontextmanager
async def running(settings: Settings) -> AsyncIterator[Platform]:
    """The platform while the block lasts.

    Raises BadSetting, AlreadyUp, AddressTaken, CheckFailed and the store's errors.
    """
    replicas = config.replicas(settings.durability)
    if replicas and not settings.redis:
        raise config.BadSetting(f"durability {settings.durability} needs --redis: the embedded store has no replicas")
    config.host_names(settings.http_host)
    config.proxy_addresses(settings.trusted_proxy)
    key = config.cluster_key(settings.data, make=True)
    start = _together if settings.together else _apart
    check_free(settings.listen)
    if settings.http:
        check_free(settings.http)
    if settings.redis:
        await _check_store(config.store_url(settings.redis), replicas)
        async with start(settings, Platform(settings.redis), key) as platform:
            yield platform
        return
    from services.eventlog.embedded import EmbeddedStore

    store = await EmbeddedStore.start(settings.data)
    try:
        async with start(settings, Platform(store.url, store_pid=store.pid), key) as platform:
            store.announce(*filter(None, (platform.address, platform.http and f"http://{platform.http}")))
            yield platform
    finally:
        await store.stop()


def check_free(listen: str) -> None:
    """Raises AddressTaken before anything is started; what takes the address a moment later is told by the gateway."""
    host, _, port = listen.rpartition(":")
    try:
        found = socket.getaddrinfo(host.strip("[]"), int(port), type=socket.SOCK_STREAM)
        for family, kind, protocol, _, address in found:
            with socket.socket(family, kind, protocol) as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind(address)
    except OSError as error:
        raise AddressTaken(f"can't listen on {listen}: {error.strerror}") from error


async def _check_store(url: str, replicas: int) -> None:
    """Raises the store's errors, once and in words, before each role would."""
    from services.eventlog.redis_log import RedisLog

    await (await RedisLog.open(url, replicas=replicas)).close()


@asynccontextmanager
async def _apart(settings: Settings, platform: Platform, key: str) -> AsyncIterator[Platform]:
    """Each role a process; engines start in parallel. They drain in the opposite order, bots and gateway first."""
    environment = {
        config.CLUSTER_KEY: key,
        "TIDELOG_REDIS": platform.store,
        "TIDELOG_DATA": str(settings.data),
        "TIDELOG_DURABILITY": settings.durability,
        **({"TIDELOG_LOG": settings.log} if settings.log else {}),
    }
    async with AsyncExitStack() as stack:

        async def start(name: str, *words: str, listen: str | None = "127.0.0.1:0", http: str = "") -> Child:
            metrics = 0 if settings.metrics else None
            child = Child(name, ("serve", *words), environment, listen, metrics=metrics, http=http)
            await child.start()
            stack.push_async_callback(child.stop)
            platform.children[name] = child
            return child

        names = [(name, number) for name in games.names() for number in range(settings.replicas)]
        hosts = await asyncio.gather(*(start(f"engine {name} {number}", "engine", name) for name, number in names))
        engines = ",".join(f"{name}={host.address}" for (name, _), host in zip(names, hosts, strict=True))
        allowed = ("--http-host", settings.http_host, "--trusted-proxy", settings.trusted_proxy)
        words = ("gateway", "--engine", engines, *allowed)
        gateway = await start("gateway", *words, listen=settings.listen, http=settings.http)
        platform.address, platform.http = gateway.address, gateway.http
        demo = ("--demo",) if settings.demo else ()
        await start("bots", "bots", "--gateway", gateway.address, *demo, listen=None)
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
            host = EngineService(
                EngineSettings(
                    game=name,
                    redis_url=store,
                    cluster_key=key,
                    secret_key=secret_key,
                    replicas=config.replicas(settings.durability),
                )
            )
            await host.start()
            stack.push_async_callback(host.stop)
            places.append(f"{name}={host.address}")
        gateway = Gateway(
            GatewaySettings(
                redis_url=store,
                cluster_key=key,
                listen=settings.listen,
                http=settings.http,
                http_hosts=config.host_names(settings.http_host),
                trusted_proxies=config.proxy_addresses(settings.trusted_proxy),
                engines=tuple(places),
                data_dir=settings.data,
                secret_key=secret_key,
            )
        )
        await gateway.start()
        stack.push_async_callback(gateway.stop)
        minter = await Minter.of(store)
        bots = BotService(gateway.address, minter.bot, demo=settings.demo)
        await bots.start()
        stack.push_async_callback(bots.stop)
        platform.address, platform.http = gateway.address, gateway.http_address
        platform.wrong = gateway.watch.wrong
        yield platform
        gateway.watch.raise_wrong()
