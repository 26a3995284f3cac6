"""The matches kept in memory: one queue each, and the least recently used leave."""

import asyncio

import pytest

from services.common.refusals import Reason, Refused
from services.engine.warm import WAITING_COMMANDS, WarmMatches

AGGREGATE = object()


async def use(matches, *names):
    for name in names:
        async with matches.turn(name) as warm:
            warm.aggregate = AGGREGATE


async def knows(matches, name):
    """Whether the match is in memory, asked without a trace."""
    warm = matches._matches.get(name)
    return warm is not None and warm.aggregate is AGGREGATE


async def test_those_used_longest_ago_leave():
    matches = WarmMatches(2)
    await use(matches, "a", "b", "a", "c")
    assert [await knows(matches, name) for name in "abc"] == [True, False, True]


async def test_a_match_of_which_nothing_is_known_takes_no_room():
    matches = WarmMatches(2)
    async with matches.turn("a"):
        pass
    with pytest.raises(ValueError, match="broken"):
        async with matches.turn("b"):
            raise ValueError("broken")
    assert len(matches) == 0


async def test_a_match_in_use_stays_and_another_leaves():
    matches = WarmMatches(1)
    async with matches.turn("a") as warm:
        warm.aggregate = AGGREGATE
        await use(matches, "b", "c", "d")
        assert await knows(matches, "a")
        assert len(matches) <= 2
    await use(matches, "e")
    assert len(matches) == 1


async def test_commands_on_one_match_take_turns_in_the_order_they_came():
    matches, turns = WarmMatches(), []

    async def take(number):
        async with matches.turn("a"):
            turns.append(number)
            await asyncio.sleep(0)
            turns.append(number)

    await asyncio.gather(*map(take, range(8)))
    assert turns == [number for number in range(8) for _ in range(2)]


async def test_commands_on_different_matches_do_not_wait_for_each_other():
    matches = WarmMatches()
    async with matches.turn("a"), asyncio.timeout(60):
        await use(matches, "b")


async def test_only_so_many_wait_for_one_match():
    matches, released = WarmMatches(), asyncio.Event()

    async def take():
        async with matches.turn("a"):
            await released.wait()

    waiting = [asyncio.create_task(take()) for _ in range(WAITING_COMMANDS)]
    await asyncio.sleep(0)
    with pytest.raises(Refused) as refused:
        await take()
    assert refused.value.reason is Reason.TOO_MUCH
    await use(matches, "b")
    released.set()
    await asyncio.gather(*waiting)
    await use(matches, "a")


async def test_a_caller_who_leaves_the_queue_gives_up_its_place():
    matches, released, turns = WarmMatches(), asyncio.Event(), []

    async def take(number):
        async with matches.turn("a"):
            turns.append(number)
            await released.wait()

    tasks = [asyncio.create_task(take(number)) for number in range(4)]
    await asyncio.sleep(0)
    tasks[0].cancel()
    tasks[2].cancel()
    released.set()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert turns == [0, 1, 3]
    assert len(matches) == 0


async def test_a_match_forgotten_while_commands_wait_keeps_their_order():
    matches, turns = WarmMatches(), []
    released = asyncio.Event()

    async def take(number):
        async with matches.turn("a") as warm:
            turns.append((number, warm.aggregate))
            await released.wait()

    await use(matches, "a")
    before = [asyncio.create_task(take(number)) for number in range(2)]
    await asyncio.sleep(0)
    matches.forget("a")
    after = [asyncio.create_task(take(number)) for number in range(2, 4)]
    released.set()
    await asyncio.gather(*before, *after)
    assert turns == [(0, AGGREGATE), (1, None), (2, None), (3, None)]
