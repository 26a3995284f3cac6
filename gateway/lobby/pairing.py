"""Brings players together who ask for the same match, at whichever gateways: they share nothing but the logs.

The matches of a queue are numbered, and their ids follow from the numbers. Whoever asks claims a seat in the first that
takes them; only where one takes nobody, and never will again, the next is tried or made. So those who ask at once meet:
the log of each match decides who was first.
"""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import NamedTuple

from engines.core.digest import keyed
from gateway.callers.call import Call
from gateway.lobby import making
from gateway.matches.match import LiveMatch
from gateway.parts import Parts
from gateway.projections import quick
from services.common.bounded import Bounded
from services.common.refusals import Reason, Refused
from services.eventlog.match import Status
from tidelog.v1.engine_pb2 import EngineCommand
from tidelog.v1.matches_pb2 import CreateMatchRequest

QUEUES = 10_000
TRUSTED_S = 30.0
"""How long this gateway goes by what it has seen of a queue itself; afterwards the read model has seen it too."""

_TAKES_NOBODY = frozenset(
    {
        Reason.SEAT_TAKEN,
        Reason.ALREADY_STARTED,
        Reason.MATCH_OVER,
        Reason.REQUEST_ID_REUSED,
        Reason.EXPIRED,
        Reason.QUARANTINED,
        Reason.READ_ONLY,
    }
)


class _Queue:
    """`first` is the number of the first match that may take somebody; `asked` are requests answered before it."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.first = 0
        self.asked: dict[str, str] = {}
        self.known_until = 0.0

    @asynccontextmanager
    async def turn(self, call: Call) -> AsyncIterator[None]:
        """One at a time: those who ask here at once would only get in each other's way. Raises Refused(TOO_MUCH)."""
        try:
            async with asyncio.timeout(call.timeout_s):
                await self.lock.acquire()
        except TimeoutError:
            raise _busy() from None
        try:
            yield
        finally:
            self.lock.release()


class Hold(NamedTuple):
    """A seat is held from now until then if nobody comes; both in the store's time, ms."""

    now: int
    until: int


class Seated(NamedTuple):
    """The caller's seat in a match. How it stands, the caller may be kept from: `Shown` says what they see of it."""

    match: str
    seat: int


class _Tried(NamedTuple):
    """A match that a claim was tried in: the caller's seat there, and whether it waits for others still."""

    live: LiveMatch
    seat: int | None
    waits: bool


class Pairing:
    """All queues as this gateway knows them."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._queues: Bounded[bytes, _Queue] = Bounded(QUEUES)

    async def seat(self, key: bytes, creation: CreateMatchRequest, request_id: str, hold: Hold, call: Call) -> Seated:
        """A seat in a match of the queue. Raises Refused and the port's errors."""
        queue = self._queues.get(key)
        if queue is None:
            queue = self._queues[key] = _Queue()
        claim = making.claiming("", call.caller, request_id)
        claim.claim.invitation = keyed(self._parts.store_key, "quick", call.caller.player, request_id)[:16].hex()
        claim.claim.until = hold.until
        async with queue.turn(call):
            await self._look(queue, key)
            before = queue.asked.get(claim.claim.invitation) or await self._answered(claim.claim.invitation)
            if before is not None:
                return await self._again(before, key, call)
            try:
                await self._parts.quotas.check_seat(call.caller)
            except Refused:
                waiting = await self._waiting(queue, key, hold, call)
                if waiting is None:
                    raise
                return waiting
            return await self._search(queue, key, creation, claim, call)

    async def _waiting(self, queue: _Queue, key: bytes, hold: Hold, call: Call) -> Seated | None:
        """The seat in which the caller waits; none that was held until now, and is given up with the next claim."""
        try:
            live = await self._parts.live.current(making.match_id_of(self._parts, _name(key, queue.first)))
        except Refused:  # there is none yet; or it is at fault, which the search finds
            return None
        found = making.seat_of(live, call.caller.player)
        if found is None or live.aggregate.facts.status is not Status.OPEN:
            return None
        until = live.aggregate.facts.seats[found].until
        return Seated(live.id, found) if until is None or until > hold.now else None

    async def _search(
        self, queue: _Queue, key: bytes, creation: CreateMatchRequest, claim: EngineCommand, call: Call
    ) -> Seated:
        number = queue.first
        while time.monotonic() < call.deadline:
            creation.request_id = _name(key, number)
            claim.match_id = making.match_id_of(self._parts, creation.request_id)
            found = await self._tried(creation, claim, call)
            if found is not None and not found.waits and queue.first == number:
                queue.first = number + 1
                queue.asked |= dict.fromkeys(found.live.aggregate.facts.used, claim.match_id)
            if found is not None and found.seat is not None:
                return Seated(found.live.id, found.seat)
            number += 1
        raise _busy()

    async def _tried(self, creation: CreateMatchRequest, claim: EngineCommand, call: Call) -> _Tried | None:
        """The match after the claim; None where it can't be read. Raises Refused and the port's errors."""
        seat = await self._claimed(creation, claim, call)
        try:
            live = await self._parts.live.current(claim.match_id)
        except Refused as refused:
            if seat is None and refused.reason is Reason.QUARANTINED:
                return None
            raise
        asked_before = claim.claim.invitation in live.aggregate.facts.used
        waits = live.aggregate.facts.status is Status.OPEN
        if seat is None and (asked_before or waits):
            seat = making.seat_of(live, call.caller.player)
            if seat is None and asked_before:
                raise given_up()
        return _Tried(live, seat, waits)

    async def _claimed(self, creation: CreateMatchRequest, claim: EngineCommand, call: Call) -> int | None:
        """The seat; None where the match takes nobody, or holds a seat for the caller already. Raises Refused."""
        for _ in range(2):
            try:
                return (await making.claimed(self._parts, creation.game, claim, call)).seat
            except Refused as refused:
                if refused.reason in _TAKES_NOBODY:
                    return None
                if refused.reason is not Reason.UNKNOWN_MATCH:
                    raise
                await making.make(self._parts, creation, call)
        raise _busy()

    async def _look(self, queue: _Queue, key: bytes) -> None:
        """Begins again with what the read model knows, once it has had the time to hear of all that was seen here."""
        if time.monotonic() >= queue.known_until:
            await self._parts.follower.aligned()
            queue.first = await self._parts.database.read(lambda connection: quick.count_begun(connection, key))
            queue.asked.clear()
            queue.known_until = time.monotonic() + TRUSTED_S

    async def _answered(self, asked: str) -> str | None:
        return await self._parts.database.read(lambda connection: quick.answered(connection, asked))

    async def _again(self, match_id: str, key: bytes, call: Call) -> Seated:
        """What the same request was answered before."""
        live = await self._parts.live.current(match_id)
        if quick.queue_of_match(live.aggregate.facts) != key:
            raise Refused(Reason.REQUEST_ID_REUSED, "this request id was used before, with another body")
        found = making.seat_of(live, call.caller.player)
        if found is None:
            raise given_up()
        return Seated(live.id, found)


def _name(key: bytes, number: int) -> str:
    return f"{key.hex()}-{number}"


def given_up() -> Refused:
    return Refused(Reason.REQUEST_ID_REUSED, "the seat of this request was given up: ask anew under another id")


def _busy() -> Refused:
    return Refused(Reason.TOO_MUCH, "too many ask for such a match at once", retry_after_ms=500)
