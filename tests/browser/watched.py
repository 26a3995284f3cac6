"""What a browser must not do while a test looks elsewhere: fail in a script, complain, or tell secrets to strangers."""

import asyncio
import re

from playwright.async_api import BrowserContext, ConsoleMessage, Request, WebError

INSIDE = ("data:", "blob:", "about:")
REFUSED = re.compile(r"Failed to load resource: .* status of 4\d\d")
"""What Chromium says of each call that the API refuses: an answer like others."""

TOKEN = re.compile(r"eyJ[\w-]*\.eyJ[\w-]*")
"""How every token begins. Addresses are kept in histories, and in the logs of proxies."""


class Watched:
    """The faults of all pages of one context, as they come; `found` is set with the first."""

    def __init__(self, context: BrowserContext, origin: str) -> None:
        self.faults: list[str] = []
        self.found = asyncio.Event()
        self._origin = origin
        self._pardoned: list[re.Pattern[str]] = []
        context.on("weberror", self._on_error)
        context.on("console", self._on_console)
        context.on("request", self._on_request)

    def pardon(self, pattern: str) -> None:
        """Faults that match are none from here on: the test causes them itself."""
        self._pardoned.append(re.compile(pattern))

    def _add(self, fault: str) -> None:
        if not any(pattern.search(fault) for pattern in self._pardoned):
            self.faults.append(fault)
            self.found.set()

    def _on_error(self, error: WebError) -> None:
        self._add(f"uncaught: {error.error.stack or error.error}")

    def _on_console(self, message: ConsoleMessage) -> None:
        where = message.location["url"]
        refused = REFUSED.match(message.text) and where.startswith(f"{self._origin}/api/")
        if message.type == "error" and not refused:
            self._add(f"console: {message.text} ({where}:{message.location['lineNumber']})")

    def _on_request(self, request: Request) -> None:
        if not request.url.startswith((f"{self._origin}/", *INSIDE)):
            self._add(f"request to a stranger: {request.url}")
        if TOKEN.search(request.url):
            self._add(f"a token in an address: {request.url}")
