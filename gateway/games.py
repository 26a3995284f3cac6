"""Which game a match is of: what a command needs to find its engine."""

from services.common.bounded import Bounded
from services.common.refusals import Reason, Refused
from services.eventlog import hashes
from services.eventlog.aggregate import created_of
from services.eventlog.entries import BrokenLog
from services.eventlog.loading import quarantined
from services.eventlog.port import EventLog

REMEMBERED = 200_000


class GameFinder:
    """Answers from memory where it can: a match never changes its game, as long as its log is the same one."""

    def __init__(self, event_log: EventLog) -> None:
        self._log = event_log
        self._games: Bounded[str, str] = Bounded(REMEMBERED)

    def known(self, match_id: str) -> str | None:
        return self._games.get(match_id)

    def remember(self, match_id: str, game: str) -> None:
        self._games[match_id] = game

    def compare(self, shard: int) -> None:
        """The shard's logs may be others than they were: a match that was lost may have come again as another game."""
        for match_id in [match_id for match_id in self._games if hashes.shard(match_id) == shard]:
            del self._games[match_id]

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
