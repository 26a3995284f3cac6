"""When something is due in which match, and when hosts were last heard of: an index beside the logs, in their store.

Hosts write a match's time in the append that changes it, so neither can be had without the other.
"""

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from services.eventlog.entries import Cursor
from services.eventlog.outages import Beats


class Due(Struct, frozen=True):
    """Something is due in a match of the game `at` that time, by a running clock if `clocked`; None: never again."""

    game: str
    at: int | None
    clocked: bool = False


class Waiting(Struct, frozen=True):
    """A match of the timetable."""

    match: str
    game: str
    at: int


class Timetable(Protocol):
    """Methods raise StoreError kinds."""

    async def due(self, by_ms: int, limit: int) -> list[Waiting]:
        """What is due by then, the earliest first, up to `limit` of each shard; nothing twice."""
        ...

    async def clocked(self, shard: int) -> Sequence[Waiting]:
        """The matches of the shard in which clocks run."""
        ...

    async def set(self, match: str, head: Cursor, due: Due) -> None:
        """Unless the log has another head by now: whoever wrote that knew better."""
        ...

    async def beat(self, game: str, at_ms: int) -> Beats:
        """Those of the game after one at that store time; a gap before it has become an outage."""
        ...

    async def beats(self, game: str) -> Beats: ...
