"""How few round trips many moves take: counted on the real parts, in one process."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from engines.core import games
from gateway.main import Gateway
from gateway.settings import GatewaySettings
from services.engine.main import EngineService, EngineSettings
from tidelog.client import Client, connect

MATCHES = 64
MOST_PIPELINES = 15


@pytest.fixture
async def host(clean_store: str) -> AsyncIterator[EngineService]:
    service = EngineService(EngineSettings(game=games.names()[0], redis_url=clean_store, cluster_key="key"))
    await service.start()
    yield service
    await service.stop()


@pytest.fixture
async def gateway(host: EngineService, clean_store: str, tmp_path: Path) -> AsyncIterator[Gateway]:
    settings = GatewaySettings(
        redis_url=clean_store,
        engines=(f"{host.settings.game}={host.address}",),
        cluster_key="key",
        data_dir=tmp_path,
    )
    service = Gateway(settings)
    await service.start()
    yield service
    await service.stop()


async def opened(client: Client, game: str) -> str:
    receipt = await client.create(game, 2, own_seat=0)
    await client.join(receipt.match_id, 1)
    return receipt.match_id


async def test_the_moves_of_64_matches_share_pipelines_and_one_stream_to_the_engine(host, gateway):
    async with connect(gateway.address, guest="Ann") as client, client.play() as play:
        matches = [await opened(client, host.settings.game) for _ in range(MATCHES)]
        moves = {match: (await client.legal_moves(match, 0)).legal.moves[0] for match in matches}
        before = host.log.pipelines
        answered = await asyncio.gather(*(play.submit(match, 0, move) for match, move in moves.items()))
        pipelines = host.log.pipelines - before
    assert {accepted.receipt.match_id for accepted in answered} == set(matches)
    assert pipelines <= MOST_PIPELINES
    assert gateway.parts.engines.counts.opened == 1
