"""How long a match is left alone after a proposal that was refused."""

from collections.abc import Iterable
from time import monotonic

from services.common.refusals import Reason, Refused

FIRST_S = 0.5
LONGEST_S = 300.0
JUDGED = frozenset({Reason.STALE, Reason.MATCH_OVER})
"""Refusals after which the timetable says what there is to do."""


class Pauses:
    """Those of matches that are due, each twice as long as the one before."""

    def __init__(self) -> None:
        self._until: dict[str, tuple[float, float]] = {}

    def __len__(self) -> int:
        return len(self._until)

    def over(self, match: str) -> bool:
        return match not in self._until or self._until[match][0] <= monotonic()

    def keep(self, matches: Iterable[str]) -> None:
        """Forgets all others: they are not due any more."""
        due = set(matches)
        self._until = {match: pause for match, pause in self._until.items() if match in due}

    def forget(self, match: str) -> None:
        self._until.pop(match, None)

    def refused(self, match: str, refused: Refused) -> None:
        if refused.reason in JUDGED:
            self.forget(match)
        else:
            self.failed(match, (refused.retry_after_ms or 0) / 1000)

    def failed(self, match: str, least_s: float = 0.0) -> None:
        pause = min(max(2 * self._until.get(match, (0, FIRST_S / 2))[1], least_s), LONGEST_S)
        self._until[match] = monotonic() + pause, pause
