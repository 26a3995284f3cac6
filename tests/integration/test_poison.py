"""Bots at matches with an entry that can't be folded: they leave those alone and play the others."""

import asyncio

from prometheus_client import REGISTRY

from services.eventlog.port import Append, Appended
from services.eventlog.redis_log import RedisLog
from tests.integration.platform import SHORT
from tests.integration.serving import serving
from tests.integration.test_bots_answer import bots_of
from tests.poison import event_of_tomorrow, poison, poisoned
from tidelog.client import Client, Refused, connect
from tidelog.client.answers import Entry

BOTS = {0: "random", 1: "greedy"}
WAIT_S = 60


def refused() -> float:
    labels = {"game": SHORT, "outcome": "quarantined"}
    return REGISTRY.get_sample_value("tidelog_commands_total", labels) or 0.0


async def over(client: Client, match: str) -> None:
    async with asyncio.timeout(WAIT_S):
        async for _ in client.watch(match):
            pass
    assert (await client.match(match)).match.status == "finished"


async def broken_off(client: Client, match: str) -> int:
    """The version up to which a broken match is told."""
    last = 0
    try:
        async with asyncio.timeout(WAIT_S):
            async for update in client.watch(match):
                last = update.version if isinstance(update, Entry) else last
    except Refused as why:
        if why.reason != "quarantined":
            raise
    return last


async def spoil(log: RedisLog, match: str) -> int:
    """Poison between the moves of a match in play, whoever else appends; the last sound version."""
    while True:
        last = (await log.read(match))[-1]
        entry = poisoned(event_of_tomorrow, match, last)
        if isinstance(await log.append(Append(match, last.cursor, (entry,))), Appended):
            return last.version


async def test_bots_leave_a_broken_match_alone_and_play_the_others(clean_store, tmp_path):
    async with (
        serving(SHORT, clean_store, tmp_path) as (host, gateway),
        connect(gateway.address, guest="Ann") as ann,
    ):
        broken, sound = [(await ann.create(SHORT, 2, bots=BOTS)).match_id for _ in range(2)]
        await poison(host.log, broken, event_of_tomorrow)
        before, bots = refused(), bots_of(gateway)
        await bots.start()
        try:
            await over(ann, sound)
            assert refused() == before
            await spoiled_in_play(ann, host.log)
        finally:
            await bots.stop()
        assert refused() <= before + len(BOTS), "no more than were on their way"


async def spoiled_in_play(ann: Client, log: RedisLog) -> None:
    match = (await ann.create(SHORT, 2, bots=BOTS)).match_id
    async with asyncio.timeout(WAIT_S):
        async for update in ann.watch(match):
            if isinstance(update, Entry) and update.version > 20:
                break
    good = await spoil(log, match)
    assert await broken_off(ann, match) == good
    await over(ann, (await ann.create(SHORT, 2, bots=BOTS)).match_id)
    assert (await log.head(match)).version == good + 1
