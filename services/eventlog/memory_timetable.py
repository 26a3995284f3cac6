"""The timetable of a log in memory."""

from collections.abc import Callable, Sequence

from services.eventlog import hashes
from services.eventlog.entries import Cursor
from services.eventlog.outages import Beats
from services.eventlog.timetable import Due, Waiting


class MemoryTimetable:
    """`head` tells the head of a match's log."""

    def __init__(self, head: Callable[[str], Cursor]) -> None:
        self._head = head
        self._dues: dict[str, Due] = {}
        self._beats: dict[str, Beats] = {}

    def write(self, match: str, due: Due | None) -> None:
        """As an append does; None leaves what stands."""
        if due is not None and due.at is None:
            self._dues.pop(match, None)
        elif due is not None:
            self._dues[match] = due

    async def due(self, by_ms: int, limit: int) -> list[Waiting]:
        taken = [0] * hashes.SHARDS
        found = []
        for waiting in sorted(self._waiting(), key=lambda waiting: (waiting.at, waiting.match)):
            place = hashes.shard(waiting.match)
            if waiting.at <= by_ms and taken[place] < limit:
                taken[place] += 1
                found.append(waiting)
        return found

    async def clocked(self, shard: int) -> Sequence[Waiting]:
        return [
            each for each in self._waiting() if hashes.shard(each.match) == shard and self._dues[each.match].clocked
        ]

    async def set(self, match: str, head: Cursor, due: Due) -> None:
        if self._head(match) == head:
            self.write(match, due)

    async def beat(self, game: str, at_ms: int) -> Beats:
        self._beats[game] = (await self.beats(game)).with_beat(at_ms)
        return self._beats[game]

    async def beats(self, game: str) -> Beats:
        return self._beats.get(game, Beats())

    def _waiting(self) -> list[Waiting]:
        return [Waiting(match, due.game, due.at) for match, due in self._dues.items() if due.at is not None]
