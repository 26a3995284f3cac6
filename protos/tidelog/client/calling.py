"""One way to call a server: with the token, again after a passing failure, and with the server's own refusals."""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, TypeVar

import grpc

from tidelog.client.refused import Refused, from_error

AnswerT = TypeVar("AnswerT")

ATTEMPT_S = 10.0
FIRST_PAUSE_S = 0.05
LONGEST_PAUSE_S = 2.0


class Pauses:
    """Waiting times that double, each drawn between half and the whole, so that clients do not come back together."""

    def __init__(self) -> None:
        self._next = FIRST_PAUSE_S

    def reset(self) -> None:
        self._next = FIRST_PAUSE_S

    async def wait(self, refused: Refused | None = None, longest: float = LONGEST_PAUSE_S) -> None:
        """Sleep for the next one, or for as long as the refusal asks, but no longer than `longest`."""
        pause = self._next * (1 + random.random()) / 2  # noqa: S311 - no secret
        self._next = min(2 * self._next, LONGEST_PAUSE_S)
        asked = (refused.retry_after_ms or 0) / 1000 if refused else 0
        await asyncio.sleep(min(max(pause, asked), longest))


class Caller:
    """Calls the methods of a channel for one player."""

    def __init__(self, channel: grpc.aio.Channel, token: str, deadline_s: float) -> None:
        self.channel = channel
        self.deadline_s = deadline_s
        self.token = token

    @property
    def metadata(self) -> tuple[tuple[str, str], ...]:
        return (("authorization", f"Bearer {self.token}"),) if self.token else ()

    async def ask(self, method: Any, request: Any) -> Any:
        """The answer; the same request is sent again after passing failures until the deadline. Raises Refused."""
        return await self.again(lambda timeout: method(request, timeout=timeout, metadata=self.metadata))

    async def again(self, call: Callable[[float], Awaitable[AnswerT]]) -> AnswerT:
        """The answer of `call(timeout)`, called again after passing failures until the deadline. Raises Refused."""
        clock = asyncio.get_running_loop().time
        end = clock() + self.deadline_s
        backoff = Pauses()
        while True:
            try:
                return await call(max(0.001, min(ATTEMPT_S, end - clock())))
            except grpc.aio.AioRpcError as error:
                refused = from_error(error)
                left = end - clock()
                if not refused.transient or left <= 0:
                    raise refused from None
            await backoff.wait(refused, left)

    async def stream(self, method: Any, request: Any) -> AsyncIterator[Any]:
        """The answers of one attempt. Raises Refused."""
        try:
            async for response in method(request, metadata=self.metadata):
                yield response
        except grpc.aio.AioRpcError as error:
            raise from_error(error) from None
