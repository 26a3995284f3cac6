"""A match at its table: choosing, explaining, waiting, watching, ending, by mouse, keyboard and screen reader."""

import asyncio
import re

import pytest

from engines.core import games
from tests.browser.floor import axe, shot, until
from tests.browser.playing import play_lit
from tests.browser.replaying import open_replay
from tests.integration.platform import tidelog

GAME = "lost_seas"
CLICKS = 40
LIT = "() => document.querySelectorAll('ul.choices button').length"
VERSION = "Number(document.querySelector('main').dataset.version)"
HOSTILE = '<img src=x onerror="alert(1)">\u202e\u0000 {seat} \u0301\u0301\u0301\u0301\u0301'[:40]


async def seated(visitor, **more):
    """A table with a bot, at the visitor's first decision."""
    match = await visitor.create(GAME, 2, bots={1: "greedy"}, own_seat=0, **more)
    page = await visitor.open_table(match)
    await until(page, LIT)
    return match, page


async def choose(page, times=1):
    """Chooses the first of what is lit, until so many moves have been sent; confirms what is weighty."""
    what = "button[data-do=confirm], ul.choices button"
    sent = []
    note = lambda request: request.url.endswith("/SubmitMove") and sent.append(request)  # noqa: E731
    page.on("request", note)
    while len(sent) < times:
        await until(page, "(what) => document.querySelector(what)", what)
        signed = await page.evaluate(SIGN, what)
        await page.locator(what).first.click()
        await until(page, f"([what, signed]) => ({SIGN})(what) !== signed", [what, signed])
    page.remove_listener("request", note)


SIGN = f"""(what) => JSON.stringify([{VERSION},
  [...document.querySelectorAll(what)].map((each) => each.dataset.do ?? each.dataset.choice)])"""

TAKING = (
    "() => document.querySelector('main')?.shownView?.owed.some(({seat, duty}) => seat === 0 && duty === 'take_tile')"
)


async def taking(page):
    """Chooses sides; a tile is to be taken then."""
    await choose(page, 2)
    await until(page, TAKING)


LINES = """() => [...document.querySelectorAll("ol.log > li")].map((line) =>
  [line.querySelector(".sign")?.textContent.trim() ?? "", line.querySelector("bdi").textContent])"""


def told(page):
    return page.evaluate("() => [...document.querySelectorAll('ol.log > li')].map((line) => line.textContent.trim())")


def centre(box):
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


async def middle(page, target):
    found = page.locator(f'.board [data-target="{target}"][data-lit]').first
    await found.scroll_into_view_if_needed()
    return centre(await found.bounding_box())


async def test_a_table_is_drawn_and_told_without_a_grave_finding(visit):
    ada = await visit("Ada")
    match, page = await seated(ada, terms={"clock": {"bankMs": "600000"}})
    main = await page.evaluate("() => ({...document.querySelector('main').dataset})")
    assert (main["match"], main["status"], main["turn"], main["link"]) == (match, "running", "own", "live")
    shown = await page.evaluate("() => document.querySelector('main').shownView")
    view = await ada.call("MatchService", "GetView", matchId=match, seat=0, version=int(main["version"]))
    assert shown == await page.evaluate("JSON.parse", view["view"]["json"])
    assert len(await told(page)) == int(main["version"])
    assert "Ada takes seat" in (await told(page))[1]
    assert await page.title() == "● Lost Seas · Tidelog"
    seat = page.locator('.seat[data-seat="0"]')
    assert await seat.locator(".name").text_content() == "Ada"
    assert re.fullmatch(r"10:00|9:[345]\d", await seat.locator(".clock").text_content())
    assert await page.locator('.seat[data-seat="1"] .score').text_content() is not None
    lit = await page.evaluate("() => [...document.querySelectorAll('.board [data-lit]')].map((e) => e.dataset.target)")
    listed = await page.evaluate(
        "() => [...document.querySelectorAll('ul.choices button')].map((e) => e.dataset.choice)"
    )
    assert set(lit) == set(listed)
    await axe(page)
    await shot(page, "table", 1600)
    await shot(page, "table", 360, 780)


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


async def test_a_drag_from_a_tile_to_a_cell_is_a_move(visit):
    _, page = await seated(await visit())
    await taking(page)
    before = await page.evaluate(f"() => {VERSION}")
    tile = await page.get_attribute('ul.choices button[data-choice^="tile:"]', "data-choice")
    await page.mouse.move(*await middle(page, tile))
    await page.mouse.down()
    cell = page.locator('.board [data-target="cell:6"]').first
    await page.mouse.move(*centre(await cell.bounding_box()), steps=5)
    await page.mouse.up()
    await until(page, f"(before) => {VERSION} > before || document.querySelector('button[data-do=confirm]')", before)
    if await page.locator("button[data-do=confirm]").count():
        await page.click("button[data-do=confirm]")
    await until(page, f"(before) => {VERSION} > before", before)
    placed = await page.evaluate("() => document.querySelector('main').shownView.players[0].placed")
    assert [each["cell"] for each in placed] == [6]
    assert f"tile:{placed[0]['tile']['id']}" == tile


async def test_by_keyboard_alone_a_move_is_aimed_at_picked_taken_back_and_played(visit):
    _, page = await seated(await visit())
    await taking(page)
    announced = await watch_announcements(page)
    await page.locator(".board").focus()
    await page.keyboard.press("ArrowRight")
    first = await page.get_attribute(".board [data-aimed]", "data-target")
    assert first.startswith("tile:")
    assert (await announced())[-1] == await page.text_content(f'button[data-choice="{first}"]')
    await page.keyboard.press("ArrowRight")
    second = await page.get_attribute(".board [data-aimed]", "data-target")
    assert second not in {first, None}
    await page.keyboard.press("Enter")
    await until(page, "() => document.querySelector('ul.choices button[data-choice^=\"cell:\"]')")
    assert await page.locator(".trail li").count() == 1
    await page.keyboard.press("Escape")
    await until(page, "() => document.querySelector('ul.choices button[data-choice^=\"tile:\"]')")
    await page.keyboard.press("Enter")
    await until(page, "() => document.querySelector('ul.choices button[data-choice^=\"cell:\"]')")
    await page.keyboard.press("ArrowDown")
    cell = await page.get_attribute(".board [data-aimed]", "data-target")
    assert cell.startswith("cell:")
    before = await page.evaluate(f"() => {VERSION}")
    await page.keyboard.press("Enter")
    await until(page, f"(before) => {VERSION} > before || document.querySelector('button[data-do=confirm]')", before)
    if await page.locator("button[data-do=confirm]").count():
        await page.locator("button[data-do=confirm]").focus()
        await page.keyboard.press("Enter")
    await until(page, f"(before) => {VERSION} > before", before)
    assert any("Ada puts tile" in text for text in await announced()), "what happened is read out"


async def watch_announcements(page):
    await page.evaluate("""() => {
      globalThis.heard = [];
      const region = document.getElementById("announcer");
      new MutationObserver(() => globalThis.heard.push(region.textContent))
        .observe(region, { childList: true, characterData: true, subtree: true });
    }""")
    return lambda: page.evaluate("() => globalThis.heard")


async def test_the_list_keeps_the_focus_and_every_move_can_be_confirmed(visit):
    _, page = await seated(await visit())
    await taking(page)
    await page.click("input[data-do=confirm-all]")
    before = await page.evaluate(f"() => {VERSION}")
    await page.locator("ul.choices button").first.focus()
    await page.keyboard.press("Enter")
    await until(page, "() => document.activeElement?.dataset.choice?.startsWith('cell:')")
    await page.keyboard.press("Enter")
    await until(page, "() => document.activeElement?.dataset.do === 'confirm'")
    assert await page.evaluate(f"() => {VERSION}") == before, "nothing is played yet"
    assert await page.locator(".trail li").count() == 2
    await page.click("button[data-do=back]")
    await until(page, "() => document.querySelector('ul.choices button[data-choice^=\"cell:\"]')")
    assert await page.locator("button[data-do=confirm]").count() == 0
    await page.locator("ul.choices button").nth(3).click()
    await page.click("button[data-do=confirm]")
    await until(page, f"(before) => {VERSION} > before", before)
    await page.reload()
    await until(page, "() => document.querySelector('input[data-do=confirm-all]')?.checked")


async def test_what_is_not_lit_is_explained_by_the_rule_against_it(visit):
    ada = await visit()
    _, page = await seated(ada)
    await taking(page)
    await choose(page)
    await until(page, LIT)
    before = await page.evaluate(f"() => {VERSION}")
    cell = await page.evaluate("() => document.querySelector('main').shownView.players[0].placed[0].cell")
    await page.click(f'.board [data-target="cell:{cell}"]')
    alert = page.locator('[role="alert"].refusal')
    await alert.wait_for()
    rule = await alert.locator(".rule").text_content()
    assert re.fullmatch(r"LS-\d+", rule)
    rules = await ada.call("GameService", "GetRules", game=GAME, ids=[rule])
    assert rules["rules"][0]["text"] in await alert.text_content()
    assert await page.evaluate(f"() => {VERSION}") == before
    await page.click("button[data-do=understood]")
    await until(page, "() => !document.querySelector('.refusal')")


async def play_and_resign(*pages):
    """People at one table play each other for a while, until one of them resigns; how much each has clicked."""
    seen = [0] * len(pages)

    def enough(who):
        seen[who] += 1
        return sum(seen) > CLICKS

    plays = [
        asyncio.create_task(play_lit(each, who, enough=lambda who=who: enough(who))) for who, each in enumerate(pages)
    ]
    done, _ = await asyncio.wait(plays, return_when=asyncio.FIRST_COMPLETED)
    leaving = pages[plays.index(done.pop())]
    await leaving.click("button[data-do=resign]")
    await leaving.click("button[data-do=really]")
    return await asyncio.gather(*plays)


@pytest.mark.parametrize("game", ["black_fleet", "catan_fishermen", "south_seas"])
async def test_two_people_play_each_other(visit, game):
    ada, bob = await visit("Ada"), await visit("Bob")
    match = await ada.create(game, 2, own_seat=0)
    await bob.join(match, 1)
    pages = [await each.open_table(match) for each in (ada, bob)]
    assert all(sum(clicks) for clicks in await play_and_resign(*pages))
    for each in pages:
        await until(each, "() => document.querySelector('.ranking tr[data-seat=\"1\"]')")
    ends = [(await told(each))[-3:] for each in pages]
    assert ends[0] == ends[1], "outcome, end and secret"


async def test_two_people_meet_in_a_private_match_and_play_it_again(visit):
    ada, bob = await visit("Ada"), await visit("Bob")
    match = await ada.create(GAME, 2, own_seat=0, autoStart=False, terms={"private": True})
    page = await ada.open_table(match)
    await page.click("button[data-do=invite]")
    link = await page.locator("input.invite-link").input_value()
    assert f"/table/{match}#" in link
    other = await bob.open(f"/table/{match}", "table")
    assert await other.locator(".refusal").count() == 1, "a stranger sees nothing of it"
    await other.goto("about:blank")
    await other.goto(link)
    await other.click('.seat[data-seat="1"] button[data-do=join]')
    await until(other, "() => location.hash === '' && document.querySelector('button[data-do=leave]')")
    await page.click("button[data-do=start]")
    for each in (page, other):
        await until(each, LIT)
    await shot(page, "table-two-people", 1280)
    both = await play_and_resign(page, other)
    assert min(map(sum, both)) > CLICKS / 4
    for each in (page, other):
        await until(each, "() => document.querySelector('.ranking tr[data-seat=\"1\"]')")
        assert await each.locator(".ranking tbody tr").count() == 2
    assert await page.evaluate("() => document.querySelector('main').shownView") is not None
    ends = [await told(each) for each in (page, other)]
    assert len(ends[0]) == len(ends[1])
    assert ends[0][-3:] == ends[1][-3:], "outcome, end and secret"
    await axe(page)
    await shot(page, "table-over", 1280)
    await page.click("button[data-do=rematch]")
    await until(page, "(old) => document.querySelector('main')?.dataset.match !== old && location.pathname", match)
    again = await page.evaluate("() => location.pathname")
    await until(other, "() => /waiting/.test(document.querySelector('button[data-do=rematch]').textContent)")
    await other.click("button[data-do=rematch]")
    await until(other, "(path) => location.pathname === path", again)
    for each in (page, other):
        await until(each, "() => document.querySelector('main').dataset.status === 'running'")


async def test_a_seat_is_taken_left_and_taken_again_while_the_match_waits(visit):
    ada, bob = await visit("Ada"), await visit(HOSTILE)
    match = await ada.create(GAME, 3, own_seat=0)
    page, other = await ada.open_table(match), await bob.open_table(match)
    await other.click('.seat[data-seat="2"] button[data-do=join]')
    await until(page, "() => !document.querySelector('.seat[data-seat=\"2\"][data-free]')")
    await other.click("button[data-do=leave]")
    await until(page, "() => document.querySelector('.seat[data-seat=\"2\"][data-free]')")
    await other.click('.seat[data-seat="1"] button[data-do=join]')
    await page.click('.seat[data-seat="2"] button[data-do=join]')
    await until(page, LIT)
    await until(page, "() => document.querySelectorAll('button[data-do=seat]').length === 2")
    await page.click('button[data-do=seat][data-seat="2"]')
    await until(page, "() => document.querySelector('main').shownView.viewer === 2")
    assert await page.get_attribute('button[data-do=seat][data-seat="2"]', "aria-pressed") == "true"
    names = await page.locator(".seats .name").all_text_contents()
    assert "<img" in names[1]
    assert not re.search("[\u202e\u0000]", names[1])
    assert "<img" in "".join(await told(other))
    assert not re.search("[\u202e\u0000]", "".join(await told(other)))
    assert await other.locator("[onerror]").count() == 0
    await axe(other)
    await shot(other, "table-hostile", 360, 780)


async def test_who_resigns_is_asked_first_and_watches_on(visit):
    _, page = await seated(await visit())
    await page.click("button[data-do=resign]")
    await page.wait_for_selector("dialog[data-form=resign]")
    await axe(page)
    await page.keyboard.press("Escape")
    await until(page, "() => !document.querySelector('dialog')")
    assert await page.get_attribute("main", "data-status") == "running"
    await page.click("button[data-do=resign]")
    await page.click("button[data-do=really]")
    await until(page, "() => document.querySelector('main').dataset.status === 'aborted'")
    assert any("Ada resigns" in text for text in await told(page))
    assert "left" in await page.text_content(".outcome")


async def test_who_resigns_where_spectators_are_kept_behind_watches_like_them(visit):
    ada, bob, eve = await visit("Ada"), await visit("Bob"), await visit("W" * 40)
    terms = {"spectatorDelay": {"unit": "DELAY_UNIT_EVENTS", "count": 40}}
    match = await ada.create("south_seas", 3, own_seat=0, terms=terms)
    await bob.join(match, 1)
    await eve.join(match, 2)
    page = await ada.open_table(match)
    await page.click("button[data-do=resign]")
    await page.click("button[data-do=really]")
    await until(page, "() => document.querySelector('main:not([data-own])[data-link=live]')")
    assert await page.locator(".notices .bad, .chooser, .tag.you, button[data-do=resign]").count() == 0
    assert "You watch 40 events behind" in await page.text_content(".terms")


@pytest.mark.parametrize("game", ["black_fleet", "catan_fishermen", "lost_seas", "south_seas"])
async def test_long_names_stay_within_a_phone(visit, game):
    ada, bob = await visit("W" * 40, viewport={"width": 360, "height": 740}), await visit("M" * 40)
    match = await ada.create(game, 3, bots={2: "greedy"}, own_seat=0)
    await bob.join(match, 1)
    for page in (await ada.open_table(match), await open_replay(ada, match)):
        assert await page.evaluate("() => document.documentElement.scrollWidth") == 360


async def test_a_clock_runs_down_and_out(visit):
    ada = await visit("Ada", viewport={"width": 800, "height": 700})
    bob = await visit("Bob")
    match = await ada.create(GAME, 2, own_seat=0, terms={"clock": {"moveMs": "5000"}})
    page = await ada.open_table(match)
    # A visitor whose own clock is wrong sees the same time.
    await bob.page.clock.install(time=0)
    await bob.page.clock.resume()
    await bob.join(match, 1)
    other = await bob.open_table(match)
    await until(page, "() => document.querySelector('.seat[data-seat=\"0\"] .clock[data-runs]')")
    for each in (page, other):
        seen = await each.text_content('.seat[data-seat="0"] .clock')
        assert re.fullmatch(r"0:0[0-5]", seen)
    await until(page, "() => document.querySelector('main').dataset.status !== 'running'")
    assert sum("run out of time" in text for text in await told(page)) >= 1
    # Who left is a fact of the platform, which is asked for behind the log.
    await until(page, "() => document.querySelector('.seat .tag.warn')")


async def test_a_spectator_is_told_of_the_delay_and_sees_no_more_than_it_lets(visit):
    ada, eve = await visit("Ada"), await visit("Eve")
    match = await ada.create(
        GAME, 2, bots={1: "greedy"}, own_seat=0, terms={"spectatorDelay": {"unit": "DELAY_UNIT_EVENTS", "count": 4}}
    )
    page, watching = await ada.open_table(match), await eve.open_table(match)
    assert "4 events" in await watching.text_content(".terms .delay")
    await choose(page, 3)
    head = await page.evaluate(f"() => {VERSION}")
    await until(watching, f"(least) => {VERSION} >= least", head - 8)
    seen = await watching.evaluate(f"() => {VERSION}")
    assert seen <= int((await ada.call("MatchService", "GetMatch", matchId=match))["match"]["version"]) - 4
    assert await watching.locator(".chooser, button[data-do=resign]").count() == 0
    assert await watching.evaluate("() => document.querySelector('main').shownView.viewer") is None
    await shot(watching, "table-spectator", 1280)


async def test_what_operators_do_is_told_to_whoever_looks(visit, platform):
    match, page = await seated(await visit())
    tidelog("admin", "quarantine", match, "--reason", "a look at it", "--data", platform.data)
    await until(page, "() => /a look at it/.test(document.querySelector('.notices').textContent)")
    assert await page.locator("ul.choices button").count() == 0
    tidelog("admin", "quarantine", match, "--lift", "--reason", "well", "--data", platform.data)
    await until(page, "() => !/a look at it/.test(document.querySelector('.notices').textContent)")
    await until(page, LIT)
    tidelog("admin", "abort", match, "--reason", "the end", "--data", platform.data)
    await until(page, "() => document.querySelector('main').dataset.status === 'aborted'")
    assert "the end" in await page.text_content(".outcome")


async def test_a_table_that_is_not_there_says_so(visit):
    page = await (await visit()).open("/table/NOSUCHMATCH", "table")
    assert "no such match" in await page.text_content(".refusal")
    await axe(page)


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
