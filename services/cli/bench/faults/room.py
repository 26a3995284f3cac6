"""Tables of all games at which clients play match after match, whatever breaks, and note what they are told."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from engines.core import games
from engines.core.chance import SeededChance
from services.cli.bench.faults.player import PASSING, News, Player, persisted, playing, rested
from services.cli.bench.faults.record import Acknowledged, Record, Told
from services.cli.bench.faults.world import World, target
from tidelog.client import LEGAL, VIEW, Refused, new_request_id
from tidelog.client.answers import End, Entry, Situation

PLAYERS = 8
BOT = "random"

Moved = Callable[["Table", bool], object]
"""Told of every acknowledged move, and with True of every move of a bot."""


class Room:
    """`records` holds every match that was begun. After `stop` no move is begun any more."""

    def __init__(self, players: list[Player], world: World, tables: int, seed: int) -> None:
        self.players = players
        self.records: list[Record] = []
        self.acknowledged = 0
        self.repeated = 0
        self.stopping = False
        self.listeners: set[Moved] = set()
        self.tables = [Table(self, number, world.games, seed) for number in range(tables)]
        self.in_flight = 0
        self.quiet = asyncio.Event()

    def moved(self, table: "Table", *, bot: bool = False) -> None:
        for listener in tuple(self.listeners):
            listener(table, bot)

    async def stop(self) -> None:
        """Returns once every move has its answer."""
        self.stopping = True
        while self.in_flight:
            self.quiet.clear()
            await self.quiet.wait()


class Table:
    """One match at a time. What is different from table to table: game, seats, a bot, how it is played and watched."""

    def __init__(self, room: Room, number: int, played: tuple[str, ...], seed: int) -> None:
        turn, of_game = divmod(number, len(played))
        self.game = played[of_game]
        engine = games.engine(self.game)
        counts = [n for n in range(engine.seats[0], engine.seats[1] + 1) if n not in engine.unofficial_seats]
        self.seats = counts[turn % len(counts)]
        self.bots = {self.seats - 1: BOT} if turn % 4 == 3 else {}
        self.unary = turn % 3 == 1
        self.include = (VIEW, LEGAL) if turn % 4 == 2 else (LEGAL,)
        self.shown = (VIEW,) if turn % 2 else ()
        self.playing = False
        self._room = room
        self._number = number
        self._chance = SeededChance(seed * 1000 + number)
        self._told: list[tuple[Told, Player, str]] = []
        self._heard = asyncio.Condition()

    async def run(self) -> None:
        while not self._room.stopping:
            await self._match()

    async def reach(self, version: int) -> None:
        """Returns once all who are told this match were told that far."""
        async with self._heard:
            await self._heard.wait_for(lambda: all(told.version >= version for told, *_ in self._told))

    @property
    def match(self) -> str:
        return self._record.match

    async def look(self) -> None:
        """Everybody asks for the view."""
        for told, player, match in self._told:
            view = await persisted(lambda: player.client.view(match, seat=told.seat))  # noqa: B023 - called at once
            told.asked = Situation(view.cursor, view.view)

    def _player(self, place: int) -> Player:
        return self._room.players[(self._number + place) % len(self._room.players)]

    async def _match(self) -> None:
        creator, request = self._player(0), new_request_id()
        try:
            receipt = await persisted(
                lambda: creator.client.create(self.game, self.seats, own_seat=0, bots=self.bots, request_id=request)
            )
        except Refused as refused:
            if refused.reason not in PASSING:
                raise
            await rested(refused)
            return
        self._record = Record(receipt.match_id, self.game)
        self._record.acknowledged.append(Acknowledged(creator.key(request), receipt.first_version, receipt.cursor))
        self._room.records.append(self._record)
        persons = [seat for seat in range(self.seats) if seat not in self.bots]
        try:
            for seat in persons[1:]:
                await self._join(seat)
        except Refused:
            return  # the checker looks whether it stands in the log nevertheless
        self._told.clear()
        self.playing = True
        async with asyncio.TaskGroup() as tasks:
            for seat in persons:
                tasks.create_task(self._play(seat))
            tasks.create_task(self._look_on())
        self.playing = False
        self._room.moved(self)
        self._room.moved(self, bot=True)

    async def _join(self, seat: int) -> None:
        player, request = self._player(seat), new_request_id()
        try:
            await persisted(lambda: player.client.join(self._record.match, seat, request_id=request))
        except Refused:
            self._record.refused.append(player.key(request))
            raise
        self._record.joined.append(player.key(request))

    async def _play(self, seat: int) -> None:
        player = self._player(seat)
        begin = player.watch if self.unary else player.follow
        news = begin(self._record.match, seat, self.include)
        moved = 0
        async for situation in self._situations(news, Told(f"{player.player} at seat {seat}", seat), player):
            if int(situation.cursor.partition("-")[0]) >= moved and not self._room.stopping:
                moved = await self._move(player, seat, situation) or moved

    async def _look_on(self) -> None:
        player = self._player(self.seats)
        begin = player.follow if self.unary else player.watch
        news = begin(self._record.match, None, self.shown)
        async for _ in self._situations(news, Told(f"{player.player} looking on", None), player):
            pass

    async def _situations(self, news: News, told: Told, player: Player) -> AsyncIterator[Situation]:
        """The newest whenever there is no more to hear; ends with the match."""
        self._record.told.append(told)
        self._told.append((told, player, self._record.match))
        newest: Situation | None = None
        while True:
            if newest is not None and news.empty():
                yield newest
                newest = None
            update = await news.get()
            if isinstance(update, End):
                told.ended = "" if update.refused is None else str(update.refused)
                return
            found = getattr(update, "situation", None)
            newest = found or newest
            told.see(found)
            if isinstance(update, Entry):
                await self._hear(told, update)

    async def _hear(self, told: Told, entry: Entry) -> None:
        told.hear(entry)
        async with self._heard:
            self._heard.notify_all()
        if entry.seat in self.bots:
            self._room.moved(self, bot=True)

    async def _move(self, player: Player, seat: int, situation: Situation) -> int | None:
        """The version that the move led to; None without one."""
        if situation.legal is None or not situation.legal.moves:
            return None
        move = situation.legal.moves[self._chance.draw("move", len(situation.legal.moves))]
        room = self._room
        room.in_flight += 1
        try:
            return await self._moved(player, seat, move, situation.decision)
        finally:
            room.in_flight -= 1
            room.quiet.set()

    async def _moved(self, player: Player, seat: int, move: Any, decision: int | None) -> int | None:
        """After a passing refusal it is another request: the checker looks whether the refused one left nothing."""
        room = self._room
        while True:
            request = new_request_id()
            try:
                accepted = await player.move(self._record.match, seat, move, decision, request, unary=self.unary)
                break
            except Refused as refused:
                self._record.refused.append(player.key(request))
                if room.stopping or refused.reason not in PASSING:
                    return None
                await rested(refused)
        receipt = accepted.receipt
        self._record.acknowledged.append(Acknowledged(player.key(request), receipt.first_version, receipt.cursor))
        room.acknowledged += 1
        room.repeated += receipt.duplicate
        room.moved(self)
        return receipt.last_version


@asynccontextmanager
async def open_room(world: World, tables: int, seed: int) -> AsyncIterator[Room]:
    """Clients play while the block lasts; half of them try one gateway first, half the other."""
    async with AsyncExitStack() as stack:
        orders = (world.addresses, world.addresses[::-1])
        players = [
            await stack.enter_async_context(playing(target(orders[number % 2]), f"player {number}"))
            for number in range(PLAYERS)
        ]
        room = Room(players, world, tables, seed)
        async with asyncio.TaskGroup() as tasks:
            running = [tasks.create_task(table.run()) for table in room.tables]
            yield room
            for task in running:
                task.cancel()
