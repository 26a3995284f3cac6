"""Matches among bots, one after another, for whoever looks into the lobby."""

import asyncio
from itertools import cycle

from engines.core import games
from services.common.logs import logger
from tidelog.client import Client, Refused, connect

POLICY = "greedy"
PAUSE_S = 2.0

log = logger()


async def play(gateway: str, token: str) -> None:
    """One match of each game at a time, until cancelled."""
    async with connect(gateway, token=token) as client:
        await asyncio.gather(*(_keep_going(client, game) for game in games.names()))


async def _keep_going(client: Client, game: str) -> None:
    engine = games.engine(game)
    least, most = engine.seats
    numbers = cycle([seats for seats in range(least, most + 1) if seats not in engine.unofficial_seats])
    while True:
        seats = next(numbers)
        try:
            receipt = await client.create(game, seats, bots=dict.fromkeys(range(seats), POLICY))
            async for _ in client.watch(receipt.match_id, after=receipt.cursor):
                pass
        except Refused as refused:
            log.warning("demo match", game=game, reason=refused.reason)
        await asyncio.sleep(PAUSE_S)
