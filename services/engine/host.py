"""Carries out commands on matches of one game: the log's version check is the only lock (design, Writes)."""

import asyncio
import os
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any

from msgspec import Struct

from engines.core.engine import AnyEngine
from services.common import concerning, logs, metrics, tracing
from services.common.logs import logger
from services.common.quarantine import Quarantine
from services.common.refusals import Reason, Refused
from services.engine.fate import Fate, telling
from services.engine.saving import Saver
from services.engine.times import Times
from services.engine.warm import WARM_MATCHES, Warm, WarmMatches, served_by
from services.eventlog import deciding, expiring, hashes, store_refusals
from services.eventlog.aggregate import Aggregate
from services.eventlog.commands import Order, Submit
from services.eventlog.entries import START, Cursor, Entry
from services.eventlog.loading import Loader, WentBack
from services.eventlog.match import Status
from services.eventlog.outages import Outage
from services.eventlog.port import Append, Appended, Conflict, EventLog, OutcomeUnknown, StoreError, WrongStore
from services.eventlog.requests import Handled
from services.eventlog.sealing import SecretKeeper, WrongKey
from services.eventlog.store_clock import StoreClock
from services.eventlog.timetable import Due

FIRST_RETRY_S = 0.02
LAST_RETRY_S = 1.0

log = logger()


class Done(Struct, frozen=True):
    """A command that stands in the log from `first` to `cursor`; a duplicate was found there, with no `entries`.

    `seat` is the one that the command's first entry names.
    """

    first: int
    cursor: Cursor
    entries: tuple[Entry, ...]
    seat: int | None
    duplicate: bool = False


class _Decided(Struct, frozen=True):
    """Entries to append for the order; `due` is what the timetable is to have of the match, None what it has."""

    order: Order
    entries: tuple[Entry, ...]
    due: Due | None


class Host:
    """One replica of one game's engine service. Deadlines are moments of the monotonic clock, in seconds."""

    def __init__(
        self,
        engine: AnyEngine,
        event_log: EventLog,
        clock: StoreClock,
        keeper: SecretKeeper,
        warm_limit: int = WARM_MATCHES,
    ) -> None:
        self.engine = engine
        self.warm = WarmMatches(warm_limit)
        self.loader = Loader(event_log)
        self.times = Times(engine.name, clock, event_log.timetable)
        self._log = event_log
        self._keeper = keeper
        self._quarantine = Quarantine()
        self._conflicts = metrics.conflicts.labels(engine.name)
        self._unanswered = metrics.appends_unanswered.labels(engine.name)
        self._decide_seconds = metrics.decide_seconds.of(engine.name)
        self._append_seconds = metrics.append_seconds.of(engine.name)
        self._saver = Saver(event_log)

    async def create(self, match: str, order: Order, edition: bytes, deadline: float) -> Done:
        """Makes the match under the id given. Raises Refused."""
        async with self.warm.turn(match) as warm:
            with telling() as fate:
                return await self._create(warm, fate, match, order, edition, deadline)

    async def carry_out(self, match: str, order: Order, deadline: float) -> Done:
        """Judges, decides and appends; a conflict is judged anew on the log as it then is. Raises Refused."""
        async with self.warm.turn(match) as warm:
            with telling() as fate:
                return await self._carry_out(warm, fate, match, order, deadline)

    async def expire(self, match: str, deadline: float) -> Done:
        """Carries out what time alone has brought about. Raises Refused."""
        async with self.warm.turn(match) as warm:
            with telling() as fate:
                facts = (await self._current(warm, match)).facts
                try:
                    return await self._carry_out(warm, fate, match, expiring.order(facts), deadline)
                except Refused as refused:
                    if refused.reason in {Reason.NOT_DUE, Reason.MATCH_OVER, Reason.READ_ONLY}:
                        await self._set_due(warm, match)
                    raise

    async def come_back(self, match: str, deadline: float) -> None:
        """Gives back what the clocks of a restored match ran since its last entry: it was not there. Raises Refused."""
        await self.beat()
        async with self.warm.turn(match) as warm:
            with telling() as fate:
                facts = (await self._current(warm, match)).facts
                if any(clock.since is not None for clock in facts.clocks):
                    away = Outage(facts.at, self.times.now())
                    await self._carry_out(warm, fate, match, expiring.order(facts, (away,)), deadline)

    async def validate(self, match: str, order: Order) -> tuple[int, Refused | None]:
        """The version judged on, and why the order would be refused, if it would. Raises Refused for no such match."""
        async with self.warm.turn(match) as warm:
            aggregate = await self._current(warm, match)
            with self._reading(match):
                at, outages = await self.times.of(order, aggregate.facts)
            late = expiring.out_of_time(aggregate.facts, at, outages)
            return aggregate.facts.version, deciding.refusal(aggregate, order, late)

    async def beat(self) -> int:
        """A beat of the game. When its last outage ended; 0: there was none. Raises Refused."""
        with self._reading(""):
            outages = (await self.times.beat()).outages
        return outages[-1].until if outages else 0

    async def finish(self) -> None:
        """Returns when nothing is being written any more."""
        await self._saver.finish()

    async def _create(self, warm: Warm, fate: Fate, match: str, order: Order, edition: bytes, deadline: float) -> Done:
        secret = new_secret()
        with self._reading(match):
            at, _ = await self.times.of(order)
        aggregate, entries = deciding.create(order, edition, match, secret, at)
        await self._keep_edition(aggregate.facts.created.edition, edition)
        append = Append(match, START, entries, self._keeper.seal(match, secret), expiring.due(aggregate.facts))
        if isinstance(await self._append(append, fate, deadline), Conflict):
            return await self._found(warm, fate, match, order)
        if warm.aggregate is not None:
            self._tell_rewound(match, warm.aggregate.cursor, START)
        warm.aggregate, warm.secret = aggregate, secret
        return _done(entries, aggregate)

    async def _carry_out(self, warm: Warm, fate: Fate, match: str, order: Order, deadline: float) -> Done:
        while monotonic() < deadline:
            aggregate = await self._bring_up(warm, match)
            after = aggregate.cursor
            try:
                handled = fate.read(aggregate, order)
                decided = None if handled else await self._decided(warm, aggregate, order)
            except Refused:
                if await self._at_head(warm, aggregate):
                    raise
                continue
            if handled is not None:
                done = await self._again(warm, aggregate, handled)
                if done is None:
                    continue
                return done
            assert decided is not None
            # What is due goes first, under its own request; the order is judged on what it has made of the match.
            own = decided.order.key == order.key
            append = Append(match, after, decided.entries, due=decided.due)
            answer = await self._append(append, fate if own else Fate(), deadline)
            if isinstance(answer, Appended):
                warm.aggregate = aggregate
                self._saver.save(aggregate, after.version)
                if own:
                    return _done(decided.entries, aggregate)
                continue
            await self._beaten(match, after, answer.head)
        raise Refused(Reason.TOO_MUCH, "the match is busy: the command's turn did not come in time", retry_after_ms=100)

    async def _decided(self, warm: Warm, aggregate: Aggregate, order: Order) -> "_Decided":
        """The order, or what is due before it. Raises Refused.

        The aggregate is out of the warm entry from then on until the store has appended the entries.
        """
        facts = aggregate.facts
        secret = await self._secret(warm, facts.id)
        with self._reading(facts.id):
            at, outages = await self.times.of(order, facts)
        order = expiring.first(facts, order, at, outages)
        warm.aggregate = None
        began = monotonic()
        try:
            entries = deciding.decide(aggregate, order, secret, at)
        except Refused as refused:
            if refused.reason is not Reason.TOO_LARGE:
                warm.aggregate = aggregate
            raise
        finally:
            self._decide_seconds.note(monotonic() - began)
        # Where no clock runs, a move puts off what is due by so little that it is looked at again when it is.
        stays = isinstance(order.command, Submit) and facts.status is Status.RUNNING and not facts.clocks
        return _Decided(order, entries, None if stays else expiring.due(facts))

    async def _set_due(self, warm: Warm, match: str) -> None:
        """Puts the timetable right, which named this match."""
        aggregate = warm.aggregate
        if aggregate is not None:
            with self._reading(match):
                await self._log.timetable.set(match, aggregate.cursor, expiring.due(aggregate.facts))

    async def _bring_up(self, warm: Warm, match: str) -> Aggregate:
        if warm.aggregate is None:
            with self._reading(match):
                warm.aggregate = served_by(self.engine, await self.loader.load(match))
            self._check_secret(warm, warm.aggregate)
        return warm.aggregate

    def _check_secret(self, warm: Warm, aggregate: Aggregate) -> None:
        """Drops that of another match, which had this id before the store went back."""
        created, secret = aggregate.facts.created, warm.secret
        if secret is not None and hashes.commitment(created.match, secret).hex() != created.commitment:
            warm.secret = None

    async def _at_head(self, warm: Warm, aggregate: Aggregate) -> bool:
        """Whether nobody else has appended since; what they have is folded.

        The warm entry is gone, if it was not before, where the log is not the one that was folded any more.
        """
        if warm.aggregate is None:
            return True
        warm.aggregate = None
        try:
            with self._reading(aggregate.facts.id):
                news = await self.loader.catch_up(aggregate)
        except WentBack as found:
            self._tell_rewound(aggregate.facts.id, found.known, found.head)
            return False
        warm.aggregate = aggregate
        return not news

    async def _current(self, warm: Warm, match: str) -> Aggregate:
        """The match with all that its log held when this was asked."""
        while True:
            aggregate = await self._bring_up(warm, match)
            await self._at_head(warm, aggregate)
            if warm.aggregate is not None:
                return aggregate

    async def _beaten(self, match: str, known: Cursor, head: Cursor) -> None:
        """Whoever met another head reads the log again; whether that went on or went back is told here."""
        self._conflicts.inc()
        with self._reading(match):
            went_back = head != known and not await self.loader.holds(match, known)
        if went_back:
            self._tell_rewound(match, known, head)

    def _tell_rewound(self, match: str, known: Cursor, head: Cursor) -> None:
        metrics.log_rewound.inc()
        log.error("log went back", match=match, known=str(known), head=str(head))

    @contextmanager
    def _reading(self, match: str) -> Iterator[None]:
        """Raises the store's errors as Refused, and tells of a log that can't be folded."""
        try:
            yield
        except StoreError as error:
            raise store_refusals.refused(error) from error
        except Refused as refused:
            self._quarantine.look(match, refused)
            raise

    async def _secret(self, warm: Warm, match: str) -> bytes:
        if warm.secret is None:
            try:
                stored = await self._log.secret(match)
            except StoreError as error:
                raise store_refusals.refused(error) from error
            if stored is None:
                raise Refused(Reason.READ_ONLY, "the store does not hold the match's secret: it can only be read")
            try:
                warm.secret = self._keeper.open(match, stored)
            except WrongKey as error:
                log.warning("secret not opened", match=match, error=str(error))
                raise Refused(Reason.ENGINE_AWAY, "this host can't open the match's secret") from error
        return warm.secret

    def _append(self, append: Append, fate: Fate, deadline: float) -> Coroutine[Any, Any, Appended | Conflict]:
        """Sends the same bytes until their fate is known, or the deadline passes. Raises Refused."""
        sent = self._sent(append, fate, deadline)
        return self._followed(append, sent) if tracing.followed() else sent

    async def _followed(self, append: Append, sent: Coroutine[Any, Any, Appended | Conflict]) -> Appended | Conflict:
        """Raises Refused."""
        span, outcome = tracing.begin("append", concerning.current()), Reason.OUTCOME_UNKNOWN.value
        try:
            answer = await sent
            outcome = type(answer).__name__.lower()
        except Refused as refused:
            outcome = refused.reason.value
            raise
        else:
            return answer
        finally:
            logs.outcome("append", outcome=outcome, expected=append.expected, entries=len(append.entries))
            tracing.end(span, outcome)

    async def _sent(self, append: Append, fate: Fate, deadline: float) -> Appended | Conflict:
        """Raises Refused."""
        unknown, pause, began = False, FIRST_RETRY_S, monotonic()
        fate.uncertain = True
        while True:
            try:
                answer = await self._log.append(append)
            except OutcomeUnknown as error:
                unknown = True
                self._unanswered.inc()
                log.warning("append unanswered", match=append.match, expected=append.expected, error=str(error))
            except StoreError as error:
                fate.uncertain = unknown
                if not unknown:
                    raise store_refusals.refused(error) from error
                if isinstance(error, WrongStore):  # soon this host ends
                    raise store_refusals.unknown() from error
            else:
                fate.uncertain = unknown or isinstance(answer, Appended)
                self._append_seconds.note(monotonic() - began)
                return answer
            if monotonic() + pause >= deadline:
                raise store_refusals.unknown()
            await asyncio.sleep(pause)
            pause = min(2 * pause, LAST_RETRY_S)

    async def _found(self, warm: Warm, fate: Fate, match: str, order: Order) -> Done:
        """The match exists: made by this very request, sent again, or by another that took its id."""
        try:
            aggregate = await self._current(warm, match)
        except Refused as refused:
            if refused.reason is Reason.UNKNOWN_MATCH:
                fate.uncertain = False
                raise Refused(Reason.REQUEST_ID_REUSED, "this request id made a match of another game") from refused
            raise
        handled = fate.read(aggregate, order)
        if handled is None:
            raise Refused(Reason.MATCH_EXISTS, "another match has this id")
        done = await self._again(warm, aggregate, handled)
        if done is None:
            raise store_refusals.unknown()
        return done

    async def _again(self, warm: Warm, aggregate: Aggregate, handled: Handled) -> Done | None:
        """The answer to a command found in the log, once it is as safe as one just appended.

        None where the log is not the one that was folded: it went back, and the command may be lost.
        """
        match = aggregate.facts.id
        try:
            # First safe, then looked for: the store may be another one since the match was folded.
            await self._log.secure(match)
            await self._at_head(warm, aggregate)
            last = [] if warm.aggregate is None else await self._log.read(match, handled.last - 1, 1)
        except OutcomeUnknown as error:
            raise store_refusals.unknown() from error
        except StoreError as error:
            raise store_refusals.refused(error) from error
        return Done(handled.first, last[0].cursor, (), handled.seat, duplicate=True) if last else None

    async def _keep_edition(self, edition_hash: str, edition: bytes) -> None:
        """Editions in use stay in the store for ever: whoever reads the log needs them.

        That this host has seen it there says nothing: the store may have gone back since.
        """
        try:
            await self._log.put_edition(edition_hash, edition)
        except StoreError as error:
            raise store_refusals.refused(error) from error


def _done(entries: tuple[Entry, ...], aggregate: Aggregate) -> Done:
    return Done(entries[0].version, entries[-1].cursor, entries, aggregate.facts.acting)


def new_secret() -> bytes:
    """What all of a match's draws come from."""
    return os.urandom(hashes.SECRET_BYTES)
