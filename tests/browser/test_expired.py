"""Matches that ended for want of players: what their table, the lobby and their replay say."""

from tests.browser.floor import axe, until
from tests.browser.lobbies import listed, lobby
from tests.browser.replaying import SURVEYED

WHY = "it was not begun in time"
EXPIRED = "() => document.querySelector('main').dataset.status === 'expired'"


async def test_a_match_that_nobody_joined_says_so_wherever_it_is_shown(visit):
    """Its table stands open when the time comes, by the server's own clock."""
    ada, eve = await visit("Ada"), await visit("Eve")
    match = await ada.create("lost_seas", 2, own_seat=0, terms={"openMs": 30_000})
    table = await ada.open(f"/table/{match}", "table")
    await until(table, "() => document.querySelector('section.waiting')")
    card = listed(await lobby(eve), match, "open")
    await card.wait_for()
    await until(table, EXPIRED, None, 90_000)
    await until(table, "() => document.querySelector('section.outcome')")
    assert await table.text_content("#outcome-title") == "The match has expired"
    assert WHY in await table.text_content("section.outcome")
    assert WHY in await table.text_content("ol.log")
    assert await table.locator("section.waiting").count() == 0
    assert await table.locator(".table-board svg").count() == 0, "no board of a match that was never begun"
    await axe(table)

    await card.wait_for(state="detached")  # lists hold what may be joined, goes on, or has an outcome
    assert await table.locator("[data-do=rematch]").count() == 0, "the seats were never taken"
    page = table
    await page.click("section.outcome [data-do=replay]")
    await page.wait_for_selector("main[data-page=replay][data-version]")
    await until(page, SURVEYED)
    last = await page.get_attribute("main", "data-last")
    await until(page, "(last) => document.querySelector('main').dataset.version === last", last)
    assert await page.text_content(".replay-head .badge") == "Expired"
    assert WHY in await page.text_content(".log")
    assert "never begun" in await page.text_content(".replay-main")
    assert await page.locator(".replay-main svg").count() == 0
    assert await page.locator("[role=alert]").count() == 0
    await axe(page)
