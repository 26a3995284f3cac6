"""`tidelog up`: the whole platform on this machine."""

import asyncio
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from services.cli.errors import CheckFailed, UsageError
from services.cli.output import say
from services.cli.platform import Settings, running
from services.cli.scraping import told_where
from services.common import config


def up(  # noqa: PLR0913 - one parameter an option
    *,
    port: Annotated[int, Parameter(env_var="TIDELOG_PORT")] = 50051,
    http: Annotated[int, Parameter(env_var="TIDELOG_HTTP")] = 8080,
    host: Annotated[str, Parameter(env_var="TIDELOG_HOST")] = "127.0.0.1",
    http_host: Annotated[str, Parameter(env_var="TIDELOG_HTTP_HOST")] = "",
    trusted_proxy: Annotated[str, Parameter(env_var="TIDELOG_TRUSTED_PROXY")] = "",
    redis: Annotated[str, Parameter(env_var="TIDELOG_REDIS")] = "",
    data: Annotated[Path | None, Parameter(env_var="TIDELOG_DATA")] = None,
    durability: Annotated[str, Parameter(env_var="TIDELOG_DURABILITY")] = "local",
    demo: bool = False,
    together: bool = False,
    metrics: bool = False,
    log: Annotated[str, Parameter(env_var="TIDELOG_LOG")] = "",
) -> None:
    """Serve the platform: store, gateway, bots, and one process for each game's engine. Ctrl-C drains.

    Parameters
    ----------
    port
        where the gateway serves gRPC; 0 takes a free one
    http
        where the gateway serves the JSON API and the pages for browsers; 0 takes a free one
    host
        address to listen on
    http_host
        names under which browsers may ask, separated by commas; addresses and localhost always, * for any name
    trusted_proxy
        addresses or networks of proxies, separated by commas, whose X-Forwarded-For says who asks over HTTP
    redis
        URL of a store; without it one is started beside the data
    data
        folder for the store, keys and read models
    durability
        local, or replicated(N): a move counts once N replicas of the store have it on their disks
    demo
        bots play matches among themselves
    together
        everything but the store in one process
    metrics
        each role answers Prometheus; metrics.json in the data folder says where, as Prometheus reads it (file_sd)
    log
        level of the lines on standard error: debug, info, warning or error; by default info of the roles
    """
    import uvloop

    from services.common import logs, tracing
    from services.common.serving import AddressTaken
    from services.eventlog.data_directory import AlreadyUp
    from services.eventlog.port import StoreError

    for number in (port, http):
        if not 0 <= number < 65536:
            raise UsageError(f"{number} is no port")
    if not host:
        raise UsageError("the host to listen on is a name or an address")
    if log not in ("", *logs.LEVELS):
        raise UsageError(f"there is no level {log!r}; there are: {', '.join(logs.LEVELS)}")
    logs.configure("up", log or "warning")
    place = f"[{host}]" if ":" in host else host
    settings = Settings(
        f"{place}:{port}",
        data or config.data_directory(),
        redis,
        durability=durability,
        demo=demo,
        together=together,
        metrics=metrics,
        log=log,
        http=f"{place}:{http}",
        http_host=http_host,
        trusted_proxy=trusted_proxy,
    )
    try:
        if together:
            tracing.configure("together")
        uvloop.run(_serve(settings))
    except (AlreadyUp, AddressTaken, StoreError) as error:
        raise CheckFailed(str(error)) from error
    except config.BadSetting as error:
        raise UsageError(str(error)) from error


async def _serve(settings: Settings) -> None:
    from services.common.serving import stopped

    stopping: list[asyncio.Future[Any]] = [asyncio.create_task(stopped())]
    await asyncio.sleep(0)  # a signal from here on drains what has started
    async with running(settings) as platform, told_where(settings, platform):
        places = f"gRPC on {platform.address}; http://{platform.http}"
        say(f"tidelog is up: {places}; store {platform.store}; data in {settings.data}")
        if platform.wrong is not None:
            stopping.append(platform.wrong)
        await asyncio.wait(stopping, return_when=asyncio.FIRST_COMPLETED)
