"""Matches among bots, one after another, for whoever looks into the lobby.

They are played by a cast of bots, each a player of its own: so they are rated, and leaderboards and players' pages have
something to show.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from itertools import cycle
from typing import NamedTuple

from engines.core import games
from services.bots import players
from services.common.logs import logger
from tidelog.client import Client, Refused, connect
from tidelog.client.terms import Terms

PAUSE_S = 2.0
OPEN_MS = 60_000
"""A match that not all came to is soon gone."""

log = logger()


class Member(NamedTuple):
    """One of the cast, and what it plays by."""

    name: str
    policy: str


CAST = (
    Member("Ada", "greedy"),
    Member("Ben", "greedy"),
    Member("Cid", "random"),
    Member("Dora", "greedy"),
    Member("Eve", "greedy"),
)


async def play(gateway: str, token_of: Callable[[str], str]) -> None:
    """One match of each game at a time, until cancelled; `token_of` gives the token of a member by name."""
    async with AsyncExitStack() as stack:
        clients = {
            member: await stack.enter_async_context(connect(gateway, token=token_of(member.name))) for member in CAST
        }
        await asyncio.gather(*(_keep_going(game, clients) for game in games.names()))


async def _keep_going(game: str, clients: dict[Member, Client]) -> None:
    """Who plays changes from match to match, and who begins; the numbers of seats take turns."""
    able = deque(clients[member] for member in CAST if member.policy in players.seated(game))
    engine = games.engine(game)
    least, most = engine.seats
    fitting = range(least, min(most, len(able)) + 1)
    for seats in cycle([seats for seats in fitting if seats not in engine.unofficial_seats]):
        try:
            await _match(game, list(able)[:seats])
        except Refused as refused:
            log.warning("demo match", game=game, reason=refused.reason)
        able.rotate(1)
        await asyncio.sleep(PAUSE_S)


async def _match(game: str, seated: Sequence[Client]) -> None:
    """To its end. Raises Refused."""
    receipt = await seated[0].create(game, len(seated), terms=Terms(open_ms=OPEN_MS))
    for seat, client in enumerate(seated):
        await client.join(receipt.match_id, seat)
    async for _ in seated[0].watch(receipt.match_id, after=receipt.cursor):
        pass
