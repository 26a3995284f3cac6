"""When a seat is asked: for each move that it owes, and once a moment while it may move though it owes nothing.

A moment lasts until a seat that owes a move has made it, or another one owes. Answers of seats that owe nothing don't
end it: bots never answer each other, or themselves, for ever while a person thinks.
"""

import asyncio
from collections.abc import Awaitable, Callable

from tidelog.client import Refused
from tidelog.client.answers import Accepted, MatchDetails, Situation
from tidelog.client.trail import version

AGAIN_S = 0.05
"""A match that was read at an older version than the one told is read again."""

Moment = tuple[tuple[int, int], ...]
"""The seats that owe a move, each with its decision."""


class Occasions:
    """Those of one seat; `details` reads the match."""

    def __init__(self, seat: int, details: Callable[[], Awaitable[MatchDetails]]) -> None:
        self._seat = seat
        self._details = details
        self._moved = -1

    def moved(self, accepted: Accepted) -> None:
        """The seat's own move stands."""
        self._moved = max(self._moved, accepted.receipt.last_version)

    async def moment(self, situation: Situation) -> Moment | None:
        """The moment of an unasked answer; None where the seat owes a move, or that can't be read."""
        # A decision that is newer than the seat's own last move came with a duty; else the match says what it is.
        while situation.decision is not None and situation.decision <= self._moved:
            try:
                details = await self._details()
            except Refused:
                return None
            owing = tuple((turn.seat, turn.decision) for turn in details.turns if turn.owed)
            if (self._seat, situation.decision) in owing:
                return None
            if details.match.version >= version(situation.cursor):
                return owing
            await asyncio.sleep(AGAIN_S)
        return None
