"""Requests whose outcome nobody knows, over the API: one effect, and one answer however often they are sent."""

import asyncio

import pytest
from msgspec.structs import replace

from engines.core import games
from tests.faults.course import SEATS, course, next_move
from tests.faults.ledger import Ledger
from tests.faults.world import DEADLINE_S
from tests.proxy import Fault
from tidelog.client import Refused

GAMES = games.names()
FIRST_PATIENCE_S = 0.5
"""Doubled until a request comes as far as the store, which on a busy machine may take a while."""


@pytest.mark.parametrize("fault", [Fault.DROP_REQUEST, Fault.DROP_ANSWER, Fault.HALF_ANSWER])
@pytest.mark.parametrize("game", GAMES)
async def test_what_is_lost_before_the_append_or_after_it_has_one_effect_and_one_answer(world_of, proxy, game, fault):
    world = await world_of(game)
    await world.door(await world.replica(proxy.url))
    people, ledger = await world.people(SEATS), Ledger(world)
    lost = 0
    async for asked in course(ledger, people, moves=8):
        happened = proxy.arm(fault, on=asked.marker)
        await ledger.ask(asked)
        lost += happened.is_set()
        await ledger.ask(asked, 2)
    assert lost == len(ledger.answers)
    await ledger.ask_all_again()
    await ledger.check()


@pytest.mark.parametrize("gently", [True, False], ids=["drained", "killed"])
@pytest.mark.parametrize("game", GAMES)
async def test_a_request_sent_up_to_five_times_before_and_after_newer_events_and_restarts(world_of, game, gently):
    world = await world_of(game, seed=2)
    replicas = [await world.replica(), await world.replica()]
    for known in (replicas[:1], replicas[1:], replicas):
        await world.door(*known)
    people, ledger = await world.people(SEATS), Ledger(world)
    async for asked in course(ledger, people, moves=6):
        await ledger.ask(asked, world.random.randint(1, 5))
        if len(ledger.answers) % 8 == 0:
            await ledger.ask_all_again(5)
            await world.restart_all(gently=gently)
            await ledger.ask_all_again(5)
    await ledger.check()
    assert ledger.repeats > 3 * len(ledger.answers)


@pytest.mark.parametrize("fault", [Fault.HOLD_REQUEST, Fault.HOLD_ANSWER])
@pytest.mark.parametrize("game", GAMES)
async def test_who_gives_up_and_asks_another_replica_has_the_one_answer_and_the_late_append_changes_nothing(
    world_of, proxy, game, fault
):
    world = await world_of(game, seed=3)
    await world.door(await world.replica(proxy.url))
    await world.door(await world.replica())
    people, ledger = await world.people(SEATS), Ledger(world)
    async for asked in course(ledger, people, moves=6):
        happened = proxy.arm(fault, on=asked.marker)
        early = asyncio.create_task((asked.streamed if asked.move else asked.unary)(0))
        await happened.wait()
        early.cancel()
        await ledger.say(asked, asked.unary(1))
        late = asyncio.create_task(asked.unary(0))
        if fault is Fault.HOLD_REQUEST:
            proxy.let_go()
        else:
            proxy.cut()
        await ledger.say(asked, late)
    await ledger.ask_all_again()
    await ledger.check()


async def test_who_is_told_that_the_outcome_is_unknown_learns_it_elsewhere(world_of, proxy):
    world = await world_of(GAMES[0], seed=7)
    await world.door(await world.replica(proxy.url))
    await world.door(await world.replica())
    people, ledger = await world.people(SEATS), Ledger(world)
    async for asked in course(ledger, people, moves=1):
        if asked.rpc not in ("CreateMatch", "SubmitMove"):
            await ledger.say(asked, asked.unary(1))
            continue
        happened = proxy.arm(Fault.HOLD_ANSWER, on=asked.marker)
        caller = asked.person.callers[0]
        caller.deadline_s, reason = FIRST_PATIENCE_S, ""
        while reason != "outcome_unknown" and caller.deadline_s < DEADLINE_S:
            caller.deadline_s *= 2
            with pytest.raises(Refused) as refused:
                await (asked.streamed if asked.move else asked.unary)(0)
            reason = refused.value.reason
        assert happened.is_set()
        assert reason == "outcome_unknown"
        caller.deadline_s = DEADLINE_S
        await ledger.say(asked, asked.unary(1))
        proxy.cut()
        await ledger.say(asked, asked.unary(0))
    await ledger.check()


@pytest.mark.parametrize("game", GAMES)
async def test_bytes_that_arrive_after_newer_events_are_refused_by_the_store(world_of, proxy, game):
    world = await world_of(game, seed=4)
    await world.door(await world.replica(proxy.url))
    await world.door(await world.replica())
    people, ledger = await world.people(SEATS), Ledger(world)
    async for asked in course(ledger, people, moves=4):
        await ledger.ask(asked)
        if asked.rpc == "StartMatch":
            match = ledger.answers[asked].match
            break
    for _ in range(6):
        asked = await next_move(ledger, match, people, door=1)
        happened = proxy.arm(Fault.HOLD_REQUEST, on=asked.marker)
        early = asyncio.create_task(asked.unary(0))
        await happened.wait()
        await ledger.say(asked, asked.unary(1))
        for _ in range(3):
            newer = await next_move(ledger, match, people, door=1)
            await ledger.say(newer, newer.unary(1))
        proxy.let_go()
        await ledger.say(asked, early)
    await ledger.check()


OTHER_BODIES = {
    "CreateMatch": {"seats": 2},
    "JoinMatch": {"seat": 7},
    "LeaveMatch": {"seat": 7},
    "SubmitMove": {"decision": 1_000_000},
}


@pytest.mark.parametrize("game", GAMES)
async def test_another_body_under_a_request_id_is_refused_whenever_and_wherever_it_comes(world_of, game):
    world = await world_of(game, seed=5)
    for _ in range(2):
        await world.door(await world.replica())
    people, ledger = await world.people(SEATS), Ledger(world)
    answered = []
    async for asked in course(ledger, people, moves=3):
        match = (await ledger.ask(asked)).match
        answered.append(asked)
        for early in world.random.sample(answered, min(len(answered), 3)):
            for other in others(early, match):
                for door in range(2):
                    await refused_as_reused(other.unary(door))
                    if other.move:
                        await refused_as_reused(other.streamed(door))
        await ledger.ask(asked)
    await ledger.check()


def others(asked, match):
    """Requests of the same id with another body: another field, or another kind."""
    if asked.rpc in OTHER_BODIES:
        yield replace(asked, fields=asked.fields | OTHER_BODIES[asked.rpc])
    if asked.rpc != "JoinMatch":
        yield replace(asked, rpc="JoinMatch", fields={"match_id": match, "seat": 2}, move=None)
    if asked.rpc != "LeaveMatch":
        yield replace(asked, rpc="LeaveMatch", fields={"match_id": match, "seat": 0}, move=None)


async def refused_as_reused(sent):
    with pytest.raises(Refused) as refused:
        await sent
    assert refused.value.reason == "request_id_reused"


async def test_a_creation_of_another_game_under_a_request_id_is_another_body(world_of):
    game, other = GAMES[:2]
    world = await world_of(game)
    replicas = [await world.replica(), await world.replica(game=other)]
    await world.door(engines=tuple(f"{each}={at.address}" for each, at in zip(GAMES[:2], replicas, strict=True)))
    (ann,) = await world.people(1)
    ledger = Ledger(world)
    create = ledger.asked(ann, "CreateMatch", game=game, seats=2)
    await ledger.ask(create)
    await refused_as_reused(replace(create, fields={"game": other, "seats": 2}).unary(0))
    await ledger.ask(create)
    await ledger.check()


@pytest.mark.parametrize("game", GAMES)
async def test_of_two_bodies_sent_at_once_under_one_request_id_one_stands(world_of, game):
    world = await world_of(game, seed=6)
    for _ in range(2):
        await world.door(await world.replica())
    people, ledger = await world.people(SEATS), Ledger(world)
    stood = set()
    async for asked in course(ledger, people, moves=6):
        if asked.move is None:
            await ledger.ask(asked)
            continue
        other = replace(asked, fields=asked.fields | {"expected_version": ledger.newest(asked.fields["match_id"])})
        bodies = (asked, other) if len(ledger.answers) % 2 else (other, asked)
        found = await asyncio.gather(*(each.unary(door) for door, each in enumerate(bodies)), return_exceptions=True)
        (won,) = [place for place, answer in enumerate(found) if not isinstance(answer, Refused)]
        assert found[1 - won].reason == "request_id_reused"
        stood.add(bodies[won] is asked)
        ledger.answers[bodies[won]] = found[won][0]
    assert stood == {True, False}
    await ledger.ask_all_again()
    await ledger.check()
