"""The positions up to which a client was told matches, so that a log which went back can be told from its own past.

What calls answer is not among them: a receipt or a view may be of a log that went on in another way.
"""

from collections import OrderedDict
from collections.abc import Iterable

START = "0-0"
REMEMBERED = 256
MATCHES = 1_000


def version(cursor: str) -> int:
    """The version that a cursor names; an empty one is the start."""
    return int(cursor.partition("-")[0] or 0)


class Trail:
    """The newest cursors of each match, at most 256; of the 1,000 matches seen last."""

    def __init__(self) -> None:
        self._seen: OrderedDict[str, OrderedDict[int, str]] = OrderedDict()

    def note(self, match_id: str, cursor: str) -> None:
        """Remember a cursor; one of the same version takes the place of the older."""
        if not cursor or cursor == START:
            return
        seen = self._seen.setdefault(match_id, OrderedDict())
        self._seen.move_to_end(match_id)
        seen[version(cursor)] = cursor
        seen.move_to_end(version(cursor))
        if len(seen) > REMEMBERED:
            seen.popitem(last=False)
        if len(self._seen) > MATCHES:
            self._seen.popitem(last=False)

    def cursors(self, match_id: str) -> list[str]:
        """Those remembered, by version."""
        seen = self._seen.get(match_id, OrderedDict())
        return [seen[number] for number in sorted(seen)]

    def last_common(self, match_id: str, stored: Iterable[str]) -> str:
        """The last remembered cursor that is among the stored ones; later ones are forgotten. `0-0` if none is."""
        held = set(stored)
        common = next((cursor for cursor in reversed(self.cursors(match_id)) if cursor in held), START)
        seen = self._seen.get(match_id, OrderedDict())
        for number in [number for number in seen if number > version(common)]:
            del seen[number]
        return common
