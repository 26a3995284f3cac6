"""How far apart the messages of a busy stream are: each costs its two ends 50 us, whatever it carries."""

import asyncio

APART_S = 0.003

BUSY = 8
"""With fewer commands under way little would gather, and whoever plays alone is not to wait."""


async def spaced(under_way: int) -> None:
    """Waits before the next message where more will have gathered by then."""
    if under_way >= BUSY:
        await asyncio.sleep(APART_S)
