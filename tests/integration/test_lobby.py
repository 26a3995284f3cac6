"""Strangers find each other through two gateways, on a real store with two replicas of the engine as processes."""

import asyncio
from collections import Counter
from contextlib import AsyncExitStack, asynccontextmanager

import pytest

from gateway.main import Gateway
from gateway.settings import GatewaySettings
from services.cli.platform import Settings, running
from services.common import config
from tests.integration.platform import SHORT
from tidelog.client import Filter, Refused, connect
from tidelog.client.lobby import Appeared, Listed

PLAYERS = 60
SEATS = 3


@asynccontextmanager
async def two_gateways(folder):
    """The address of the first; the second is in this process."""
    settings = Settings("127.0.0.1:0", folder / "data", replicas=2)
    async with running(settings) as platform:
        hosts = ",".join(platform.children[f"engine {SHORT} {number}"].address for number in range(2))
        gateway = Gateway(
            GatewaySettings(
                redis_url=platform.store,
                engines=(f"{SHORT}={hosts}",),
                cluster_key=config.cluster_key(settings.data),
                data_dir=folder / "second",
            )
        )
        await gateway.start()
        try:
            yield platform.address, gateway
        finally:
            await gateway.stop()


async def test_all_who_ask_at_once_play(tmp_path, monkeypatch):
    monkeypatch.delenv("TIDELOG_CLUSTER_KEY", raising=False)
    async with two_gateways(tmp_path) as (one, other), AsyncExitStack() as stack, asyncio.timeout(120):
        addresses = one, other.address
        crowd = [
            await stack.enter_async_context(connect(addresses[number % 2], guest=f"Guest {number}"))
            for number in range(PLAYERS)
        ]
        asked = [client.lobby().quick_match(SHORT, SEATS, expires_after_ms=600_000) for client in crowd]
        found = await asyncio.gather(*asked)
        assert set(Counter(each.match.match_id for each in found).values()) == {SEATS}
        for client, mine in zip(crowd, found, strict=True):
            match = (await client.match(mine.match.match_id)).match
            assert match.status == "running"
            assert len({seat.player for seat in match.seats}) == SEATS
        seen = set()
        async for news in crowd[0].lobby().watch(Filter(status="running", game=SHORT)):
            if isinstance(news, Listed | Appeared):
                seen.add(news.match.match_id)
            if seen == {each.match.match_id for each in found}:
                break


async def test_a_seat_that_nobody_came_for_in_time_is_the_next_ones(tmp_path, monkeypatch):
    monkeypatch.delenv("TIDELOG_CLUSTER_KEY", raising=False)
    async with (
        two_gateways(tmp_path) as (one, other),
        connect(one, guest="Ann") as ann,
        connect(other.address, guest="Bob") as bob,
        asyncio.timeout(120),
    ):
        waiting = await ann.lobby().quick_match(SHORT, 2, expires_after_ms=1, request_id="mine")
        passed = await other.parts.log.time_ms() + 1
        while await other.parts.log.time_ms() <= passed:
            """Each look asks the store."""
        alone = await bob.lobby().quick_match(SHORT, 2)
        assert (alone.match.match_id, alone.match.status) == (waiting.match.match_id, "open")
        with pytest.raises(Refused, match="given up"):
            await ann.lobby().quick_match(SHORT, 2, request_id="mine")
        paired = await ann.lobby().quick_match(SHORT, 2)
        assert (paired.match.match_id, paired.match.status) == (waiting.match.match_id, "running")
