"""What a person with a browser waits for: the first table, a move, frames; and what a table's page weighs.

`python -m tests.bench.bench_browser [GAME ...] [--runs 5] [--moves 20] [--json]`
"""

import argparse
import asyncio
import json
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from statistics import median
from typing import Any

from playwright.async_api import Browser, Playwright, async_playwright

from engines.core import games
from tests.browser.conftest import ARGUMENTS
from tests.browser.floor import Visitor, until
from tests.browser.games.test_south_seas import full_board, panned, staged
from tests.browser.playing import play_lit
from tests.browser.watched import Watched
from tests.integration.platform import Up, up
from tests.requirements import needs_chromium

KIB = 1024
TABLE, MOVE, SENT, HELD, FRAME, REDRAWN = (
    "first table, cold cache, ms",
    "a move drawn after the click, ms",
    "a table's page as sent, KiB",
    "a table's page, KiB",
    "frames while 73 tiles are panned, 95 % within ms",
    "73 tiles drawn anew, ms",
)
AIMS = {TABLE: 1000, MOVE: 100, HELD: 400, FRAME: 50}

CLOCK = """
const painted = (then) => requestAnimationFrame(() => setTimeout(then));
const main = () => document.querySelector("main[data-page=table][data-version]");
globalThis.took = [];
let clicked = null;
let sends = false;
addEventListener("click", (event) => { clicked = [event.timeStamp, main()?.dataset.version]; sends = false; }, true);
const { fetch } = globalThis;
globalThis.fetch = (address, ...more) => {
  if (String(address.url ?? address).endsWith("/SubmitMove")) sends = true;
  return fetch(address, ...more);
};
new MutationObserver(() => {
  const table = main();
  if (!table) return;
  if (table.querySelector("svg")) painted(() => { globalThis.firstTable ??= performance.now(); });
  if (!sends || table.dataset.version === clicked[1]) return;
  const [began] = clicked;
  sends = false;
  painted(() => globalThis.took.push(performance.now() - began));
}).observe(document, { attributes: true, childList: true, subtree: true });
"""
"""From the start of the navigation, and from the last click before a move is sent, to the frame that shows it."""

LOADED = """() => {
  const all = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
  const files = all.filter((each) => !each.name.includes("/api/"));
  const sum = (name) => files.reduce((total, each) => total + each[name], 0);
  return [sum("transferSize"), sum("decodedBodySize")];
}"""


@asynccontextmanager
async def visitor(playwright: Playwright, browser: Browser, platform: Up) -> AsyncIterator[Visitor]:
    """A guest whose browser has seen nothing yet."""
    context = await browser.new_context(base_url=platform.http, locale="en")
    api = await playwright.request.new_context(base_url=platform.http)
    try:
        found = Visitor(await context.new_page(), Watched(context, platform.http), api)
        await found.sign_in("Ada")
        await context.add_init_script(CLOCK)
        yield found
    finally:
        await context.close()
        await api.dispose()


async def of_a_table(ada: Visitor, game: str, moves: int, seed: int) -> dict[str, list[float]]:
    """The figures of one match against a bot."""
    match = await ada.create(game, 2, bots={1: "greedy"}, own_seat=0)
    page = await ada.open_table(match)
    first = await until(page, "() => globalThis.firstTable")
    sent, held = await page.evaluate(LOADED)
    clicks = 0

    def enough() -> bool:
        nonlocal clicks
        clicks += 1
        return clicks > moves

    await play_lit(page, seed, enough=enough)
    return {
        TABLE: [first],
        MOVE: await page.evaluate("() => globalThis.took"),
        SENT: [sent / KIB],
        HELD: [held / KIB],
    }


async def of_a_chart(browser: Browser) -> dict[str, list[float]]:
    async with staged(browser) as page:
        frames, _, drawn = await panned(page, full_board())
    return {FRAME: [sorted(frames)[int(0.95 * len(frames))]], REDRAWN: [drawn]}


async def measured(names: list[str], runs: int, moves: int) -> list[dict[str, Any]]:
    found: dict[tuple[str, str], list[float]] = {}

    def note(game: str, figures: dict[str, list[float]]) -> None:
        for figure, values in figures.items():
            found.setdefault((game, figure), []).extend(values)

    with tempfile.TemporaryDirectory() as folder, up(Path(folder) / "up") as platform:
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=needs_chromium(), args=ARGUMENTS)
            for run in range(runs):
                for game in names:
                    async with visitor(playwright, browser, platform) as ada:
                        note(game, await of_a_table(ada, game, moves, run))
                if "south_seas" in names:
                    note("south_seas", await of_a_chart(browser))
            await browser.close()
    return [row(game, figure, values) for (game, figure), values in found.items()]


def row(game: str, figure: str, values: list[float]) -> dict[str, Any]:
    least, middle, most = (round(value, 1) for value in (min(values), median(values), max(values)))
    told = {"game": game, "figure": figure, "min": least, "median": middle, "max": most, "count": len(values)}
    return told | ({"aim": AIMS[figure]} if figure in AIMS else {})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=games.names(), metavar="GAME")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--moves", type=int, default=20, help="clicks in each match")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    rows = asyncio.run(measured(list(asked.games), asked.runs, asked.moves))
    if asked.json:
        sys.stdout.write(json.dumps(rows) + "\n")
        return
    for told in rows:
        aim = f" (aim {told['aim']})" if "aim" in told else ""
        sys.stdout.write(
            f"{told['game']:<16} {told['figure']:<48} {told['min']} / {told['median']} / {told['max']}"
            f" of {told['count']}{aim}; min, median, max\n"
        )


if __name__ == "__main__":
    main()
