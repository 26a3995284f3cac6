"""Messages of a busy stream are a moment apart, those of a quiet one are not."""

import asyncio

from services.common.spacing import BUSY, spaced


async def waits(under_way: int) -> bool:
    waiting = asyncio.ensure_future(spaced(under_way))
    await asyncio.sleep(0)
    found = not waiting.done()
    await waiting
    return found


async def test_only_where_much_is_under_way_more_is_waited_for():
    assert [await waits(under_way) for under_way in (0, 1, BUSY - 1, BUSY, 10 * BUSY)] == [False] * 3 + [True] * 2
