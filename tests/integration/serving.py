"""The real parts in this process: an engine service and a gateway, on a real store and over gRPC."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from gateway.main import Gateway
from gateway.settings import GatewaySettings
from services.engine.main import EngineService, EngineSettings

CLUSTER_KEY = "the tests' own"


@asynccontextmanager
async def serving(game: str, store: str, folder: Path) -> AsyncIterator[tuple[EngineService, Gateway]]:
    """Both serve while the block lasts; `folder` holds the gateway's files."""
    host = EngineService(EngineSettings(game=game, redis_url=store, cluster_key=CLUSTER_KEY))
    await host.start()
    try:
        engines = (f"{game}={host.address}",)
        gateway = Gateway(GatewaySettings(redis_url=store, engines=engines, cluster_key=CLUSTER_KEY, data_dir=folder))
        await gateway.start()
        try:
            yield host, gateway
        finally:
            await gateway.stop()
    finally:
        await host.stop()
