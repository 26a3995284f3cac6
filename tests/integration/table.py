"""Three players at a table of Catan and an onlooker, each with a client of their own, and what each was told."""

import asyncio
import json
import random
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from tidelog.client import LEGAL, VIEW, Client, connect
from tidelog.client.answers import Entry, Situation

GAME = "catan_fishermen"
SEATS = 3
ONLOOKER = None
AUDIENCES = (*range(SEATS), ONLOOKER)
MOST_STEPS = 10_000
"""What happens now and then has happened before; so many steps are not taken otherwise."""

HOARD = ()
"""Roll, end the turn, keep the cards."""
BUY = (("buy_development",), ("trade_bank", "end_turn"))
BUILD = (("build_city",), ("build_settlement",), ("play_knight",), ("trade_bank", "build_road", "end_turn"))

Wishes = Sequence[Sequence[str]]


class Table:
    """One match; `told` holds, for each audience, the entries of its stream, the first at version 1."""

    def __init__(self, address: str, match: str, clients: Sequence[Client], tokens: Sequence[str]) -> None:
        self.address = address
        self.match = match
        self.clients = clients[:SEATS]
        self.onlooker = clients[SEATS]
        self.tokens = tokens
        self.told: dict[int | None, list[Entry]] = {audience: [] for audience in AUDIENCES}
        self._news = asyncio.Condition()
        self._chance = random.Random(7)

    def client(self, audience: int | None) -> Client:
        return self.onlooker if audience is ONLOOKER else self.clients[audience]

    async def listen(self, audience: int | None) -> None:
        """Keeps all that the audience is told, until the match is over."""
        async for update in self.client(audience).watch(self.match, seat=audience, include=(VIEW, LEGAL)):
            if isinstance(update, Entry):
                async with self._news:
                    self.told[audience].append(update)
                    self._news.notify_all()

    async def heard(self, version: int) -> None:
        """Returns once every audience was told that far."""
        async with asyncio.timeout(30), self._news:
            await self._news.wait_for(lambda: all(len(entries) >= version for entries in self.told.values()))

    async def owing(self) -> list[int]:
        details = await self.onlooker.match(self.match)
        return [turn.seat for turn in details.turns if turn.owed]

    async def situation(self, seat: int) -> Situation:
        """What the seat may play now."""
        return await self.clients[seat].legal_moves(self.match, seat)

    async def view(self, audience: int | None) -> dict[str, Any]:
        return (await self.client(audience).view(self.match, seat=audience)).view

    async def hand(self, seat: int) -> dict[str, int]:
        """The cards of the seat, as it sees them itself."""
        return {kind: count for kind, count in (await self.view(seat))["players"][seat]["known"].items() if count}

    async def step(self, wishes: Wishes) -> None:
        """Each seat that owes a move makes one: all have read what stands before the first one moves."""
        owing = await self.owing()
        situations = await asyncio.gather(*map(self.situation, owing))
        async with asyncio.TaskGroup() as moving:
            for seat, found in zip(owing, situations, strict=True):
                move = self._chosen(found.legal.moves, wishes)
                moving.create_task(self.clients[seat].submit(self.match, seat, move, decision=found.decision))

    async def play_until(self, happened: Callable[[], bool], wishes: Wishes) -> None:
        """`happened` looks at what was told, which is up to date whenever it is asked."""
        for _ in range(MOST_STEPS):
            version = (await self.onlooker.match(self.match)).match.version
            await self.heard(version)
            if happened():
                return
            await self.step(wishes)
        raise AssertionError("it has never happened")

    def has_told(self, kind: str) -> list[dict[str, Any]]:
        """The events of the kind, as the onlooker was told them."""
        return [entry.event for entry in self.told[ONLOOKER] if entry.type == f"{GAME}.{kind}"]

    def _chosen(self, moves: Sequence[dict[str, Any]], wishes: Wishes) -> dict[str, Any]:
        robberies = [move for move in moves if move["kind"] == "move_robber" and move["victim"] is not None]
        if robberies:
            return self._chance.choice(robberies)
        for kinds in wishes:
            wished = [move for move in moves if move["kind"] in kinds]
            if wished:
                return self._chance.choice(wished)
        return moves[0]

    async def opened(self) -> list[dict[str, Any]]:
        """The bodies of the whole log, once everybody may read it."""
        return [json.loads(entry.body) async for entry in self.onlooker.log(self.match).read(full=True)]


@asynccontextmanager
async def seated(address: str, **options: object) -> AsyncIterator[Table]:
    """A match begun, with everybody listening; on the beginner's board, where the first places give each seat cards.

    Not so on a board that is drawn: a seat can begin with deserts and kinds that the others have used up.
    """
    async with AsyncExitStack() as open_:
        clients = [await open_.enter_async_context(connect(address)) for _ in AUDIENCES]
        tokens = [(await client.sign_in_as_guest()).token for client in clients]
        receipt = await clients[0].create(GAME, SEATS, options={"board": "beginner"} | options, own_seat=0)
        for seat in range(1, SEATS):
            await clients[seat].join(receipt.match_id, seat)
        table = Table(address, receipt.match_id, clients, tokens)
        listening = [asyncio.create_task(table.listen(audience)) for audience in AUDIENCES]
        try:
            yield table
        finally:
            for task in listening:
                task.cancel()
            await asyncio.gather(*listening, return_exceptions=True)
