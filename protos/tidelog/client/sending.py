"""What a Play session has still to send, and the moves that have no answer yet."""

import asyncio
from collections.abc import Iterable

from tidelog.client.answers import Accepted
from tidelog.client.refused import Refused
from tidelog.v1.matches_pb2 import PlayCommand

BATCH = 256
BATCH_BYTES = 128 * 1024
LARGEST = 2 * BATCH_BYTES - 1024
"""What a server takes in one message, but for the message's own bytes; a larger one would break every stream."""

APART_S = 0.003
"""Between the messages of a busy stream: each costs its two ends 50 us, whatever it carries."""

BUSY = 8
"""So many moves without an answer make a stream busy."""

Answer = asyncio.Future[Accepted]


class Sending:
    """Commands go out in the order given, as many together as have gathered and one message holds."""

    def __init__(self) -> None:
        self._outbox: list[PlayCommand] = []
        self._waiting: dict[str, tuple[PlayCommand, Answer]] = {}
        self._some = asyncio.Event()

    async def gathered(self) -> None:
        """Waits before the next batch where more will have gathered by then: a client of few moves does not wait."""
        if len(self._waiting) >= BUSY:
            await asyncio.sleep(APART_S)

    def put(self, command: PlayCommand) -> None:
        self._outbox.append(command)
        self._some.set()

    async def batch(self) -> list[PlayCommand]:
        """At least one command; waits for it."""
        await self._some.wait()
        count, size = 1, self._outbox[0].ByteSize()
        for command in self._outbox[1:BATCH]:
            size += command.ByteSize()
            if size > BATCH_BYTES:
                break
            count += 1
        batch, self._outbox = self._outbox[:count], self._outbox[count:]
        if not self._outbox:
            self._some.clear()
        return batch

    async def ask(self, command: PlayCommand, timeout_s: float) -> Accepted:
        """The answer to a submit. Raises Refused, and TimeoutError when there is none in time."""
        request_id = command.submit.request_id
        if command.ByteSize() > LARGEST:
            raise Refused("too_large", f"a move of {command.ByteSize()} bytes; {LARGEST} is the most")
        answer: Answer = asyncio.get_running_loop().create_future()
        if request_id in self._waiting:
            raise Refused("request_id_reused", f"a move with the request id {request_id!r} waits for its answer")
        self._waiting[request_id] = command, answer
        self.put(command)
        try:
            return await asyncio.wait_for(answer, timeout_s)
        finally:
            del self._waiting[request_id]

    def settle(self, request_id: str, result: Accepted | Refused) -> None:
        """A move that was sent twice is answered twice; only the first answer counts."""
        _, answer = self._waiting.get(request_id, (None, None))
        if answer is None or answer.done():
            return
        if isinstance(result, Refused):
            answer.set_exception(result)
        else:
            answer.set_result(result)

    def begin_anew(self, first: Iterable[PlayCommand]) -> None:
        """A new stream: what was under way on the last one is sent again, the same bytes with the same request id."""
        self._outbox = [*first, *(command for command, answer in self._waiting.values() if not answer.done())]
        if self._outbox:
            self._some.set()
        else:
            self._some.clear()

    def fail(self, refused: Refused) -> None:
        for request_id in list(self._waiting):
            self.settle(request_id, refused)
