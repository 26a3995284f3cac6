"""The suites of the gRPC API, held against HTTP: the same requests, the same answers, the same refusals."""

import pytest

from tests.gateway.floor import Floor


@pytest.fixture
async def floor(log, tmp_path):
    async with Floor(log, tmp_path, over_http=True) as found:
        yield found


@pytest.fixture
async def gateway(floor):
    return await floor.gateway()
