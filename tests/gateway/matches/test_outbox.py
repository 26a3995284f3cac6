import asyncio

import pytest

from gateway.matches import outbox as outbox_module
from gateway.matches.outbox import Outbox
from services.common.latency import Latency
from services.common.refusals import Reason, Refused
from tests.metered import Metered


class Client:
    """Takes pieces only while it is allowed to."""

    def __init__(self):
        self.pieces = []
        self.reads = asyncio.Event()
        self.reads.set()

    async def write(self, data):
        await self.reads.wait()
        self.pieces.append(data)


@pytest.fixture
def client():
    return Client()


async def test_what_waits_is_joined_and_sent_in_order(client):
    waited = Latency()
    outbox = Outbox(delivery=waited)
    for number in range(5):
        outbox.put(bytes([number]))
    outbox.end()
    assert await outbox.pump(client.write) is None
    assert client.pieces == [bytes(range(5))]
    assert waited.read()[0][-1] == ("+Inf", 1)


async def test_pieces_are_of_moderate_size(client):
    outbox = Outbox()
    for _ in range(10):
        outbox.put(b"x" * 30_000)
    outbox.end()
    await outbox.pump(client.write)
    assert all(len(piece) <= 90_000 for piece in client.pieces)
    assert sum(map(len, client.pieces)) == 300_000


async def test_a_client_that_does_not_read_fills_the_box_and_room_comes_back(client):
    outbox = Outbox(limit=100)
    client.reads.clear()
    pump = asyncio.create_task(outbox.pump(client.write))
    assert not outbox.full
    outbox.put(b"x" * 101)
    assert outbox.full
    waiting = asyncio.create_task(outbox.room())
    await asyncio.sleep(0)
    assert not waiting.done()
    client.reads.set()
    await asyncio.wait_for(waiting, 20)
    assert not outbox.full
    outbox.end()
    await pump


async def test_the_first_end_counts(client):
    outbox = Outbox()
    outbox.end(Refused(Reason.DRAINING, "first"))
    outbox.end(Refused(Reason.UNAUTHENTICATED, "second"))
    assert (await outbox.pump(client.write)).reason is Reason.DRAINING


@pytest.mark.parametrize(
    ("refused", "told"), [(Refused(Reason.DRAINING, "stopping"), Reason.DRAINING), (None, Reason.SLOW_CONSUMER)]
)
async def test_a_client_that_reads_no_more_is_not_waited_for_and_told_why(client, monkeypatch, refused, told):
    monkeypatch.setattr(outbox_module, "FLUSH_S", 0.0)
    outbox, metered = Outbox(), Metered()
    client.reads.clear()
    pump = asyncio.create_task(outbox.pump(client.write))
    outbox.put(b"x")
    await asyncio.sleep(0)
    outbox.end(refused)
    assert (await asyncio.wait_for(pump, 20)).reason is told
    assert metered.since("tidelog_gateway_slow_consumers_total") == 1


async def test_a_client_that_is_gone_ends_the_pump():
    outbox = Outbox()

    async def write(_data):
        raise ConnectionResetError

    outbox.put(b"x")
    with pytest.raises(ConnectionResetError):
        await outbox.pump(write)
