"""A client that plays many matches at once through the public API and notes how long each move takes."""

import asyncio
from collections.abc import Awaitable, Callable
from time import perf_counter
from typing import Any

from msgspec import Struct, field

from engines.core.chance import SeededChance
from tidelog.client import LEGAL, Client, Play, Refused, Told, connect
from tidelog.client.answers import End, Situation

DONE = {"match_over", "stale"}


class Load(Struct, frozen=True):
    """What is played: `options` as JSON text; `matches` at once, for `seconds`, through Play or unary calls."""

    game: str
    options: str
    matches: int
    seconds: float
    unary: bool
    seed: int = 1


class Tally(Struct):
    """`latencies` in seconds, one a move that was accepted while the clock ran."""

    began: float = 0.0
    seconds: float = 0.0
    finished: int = 0
    latencies: list[float] = field(default_factory=list)


Submit = Callable[[str, int, Any, int | None], Awaitable[object]]


class Tables:
    """Two seats of one player at every table; both are told every event, as two players would be."""

    def __init__(self, client: Client, play: Play, load: Load) -> None:
        self._client = client
        self._play = play
        self._load = load
        self._chance = SeededChance(load.seed)
        self._news: dict[str, asyncio.Queue[tuple[int, Situation] | None]] = {}
        self._submit: Submit = self._unary if load.unary else self._streamed

    async def run(self) -> Tally:
        """Plays until the time is over; a match that ends makes room for another."""
        tally = Tally()
        listening = asyncio.create_task(self._listen())
        first = [await self._open() for _ in range(self._load.matches)]
        tally.began = perf_counter()
        end = tally.began + self._load.seconds
        await asyncio.gather(*(self._table(match, tally, end) for match in first))
        tally.seconds = perf_counter() - tally.began
        listening.cancel()
        return tally

    async def _open(self) -> str:
        receipt = await self._client.create(self._load.game, 2, options=self._load.options, own_seat=0)
        match = receipt.match_id
        self._news[match] = asyncio.Queue()
        await self._client.join(match, 1)
        for seat in (0, 1):
            self._play.follow(match, seat=seat, after=receipt.cursor, include=(LEGAL,))
        return match

    async def _listen(self) -> None:
        async for news in self._play:
            if not isinstance(news, Told) or news.seat is None:
                continue
            queue = self._news.get(news.match_id)
            situation = getattr(news.update, "situation", None)
            if queue is not None and situation is not None and situation.legal is not None:
                queue.put_nowait((news.seat, situation))
            elif queue is not None and isinstance(news.update, End):
                queue.put_nowait(None)

    async def _table(self, match: str, tally: Tally, end: float) -> None:
        while perf_counter() < end:
            while (decision := await self._news[match].get()) is not None:
                if perf_counter() >= end:
                    return
                await self._move(match, *decision, tally)
            tally.finished += 1
            del self._news[match]
            match = await self._open()

    async def _move(self, match: str, seat: int, situation: Situation, tally: Tally) -> None:
        assert situation.legal is not None
        moves = situation.legal.moves
        move = moves[self._chance.draw("move", len(moves))]
        began = perf_counter()
        try:
            await self._submit(match, seat, move, situation.decision)
        except Refused as refused:
            if refused.reason not in DONE:
                raise
            return
        tally.latencies.append(perf_counter() - began)

    async def _streamed(self, match: str, seat: int, move: Any, decision: int | None) -> object:
        return await self._play.submit(match, seat, move, decision=decision)

    async def _unary(self, match: str, seat: int, move: Any, decision: int | None) -> object:
        return await self._client.submit(match, seat, move, decision=decision)


async def drive(address: str, load: Load) -> Tally:
    """One player's load on the gateway at the address."""
    async with connect(address, guest="bench") as client, client.play() as play:
        return await Tables(client, play, load).run()
