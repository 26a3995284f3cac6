"""Waits on conditions that have no event of their own."""

import asyncio
from collections.abc import Callable

from gateway.main import Gateway
from gateway.matches.match import LiveMatch
from tests.gateway.played import PlayedMatch


async def until(holds: Callable[[], bool]) -> None:
    """Returns once it holds; the loop goes round in between."""
    async with asyncio.timeout(30):
        while not holds():  # noqa: ASYNC110 - what is waited for belongs to the code under test
            await asyncio.sleep(0.001)


def told_so_far(live: LiveMatch, played: PlayedMatch) -> bool:
    """Whether those who watch, if any still do, were told all that was played."""
    return not live.watched or live.version == played.aggregate.facts.version


async def kept(gateway: Gateway) -> None:
    """Returns once the gateway's read models hold what the logs do."""
    wanted = list(await gateway.parts.log.feed_numbers())
    async with asyncio.timeout(30):
        while [place.number for place in await gateway.parts.matches.places()] != wanted:
            await gateway.parts.matches.settled()
