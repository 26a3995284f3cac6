"""The attempts of one request: when to make the next, and what to say when there is none."""

import asyncio

from tidelog.client.pauses import Pauses
from tidelog.client.refused import Refused

SHORTEST_ATTEMPT_S = 0.1
"""With less time left no server can answer, and an attempt would only make the outcome uncertain."""

ASK_AGAIN = "no answer came in time: ask again with the same request id to learn what became of it"


class Trying:
    """Tells apart what the server said from what became of the line to it. `changes`: the request is a mutation."""

    def __init__(self, deadline_s: float, *, changes: bool) -> None:
        self._clock = asyncio.get_running_loop().time
        self._end = self._clock() + deadline_s
        self._changes = changes
        self._pauses = Pauses()
        self._said: Refused | None = None
        self._certain = True

    @property
    def left(self) -> float:
        """Seconds for the next attempt; never none."""
        return max(0.001, self._end - self._clock())

    async def failed(self, refused: Refused) -> None:
        """Returns when it is time for the next attempt. Raises Refused where there is none."""
        if not refused.transient:
            raise refused
        self._certain = self._certain and refused.certain
        if refused.answered:
            self._said = refused
        pause = self._pauses.next(refused, longest=self.left)
        if self.left - pause < SHORTEST_ATTEMPT_S:
            raise self._verdict(refused)
        await asyncio.sleep(pause)

    def timed_out(self) -> Refused:
        """The last attempt was sent and has no answer."""
        self._certain = False
        return self._verdict(Refused("deadline_exceeded", ""))

    def _verdict(self, last: Refused) -> Refused:
        """An attempt that may have made the change outweighs all that the server said of the others."""
        if self._changes and not self._certain:
            return self._unknown(last)
        if self._said is not None:
            return self._said
        if last.reason == "deadline_exceeded":
            return Refused("deadline_exceeded", "no answer came in time: the server is slow or can't be reached")
        return last

    def _unknown(self, last: Refused) -> Refused:
        if last.reason == "outcome_unknown":
            return last
        if self._said is not None:
            message = f"{ASK_AGAIN}; what the server said last was {self._said}"
            return Refused("outcome_unknown", message, retry_after_ms=self._said.retry_after_ms)
        return Refused("outcome_unknown", f"{ASK_AGAIN} ({last.message})" if last.message else ASK_AGAIN)
