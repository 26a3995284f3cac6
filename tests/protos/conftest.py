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
