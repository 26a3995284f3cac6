"""What tests in a browser do all the time: sign in, make a match, look at a page, wait for it, hold it to the rules."""

import json
import os
import secrets
import time
from pathlib import Path
from typing import Any, Protocol

from playwright.async_api import APIRequestContext, Page

from tests.browser.watched import Watched
from tests.requirements import needs_packages

ROOT = Path(__file__).parents[2]
WEB = ROOT / "gateway" / "web"
SHOTS = Path(os.environ.get("TIDELOG_SCREENSHOTS", ROOT / "build" / "screenshots"))
SESSION = "tidelog.session"
"""Under which the pages keep who one is, as JSON, in their local storage."""

WAIT_MS = 20_000
GRAVE = ("serious", "critical")

UNTIL = """([argument, limit]) => {
  const holds = CONDITION;
  return new Promise((resolve, reject) => {
    const end = (settle, value) => { clearTimeout(timer); observer.disconnect(); settle(value); };
    const look = () => {
      try {
        const found = holds(argument);
        if (found) end(resolve, found);
      } catch (error) {
        end(reject, error);
      }
    };
    const observer = new MutationObserver(look);
    const timer = setTimeout(() => end(reject, new Error(`never: ${holds}`)), limit);
    observer.observe(document, { attributes: true, characterData: true, childList: true, subtree: true });
    look();
  });
}"""
"""Looks again at each change of the document, and at nothing else."""


class RefusedError(Exception):
    """What the API said no with: the body of its answer."""

    def __init__(self, status: int, body: dict[str, Any]) -> None:
        super().__init__(f"{status}: {body}")
        self.body = body


class Visitor:
    """Someone with a browser of their own: `page` is their first tab, `api` speaks for them without it."""

    def __init__(self, page: Page, watched: Watched, api: APIRequestContext) -> None:
        self.page = page
        self.watched = watched
        self.api = api
        self.token = ""
        self.player = ""

    async def sign_in(self, name: str) -> None:
        """A new guest, whom every page that is opened from here on takes the visitor for."""
        guest = await self.call("IdentityService", "SignInAsGuest", name=name)
        self.token, self.player = guest["token"], guest["player"]
        times = {"sinceMs": int(time.time() * 1000), "expiresAtMs": int(guest["expiresAtMs"])}
        kept = json.dumps(json.dumps(guest | times | {"name": name}))
        await self.page.context.add_init_script(
            f"location.protocol === 'http:' && (localStorage[{SESSION!r}] ??= {kept})"
        )

    async def call(self, service: str, rpc: str, **message: Any) -> dict[str, Any]:
        """The answer of a unary rpc as JSON. Raises RefusedError."""
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        answer = await self.api.post(f"/api/v1/{service}/{rpc}", data=message, headers=headers)
        body = await answer.json()
        if not answer.ok:
            raise RefusedError(answer.status, body)
        return body

    async def create(
        self,
        game: str,
        seats: int,
        *,
        bots: dict[int, str] | None = None,
        options: dict[str, Any] | None = None,
        own_seat: int | None = None,
        **more: Any,
    ) -> str:
        """A new match; its id. It starts once each seat has somebody."""
        made = await self.call(
            "MatchService",
            "CreateMatch",
            requestId=secrets.token_hex(8),
            game=game,
            seats=seats,
            options={"json": json.dumps(options or {})},
            bots=[{"seat": seat, "policy": policy} for seat, policy in (bots or {}).items()],
            **({} if own_seat is None else {"ownSeat": own_seat}),
            **more,
        )
        return made["receipt"]["matchId"]

    async def join(self, match: str, seat: int) -> None:
        await self.call("MatchService", "JoinMatch", requestId=secrets.token_hex(8), matchId=match, seat=seat)

    async def open(self, path: str, page: str) -> Page:
        """The path is loaded, and its page stands there."""
        await self.page.goto(path)
        await self.page.wait_for_selector(f"main[data-page={page}]")
        return self.page

    async def open_table(self, match: str) -> Page:
        """The table is drawn up to some entry of the match."""
        page = await self.open(f"/table/{match}", "table")
        await page.wait_for_selector("main[data-version] svg")
        return page


class Visit(Protocol):
    """The fixture `visit`."""

    async def __call__(self, name: str = ..., *, guest: bool = ..., **settings: object) -> Visitor: ...


async def until(page: Page, condition: str, argument: Any = None, limit_ms: int = WAIT_MS) -> Any:
    """What the JavaScript function answers for the argument, once that counts as true: asked again at each change."""
    return await page.evaluate(UNTIL.replace("CONDITION", condition), [argument, limit_ms])


async def axe(page: Page) -> None:
    """No rule of axe-core is broken in a serious way."""
    source = needs_packages(WEB) / "node_modules" / "axe-core" / "axe.min.js"
    await page.evaluate(source.read_text())
    found = await page.evaluate("() => axe.run({resultTypes: ['violations']})")
    grave = [
        f"{rule['id']}: {rule['help']}: {[node['html'][:200] for node in rule['nodes'][:4]]}"
        for rule in found["violations"]
        if rule["impact"] in GRAVE
    ]
    assert not grave, grave


async def shot(page: Page, name: str, width: int = 1280, height: int = 900) -> None:
    """A picture of the whole page for people to look at; at this width nothing sticks out to the side."""
    await page.set_viewport_size({"width": width, "height": height})
    await page.screenshot(path=SHOTS / f"{name}-{width}.png", full_page=True)
    assert await page.evaluate("() => document.documentElement.scrollWidth") <= width
