"""Work for a client who may leave or stop waiting before it is done."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

import grpc
from starlette.types import Receive

from gateway.web.context import Aborted
from services.common.tasks import cancelled

Result = TypeVar("Result")


class Gone(Exception):  # noqa: N818 - says what happened
    """The client has left: nobody is there to be answered."""


async def attended(receive: Receive, work: Coroutine[Any, Any, Result], timeout_s: float | None) -> Result:
    """What the work gives. Raises Gone or, once the time is over, Aborted(DEADLINE_EXCEEDED); the work is cancelled."""
    task, leaving = asyncio.create_task(work), asyncio.create_task(_left(receive))
    try:
        done, _ = await asyncio.wait((task, leaving), timeout=timeout_s, return_when=asyncio.FIRST_COMPLETED)
        if task in done:
            return task.result()
        if leaving in done:
            raise Gone
        raise Aborted(grpc.StatusCode.DEADLINE_EXCEEDED, "the time that the request gave is over")
    finally:
        await cancelled(task, leaving)


async def _left(receive: Receive) -> None:
    """What a client sends behind its body is dropped."""
    while (await receive())["type"] != "http.disconnect":
        pass
