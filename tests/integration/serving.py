"""The real parts in this process: an engine service and a gateway, on a real store and over gRPC."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from unittest.mock import patch

from gateway.main import Gateway
from gateway.settings import GatewaySettings
from services.engine.main import EngineService, EngineSettings
from services.eventlog import hashes

CLUSTER_KEY = "the tests' own"
LUCK = 5


@asynccontextmanager
async def serving(game: str, store: str, folder: Path, http: str = "") -> AsyncIterator[tuple[EngineService, Gateway]]:
    """Both serve while the block lasts; `folder` holds the gateway's files. Matches have the same luck every time."""
    luck = Random(LUCK)
    with patch("services.engine.host.new_secret", lambda: luck.randbytes(hashes.SECRET_BYTES)):
        async with _serving(game, store, folder, http) as parts:
            yield parts


@asynccontextmanager
async def _serving(game: str, store: str, folder: Path, http: str) -> AsyncIterator[tuple[EngineService, Gateway]]:
    host = EngineService(EngineSettings(game=game, redis_url=store, cluster_key=CLUSTER_KEY))
    await host.start()
    try:
        engines = (f"{game}={host.address}",)
        settings = GatewaySettings(
            redis_url=store, engines=engines, cluster_key=CLUSTER_KEY, data_dir=folder, http=http
        )
        gateway = Gateway(settings)
        await gateway.start()
        try:
            yield host, gateway
        finally:
            await gateway.stop()
    finally:
        await host.stop()
