"""Both worlds together: what is asked of one is asked of the other, and must be answered alike."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, NamedTuple

from grpc.aio import EOF

from tests.integration.secrets.questions import STRANGER, Question
from tests.integration.secrets.twins import Pair, Written
from tests.integration.secrets.worlds import Answer, World
from tidelog.v1.matches_pb2 import ListMatchesResponse, PlayCommand, PlayRequest, PlayResponse


class Side(NamedTuple):
    """One of the two logs in the world that holds it."""

    world: World
    written: Written

    async def ask(self, question: Question) -> Answer:
        ask = self.world.read if question.streams else self.world.ask
        return await ask(question.subject, question.rpc, **question.fields)


class Sides(NamedTuple):
    pair: Pair
    true: Side
    twin: Side

    async def put(self) -> None:
        await asyncio.gather(*(side.world.put(self.pair, side.written) for side in self[1:]))

    async def same(self, asked: Callable[[Side], Awaitable[Any]]) -> Any:
        """The one answer of both."""
        here, there = await asyncio.gather(asked(self.true), asked(self.twin))
        assert here == there, difference(here, there)
        return here

    async def ask(self, subject: str, rpc: str, **fields: Any) -> Answer:
        """The one answer of both to a unary call."""
        return await self.same(lambda side: side.world.ask(subject, rpc, match_id=self.pair.match, **fields))

    async def ask_each(self, here: Question, there: Question) -> Answer:
        """The same question, each with the cursors of its own log."""
        assert (here.subject, here.rpc) == (there.subject, there.rpc)
        return await self.same(lambda side: side.ask(here if side is self.true else there))

    async def listed(self) -> Answer:
        """The match as lists show it, once they have heard of it."""
        return await self.same(lambda side: _listed(side.world, self.pair))

    async def play(self, subject: str, steps: Sequence[tuple[PlayCommand, Callable[[Any], bool]]]) -> Answer:
        """One Play stream: each command goes when the answer to the one before has come."""
        return await self.same(lambda side: _played(side.world, subject, steps))


def difference(here: Answer, there: Answer) -> str:
    """Where two answers part."""
    place = next(
        (place for place, (one, other) in enumerate(zip(here.data, there.data, strict=False)) if one != other), None
    )
    if place is None:
        return f"{here.code} {here.details!r} {here.sizes} against {there.code} {there.details!r} {there.sizes}"
    around = slice(max(place - 300, 0), place + 100)
    return f"at byte {place}: {here.data[around]!r} against {there.data[around]!r}"


async def _listed(world: World, pair: Pair) -> Answer:
    question = {"player": f"tidelog|{pair.subject(0)}", "game": pair.game}
    async with asyncio.timeout(30):
        while not (answer := await world.ask(STRANGER, "ListMatches", **question)).data:
            await world.gateway.parts.matches.settled()
    (match,) = ListMatchesResponse.FromString(answer.data).matches
    assert match.version == pair.true.aggregate.facts.version
    return answer


async def _played(world: World, subject: str, steps: Sequence[tuple[PlayCommand, Callable[[Any], bool]]]) -> Answer:
    call, told = world.play(subject), bytearray()
    for command, answered in steps:
        await call.write(PlayRequest(commands=(command,)))
        waiting = True
        while waiting:
            data = await call.read()
            told += data
            waiting = not any(map(answered, PlayResponse.FromString(data).answers))
    await call.done_writing()
    while (data := await call.read()) is not EOF:
        told += data
    return await world.answer(call, bytes(told))
