"""Tasks that run until they are told to end."""

import asyncio
from typing import Any

PATIENCE_S = 0.5


async def cancelled(*tasks: asyncio.Task[Any]) -> None:
    """Cancels them and returns when all have ended; what they raise is dropped.

    One that goes on is cancelled again: in Python 3.11 a cancellation is lost that meets the end of what
    asyncio.wait_for waits for (python/cpython#86296), as in redis-py whenever it sends.
    """
    left = set(tasks)
    while left:
        for task in left:
            task.cancel()
        _, left = await asyncio.wait(left, timeout=PATIENCE_S)
    await asyncio.gather(*tasks, return_exceptions=True)
