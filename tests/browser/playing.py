"""A person who knows no rules: clicks whatever is lit, by mouse and with luck, until the match is over."""

import asyncio
import random
from collections.abc import Callable, Sequence
from typing import NamedTuple

from playwright.async_api import Page

from tests.browser.floor import until

MATCH_S = 300

SEEN = """(before) => {
  const main = document.querySelector("main[data-page=table]");
  if (!main) return null;
  if (["finished", "aborted", "expired"].includes(main.dataset.status)) return { over: true };
  const confirm = document.querySelector("button[data-do=confirm]:not(:disabled)") !== null;
  const choices = [...document.querySelectorAll("ul.choices button[data-choice]:not(:disabled)")];
  const lit = choices.map((button) => button.dataset.choice);
  if (!confirm && lit.length === 0) return null;
  const picked = [...document.querySelectorAll("[data-target][data-picked]")].map((each) => each.dataset.target);
  const sign = JSON.stringify([main.dataset.version, confirm, lit, picked]);
  const asked = document.querySelector("#chooser-title")?.textContent ?? "";
  return sign === before ? null : { over: false, sign, confirm, lit, asked };
}"""
"""What may be clicked, once that is not what it was before the last click."""

BARE = ("Your turn", "You may move")
"""All that the page can say by itself: the game knows what for."""

POINT = """([selector]) => {
  for (const element of document.querySelectorAll(selector)) {
    element.scrollIntoView({ behavior: "instant", block: "center", inline: "center" });
    const box = element.getBoundingClientRect();
    for (const down of [0.5, 0.3, 0.7, 0.1, 0.9])
      for (const along of [0.5, 0.3, 0.7, 0.1, 0.9]) {
        const [x, y] = [box.left + along * box.width, box.top + down * box.height];
        const hit = document.elementFromPoint(x, y);
        if (hit === null || !element.contains(hit)) continue;
        const pressed = (event) => {
          globalThis.met = event.target.closest(selector) !== null;
        };
        document.addEventListener("pointerdown", pressed, { capture: true, once: true });
        return [x, y];
      }
  }
  return null;
}"""
"""Where a click meets the first such element that is not covered; whether it did is told in `met`."""


class Played(NamedTuple):
    """How many clicks met a target on the board, and how many a button of the list of choices."""

    board: int
    listed: int


async def play_lit(
    page: Page,
    seed: int,
    *,
    on_board: float = 0.7,
    prefer: Callable[[Sequence[str]], Sequence[str]] = lambda lit: lit,
    enough: Callable[[], bool] = lambda: False,
    limit_s: float = MATCH_S,
) -> Played:
    """Plays on the page's table until the match is over, or `enough` says so before a click.

    `on_board` is how likely a target is clicked where it is drawn, if it is. `prefer` narrows what is lit.
    """
    luck = random.Random(seed)
    board = listed = 0
    before = ""
    async with asyncio.timeout(limit_s):
        while True:
            seen = await until(page, SEEN, before, int(limit_s * 1000))
            if seen["over"] or enough():
                return Played(board, listed)
            assert seen["asked"] not in BARE, "it is not said what is to be decided"
            before = seen["sign"]
            if seen["confirm"]:
                if not await _clicked(page, "button[data-do=confirm]"):
                    before = ""
                continue
            target = luck.choice(list(prefer(seen["lit"])) or seen["lit"])
            drawn = luck.random() < on_board and await _clicked(page, f'[data-target="{target}"][data-lit]')
            chosen = not drawn and await _clicked(page, f'ul.choices button[data-choice="{target}"]')
            board += drawn
            listed += chosen
            if not drawn and not chosen:
                before = ""


async def _clicked(page: Page, selector: str) -> bool:
    """Whether a click met it: it may be drawn nowhere, be covered, or have gone out or moved meanwhile."""
    point = await page.evaluate(POINT, [selector])
    if point is None:
        return False
    await page.mouse.click(*point)
    return await page.evaluate("() => globalThis.met === true")
