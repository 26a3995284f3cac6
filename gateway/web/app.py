"""The HTTP application: what is where, and the headers that every answer carries."""

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gateway.web.calls import Calls
from gateway.web.context import Aborted
from gateway.web.headers import HEADERS
from gateway.web.hosts import Hosts
from gateway.web.pages import Page, read_pages
from gateway.web.refusing import aborted, answer, malformed
from gateway.web.rpcs import rpcs_of
from gateway.web.turning_away import note
from gateway.web.unread import Unread
from services.common.refusals import Reason, Refused

API = "/api/v1"
DESCRIPTION = Path(__file__).parent / "openapi.json"
MAX_OPEN = 9000
"""Requests, streams among them; fewer than connections, so that one too many is told why."""


class Guarded:
    """Adds the headers to every answer, hears clients out, serves its hosts alone, and no more requests than it may.

    `crowded` says whether there are more connections than may be.
    """

    def __init__(self, app: ASGIApp, hosts: Hosts, crowded: Callable[[], bool]) -> None:
        self._app = app
        self._hosts = hosts
        self._crowded = crowded
        self._open = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        unread = Unread(scope, receive, send)

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *HEADERS]
                note(scope, message["status"])
            await unread.send(message)

        refused = self._refusal(scope)
        if refused is not None:
            await answer(refused)(scope, unread.receive, send_guarded)
            return
        self._open += 1
        try:
            await self._app(scope, unread.receive, send_guarded)
        finally:
            self._open -= 1

    def _refusal(self, scope: Scope) -> Aborted | None:
        if self._open >= MAX_OPEN or self._crowded():
            refused = Refused(Reason.TOO_MUCH, "too much is open here; try again, or on another gateway")
            return aborted(refused, 503, {"Connection": "close"})
        return self._hosts.refusal(scope)


def application(servicers: Mapping[str, object], hosts: Hosts, crowded: Callable[[], bool]) -> Starlette:
    """`servicers` by the full names of their services: those that gRPC serves; the rest as for Guarded."""
    pages = read_pages()
    description = Page.of(DESCRIPTION.name, DESCRIPTION.read_bytes())

    def shown(page: Page) -> Callable[[Request], Awaitable[Response]]:
        async def index(request: Request) -> Response:
            return page.answer(request.headers)

        return index

    async def static(request: Request) -> Response:
        page = pages.files.get(request.path_params["path"])
        if page is None:
            raise HTTPException(404)
        return page.answer(request.headers)

    async def absent(request: Request, _: Exception) -> Response:
        if "text/html" not in request.headers.get("accept", ""):
            return answer(malformed(404, "there is nothing at this address"))
        page = Response(pages.index.data, 404, media_type=pages.index.media_type)
        page.headers["Cache-Control"] = "no-cache"
        return page

    async def unasked(_: Request, why: Exception) -> Response:
        headers = why.headers if isinstance(why, HTTPException) else None
        return answer(malformed(405, "pages and files are asked for by GET", dict(headers or {})))

    async def described(request: Request) -> Response:
        return description.answer(request.headers)

    routes = [
        Route(f"{API}/openapi.json", described),
        Route(f"{API}/{{service}}/{{rpc}}", Calls(rpcs_of(servicers))),
        Route("/healthz", _healthy),
        Route("/static/{path:path}", static),
        *(Route(path, shown(page)) for path, page in pages.shown.items()),
    ]
    found = Starlette(
        routes=routes, middleware=[Middleware(Guarded, hosts, crowded)], exception_handlers={404: absent, 405: unasked}
    )
    found.router.redirect_slashes = False  # to an address made of what the client says of the host
    return found


async def _healthy(_: Request) -> Response:
    return PlainTextResponse("ok\n")
