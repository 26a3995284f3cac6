"""Which game a match is of, for those who may know: what a command needs to find its engine."""

from msgspec import Struct

from gateway.callers.identity import Caller
from gateway.callers.rights import absent, check_visible
from gateway.matches.live import LiveMatches
from services.common.bounded import Bounded
from services.eventlog import hashes
from services.eventlog.aggregate import created_of
from services.eventlog.entries import BrokenLog
from services.eventlog.loading import quarantined
from services.eventlog.port import EventLog
from services.eventlog.terms import USUAL
from tidelog.v1 import lifecycle_pb2

REMEMBERED = 200_000


class _Found(Struct, frozen=True):
    game: str
    private: bool
    delayed: bool


class GameFinder:
    """Answers from memory where it can: a match never changes its game, as long as its log is the same one.

    Who may see a match once may see it for ever.
    """

    def __init__(self, event_log: EventLog, live: LiveMatches) -> None:
        self._log = event_log
        self._live = live
        self._found: Bounded[str, _Found] = Bounded(REMEMBERED)
        self._seen: Bounded[tuple[str, str], None] = Bounded(REMEMBERED)

    def known(self, match_id: str, caller: Caller) -> str | None:
        """The game, where it is known here that the caller may see the match."""
        found = self._found.get(match_id)
        if found is None or (found.private and (match_id, caller.player) not in self._seen):
            return None
        return found.game

    def remember(self, match_id: str, game: str, terms: lifecycle_pb2.Terms) -> None:
        self._found[match_id] = _Found(game, terms.private, terms.HasField("spectator_delay"))

    def may_keep_behind(self, match_id: str) -> bool:
        """False where the match is known to tell its spectators everything at once."""
        found = self._found.get(match_id)
        return found is None or found.delayed

    def compare(self, shard: int) -> None:
        """The shard's logs may be others than they were: a match that was lost may have come again as another one."""
        for match_id in [match_id for match_id in self._found if hashes.shard(match_id) == shard]:
            del self._found[match_id]
        for seen in [seen for seen in self._seen if hashes.shard(seen[0]) == shard]:
            del self._seen[seen]

    async def of(self, match_id: str, caller: Caller) -> str:
        """Raises Refused(UNKNOWN_MATCH, QUARANTINED) and the port's errors."""
        game = self.known(match_id, caller)
        if game is not None:
            return game
        found = await self._find(match_id)
        if found.private:
            live = await self._live.current(match_id)
            check_visible(live.aggregate.facts, caller)
            self._seen[match_id, caller.player] = None
        return found.game

    async def for_invited(self, match_id: str) -> str:
        """Of a match that the caller holds an invitation to. Raises as `of` does."""
        return (await self._find(match_id)).game

    async def _find(self, match_id: str) -> _Found:
        found = self._found.get(match_id)
        if found is not None:
            return found
        first = await self._log.read(match_id, 0, 1) if match_id else []
        if not first:
            raise absent()
        try:
            created = created_of(first[0])
        except BrokenLog as broken:
            raise quarantined(broken) from broken
        terms = created.terms or USUAL
        found = self._found[match_id] = _Found(created.game, terms.private, terms.spectator_delay is not None)
        return found
