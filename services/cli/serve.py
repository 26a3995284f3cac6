"""`tidelog serve`: one role as a process."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from msgspec import structs

from services.cli.errors import CheckFailed, UsageError
from services.cli.roles import ROLES, RoleOptions
from services.common import config


def serve(  # noqa: PLR0913 - one parameter an option
    role: str,
    game: str = "",
    *,
    listen: Annotated[str, Parameter(env_var="TIDELOG_LISTEN")] = "127.0.0.1:0",
    http: Annotated[str, Parameter(env_var="TIDELOG_HTTP")] = "",
    http_host: Annotated[str, Parameter(env_var="TIDELOG_HTTP_HOST")] = "",
    trusted_proxy: Annotated[str, Parameter(env_var="TIDELOG_TRUSTED_PROXY")] = "",
    redis: Annotated[str, Parameter(env_var="TIDELOG_REDIS")] = "",
    engine: Annotated[str, Parameter(env_var="TIDELOG_ENGINE")] = "",
    gateway: Annotated[str, Parameter(env_var="TIDELOG_GATEWAY")] = "",
    data: Annotated[Path | None, Parameter(env_var="TIDELOG_DATA")] = None,
    metrics: Annotated[int | None, Parameter(env_var="TIDELOG_METRICS")] = None,
    durability: Annotated[str, Parameter(env_var="TIDELOG_DURABILITY")] = "local",
    demo: Annotated[bool, Parameter(env_var="TIDELOG_DEMO")] = False,
    log: Annotated[str, Parameter(env_var="TIDELOG_LOG")] = "info",
) -> None:
    """Serve one role until SIGINT or SIGTERM, then drain.

    Parameters
    ----------
    role
        engine, gateway, bots or clock
    game
        the game of an engine
    listen
        HOST:PORT; port 0 takes a free one
    http
        HOST:PORT of a gateway's JSON API and pages; without it they are not served
    http_host
        names under which browsers may ask it, separated by commas; addresses and localhost always, * for any name
    trusted_proxy
        addresses or networks of proxies, separated by commas, whose X-Forwarded-For says who asks over HTTP
    redis
        URL of the store: redis://, rediss:// or unix://
    engine
        for the gateway and the clock: where engines serve, GAME=HOST:PORT, separated by commas
    gateway
        for the bots: where the gateway serves, HOST:PORT
    data
        folder for keys and read models
    metrics
        port for Prometheus, on the host of `listen`; 0 takes a free one
    durability
        of an engine's moves: local, or replicated(N) to wait until N replicas have each on their disks
    demo
        bots also play matches among themselves
    log
        level of the lines on standard error: debug (a line for each call and command), info, warning or error
    """
    if role not in ROLES:
        raise UsageError(f"there is no role {role!r}; there are: {', '.join(ROLES)}")
    options = RoleOptions(
        game=game,
        listen=listen,
        http=http,
        http_host=http_host,
        trusted_proxy=trusted_proxy,
        redis=redis,
        engine=engine,
        gateway=gateway,
        data=data or config.data_directory(),
        metrics=metrics,
        demo=demo,
        durability=durability,
        log=log,
    )
    run_role(role, options)


def run_role(role: str, options: RoleOptions) -> None:
    """Raises UsageError or CheckFailed with a sentence for the operator."""
    import uvloop

    from engines.core.games import UnknownGame
    from services.common import logs, metrics, tracing
    from services.common.serving import AddressTaken
    from services.eventlog.port import StoreError

    if options.log not in logs.LEVELS:
        raise UsageError(f"there is no level {options.log!r}; there are: {', '.join(logs.LEVELS)}")
    logs.configure(role, options.log)
    try:
        tracing.configure(role)
    except config.BadSetting as error:
        raise UsageError(str(error)) from error
    if options.metrics is not None:
        host = options.listen.rpartition(":")[0]
        options = structs.replace(options, metrics=metrics.serve(options.metrics, host))
    try:
        uvloop.run(ROLES[role](options))
    except (UnknownGame, config.BadSetting) as error:
        raise UsageError(str(error)) from error
    except (AddressTaken, StoreError) as error:
        raise CheckFailed(str(error)) from error
