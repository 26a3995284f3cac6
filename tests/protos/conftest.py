import asyncio
from types import SimpleNamespace

import pytest

from tests.protos.server import serving
from tidelog.client import connect


@pytest.fixture
async def place():
    """(server, address)."""
    async with serving() as place:
        yield place


@pytest.fixture
def server(place):
    return place[0]


@pytest.fixture
async def client(place):
    async with connect(place[1], token="t", deadline_s=5) as client:
        yield client


@pytest.fixture
def without_pauses(monkeypatch):
    """A pause before another attempt is over at once, and brings the client's deadline nearer by as much."""
    skipped = 0.0

    async def sleep(pause: float) -> None:
        nonlocal skipped
        skipped += pause

    def loop() -> SimpleNamespace:
        running = asyncio.get_running_loop()
        return SimpleNamespace(time=lambda: running.time() + skipped)

    monkeypatch.setattr("tidelog.client.trying.asyncio", SimpleNamespace(sleep=sleep, get_running_loop=loop))
