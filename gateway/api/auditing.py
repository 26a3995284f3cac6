"""What an operator's call has in common with no other: the admin scope, and a line that says who did what, and why."""

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any

from gateway.api.calls import Context, Request, Response, ServicerT, answering
from gateway.callers.call import Call
from gateway.limits import MAX_NAME
from services.common.logs import logger
from services.common.refusals import Reason, Refused
from services.eventlog.checking import MAX_WHY

log = logger()


def operating(
    handle: Callable[[ServicerT, Request, Call], Awaitable[Response]],
) -> Callable[[ServicerT, Request, Context], Awaitable[Response]]:
    """A unary rpc for admins, of a handler that may raise Refused and the port's errors."""

    @answering
    @wraps(handle)
    async def operate(self: ServicerT, request: Request, call: Call) -> Response:
        # A warning, so that no level that is in use leaves it out.
        line = log.bind(action=handle.__name__, by=call.caller.player, **_named(request))
        try:
            _require_admin(call)
            answer = await handle(self, request, call)
        except Refused as refused:
            line.warning("admin action", outcome=refused.reason.value)
            raise
        except Exception as error:
            line.warning("admin action", outcome=type(error).__name__)
            raise
        line.warning("admin action", outcome="carried_out")
        return answer

    return operate


def _require_admin(call: Call) -> None:
    """Raises Refused(NOT_ALLOWED)."""
    if not call.caller.admin:
        raise Refused(Reason.NOT_ALLOWED, "this is for admins")


def _named(request: Any) -> dict[str, str]:
    """What the request says of match and reason, no longer than it may be."""
    named = {"match": getattr(request, "match_id", "")[:MAX_NAME], "why": getattr(request, "reason", "")[:MAX_WHY]}
    return {key: text for key, text in named.items() if text}
