"""What the suites that go over the API share."""

import pytest

from tests.faults.world import World
from tests.proxy import Proxy


@pytest.fixture
async def proxy(own_store, tmp_path):
    """Before a store of the test's own."""
    async with Proxy(own_store.url, tmp_path / "proxy").serving() as proxy:
        yield proxy


@pytest.fixture
async def world_of(own_store, tmp_path):
    """Makes the world of a game, on the same store."""
    worlds = []

    async def make(game, seed=1):
        worlds.append(await World(game, own_store.url, tmp_path, seed).__aenter__())
        return worlds[-1]

    yield make
    for world in worlds:
        await world.__aexit__(None, None, None)
