"""The suites of the gRPC API, held against HTTP: the same requests, the same answers, the same refusals."""

import pytest

from tests.gateway.api.test_commands import *  # noqa: F403
from tests.gateway.api.test_logs import *  # noqa: F403
from tests.gateway.api.test_private import *  # noqa: F403
from tests.gateway.api.test_watch import *  # noqa: F403
from tests.gateway.floor import Floor

OF_GRPC = (
    "test_a_slow_reader_is_ended_with_the_cursor_to_go_on_from",  # its transport is gRPC's: test_streams.py
)
for name in OF_GRPC:
    del globals()[name]


@pytest.fixture
async def floor(log, tmp_path):
    async with Floor(log, tmp_path, over_http=True) as found:
        yield found


@pytest.fixture
async def gateway(floor):
    return await floor.gateway()
