"""Where the roles of `up` answer Prometheus: a file that it reads as it is (file_sd), there while they serve."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import msgspec
from msgspec import Struct

from services.cli.platform import Platform, Settings
from services.common import metrics

FILE = "metrics.json"


class Targets(Struct, frozen=True):
    targets: tuple[str, ...]
    labels: dict[str, str]


@asynccontextmanager
async def told_where(settings: Settings, platform: Platform) -> AsyncIterator[None]:
    """Writes the file where metrics are asked for; roles in this process are served here, at one port."""
    if not settings.metrics:
        yield
        return
    host = settings.listen.rpartition(":")[0]
    ports = {name: child.metrics for name, child in platform.children.items()}
    if settings.together:
        ports = {"gateway": metrics.serve(0, host)}
    # Only the gateway listens where others can be asked to reach it.
    found = [
        Targets((f"{host if name == 'gateway' else '127.0.0.1'}:{port}",), {"role": name})
        for name, port in ports.items()
    ]
    file = settings.data / FILE
    file.write_bytes(msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n")
    try:
        yield
    finally:
        file.unlink(missing_ok=True)
