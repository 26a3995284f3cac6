"""Who is told when a row of the list of matches has changed in more than its moves."""

from collections.abc import Callable, Iterable

import msgspec

from gateway.facts import match_message
from services.eventlog.match import Match

_decode = msgspec.json.Decoder(Match).decode


class Changed:
    """A match before and after; None where it was not listed, or is not any more. Decoded once for all who ask."""

    __slots__ = ("_before", "_data", "_message", "after", "created_at", "match")

    def __init__(self, match: str, before: bytes | None, after: Match | None, created_at: int) -> None:
        self.match = match
        self.after = after
        self.created_at = created_at
        self._data = before
        self._before: Match | None = None
        self._message: bytes | None = None

    @property
    def before(self) -> Match | None:
        if self._before is None and self._data is not None:
            self._before = _decode(self._data)
        return self._before

    @property
    def message(self) -> bytes:
        """The match after, serialised."""
        assert self.after is not None
        if self._message is None:
            self._message = match_message(self.after, self.created_at).SerializeToString()
        return self._message


Hear = Callable[[Changed], None]


class Hub:
    """Listeners are told in the order in which the changes were kept."""

    def __init__(self) -> None:
        self._listeners: dict[Hear, None] = {}

    def listen(self, hear: Hear) -> None:
        self._listeners[hear] = None

    def ignore(self, hear: Hear) -> None:
        self._listeners.pop(hear, None)

    def tell(self, changes: Iterable[Changed]) -> None:
        if self._listeners:
            for change in changes:
                for hear in tuple(self._listeners):
                    hear(change)
