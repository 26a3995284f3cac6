"""How much is done for a click. Counted, not timed: the numbers are the same on every machine."""

import pytest

from engines.core import games
from tests.browser.floor import until
from tests.browser.playing import play_lit

CLICKS = 12
PART = 0.4
"""Of a page's elements: what a drawing of the board, with all that changes beside it, makes anew at most."""

LIT = "() => document.querySelector('ul.choices button')"

COUNT = """async (game) => {
  const { options } = await import("/static/vendor/preact.js");
  const { GAME } = await import(`/static/games/${game}/index.js`);
  const counts = { clicks: 0, versions: 0, answers: 0, boards: 0, elements: 0, lines: 0, asked: [], waited: 0 };
  globalThis.counts = counts;
  let before = 0;
  options.vnode = ({ type, props }) => {
    if (type === GAME.Board) counts.boards += 1;
    if (typeof type === "string") counts.elements += 1;
    if (type === "li" && props["data-version"] !== undefined) counts.lines += 1;
  };
  addEventListener("click", () => {
    counts.clicks += 1;
    before = counts.elements;
  }, true);
  const main = document.querySelector("main");
  const first = Number(main.dataset.version);
  new MutationObserver((changes) => {
    counts.versions += changes.length;
    counts.entries = Number(main.dataset.version) - first;
  }).observe(main, { attributeFilter: ["data-version"] });
  const { fetch } = globalThis;
  globalThis.fetch = async (address, ...more) => {
    const rpc = address.split("/").at(-1);
    counts.asked.push(rpc);
    if (rpc === "SubmitMove" && counts.elements > before) counts.waited += 1;
    const answer = await fetch(address, ...more);
    if (rpc === "SubmitMove") counts.answers += 1;
    return answer;
  };
}"""
"""`elements`: those that drawings have made; `waited`: moves that were sent once the page was drawn for the click."""


@pytest.mark.parametrize("game", games.names())
async def test_a_move_is_sent_before_all_else_and_draws_anew_what_it_changes(visit, game):
    ada = await visit()
    page = await ada.open_table(await ada.create(game, 2, bots={1: "greedy"}, own_seat=0))
    await until(page, LIT)
    await page.evaluate(COUNT, game)
    left = CLICKS

    def enough():
        nonlocal left
        left -= 1
        return left < 0

    await play_lit(page, 3, enough=enough)
    counts = await page.evaluate("() => counts")
    assert counts["answers"] > 1
    assert counts["waited"] == 0
    assert counts["boards"] <= counts["clicks"] + counts["versions"] + counts["answers"]
    assert counts["lines"] == counts["entries"]
    assert counts["elements"] < PART * counts["boards"] * await page.locator("main *").count()
    assert set(counts["asked"]) == {"SubmitMove", "GetMatch"}
    assert counts["asked"].count("SubmitMove") == counts["answers"]
    assert counts["asked"].count("GetMatch") <= counts["versions"]


async def test_a_table_asks_for_everything_once_and_for_all_modules_of_the_page_at_once(visit):
    ada = await visit()
    match = await ada.create("south_seas", 2, bots={1: "greedy"}, own_seat=0)
    asked = []
    ada.page.on("request", lambda request: asked.append(request.url.removeprefix(request.frame.url.split("/table")[0])))
    page = await ada.open_table(match)
    await until(page, LIT)
    files = [address for address in asked if address.startswith("/static/") and not address.endswith("icon.svg")]
    assert len(files) == len(set(files))
    calls = [address.split("/")[-1] for address in asked if address.startswith("/api/")]
    assert sorted(set(calls)) == ["GetMatch", "GetMessages", "WatchMatch"]
    assert calls.count("GetMessages") == calls.count("WatchMatch") == 1
