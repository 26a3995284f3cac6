"""Following again after a passing end: later each time, until something new is told."""

import asyncio
from collections.abc import Callable

from tidelog.client.following import Audience
from tidelog.client.pauses import Pauses
from tidelog.client.refused import Refused
from tidelog.v1.matches_pb2 import PlayCommand


class Returning:
    """Commands that wait for their time on this stream, at most one for an audience; `put` sends them."""

    def __init__(self, put: Callable[[PlayCommand], None]) -> None:
        self._put = put
        self._pauses: dict[Audience, Pauses] = {}
        self._due: dict[Audience, asyncio.TimerHandle] = {}

    def later(self, audience: Audience, command: PlayCommand, refused: Refused) -> None:
        if audience in self._due:
            return
        pause = self._pauses.setdefault(audience, Pauses()).next(refused)
        self._due[audience] = asyncio.get_running_loop().call_later(pause, self._now, audience, command)

    def settle(self, audience: Audience) -> None:
        """It goes well, or is not wanted any more."""
        self._pauses.pop(audience, None)
        due = self._due.pop(audience, None)
        if due is not None:
            due.cancel()

    def clear(self) -> None:
        for audience in list(self._pauses):
            self.settle(audience)

    def _now(self, audience: Audience, command: PlayCommand) -> None:
        del self._due[audience]
        self._put(command)
