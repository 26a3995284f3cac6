"""Requests that are refused before a handler is asked: counted, and told in a line each on level debug."""

from starlette.types import Scope

from gateway import metrics
from services.common import logs

RPC = "rpc"
"""Where in a request's `state` the rpc's name stands, once it is known."""

ASKED = "asked"
"""Where that its handler is asked stands, who from then on tells what becomes of the call."""


def note(scope: Scope, status: int) -> None:
    """The status of an answer."""
    state = scope["state"]
    if status >= 400 and ASKED not in state:
        turned_away(status, state.get(RPC, ""))


def turned_away(status: int, rpc: str = "") -> None:
    """`rpc` is empty where the request names none that there is."""
    metrics.HTTP_REFUSALS.labels(rpc, str(status)).inc()
    named = {"rpc": rpc} if rpc else {}
    logs.outcome("HTTP refusal", status=status, **named)
