"""Matches written straight into a log, as an engine host would: the same seed gives the same bytes."""

import random
from collections.abc import Iterator

from engines.core import games
from services.eventlog import deciding
from services.eventlog.aggregate import Aggregate
from services.eventlog.commands import BotSeat, Claim, Create, Order, Submit
from services.eventlog.entries import START, Cursor, Entry
from services.eventlog.lifecycle import LogAfterEnd
from services.eventlog.port import Append, Appended, EventLog
from services.eventlog.terms import Terms

GAME = "lost_seas"
ENGINE = games.engine(GAME)
EDITION = games.edition(GAME)
ANN, BOB = "tidelog|ann", "tidelog|bob"
NOON = 1_700_000_000_000


class PlayedMatch:
    """One match and the commands on it, decided here and appended to `log`."""

    def __init__(self, log: EventLog, match_id: str, seed: int = 1, seats: int = 2) -> None:
        self.log = log
        self.id = match_id
        self.seats = seats
        self.random = random.Random(seed)
        self.secret = self.random.randbytes(32)
        self.aggregate: Aggregate
        self.entries: list[Entry] = []
        self.orders: list[Order] = []
        self._requests = 0
        self._at = NOON

    async def create(
        self, *, bots: int = 0, after_end: LogAfterEnd = LogAfterEnd.OPEN, terms: Terms | None = None
    ) -> "PlayedMatch":
        """Ann at seat 0; Bob's seat 1 is free, or a bot's."""
        await self.log.put_edition(games.edition_hash(EDITION), EDITION)
        seats = tuple(BotSeat(1, "tidelog|bot:random", "random") for _ in range(bots))
        command = Create(
            GAME,
            ENGINE.Options(),
            self.seats,
            games.edition_hash(EDITION),
            log_after_end=after_end,
            own_seat=0,
            bots=seats,
            terms=terms,
        )
        self.aggregate, entries = deciding.create(self._order(ANN, command), EDITION, self.id, self.secret, self._at)
        await self._append(entries, self.secret)
        return self

    async def join(self) -> "PlayedMatch":
        await self.carry_out(BOB, Claim(1, "Bob"))
        return self

    async def started(self, after_end: LogAfterEnd = LogAfterEnd.OPEN, terms: Terms | None = None) -> "PlayedMatch":
        return await (await self.create(after_end=after_end, terms=terms)).join()

    async def carry_out(self, player: str, command: object, *, admin: bool = False) -> tuple[Entry, ...]:
        entries = self.decide(player, command, admin=admin)
        await self._append(entries)
        return entries

    def decide(self, player: str, command: object, *, admin: bool = False) -> tuple[Entry, ...]:
        """The entries, not yet in the log."""
        self._at += 1000
        entries = deciding.decide(self.aggregate, self._order(player, command, admin=admin), self.secret, self._at)
        self.entries += entries
        return entries

    def next_move(self) -> tuple[str, Submit]:
        seat = self.aggregate.facts.owing[0]
        moves = list(ENGINE.legal_moves(self.aggregate.state, seat))
        player = self.aggregate.facts.seats[seat].player
        return player, Submit(seat, self.random.choice(moves))

    async def move(self) -> tuple[Entry, ...]:
        return await self.carry_out(*self.next_move())

    async def finish(self) -> "PlayedMatch":
        while not self.aggregate.facts.over:
            await self.move()
        return self

    def fresh(self) -> Aggregate:
        """The match before its first entry."""
        return Aggregate.recorded(self.id, self.aggregate.facts.created, EDITION)

    def commands(self) -> Iterator[list[Entry]]:
        """The entries, command by command."""
        held: list[Entry] = []
        for entry in self.entries:
            if held and b'"req":null' not in entry.body:
                yield held
                held = []
            held.append(entry)
        yield held

    def _before(self, entries: tuple[Entry, ...]) -> Cursor:
        place = entries[0].version - 1
        return self.entries[place - 1].cursor if place else START

    async def append(self, entries: tuple[Entry, ...]) -> None:
        appended = await self.log.append(Append(self.id, self._before(entries), entries))
        assert isinstance(appended, Appended)

    async def _append(self, entries: tuple[Entry, ...], secret: bytes | None = None) -> None:
        if secret is not None:
            self.entries += entries
        appended = await self.log.append(Append(self.id, self._before(entries), entries, secret))
        assert isinstance(appended, Appended)

    def _order(self, player: str, command: object, *, admin: bool = False) -> Order:
        self._requests += 1
        self.orders.append(Order(player, f"request {self._requests}", command, admin))
        return self.orders[-1]
