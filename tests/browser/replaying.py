"""A replay as a test leads it: through its scrubber, with what is drawn beside what the API tells of that version."""

import asyncio
import json
from collections.abc import Sequence
from typing import Any

from playwright.async_api import Page

from tests.browser.floor import Visitor, until

AT = """(version) => {
  const main = document.querySelector("main[data-page=replay]");
  return main?.dataset.version === String(version) && !main.hasAttribute("aria-busy");
}"""
SURVEYED = "() => document.querySelector('main[data-page=replay][data-version][data-known]') !== null"
SCRUB = """([version]) => {
  const scrubber = document.querySelector("input[data-do=scrub]");
  scrubber.value = String(version);
  scrubber.dispatchEvent(new Event("input", { bubbles: true }));
}"""
DRAWN = """async (versions) => {
  const [at, scrub] = [AT, SCRUB];
  const found = [];
  for (const version of versions) {
    await new Promise((resolve, reject) => {
      const look = () => at(version) && end(resolve);
      const observer = new MutationObserver(look);
      const timer = setTimeout(() => end(reject, new Error(`never at ${version}`)), 20_000);
      const end = (settle, value) => { clearTimeout(timer); observer.disconnect(); settle(value); };
      observer.observe(document, { attributes: true, subtree: true });
      scrub([version]);
      look();
    });
    found.push(JSON.stringify(document.querySelector("main").shownView));
  }
  return found;
}""".replace("AT", AT, 1).replace("SCRUB", SCRUB, 1)


async def played(visitor: Visitor, game: str, seats: int, policy: str = "greedy", **more: Any) -> str:
    """A match between bots, once it is over."""
    match = await visitor.create(game, seats, bots=dict.fromkeys(range(seats), policy), **more)
    # The stream ends with the match.
    await visitor.api.post(
        "/api/v1/MatchService/WatchMatch",
        data={"matchId": match},
        headers={"Authorization": f"Bearer {visitor.token}"},
        timeout=120_000,
    )
    return match


async def open_replay(visitor: Visitor, match: str, query: str = "") -> Page:
    """The replay stands there, and knows all of the past."""
    page = await visitor.open(f"/replay/{match}{query}", "replay")
    await until(page, SURVEYED)
    return page


async def last_version(visitor: Visitor, match: str) -> int:
    return (await visitor.call("MatchService", "GetMatch", matchId=match))["match"]["version"]


async def view(visitor: Visitor, match: str, version: int, seat: int | None = None) -> Any:
    """What the API shows of the version."""
    audience = {} if seat is None else {"seat": seat}
    answer = await visitor.call("MatchService", "GetView", matchId=match, version=version, **audience)
    assert answer["version"] == version
    return json.loads(answer["view"]["json"])


async def scrub(page: Page, version: int) -> Any:
    """The view that is drawn once the scrubber has been moved there."""
    return (await drawn(page, [version]))[0]


async def drawn(page: Page, versions: Sequence[int]) -> list[Any]:
    """The views that are drawn as the scrubber is moved to each version in turn."""
    return [json.loads(shown) for shown in await page.evaluate(DRAWN, list(versions))]


async def differing(visitor: Visitor, page: Page, match: str, versions: Sequence[int], seat: int | None) -> list[int]:
    """The versions of which the page draws another view than the API tells."""
    found = await drawn(page, versions)
    told = await asyncio.gather(*(view(visitor, match, version, seat) for version in versions))
    return [version for version, mine, its in zip(versions, found, told, strict=True) if mine != its]
