"""Matches played through engine hosts, and what the log says of them whatever the hosts believe."""

from collections import deque
from collections.abc import Callable, Coroutine
from enum import StrEnum
from time import monotonic
from typing import Any

from engines.core.chance import SeededChance
from engines.core.engine import AnyEngine
from services.engine.host import Done, Host
from services.engine.warm import WARM_MATCHES
from services.eventlog import snapshots
from services.eventlog.aggregate import Aggregate
from services.eventlog.commands import Claim, Command, Order
from services.eventlog.loading import Loader
from services.eventlog.port import Append, Appended, Conflict, EventLog, OutcomeUnknown, StoreAway
from services.eventlog.sealing import SecretKeeper
from services.eventlog.store_clock import StoreClock
from tests.services.eventlog.given import ANN, EDITION, ENGINE, MATCH, MODES, PLAYERS, creating, next_order

PATIENCE_S = 60.0


async def opened(
    log: EventLog, *, warm_limit: int = WARM_MATCHES, engine: AnyEngine = ENGINE, key: bytes | None = None
) -> Host:
    """A replica that has just started."""
    clock = StoreClock(log.time_ms)
    await clock.refresh()
    return Host(engine, log, clock, SecretKeeper(key), warm_limit)


def by_then(seconds: float = PATIENCE_S) -> float:
    """A deadline."""
    return monotonic() + seconds


async def fold(log: EventLog, match: str = MATCH) -> Aggregate:
    """The match as its log says, from the first entry on and without a snapshot."""
    entries = await log.read(match)
    return (await Loader(log).fresh(match, entries[0])).apply_all(entries)


async def believed(host: Host, match: str = MATCH, *, behind: bool = False) -> Aggregate:
    """The match as the host would judge the next command; it catches up first where it may be `behind`."""
    async with host.warm.turn(match) as warm:
        aggregate = await host._bring_up(warm, match)
        if behind:
            await host._at_head(warm, aggregate)
        return aggregate


def told(aggregate: Aggregate) -> tuple[Any, ...]:
    """All that can be seen of a match: what is stored of it, every view, and what is legal."""
    engine, state = aggregate.engine, aggregate.state
    views = [engine.view(state, seat) for seat in (None, *range(len(aggregate.facts.seats)))]
    legal = [list(engine.legal_moves(state, seat)) for seat in aggregate.facts.owing]
    return snapshots.dump(aggregate), views, legal


class Party:
    """The players of one match. Each order has a request id of its own; moves are drawn, the same in every run.

    `facts` and `state` are those of the fold that `see` made last.
    """

    def __init__(self, log: EventLog, match: str = MATCH, *, seats: int = 2, mode: str = "expeditions", seed: int = 1):
        self.log = log
        self.match = match
        self.seats = seats
        self.options = MODES[mode]
        self.asked = 0
        self.chance = SeededChance(seed)
        self.aggregate: Aggregate

    @property
    def facts(self) -> Any:
        return self.aggregate.facts

    @property
    def state(self) -> Any:
        return self.aggregate.state

    def order(self, player: str, command: Command, request_id: str | None = None, *, admin: bool = False) -> Order:
        self.asked += 1
        return Order(player, request_id or f"request-{self.asked}", command, admin)

    def creation(self, **more: Any) -> Order:
        return self.order(ANN, creating(self.seats, self.options, own_seat=0, name="Ann", **more))

    def claims(self) -> list[Order]:
        """What fills the other seats, and so starts the match."""
        return [self.order(PLAYERS[seat], Claim(seat)) for seat in range(1, self.seats)]

    async def see(self) -> Aggregate:
        self.aggregate = await fold(self.log, self.match)
        return self.aggregate

    async def move(self) -> Order:
        """A move that somebody owes."""
        await self.see()
        return next_order(self, self.chance)

    async def sits_down(self, host: Host) -> Done:
        """The match is created and begun."""
        await host.create(self.match, self.creation(), EDITION, by_then())
        for order in self.claims():
            done = await host.carry_out(self.match, order, by_then())
        return done

    async def plays(self, host: Host, moves: int = 1_000) -> list[tuple[Order, Done]]:
        """So many moves, or to the end; the orders and the answers to them."""
        answered = []
        while moves and (await self.see()).facts.owing:
            order = await self.move()
            answered.append((order, await host.carry_out(self.match, order, by_then())))
            moves -= 1
        return answered

    async def plays_to(self, host: Host, version: int) -> None:
        while (await self.see()).facts.version < version:
            await self.plays(host, 1)

    async def agrees(self, host: Host, *, behind: bool = False) -> None:
        """The host's match is the fold of the log."""
        assert told(await believed(host, self.match, behind=behind)) == told(await fold(self.log, self.match))


async def effects(log: EventLog, order: Order, match: str = MATCH) -> int:
    """How many commands of the log carry the order's request."""
    marked = [entry for entry in await log.read(match) if order.key.hex().encode() in entry.body]
    return len(marked)


class Fate(StrEnum):
    """What befalls one attempt to append."""

    PASSES = "appended and answered"
    REFUSED = "the store is away"
    LOST = "unknown, and never applied"
    UNANSWERED = "unknown, and applied"
    CONFLICT = "a conflict that nobody caused"


Interrupt = Callable[[], Coroutine[Any, Any, None]]


class FaultyLog:
    """Another log whose appends meet the `fates` set, one an attempt; every attempt is kept in `sent`."""

    def __init__(self, log: EventLog) -> None:
        self._log = log
        self.fates: deque[Fate] = deque()
        self.sent: list[Append] = []
        self.before: Interrupt | None = None
        self.after: Interrupt | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._log, name)

    async def append(self, append: Append) -> Appended | Conflict:
        """`before` and `after` run once each, around the next attempt."""
        self.sent.append(append)
        await self._interrupt("before")
        fate = self.fates.popleft() if self.fates else Fate.PASSES
        if fate is Fate.REFUSED:
            raise StoreAway(fate)
        if fate is Fate.LOST:
            raise OutcomeUnknown(fate)
        if fate is Fate.CONFLICT:
            return Conflict(await self._log.head(append.match))
        done = await self._log.append(append)
        await self._interrupt("after")
        if fate is Fate.UNANSWERED:
            raise OutcomeUnknown(fate)
        return done

    async def _interrupt(self, moment: str) -> None:
        interrupt: Interrupt | None = getattr(self, moment)
        setattr(self, moment, None)
        if interrupt is not None:
            await interrupt()
