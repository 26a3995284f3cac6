"""How long to wait before the next attempt."""

import asyncio
import random

from tidelog.client.refused import Refused

FIRST_PAUSE_S = 0.05
LONGEST_PAUSE_S = 2.0


class Pauses:
    """Waiting times that double, each drawn between half and the whole, so that clients do not come back together."""

    def __init__(self) -> None:
        self._next = FIRST_PAUSE_S

    def reset(self) -> None:
        self._next = FIRST_PAUSE_S

    def next(self, refused: Refused | None = None, longest: float = LONGEST_PAUSE_S) -> float:
        """Seconds: what the refusal asks and up to a half more, else the next one; no longer than `longest`."""
        asked = (refused.retry_after_ms or 0) / 1000 if refused else 0
        pause = asked * (1 + random.random() / 2) if asked else self._next * (1 + random.random()) / 2  # noqa: S311
        self._next = min(2 * self._next, LONGEST_PAUSE_S)
        return min(pause, longest)

    async def wait(self, refused: Refused | None = None) -> None:
        await asyncio.sleep(self.next(refused))
