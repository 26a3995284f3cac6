"""What a table withstands: reloads, servers that are killed, lines that are cut, two tabs of one seat."""

import os
import signal

from tests.browser.floor import until
from tests.browser.test_table import GAME, LIT, TAKING, VERSION, choose, seated, taking
from tests.integration.test_up import child_of

LINES = "[...document.querySelectorAll('ol.log > li')].map((line) => line.dataset.version)"
SUBMIT = "**/api/v1/MatchService/SubmitMove"


async def sound(visitor, page, match):
    """What stands on the page is the match as it is: each entry once, and the board of the last."""
    head = int((await visitor.call("MatchService", "GetMatch", matchId=match))["match"]["version"])
    await until(page, f"(head) => {VERSION} >= head", head)
    shown = await page.evaluate(f"() => [{LINES}, {VERSION}, document.querySelector('main').shownView]")
    assert shown[0] == [str(version) for version in range(1, shown[1] + 1)]
    view = await visitor.call("MatchService", "GetView", matchId=match, seat=0, version=shown[1])
    assert shown[2] == await page.evaluate("JSON.parse", view["view"]["json"])


async def test_a_reload_in_the_middle_of_a_choice_finds_it_as_it_was(visit):
    ada = await visit()
    match, page = await seated(ada)
    await taking(page)
    await page.click('ul.choices button[data-choice^="tile:"]')
    await until(page, "() => document.querySelector('.trail li')")
    picked = await page.text_content(".trail li")
    await page.reload()
    await until(page, LIT)
    assert await page.text_content(".trail li") == picked
    assert await page.locator('ul.choices button[data-choice^="cell:"]').count() == 16
    await choose(page)
    await sound(ada, page, match)


async def test_a_move_whose_answer_was_lost_is_played_once_over_a_reload(visit):
    ada = await visit()
    match, page = await seated(ada)
    await taking(page)
    sent, answering = [], False

    async def carried_out_and_not_answered(route):
        sent.append(route.request.post_data)
        if answering:
            await route.continue_()
        else:
            await route.fetch()

    await page.route(SUBMIT, carried_out_and_not_answered)
    before = await page.evaluate(f"() => {VERSION}")
    await choose(page)
    await until(page, f"(before) => {VERSION} > before", before)
    held = await page.evaluate("(match) => sessionStorage['tidelog.sending.' + match]", match)
    assert held == sent[0], "kept until there is an answer"
    answering = True
    async with page.expect_request(SUBMIT):
        await page.reload()
    await until(page, "(match) => !(('tidelog.sending.' + match) in sessionStorage)", match)
    assert sent[1:] == sent[:1], "the same bytes with the same request id"
    await until(page, LIT)
    placed = await page.evaluate("() => document.querySelector('main').shownView.players[0].placed.length")
    assert placed == 1
    await sound(ada, page, match)


async def test_a_server_that_is_killed_comes_back_under_the_table(visit, platform):
    ada = await visit()
    ada.watched.pardon("ERR_|Failed to load resource")
    match, page = await seated(ada)
    await taking(page)
    before = await page.evaluate(f"() => {VERSION}")
    os.kill(child_of(platform, "serve gateway"), signal.SIGKILL)
    await until(page, "() => document.querySelector('main').dataset.link === 'lost'")
    assert await page.evaluate(f"() => {VERSION}") == before, "the board stands as it was"
    await choose(page)  # goes out as soon as there is a server
    await until(page, "() => document.querySelector('main').dataset.link === 'live'")
    await until(page, f"(before) => {VERSION} > before", before)
    await until(page, LIT)
    await choose(page)
    await sound(ada, page, match)


async def test_a_line_that_was_cut_is_taken_up_where_it_ended(visit):
    ada, eve = await visit("Ada"), await visit("Eve")
    eve.watched.pardon("ERR_|Failed to load resource")
    match, page = await seated(ada)
    watching = await eve.open_table(match)
    asked = []
    watching.on("request", lambda request: request.url.endswith("/WatchMatch") and asked.append(request.post_data_json))
    await watching.context.set_offline(True)
    await until(watching, "() => document.querySelector('main').dataset.link === 'lost'")
    await until(watching, "() => document.querySelector('.notice.lost')")
    last = await watching.evaluate(f"() => {VERSION}")
    await choose(page, 4)
    await until(page, f"(last) => {VERSION} > last + 4", last)
    assert await watching.evaluate(f"() => {VERSION}") == last
    await watching.context.set_offline(False)
    await until(watching, "() => document.querySelector('main').dataset.link === 'live'")
    assert {each["after"].split("-")[0] for each in asked} == {str(last)}, "nothing is asked for twice"
    head = await page.evaluate(f"() => {VERSION}")
    await until(watching, f"(head) => {VERSION} >= head", head)
    lines = await watching.evaluate(f"() => {LINES}")
    assert lines == [str(version) for version in range(1, len(lines) + 1)]


async def test_two_tabs_of_one_seat_agree(visit):
    ada = await visit()
    match, page = await seated(ada)
    second = await page.context.new_page()
    await second.goto(f"/table/{match}")
    await until(second, LIT)
    await taking(page)
    await until(second, TAKING)
    await second.click('ul.choices button[data-choice^="tile:"]')
    await until(second, "() => document.querySelector('.trail li')")
    await choose(page)
    await until(second, "() => !document.querySelector('.trail li')")
    await until(page, LIT)
    await until(second, LIT)
    offered = [
        await each.evaluate(
            "() => [...document.querySelectorAll('ul.choices button')].map((each) => each.dataset.choice)"
        )
        for each in (page, second)
    ]
    assert offered[0] == offered[1]
    await choose(second)
    await sound(ada, page, match)
    await sound(ada, second, match)


async def test_a_move_that_another_tab_made_stale_is_refused_and_told(visit):
    ada = await visit()
    match, page = await seated(ada)
    await taking(page)
    held = []

    async def hold(route):
        held.append(route)

    await page.route(SUBMIT, hold)
    await choose(page)
    second = await page.context.new_page()
    await second.goto(f"/table/{match}")
    await until(second, TAKING)
    await choose(second)
    await held[0].continue_()
    await page.locator('[role="alert"].refusal').wait_for()
    assert "moved on" in await page.text_content(".refusal")
    await sound(ada, page, match)


async def test_a_game_without_a_module_is_played_all_the_same(visit):
    ada = await visit()
    match = await ada.create(GAME, 2, bots={1: "greedy"}, own_seat=0)
    await ada.page.route(
        "**/static/games/games.js",
        lambda route: route.fulfill(body="export const PICTURED = [];", content_type="text/javascript"),
    )
    page = await ada.open_table(match)
    await until(page, LIT)
    assert '"phase"' in await page.text_content(".plain-view")
    await choose(page, 3)
    await sound(ada, page, match)
