"""A gateway that serves HTTP beside gRPC, and players who use both."""

import pytest

from tests.gateway.web.browser import Browser


@pytest.fixture
async def gateway(floor):
    return await floor.gateway(http="127.0.0.1:0")


@pytest.fixture
async def web(gateway):
    """Somebody without a token."""
    async with Browser(gateway) as found:
        yield found


@pytest.fixture
async def ann_web(gateway, ann):
    async with Browser(gateway, ann.token) as found:
        yield found
