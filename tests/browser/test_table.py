"""A match at its table: choosing, explaining, waiting, watching, ending, by mouse, keyboard and screen reader."""

import asyncio
import re

import pytest

from tests.browser.floor import axe, shot, until
from tests.browser.playing import play_lit
from tests.browser.tables import GAME, LIT, VERSION, choose, seated, told
from tests.integration.platform import tidelog

CLICKS = 40
HOSTILE = '<img src=x onerror="alert(1)">\u202e\u0000 {seat} \u0301\u0301\u0301\u0301\u0301'[:40]


TAKING = (
    "() => document.querySelector('main')?.shownView?.owed.some(({seat, duty}) => seat === 0 && duty === 'take_tile')"
)


async def taking(page):
    """Chooses sides; a tile is to be taken then."""
    await choose(page, 2)
    await until(page, TAKING)


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


KEYS = """async (keys) => {
  const board = document.querySelector(".board");
  for (const key of keys) {
    board.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    await new Promise((resolve) => setTimeout(resolve));
  }
}"""


async def test_keys_that_come_before_the_page_is_painted_count(visit):
    _, page = await seated(await visit())
    await taking(page)
    await page.locator(".board").focus()
    await page.evaluate(KEYS, ["ArrowRight", "Enter", "Escape", "Enter"])
    await until(page, "() => document.querySelector('ul.choices button[data-choice^=\"cell:\"]')")
    assert await page.locator(".trail li").count() == 1


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
