"""What all calls have in common: a caller whose token was checked, a deadline, and refusals as statuses."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import wraps
from typing import Any, Protocol, TypeAlias, TypeVar

import grpc
from google.protobuf.message import Message

from gateway import metrics
from gateway.callers.call import Call
from gateway.callers.identity import Caller
from gateway.enums import check_enums
from gateway.limits import MAX_MESSAGE
from gateway.parts import Parts
from services.common import concerning, logs, tracing
from services.common.logs import logger
from services.common.refusals import Reason, Refused
from services.common.unreadable import require_readable
from services.common.wire import abort
from services.eventlog import store_refusals
from services.eventlog.port import StoreError

ANSWER_S = 0.05
"""Kept of a caller's deadline for the answer's way back: what we say comes before their own clock runs out."""

TRACEPARENT = "traceparent"
"""W3C's key of the metadata."""

Context: TypeAlias = "grpc.aio.ServicerContext[Any, Any]"
Request = TypeVar("Request", bound=Message)
Response = TypeVar("Response")
Result = TypeVar("Result")

log = logger()


class Servicer(Protocol):
    @property
    def parts(self) -> Parts: ...


ServicerT = TypeVar("ServicerT", bound=Servicer)


async def begun(parts: Parts, context: Context) -> Call:
    """Raises Refused(UNAUTHENTICATED)."""
    caller = await parts.identity.caller(context.invocation_metadata())
    left = context.time_remaining()
    wait = parts.settings.command_timeout_s
    return Call(caller, time.monotonic() + (wait if left is None else min(wait, left - ANSWER_S)))


async def refusing(context: Context, work: Awaitable[Result], rpc: str, about: object = None) -> Result:
    """What the work gives; a refusal ends the call with its status, a fault of ours with INTERNAL.

    What is done meanwhile is done for the caller's trace, `about` the request.
    """
    concern = concerning.begin(about, _traceparent(context))
    span = tracing.begin(rpc, concern, "SERVER")
    outcome = "cancelled"
    try:
        result = await work
    except Refused as refused:
        outcome = refused.reason.value
        await abort(context, refused)
    except StoreError as error:
        away = store_refusals.refused(error)
        outcome = away.reason.value
        await abort(context, away)
    except (asyncio.CancelledError, grpc.aio.AbortError):
        raise
    except Exception:
        log.exception("call failed", rpc=rpc)
        outcome = Reason.INTERNAL.value
        await abort(context, Refused(Reason.INTERNAL, "the server failed on this request; nothing was changed"))
    else:
        outcome = "ok"
        return result
    finally:
        logs.outcome("call", rpc=rpc, outcome=outcome)
        tracing.end(span, outcome)


def _traceparent(context: Context) -> str:
    for key, value in context.invocation_metadata() or ():
        if key == TRACEPARENT:
            return concerning.given(str(value))
    return ""


def answering(
    handle: Callable[[ServicerT, Request, Call], Awaitable[Response]],
) -> Callable[[ServicerT, Request, Context], Awaitable[Response]]:
    """A unary rpc of a handler that may raise Refused and the port's errors."""
    rpc = handle.__name__
    latency = metrics.CALL_SECONDS.of(rpc)

    @wraps(handle)
    async def answer(self: ServicerT, request: Request, context: Context) -> Response:
        began = time.monotonic()

        async def work() -> Response:
            call = await begun(self.parts, context)
            check_request(request)
            return await handle(self, request, call)

        try:
            return await refusing(context, work(), rpc, request)
        finally:
            latency.note(time.monotonic() - began)

    return answer


def streaming(
    handle: Callable[[ServicerT, Request, Call], AsyncIterator[Response]],
) -> Callable[[ServicerT, Request, Context], Awaitable[None]]:
    """An rpc that streams what the handler yields; it ends with UNAUTHENTICATED when the token expires."""

    @wraps(handle)
    async def stream(self: ServicerT, request: Request, context: Context) -> None:
        async def work() -> None:
            call = await begun(self.parts, context)
            check_request(request)
            try:
                async with asyncio.timeout(until_expiry(call.caller)) as expiry:
                    async for response in handle(self, request, call):
                        await context.write(response)
            except TimeoutError:
                if not expiry.expired():
                    raise
                raise expired() from None

        await refusing(context, work(), handle.__name__, request)

    return stream


def check_request(request: Message) -> None:
    """What can be refused of any request. Raises Refused(TOO_LARGE, MALFORMED)."""
    require_readable(request)
    size = request.ByteSize()
    if size > MAX_MESSAGE:
        raise Refused(Reason.TOO_LARGE, f"a message of {size} bytes; the limit is {MAX_MESSAGE}")
    check_enums(request)


def until_expiry(caller: Caller) -> float:
    """Seconds."""
    return max(caller.expires_at - time.time(), 0)


def expired() -> Refused:
    return Refused(Reason.UNAUTHENTICATED, "the token has expired")
