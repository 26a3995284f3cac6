"""Work for a client who may leave or stop waiting before it is done."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

import grpc
from starlette.types import Receive

from gateway.web.context import Aborted
from services.common.tasks import cancelled

Result = TypeVar("Result")


class Gone(grpc.aio.AbortError):  # handlers let it pass
    """The client has left: nobody is there to be answered."""


async def attended(receive: Receive, work: Coroutine[Any, Any, Result], timeout_s: float | None) -> Result:
    """What the work gives. Raises Gone or, once the time is over, Aborted(DEADLINE_EXCEEDED); the work is cancelled."""
    task, leaving = asyncio.create_task(work), asyncio.create_task(left(receive))
    try:
        done, _ = await asyncio.wait((task, leaving), timeout=timeout_s, return_when=asyncio.FIRST_COMPLETED)
        if task in done:
            return task.result()
        if leaving in done:
            raise Gone
        raise _over()
    finally:
        await cancelled(task, leaving)


async def within(timeout_s: float | None, work: Coroutine[Any, Any, Result]) -> Result:
    """What work gives that sees itself when its client leaves. Raises Aborted(DEADLINE_EXCEEDED)."""
    try:
        async with asyncio.timeout(timeout_s) as time:
            return await work
    except TimeoutError:
        if not time.expired():
            raise
        raise _over() from None


async def left(receive: Receive) -> None:
    """Returns once the client has; what it sends behind its body is dropped."""
    while (await receive())["type"] != "http.disconnect":
        pass


def _over() -> Aborted:
    return Aborted(grpc.StatusCode.DEADLINE_EXCEEDED, "the time that the request gave is over")
