"""One who watches a list of matches: told the present list, then what changes in it."""

from gateway.callers.identity import Caller
from gateway.facts import match_message
from gateway.framing import field
from gateway.matches.outbox import Outbox
from gateway.parts import Parts
from gateway.projections.filters import Filters
from gateway.projections.hub import Changed
from gateway.projections.lists import Listed
from services.common.refusals import Reason, Refused
from tidelog.v1.lobby_pb2 import LobbyNews, WatchMatchesResponse

PAGE = 100
MOST_PAGES = 20
"""Of the present list, at most: where few of many pass a page may hold none."""

MOST_WAITING = 10_000
"""Changes that wait while the present list is told: beyond them its reader is too slow."""

_NEWS = WatchMatchesResponse.NEWS_FIELD_NUMBER


class LobbyWatch:
    """Listens first and reads then: what changed meanwhile is told behind the list, unless the list shows it."""

    def __init__(self, parts: Parts, caller: Caller, filters: Filters, limit: int, outbox: Outbox) -> None:
        self._parts = parts
        self._caller = caller
        self._filters = filters
        self._limit = limit
        self._outbox = outbox
        self._waiting: list[Changed] | None = []

    async def run(self) -> None:
        await self._parts.follower.aligned()
        self._parts.matches.hub.listen(self._hear)
        shown = await self._tell_present()
        waiting, self._waiting = self._waiting or [], None
        for change in waiting:
            if change.after is None or change.after.version > shown.get(change.match, 0):
                self._hear(change)

    def checkpoint(self) -> None:
        """There is no position to go on from: whoever asks again is told the present list."""

    async def finished(self) -> None:
        """Nothing is ever begun here."""

    async def close(self) -> None:
        self._parts.matches.hub.ignore(self._hear)

    async def _tell_present(self) -> dict[str, int]:
        """The versions of the matches told."""
        shown: dict[str, int] = {}
        after = None
        for _ in range(MOST_PAGES):
            await self._outbox.room()
            size = min(PAGE, self._limit - len(shown))
            page = await self._parts.matches.page_in_turn(self._filters, self._caller, size, after)
            for listed in page.matches:
                shown[listed.facts.id] = listed.facts.version
                self._put(LobbyNews.LISTED_FIELD_NUMBER, _message(listed))
            after = page.next
            if after is None or len(shown) == self._limit:
                break
        self._put(LobbyNews.PRESENT_FIELD_NUMBER, LobbyNews.Present(more=after is not None).SerializeToString())
        return shown

    def _hear(self, change: Changed) -> None:
        if self._waiting is not None:
            self._waiting.append(change)
            if len(self._waiting) > MOST_WAITING:
                self._give_up()
            return
        before = change.before is not None and self._filters.passes(change.before, self._caller)
        after = change.after is not None and self._filters.passes(change.after, self._caller)
        if after:
            number = LobbyNews.CHANGED_FIELD_NUMBER if before else LobbyNews.APPEARED_FIELD_NUMBER
            self._put(number, change.message)
        elif before:
            self._put(LobbyNews.LEFT_FIELD_NUMBER, LobbyNews.Left(match_id=change.match).SerializeToString())

    def _put(self, number: int, data: bytes) -> None:
        if self._outbox.ended:
            return
        if self._outbox.full:
            self._give_up()
            return
        self._outbox.put(field(_NEWS, field(number, data)))

    def _give_up(self) -> None:
        self._parts.matches.hub.ignore(self._hear)
        why = "the client reads too slowly; ask again for the present list"
        self._outbox.end(Refused(Reason.SLOW_CONSUMER, why))


def _message(listed: Listed) -> bytes:
    return match_message(listed.facts, listed.created_at_ms).SerializeToString()
