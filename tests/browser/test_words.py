"""What a table says: names, languages, and the log in sentences."""

import re

import pytest

from engines.core import games
from tests.browser.floor import until
from tests.browser.playing import play_lit
from tests.browser.replaying import open_replay
from tests.browser.tables import LIT, choose, seated, told

LINES = """() => [...document.querySelectorAll("ol.log > li")].map((line) =>
  [line.querySelector(".sign")?.textContent.trim() ?? "", line.querySelector("bdi").textContent])"""


async def test_bots_and_seats_are_counted_and_lines_bear_the_sign_of_whom_they_are_about(visit):
    ada = await visit("Ada")
    bots, options = {1: "greedy", 2: "greedy"}, {"first_player": "seat_0"}
    page = await ada.open_table(await ada.create("south_seas", 3, bots=bots, options=options, own_seat=0))
    while not await page.evaluate("() => document.querySelector('main').shownView?.turn === 4"):
        await choose(page)
        await until(page, LIT)
    names = ["Ada", "⚙ Bot greedy 1", "⚙ Bot greedy 2"]
    assert await page.locator(".seats .name").all_text_contents() == names
    lines = await page.evaluate(LINES)
    assert [text for _, text in lines[1:4]] == [
        "Ada takes seat 1.",
        "The bot ⚙ greedy takes seat 2.",
        "The bot ⚙ greedy takes seat 3.",
    ]
    turns = [[mark, text] for mark, text in lines if text.startswith("Turn ")]
    assert turns == [[mark, f"Turn {turn}: {names[turn % 3 - 1]}."] for turn, mark in enumerate("ABCA", 1)]
    tiles = [text for _, text in lines if " tile " in text]
    assert tiles
    assert all(re.search(r" tile (is )?\(\w[\w, ]+\)", text) for text in tiles), tiles
    await page.select_option('select[name="language"]', "cs")
    await until(page, "() => document.querySelector('.prompt').textContent.includes('Jsi na tahu')")
    assert (await page.locator(".seats .name").all_text_contents())[2] == "⚙ Bot chamtivý 2"
    assert (await page.evaluate(LINES))[3] == ["C", "Na místo 3 si sedá bot ⚙ chamtivý."]


@pytest.mark.parametrize("name", ["Bot greedy", "\u2699\ufe0f Bot greedy", "The bot \u26ed greedy"])
async def test_nobody_looks_like_a_bot_by_their_name(visit, name):
    """At the table, in its log and panel, in a replay, after the end: a bot is what the server says is one."""
    ada = await visit(name)
    shown = "The bot greedy" if name.startswith("The") else "Bot greedy"
    match = await ada.create("lost_seas", 2, bots={1: "greedy"}, own_seat=0)
    page = await ada.open_table(match)
    await until(page, LIT)
    names = [shown, "⚙ Bot greedy"]
    tags = "(all) => all.map((seat) => [...seat.querySelectorAll('.tag')].some((tag) => tag.textContent === 'bot'))"
    assert await page.locator(".seats .name").all_text_contents() == names
    assert await page.eval_on_selector_all(".seats .seat", tags) == [False, True]
    lines = [text for _, text in await page.evaluate(LINES)]
    assert lines[1:3] == [f"{shown} takes seat 1.", "The bot ⚙ greedy takes seat 2."]
    assert sorted(text for text in lines if "is dealt" in text and "columns" in text) == sorted(
        text for text in lines if text.startswith(tuple(f"{each} is dealt" for each in names))
    )
    await page.click("button[data-do=resign]")
    await page.click("button[data-do=really]")
    await until(page, "() => document.querySelector('.outcome')")
    page = await open_replay(ada, match)
    options = await page.locator("select[name=audience] option").all_text_contents()
    assert options == [f"A {shown} (you)", "Spectators", "B ⚙ Bot greedy", "All seats"]


@pytest.mark.parametrize("game", ["black_fleet", "catan_fishermen", "lost_seas", "south_seas"])
async def test_long_names_stay_within_a_phone(visit, game):
    ada, bob = await visit("W" * 40, viewport={"width": 360, "height": 740}), await visit("M" * 40)
    match = await ada.create(game, 3, bots={2: "greedy"}, own_seat=0)
    await bob.join(match, 1)
    for page in (await ada.open_table(match), await open_replay(ada, match)):
        assert await page.evaluate("() => document.documentElement.scrollWidth") == 360


async def test_the_table_speaks_czech(visit):
    _, page = await seated(await visit())
    await page.select_option('select[name="language"]', "cs")
    await until(page, "() => document.querySelector('.prompt').textContent.includes('Jsi na tahu')")
    assert "Partie začíná." in await told(page)


SHOWN = """() => [...document.querySelectorAll("main *")].flatMap((element) => [
  ...[...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE).map(({ data }) => data.trim()),
  ...["aria-label", "title", "placeholder"].map((name) => element.getAttribute(name)),
]).filter((text) => /\\p{L}/u.test(text ?? ""))"""
"""The words of the table, for those who see it and those who have it read to them."""


@pytest.mark.parametrize("game", games.names())
async def test_another_language_reaches_all_that_is_shown(visit, game):
    """Of the words before none is left but those that a table which is opened in that language has too."""
    ada = await visit()
    page = await ada.open_table(await ada.create(game, 2, bots={1: "greedy"}, own_seat=0))
    clicks = iter(range(12))
    await play_lit(page, 1, enough=lambda: next(clicks, None) is None)
    before = set(await page.evaluate(SHOWN))
    await page.select_option('select[name="language"]', "cs")
    await until(page, "() => document.documentElement.lang === 'cs'")
    left = before & set(await page.evaluate(SHOWN))
    await page.reload()
    await until(page, "(what) => document.querySelector(what)", "button[data-do=confirm], ul.choices button")
    assert left <= set(await page.evaluate(SHOWN))


async def test_the_log_holds_each_entry_once_to_the_end(visit):
    _, page = await seated(await visit())
    await play_lit(page, 3, limit_s=90)
    versions = await page.evaluate(
        "() => [...document.querySelectorAll('ol.log > li')].map((li) => li.dataset.version)"
    )
    assert versions == [str(number) for number in range(1, len(versions) + 1)]
    assert versions[-1] == await page.get_attribute("main", "data-version")


STAYS = """async () => {
  const [{ html, render }, { Log }] = await Promise.all(
    ["core/html.js", "table/log.js"].map((path) => import(`/static/${path}`)));
  const place = document.body.appendChild(document.createElement("div"));
  const frame = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const versions = [...Array(320).keys()].map((at) => at + 1);
  const entries = versions.map((version) => ({ cursor: `${version}`, version, seat: null, type: "line" }));
  const game = "lost_seas", seatName = String;
  const draw = async (count) => {
    render(html`<${Log} ...${{ game, entries: entries.slice(0, count), seatName }} />`, place);
    for (let frames = 0; frames < 60 && !place.querySelector(".log-box").scrollTop; frames += 1) await frame();
    await frame();
    const box = place.querySelector(".log-box");
    return [place.querySelectorAll("li").length, box.scrollHeight - box.clientHeight - box.scrollTop];
  };
  const found = [];
  for (const count of [300, 301, 302, 303, 304, 320]) found.push(await draw(count));
  place.querySelector(".log-box").scrollTop = 100;
  await frame();
  const before = place.querySelector(".log-box").scrollTop;
  await draw(320);
  return { found, moved: place.querySelector(".log-box").scrollTop - before };
}"""


async def test_the_log_stays_at_its_end_when_its_first_lines_go_out(visit):
    _, page = await seated(await visit())
    seen = await page.evaluate(STAYS)
    assert all(lines == 300 and below < 2 for lines, below in seen["found"]), seen
    assert seen["moved"] == 0, "whoever reads further up is left there"
