"""`tidelog doctor`: what this installation and its store are, and what could go wrong with them."""

import asyncio
import sys
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter
from msgspec import Struct

from engines.core import games
from services.cli.errors import CheckFailed, UsageError
from services.cli.output import say, say_json
from services.common import config

if TYPE_CHECKING:
    from services.eventlog.port import EventLog
    from services.eventlog.redis_log import RedisLog

SHOWN = 5
"""Matches that are named of those that went back."""

PACKAGES = ("engines", "services", "gateway", "tidelog")


class Finding(Struct, frozen=True):
    """`level` is ok, warning or error."""

    level: str
    about: str
    message: str


def doctor(
    *,
    redis: Annotated[str, Parameter(env_var="TIDELOG_REDIS")] = "",
    data: Annotated[Path | None, Parameter(env_var="TIDELOG_DATA")] = None,
    durability: Annotated[str, Parameter(env_var="TIDELOG_DURABILITY")] = "local",
    json: bool = False,
) -> None:
    """Examine the installation, the games and the store; exit status 1 for an error.

    Parameters
    ----------
    redis
        URL of the store; by default the one on the data directory
    data
        data directory of `tidelog up`
    durability
        what the store must keep: local, or replicated(N)
    json
        print one JSON document
    """
    directory = data or config.data_directory()
    try:
        redis = config.store_url(redis) if redis else ""
        replicas = config.replicas(durability)
    except config.BadSetting as error:
        raise UsageError(str(error)) from error
    findings = [*_packages(), *_games(), *asyncio.run(_store(redis, directory, replicas))]
    if json:
        say_json(findings)
    else:
        for finding in findings:
            say(f"{finding.level:<8} {finding.about}: {finding.message}")
    errors = [finding for finding in findings if finding.level == "error"]
    if errors:
        raise CheckFailed(f"{errors[0].about}: {errors[0].message}")


def _packages() -> list[Finding]:
    """The four packages belong together: one that resolves elsewhere is another version of ours."""
    roots = {name: _root(name) for name in PACKAGES}
    here = Path(__file__).parents[2]
    expected = {name: here / "protos" if name == "tidelog" else here for name in PACKAGES}
    installed = all(root == here for root in roots.values())
    wrong = [name for name in PACKAGES if roots[name] != expected[name] and not installed]
    if wrong:
        return [
            Finding("error", "packages", f"{name} resolves to {roots[name]}, not {expected[name]}") for name in wrong
        ]
    return [Finding("ok", "packages", f"{', '.join(PACKAGES)} in {here}; Python {sys.version.split()[0]}")]


def _root(name: str) -> Path | None:
    found = find_spec(name)
    return Path(found.origin).parents[1] if found and found.origin else None


def _games() -> list[Finding]:
    found: list[Finding] = []
    for name in games.names():
        engine = games.engine(name)
        engine.catalog(games.edition(name))
        found.append(Finding("ok", name, f"rules {engine.rules[-1]}, edition {engine.edition}"))
    return found


async def _store(redis: str, data: Path, replicas: int) -> list[Finding]:
    from services.eventlog import store_server
    from services.eventlog.data_directory import owner
    from services.eventlog.port import StoreAway, StoreError
    from services.eventlog.redis_log import RedisLog
    from services.eventlog.store_folder import socket_url

    living = owner(data)
    if not redis and living is None:
        try:
            server = await store_server.find()
        except StoreAway as error:
            return [Finding("error", "store", str(error))]
        return [Finding("ok", "store", f"nothing is up on {data}; `up` would start {server.path} {server.version}")]
    try:
        log = await RedisLog.open(redis or socket_url(data), replicas=replicas)
        try:
            rewound, durability = await _rewound(data, log), await _durability(log, replicas)
        finally:
            await log.close()
    except StoreError as error:
        return [Finding("error", "store", str(error))]
    found = [Finding("ok", "store", f"{log.facts} at {log.address}; a single primary"), *rewound, *durability]
    if living is not None:
        doing = f"serves {', '.join(living.addresses)}" if living.addresses else "is starting"
        found.append(Finding("ok", "up", f"process {living.pid} {doing}"))
    return found


async def _durability(log: "RedisLog", replicas: int) -> list[Finding]:
    from services.eventlog.port import OutcomeUnknown, StoreError

    assert log.facts is not None
    found = []
    if log.facts.fsync != "always":
        lost = "about 2 s of moves on power loss" if log.facts.fsync == "everysec" else "moves that were acknowledged"
        found.append(Finding("warning", "durability", f"appendfsync is {log.facts.fsync}: the store may lose {lost}"))
    try:
        await log.check()
        await log.secure("any match")
    except StoreError as error:
        found.append(Finding("error", "store", str(error)))
    except OutcomeUnknown as error:
        found.append(Finding("error", "durability", str(error)))
    else:
        if replicas:
            told = f"replicas that have a write on their disks: {replicas}, as asked for"
            found.append(Finding("ok", "durability", told))
    return found


async def _rewound(data: Path, log: "EventLog") -> list[Finding]:
    """What the gateway on the data directory knows of logs that went back; it forgets with its file."""
    from gateway import rewinds
    from gateway.settings import PROJECTIONS

    file = data / PROJECTIONS
    noted, unseen = rewinds.noted(file), await rewinds.unseen(file, log)
    known = dict(noted)
    found = [rewind for rewind in unseen if rewind not in known]
    if not noted and not found:
        return []
    lost = ", ".join(f"{rewind.match} from {rewind.known} to {rewind.head}" for rewind in [*found, *known][:SHOWN])
    count = len(found) + len(known)
    more = f" and {count - SHOWN} more" if count > SHOWN else ""
    when = f"; last seen {datetime.fromtimestamp(noted[0][1] / 1000, UTC):%Y-%m-%d %H:%M:%S} UTC" if noted else ""
    how = f"once dealt with, delete {file} while its gateway is down"
    return [Finding("error", "rewound", f"the store went back to an older copy: {lost}{more}{when}; {how}")]
