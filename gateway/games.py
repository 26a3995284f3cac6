"""Which game a match is of: what a command needs to find its engine."""

from collections import OrderedDict

from services.common.refusals import Reason, Refused
from services.eventlog.aggregate import created_of
from services.eventlog.entries import BrokenLog
from services.eventlog.loading import quarantined
from services.eventlog.port import EventLog

REMEMBERED = 200_000


class GameFinder:
    """Answers from memory where it can; a match never changes its game."""

    def __init__(self, event_log: EventLog) -> None:
        self._log = event_log
        self._games: OrderedDict[str, str] = OrderedDict()

    def known(self, match_id: str) -> str | None:
        return self._games.get(match_id)

    def remember(self, match_id: str, game: str) -> None:
        self._games[match_id] = game
        if len(self._games) > REMEMBERED:
            self._games.popitem(last=False)

    async def of(self, match_id: str) -> str:
        """Raises Refused(UNKNOWN_MATCH, QUARANTINED) and the port's errors."""
        game = self._games.get(match_id)
        if game is not None:
            return game
        first = await self._log.read(match_id, 0, 1) if match_id else []
        if not first:
            raise Refused(Reason.UNKNOWN_MATCH, "there is no such match")
        try:
            game = created_of(first[0]).game
        except BrokenLog as broken:
            raise quarantined(broken) from broken
        self.remember(match_id, game)
        return game
