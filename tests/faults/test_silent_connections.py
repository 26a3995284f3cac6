"""A connection over which nothing comes any more, though nobody has closed it: it is given up, and all goes on."""

import asyncio

import pytest

from services.cli.bench.faults.proxy import Proxy
from tests.integration.platform import SHORT
from tests.integration.serving import serving
from tidelog.client import LEGAL, client, connect
from tidelog.client.answers import Entry

SOON = [
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.keepalive_time_ms", 1000),
    ("grpc.http2.ping_timeout_ms", 1000),
]
FOR_EVER_S = 3600.0


@pytest.fixture
async def proxy(clean_store, tmp_path):
    async with serving(SHORT, clean_store, tmp_path) as (_, gateway):
        proxy = await Proxy(gateway.address).start()
        yield proxy
        await proxy.stop()


async def test_a_move_and_what_is_told_of_it_come_over_another_connection(proxy, monkeypatch):
    monkeypatch.setattr(client, "OPTIONS", SOON)
    async with connect(proxy.address, guest="Ann") as ann, ann.play() as play:
        receipt = await ann.create(SHORT, 2, own_seat=0, bots={1: "random"})
        play.follow(receipt.match_id, seat=0, include=(LEGAL,))
        while (news := await anext(play)).update.situation is None or news.update.situation.legal is None:
            pass
        (passage,) = proxy.passages
        passage.hold(FOR_EVER_S)
        legal = news.update.situation.legal.moves
        async with asyncio.timeout(20):
            accepted = await play.submit(receipt.match_id, 0, legal[0])
            told = 0
            while told < accepted.receipt.last_version:
                update = (await anext(play)).update
                told = update.version if isinstance(update, Entry) else told
        assert len(proxy.passages) == 2
