"""Tasks end when they are told to, also those that lose a cancellation."""

import asyncio

import pytest

from services.common import tasks
from services.common.tasks import cancelled


@pytest.fixture(autouse=True)
def impatience(monkeypatch):
    monkeypatch.setattr(tasks, "PATIENCE_S", 0.01)


async def test_all_have_ended_and_what_they_raise_is_dropped():
    async def fails():
        try:
            await asyncio.Event().wait()
        finally:
            raise RuntimeError("as it ends")

    async def waits():
        await asyncio.Event().wait()

    both = [asyncio.create_task(fails()), asyncio.create_task(waits())]
    await asyncio.sleep(0)
    await cancelled(*both)
    assert [task.done() for task in both] == [True, True]
    await cancelled(*both)
    await cancelled()


async def test_a_cancellation_that_meets_the_end_of_what_was_waited_for_is_not_lost():
    answers = [asyncio.get_running_loop().create_future() for _ in range(2)]

    async def asks():
        for answer in answers:
            await asyncio.wait_for(answer, 60)

    task = asyncio.create_task(asks())
    await asyncio.sleep(0)
    answers[0].set_result(None)
    async with asyncio.timeout(30):
        await cancelled(task)
    assert task.cancelled()


async def test_one_that_hears_the_third_time_ends():
    heard = 0

    async def hard_of_hearing():
        nonlocal heard
        while heard < 3:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                heard += 1

    task = asyncio.create_task(hard_of_hearing())
    await asyncio.sleep(0)
    async with asyncio.timeout(30):
        await cancelled(task)
    assert heard == 3
