"""A client that plays many matches at once through the public API and notes how long each move takes."""

import asyncio
from collections.abc import Awaitable, Callable
from time import perf_counter
from typing import Any

from msgspec import Struct, field

from engines.core import games
from engines.core.chance import SeededChance
from services.cli.errors import UsageError
from tidelog.client import LEGAL, Client, Play, Refused, Told, connect
from tidelog.client.answers import Accepted, CaughtUp, End, Entry, Situation, Update

DONE = {"match_over", "stale"}


class Load(Struct, frozen=True):
    """What is played: `options` as JSON text; `matches` at once, for `seconds`, through Play or unary calls.

    `rate` is moves a second in all; 0 plays as fast as the answers come.
    """

    game: str
    options: str
    matches: int
    seconds: float
    unary: bool = False
    seed: int = 1
    rate: float = 0.0


class Tally(Struct):
    """In seconds, while the clock ran: `latencies` from each move to its answer, `told` to the other seat's stream."""

    began: float = 0.0
    seconds: float = 0.0
    finished: int = 0
    latencies: list[float] = field(default_factory=list)
    told: list[float] = field(default_factory=list)


class Sent(Struct, frozen=True):
    """A move under way: whose, on what it was decided, and since when."""

    seat: int
    cursor: str
    began: float


Turn = tuple[int, Situation] | None
"""A decision of a seat; None once the match is over."""


class Table(Struct):
    """One match: the decisions that wait to be made, each once."""

    match: str
    turns: asyncio.Queue[Turn] = field(default_factory=asyncio.Queue)
    decided: dict[int, int] = field(default_factory=dict)
    sent: Sent | None = None

    def hear(self, seat: int, update: Update, told: list[float]) -> None:
        """Takes what the seat's stream tells."""
        if isinstance(update, End):
            self.turns.put_nowait(None)
            return
        situation = update.situation if isinstance(update, Entry | CaughtUp) else None
        if situation is None:
            return
        sent = self.sent
        if sent is not None and seat != sent.seat and situation.cursor != sent.cursor:
            told.append(perf_counter() - sent.began)
            self.sent = None
        decision = None if situation.legal is None else situation.decision
        if decision is not None and self.decided.get(seat) != decision:
            self.decided[seat] = decision
            self.turns.put_nowait((seat, situation))


class Pace:
    """Moments for moves, evenly apart; a moment that was missed is not made up for."""

    def __init__(self, rate: float) -> None:
        self._apart = 1 / rate if rate else 0.0
        self._next = 0.0

    async def moment(self) -> None:
        if not self._apart:
            return
        now = perf_counter()
        moment = max(now, self._next)
        self._next = moment + self._apart
        await asyncio.sleep(moment - now)


Submit = Callable[[str, int, Any, int | None], Awaitable[Accepted]]


class Tables:
    """Two seats of one player at every table; both are told every event, as two players would be."""

    def __init__(self, client: Client, play: Play, load: Load) -> None:
        self._client = client
        self._play = play
        self._load = load
        self._chance = SeededChance(load.seed)
        self._pace = Pace(load.rate)
        self._tables: dict[str, Table] = {}
        self._tally = Tally()
        self._submit: Submit = self._unary if load.unary else self._streamed

    async def run(self, starts: Callable[[], None]) -> Tally:
        """Plays until the time is over; a match that ends makes room for another. `starts` is called with the clock."""
        tally = self._tally
        listening = asyncio.create_task(self._listen())
        first = [await self._open() for _ in range(self._load.matches)]
        starts()
        tally.latencies.clear()
        tally.told.clear()
        tally.began = perf_counter()
        end = tally.began + self._load.seconds
        await asyncio.gather(*(self._sit(table, end) for table in first))
        tally.seconds = perf_counter() - tally.began
        listening.cancel()
        return tally

    async def _open(self) -> Table:
        receipt = await self._client.create(self._load.game, 2, options=self._load.options, own_seat=0)
        await self._client.join(receipt.match_id, 1)
        table = self.follow(receipt.match_id, receipt.cursor)
        await self.opened(receipt.match_id)
        return table

    def follow(self, match: str, after: str) -> Table:
        """The match's table, told from there on."""
        table = self._tables[match] = Table(match)
        for seat in (0, 1):
            self._play.follow(match, seat=seat, after=after, include=(LEGAL,))
        return table

    async def opened(self, match: str) -> None:
        """A match is there, and no move was made; whoever else wants to hear of it begins now."""

    async def accepted(self, match: str, version: int, began: float) -> None:
        """A move sent when it `began` stands in the log up to the version; its table plays on once this returns."""

    async def _listen(self) -> None:
        async for news in self._play:
            if isinstance(news, Told) and news.seat is not None and news.match_id in self._tables:
                self._tables[news.match_id].hear(news.seat, news.update, self._tally.told)

    async def _sit(self, table: Table, end: float) -> None:
        while perf_counter() < end:
            while (turn := await table.turns.get()) is not None:
                await self._pace.moment()
                if perf_counter() >= end:
                    return
                await self._move(table, *turn)
            self._tally.finished += 1
            del self._tables[table.match]
            table = await self._open()

    async def _move(self, table: Table, seat: int, situation: Situation) -> None:
        assert situation.legal is not None
        moves = situation.legal.moves
        move = moves[self._chance.draw("move", len(moves))]
        began = perf_counter()
        table.sent = Sent(seat, situation.cursor, began)
        try:
            accepted = await self._submit(table.match, seat, move, situation.decision)
        except Refused as refused:
            table.sent = None
            if refused.reason not in DONE:
                raise
            return
        self._tally.latencies.append(perf_counter() - began)
        await self.accepted(table.match, accepted.receipt.last_version, began)

    async def _streamed(self, match: str, seat: int, move: Any, decision: int | None) -> Accepted:
        return await self._play.submit(match, seat, move, decision=decision)

    async def _unary(self, match: str, seat: int, move: Any, decision: int | None) -> Accepted:
        return await self._client.submit(match, seat, move, decision=decision)


def first_for_two() -> str:
    """The first game whose rules foresee two seats. Raises UsageError."""
    for name in games.names():
        engine = games.engine(name)
        if engine.seats[0] <= 2 and 2 not in engine.unofficial_seats:
            return name
    raise UsageError("no game for two is installed")


async def drive(address: str, load: Load, starts: Callable[[], None] = lambda: None) -> Tally:
    """One player's load on the gateway at the address."""
    async with connect(address, guest="bench") as client, client.play() as play:
        return await Tables(client, play, load).run(starts)
