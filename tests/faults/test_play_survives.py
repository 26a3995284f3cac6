"""Play sessions whose gateway or engine goes away while moves are under way: each is sent again and has one answer."""

import asyncio

import pytest

from engines.core import games
from tests.faults.course import SEATS, course, next_move
from tests.faults.ledger import Ledger
from tests.gateway.waiting import until
from tests.proxy import Fault
from tidelog.client import Refused

GAMES = games.names()
MATCHES = 4


async def started(ledger, people):
    async for asked in course(ledger, people, moves=0):
        answer = await ledger.ask(asked)
        if asked.rpc == "StartMatch":
            return answer.match
    raise AssertionError("it has not begun")


def refused_ones(ledger, move):
    """What the same seat may ask beside its move, and why it is refused whatever happens meanwhile."""
    fields = {"match_id": move.fields["match_id"], "seat": move.fields["seat"]}
    yield ledger.asked(move.person, "SubmitMove", move='{"kind":"none"}', **fields), "malformed"
    yield ledger.asked(move.person, "SubmitMove", move=move.move, decision=1_000_000, **fields), "stale"


async def refusal(sent):
    with pytest.raises(Refused) as refused:
        await sent
    return refused.value.reason


async def goes_away(world, part, proxy, fault, *, gently):
    """While the store, or its answer, is held back; a part that drains waits for it, one that is killed does not."""
    release = proxy.let_go if fault is Fault.HOLD_REQUEST else proxy.cut
    if gently:
        going = asyncio.create_task(world.restart(part, gently=True))
        await until(lambda: part.draining)
        release()
        await going
    else:
        await world.restart(part, gently=False)
        release()


@pytest.mark.parametrize("gently", [True, False], ids=["drained", "killed"])
@pytest.mark.parametrize("which", ["engine", "gateway"])
@pytest.mark.parametrize("game", GAMES)
async def test_moves_under_way_when_a_part_goes_away_are_sent_again_and_answered_once(
    world_of, proxy, game, which, gently
):
    world = await world_of(game, seed=18)
    for _ in range(2):
        await world.replica(proxy.url)
    for _ in range(2):
        await world.door()
    people, ledger = await world.people(SEATS), Ledger(world)
    matches = [await started(ledger, people) for _ in range(MATCHES)]
    for fault in (Fault.HOLD_REQUEST, Fault.HOLD_ANSWER) * 2:
        moves = [await next_move(ledger, match, people) for match in matches]
        await world.linked()
        happened = proxy.arm(fault, on=moves[0].marker)
        under_way = [asyncio.create_task(moves[0].streamed(0))]
        await happened.wait()
        under_way += [asyncio.create_task(move.streamed(number % 2)) for number, move in enumerate(moves[1:])]
        refused = [
            (asyncio.create_task(refusal(asked.streamed(0))), reason)
            for move in moves
            for asked, reason in refused_ones(ledger, move)
        ]
        part = world.doors[0] if which == "gateway" else world.serves(world.doors[0], matches[0])
        await goes_away(world, part, proxy, fault, gently=gently)
        for move, sent in zip(moves, under_way, strict=True):
            await ledger.say(move, sent)
        for found, reason in refused:
            assert await found == reason
    await ledger.check()
    if not gently:
        assert ledger.repeats >= 2
    if not gently and which == "engine":
        assert sum(door.gateway.parts.engines.counts.resent for door in world.doors) >= 2
