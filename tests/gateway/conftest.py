"""What the gateway's suites share."""

import pytest

from services.eventlog.memory import MemoryLog
from tests.gateway.floor import Floor


@pytest.fixture
def log():
    return MemoryLog()


@pytest.fixture
async def floor(log, tmp_path):
    async with Floor(log, tmp_path) as found:
        yield found


@pytest.fixture
async def gateway(floor):
    return await floor.gateway()


@pytest.fixture
async def ann(floor, gateway):
    return await floor.client(gateway, "ann")


@pytest.fixture
async def bob(floor, gateway):
    return await floor.client(gateway, "bob")
