"""One audience of a match, told over as many streams as it takes, and what it must have been told in the end."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any, NamedTuple

import grpc
import msgspec

from services.eventlog import canonical
from services.eventlog.entries import body_of, header_of
from services.eventlog.lifecycle import Lifecycle, SecretRevealed
from services.eventlog.reading import Export
from tests.faults.world import Person, World
from tidelog.client.refused import Refused, from_error, from_refusal
from tidelog.v1.matches_pb2 import PlayCommand, PlayRequest, WatchMatchRequest
from tidelog.v1.matches_pb2_grpc import MatchServiceStub

ENDED = {"draining", "unavailable", "cancelled", "slow_consumer", "store_away"}
"""How a stream may end that is to be resumed."""


class Told(NamedTuple):
    """An entry as it reaches its audience; `event` is JSON."""

    version: int
    cursor: str
    at: int
    seat: int | None
    type: str
    event: Any


def as_told(entry: Any) -> Told:
    seat = entry.seat if entry.HasField("seat") else None
    return Told(entry.version, entry.cursor, entry.at_ms, seat, entry.type, msgspec.json.decode(entry.event.json))


def expected(log: Export, seat: int | None) -> list[Told]:
    """The whole of a log that stays closed, as the seat is told it at any time."""
    found = []
    for entry in log.entries:
        header = header_of(entry)
        event = body_of(log.aggregate.engine, header, entry.body).payload
        if isinstance(event, SecretRevealed):
            event = SecretRevealed()
        elif not isinstance(event, Lifecycle):
            event = log.aggregate.engine.redact(event, seat)
        payload = msgspec.json.decode(canonical.encode(event))
        found.append(Told(entry.version, str(entry.cursor), header.at, header.seat, header.type, payload))
    return found


async def watched(person: Person, stub: Any, match: str, seat: int | None, after: str) -> AsyncIterator[Any]:
    """The updates of one WatchMatch. Raises the client's Refused."""
    call = stub.WatchMatch(WatchMatchRequest(match_id=match, seat=seat, after=after), metadata=person.metadata)
    try:
        async for response in call:
            for update in response.updates:
                yield update
    except grpc.aio.AioRpcError as error:
        raise from_error(error) from error
    finally:
        call.cancel()


async def followed(person: Person, stub: Any, match: str, seat: int | None, after: str) -> AsyncIterator[Any]:
    """The same over a Play stream."""
    call = stub.Play(metadata=person.metadata)
    follow = PlayCommand.Follow(match_id=match, seat=seat, after=after)
    try:
        await _written(call, PlayRequest(commands=[PlayCommand(follow=follow)]))
        async for response in call:
            for answer in response.answers:
                if answer.HasField("refused"):
                    raise from_refusal(answer.refused.refusal)
                yield answer.followed.update
    except grpc.aio.AioRpcError as error:
        raise from_error(error) from error
    finally:
        call.cancel()


async def _written(call: Any, request: PlayRequest) -> None:
    """A stream that breaks while it is written to is told by gRPC as an internal error of its own."""
    try:
        await call.write(request)
    except (grpc.aio.AioRpcError, asyncio.InvalidStateError) as error:
        raise Refused("unavailable", str(error)) from error


class Audience:
    """A seat, or None for a spectator, of one match. `told` is what came, `cursors` whatever it could go on from."""

    def __init__(self, world: World, person: Person, match: str, seat: int | None, seed: int, after: str = "") -> None:
        self.world = world
        self.match = match
        self.seat = seat
        self.after = after
        self.told: list[Told] = []
        self.cursors: set[tuple[str, str]] = set()
        self.streams = 0
        self._person = person
        self._chance = random.Random(seed)
        self._cursor = after

    def from_here(self, cursor: str) -> "Audience":
        """The same one, who has been told all up to there elsewhere."""
        return Audience(self.world, self._person, self.match, self.seat, self._chance.getrandbits(32), cursor)

    async def is_killed(self, most: int) -> None:
        """Told to the end of the match; each stream is killed after up to so many updates, the next is anyone's."""
        while not asyncio.current_task().cancelling():  # gRPC makes of it a cancelled call, or a plain end
            try:
                if await self._is_killed_once(self._chance.randint(1, most)):
                    return
            except Refused as refused:
                if refused.reason not in ENDED:
                    raise
                await self.world.someone_is_there()

    async def leads(self, door: int | None = None) -> AsyncIterator[str]:
        """Told on one stream; every cursor that comes, once."""
        seen = set()
        stub = self._chance.choice(self._person.stubs) if door is None else self._person.stubs[door]
        async with aclosing(self._stream(stub)) as stream:
            async for update in stream:
                over = self._takes(update)
                if self._cursor not in seen:
                    seen.add(self._cursor)
                    yield self._cursor
                if over:
                    return

    async def listens(self, door: int | None = None) -> None:
        async for _ in self.leads(door):
            pass

    def _stream(self, stub: Any) -> AsyncIterator[Any]:
        self.streams += 1
        source = self._chance.choice((watched, followed))
        return source(self._person, stub, self.match, self.seat, self._cursor)

    async def _is_killed_once(self, updates: int) -> bool:
        """Whether the match is over."""
        doors = [door for door in self.world.doors if door.up]
        if not doors:
            return False
        # A channel of its own: the kill takes the connection with it, and what was on its way.
        async with (
            grpc.aio.insecure_channel(self._chance.choice(doors).address) as channel,
            aclosing(self._stream(MatchServiceStub(channel))) as stream,
        ):
            async for update in stream:
                if self._takes(update):
                    return True
                updates -= 1
                if not updates:
                    return False
        return False

    def _takes(self, update: Any) -> bool:
        """Whether it is the plain end. Raises Refused where another stream must go on."""
        kind = update.WhichOneof("update")
        piece = getattr(update, kind)
        if kind == "entry":
            self.told.append(as_told(piece))
        self.cursors.add((kind, piece.cursor))
        self._cursor = piece.cursor
        if kind == "end" and piece.HasField("refusal"):
            raise from_refusal(piece.refusal)
        return kind == "end"
