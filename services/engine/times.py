"""When a command is carried out, and which outages there were by then."""

from services.common.refusals import Reason, Refused
from services.eventlog.commands import Create, Expire, Order
from services.eventlog.expiring import Outages
from services.eventlog.match import Match
from services.eventlog.outages import BEAT_EVERY_S, Beats
from services.eventlog.store_clock import StoreClock
from services.eventlog.timetable import Timetable


class Times:
    """Those of one game, in store time. What was read of its beats counts while no outage can have ended since.

    A command of a player's is a beat where there was none for long: a gateway has reached this host. The clock service
    may run alone, so what it proposes is none: nobody runs out of time while nobody can move.
    """

    def __init__(self, game: str, clock: StoreClock, timetable: Timetable) -> None:
        self._game = game
        self._clock = clock
        self._timetable = timetable
        self._beats = Beats()

    def now(self) -> int:
        return self._clock.now_ms()

    async def beat(self) -> Beats:
        """Those known after one. Raises StoreError kinds."""
        self._beats = await self._timetable.beat(self._game, self.now())
        return self._beats

    async def of(self, order: Order, facts: Match | None = None) -> tuple[int, Outages]:
        """The time of an order carried out now, and the outages up to it where the match has clocks or will have them.

        Raises Refused and StoreError kinds.
        """
        clocked = bool(facts.clocks) if facts is not None else _makes_clocks(order)
        while True:
            at = max(self.now(), 0 if facts is None else facts.at)
            if not clocked or self._beats.known_at(at):
                return at, self._beats.outages if clocked else ()
            await self._learn(order, at)

    async def _learn(self, order: Order, at: int) -> None:
        self._beats = await self._timetable.beats(self._game)
        if self._beats.known_at(at):
            return
        if isinstance(order.command, Expire):
            message = f"{self._game} is not served at present: nobody runs out of time"
            raise Refused(Reason.NOT_DUE, message, retry_after_ms=int(1000 * BEAT_EVERY_S))
        self._beats = await self._timetable.beat(self._game, at)


def _makes_clocks(order: Order) -> bool:
    terms = order.command.terms if isinstance(order.command, Create) else None
    return terms is not None and terms.clock is not None
