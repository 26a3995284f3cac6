"""Who is told when a player claims a seat, or is to play one for who left it."""

from collections.abc import Callable

from gateway.projections.changes import is_claim
from services.eventlog.entries import BrokenLog, Entry, body_of, header_of
from services.eventlog.lifecycle import BotSeated, SeatClaimed

Hear = Callable[[str, int], None]
"""(match, seat)"""


class Claims:
    """Listeners by player."""

    def __init__(self) -> None:
        self._listeners: dict[str, set[Hear]] = {}

    def listen(self, player: str, hear: Hear) -> None:
        self._listeners.setdefault(player, set()).add(hear)

    def ignore(self, player: str, hear: Hear) -> None:
        found = self._listeners.get(player, set())
        found.discard(hear)
        if not found:
            self._listeners.pop(player, None)

    def tell(self, match: str, entry: Entry) -> None:
        """Passes the entry on where it is a claim of a player that somebody listens for."""
        if not self._listeners or not is_claim(entry):
            return
        try:
            event = body_of(None, header_of(entry), entry.body).payload
        except BrokenLog:
            return
        if isinstance(event, SeatClaimed | BotSeated):
            for hear in tuple(self._listeners.get(event.player, ())):
                hear(match, event.seat)
