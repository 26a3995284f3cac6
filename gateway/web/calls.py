"""POST /api/v1/<Service>/<Rpc>: one bridge for all rpcs, to the handlers that serve gRPC."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any

from starlette.datastructures import Headers, QueryParams
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from gateway.matches.outbox import FLUSH_S
from gateway.web import bodies, refusing
from gateway.web.attending import Gone, attended, left, within
from gateway.web.context import Aborted, HttpContext, Write
from gateway.web.files import import_requests
from gateway.web.json_form import Events, from_json, to_json
from gateway.web.protocol import ABORT
from gateway.web.refusing import malformed
from gateway.web.rpcs import Rpc
from gateway.web.streams import Broken, Download, EventStream
from gateway.web.turning_away import ASKED, RPC
from services.common.logs import logger
from services.common.refusals import Refused
from services.common.tasks import cancelled

log = logger()

JSON = "application/json"
FILE = "application/x-ndjson"
DOWNLOAD = "MatchService/ExportMatch"


class Calls:
    """An ASGI application for paths with a `service` and an `rpc`; what is not as it should be it refuses."""

    def __init__(self, rpcs: Mapping[str, Rpc]) -> None:
        self._rpcs = rpcs
        self._events = {name: Events(rpc.response) for name, rpc in rpcs.items() if rpc.streams_out}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            answer = await self._answered(scope, receive, send)
        except Gone:
            return
        except Refused as refused:
            answer = refusing.answer(refusing.aborted(refused))
        except Aborted as aborted:
            answer = refusing.answer(aborted)
        except Exception:
            log.exception("HTTP call failed", rpc=scope["state"].get(RPC, ""))
            await _broken_off(scope, receive)
            return
        if answer is not None:
            await answer(scope, receive, send)

    async def _answered(self, scope: Scope, receive: Receive, send: Send) -> Response | None:
        """None where it is sent already. Raises Gone, Refused and Aborted."""
        rpc, headers, state = self._rpc(scope), Headers(scope=scope), scope["state"]
        wait_s = bodies.timeout_s(headers)
        if rpc.streams_in:
            bodies.check_type(headers, FILE)
            requests = import_requests(QueryParams(scope["query_string"]), receive)
            state[ASKED] = True
            return _json(await within(wait_s, rpc.handler(requests, _context(scope, _unwritten, wait_s))))
        bodies.check_type(headers, JSON)
        request: Any = from_json(await bodies.whole(headers, receive), rpc.request)
        state[ASKED] = True
        if rpc.streams_out:
            last = headers.get("last-event-id")
            if last and "after" in rpc.request.DESCRIPTOR.fields_by_name:
                request.after = last
            stream = self._stream(rpc, request, send)
            work = rpc.handler(request, _context(scope, stream.write, wait_s))
            await _streamed(stream, attended(receive, work, wait_s), lambda: _broken_off(scope, receive))
            return None
        work = rpc.handler(request, _context(scope, _unwritten, wait_s))
        return _json(await attended(receive, work, wait_s))

    def _stream(self, rpc: Rpc, request: Any, send: Send) -> EventStream | Download:
        return Download(send, request.match_id) if rpc.name == DOWNLOAD else EventStream(send, self._events[rpc.name])

    def _rpc(self, scope: Scope) -> Rpc:
        """Its name stands in the request's state from here on. Raises Aborted(404, 405)."""
        params = scope["path_params"]
        rpc = self._rpcs.get(f"{params['service']}/{params['rpc']}")
        if rpc is None:
            raise malformed(404, "there is no such rpc over HTTP")
        scope["state"][RPC] = rpc.method.name
        if scope["method"] != "POST":
            raise malformed(405, "rpcs are called by POST", {"Allow": "POST"})
        return rpc


async def _streamed(
    stream: EventStream | Download, work: Coroutine[Any, Any, None], break_off: Callable[[], Awaitable[None]]
) -> None:
    """Raises Gone, and Aborted where nothing was sent yet."""
    beat = asyncio.create_task(stream.keep_alive())
    try:
        await work
    except Aborted as aborted:
        if not stream.begun:
            raise
        await cancelled(beat)
        try:
            async with asyncio.timeout(FLUSH_S):
                await stream.fail(aborted)
        except (TimeoutError, Broken):
            await break_off()
            raise Gone from None
    else:
        await cancelled(beat)
        await stream.end()
    finally:
        await cancelled(beat)


async def _broken_off(scope: Scope, receive: Receive) -> None:
    scope["state"][ABORT]()
    await left(receive)


def _context(scope: Scope, write: Write, wait_s: float | None) -> HttpContext:
    return HttpContext(scope["headers"], scope["client"], write, wait_s)


async def _unwritten(_: object) -> None:
    raise AssertionError("only streams are written to")


def _json(message: Any) -> Response:
    return Response(to_json(message), headers={"Cache-Control": "no-store"}, media_type=JSON)
