"""One way to call a server: with the token, again after a passing failure, and with the server's own refusals."""

import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, TypeVar

import grpc

from tidelog.client.refused import from_error
from tidelog.client.trying import Trying

AnswerT = TypeVar("AnswerT")

ATTEMPT_S = 12.0
"""Longer than a server waits for an engine: what it says at the end of that still arrives."""


def new_request_id() -> str:
    """An id that no other request has."""
    return secrets.token_hex(16)


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
        changes = "request_id" in request.DESCRIPTOR.fields_by_name
        return await self.again(
            lambda timeout: method(request, timeout=timeout, metadata=self.metadata), changes=changes
        )

    async def again(self, call: Callable[[float], Awaitable[AnswerT]], *, changes: bool) -> AnswerT:
        """The answer of `call(timeout)`, called again after passing failures until the deadline.

        Raises Refused: what the server said last; `outcome_unknown` where an attempt may have made a change.
        """
        trying = Trying(self.deadline_s, changes=changes)
        while True:
            try:
                return await call(min(ATTEMPT_S, trying.left))
            except grpc.aio.AioRpcError as error:
                refused = from_error(error)
            await trying.failed(refused)

    async def stream(self, method: Any, request: Any) -> AsyncIterator[Any]:
        """The answers of one attempt. Raises Refused."""
        try:
            async for response in method(request, metadata=self.metadata):
                yield response
        except grpc.aio.AioRpcError as error:
            raise from_error(error) from None
