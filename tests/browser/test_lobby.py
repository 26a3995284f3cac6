"""The lobby, as people use it."""

import json
import re
import secrets
from urllib.parse import quote

import pytest
from playwright.async_api import expect

from tests.browser.floor import axe, shot, until
from tests.browser.lobbies import CREATE, begin, fill, listed, lobby, lobby_tab, made

ODD = {
    "lost_seas": (
        {"seats": "4", "bot:1": "greedy", "option:young_explorers": True, "option:first_player": "seat_3"},
        {"young_explorers": True, "first_player": "seat_3", "arrange_expeditions": False, "majority_ties": False},
    ),
    "south_seas": (
        {"seats": "5", "bot:0": "", "bot:4": "own", "option:hidden_scores": True, "edition": "house"},
        {"hidden_scores": True, "first_player": "seat_0"},
    ),
    "catan_fishermen": (
        {"seats": "2", "option:fishermen": "lake", "option:board": "random", "option:victory_points": "12"},
        {"fishermen": "lake", "board": "random", "victory_points": 12, "shuffle_frame": False},
    ),
    "black_fleet": (
        {"seats": "3", "option:victory_card": "10, 20,10", "option:first_player": "seat_1"},
        {"victory_card": [10, 20, 10], "first_player": "seat_1"},
    ),
}
TERMS = {
    "lost_seas": (
        {"clock": "bank", "bankMinutes": "15", "incrementSeconds": "5", "absence": "BOT"},
        {
            "clock": {"bankMs": "900000", "incrementMs": "5000"},
            "absence": "ABSENCE_POLICY_BOT",
            "absencePolicy": "greedy",
        },
    ),
    "south_seas": (
        {"clock": "days", "moveDays": "3", "absence": "FORFEIT", "delay": "TURN"},
        {
            "clock": {"moveMs": "259200000"},
            "absence": "ABSENCE_POLICY_FORFEIT",
            "spectatorDelay": {"unit": "DELAY_UNIT_TURN"},
        },
    ),
    "catan_fishermen": (
        {"clock": "move", "moveSeconds": "45", "private": True, "delay": "EVENTS", "delayCount": "7"},
        {
            "private": True,
            "clock": {"moveMs": "45000"},
            "absence": "ABSENCE_POLICY_AUTOPILOT",
            "spectatorDelay": {"unit": "DELAY_UNIT_EVENTS", "count": 7},
        },
    ),
    "black_fleet": ({"closed": True, "autoStart": False}, {"absence": "ABSENCE_POLICY_AUTOPILOT"}),
}
HOSTILE = {
    "markup": "<b>bold</b><img src=x onerror=alert(1)>",
    "turned": "\u202eesreveR\u2066 \u200bAda",
    "wide": "W" * 40,
    "pictures": "\N{OCTOPUS}" * 40,
    "stacked": "z" + "\u0335\u0327\u0334" * 10 + "algo",
    "unseen": "\u200b\u2060\u3164",
    "right": "\u0633\u0644\u0627\u0645",
    "a bot": "greedy",
    "a bot's sign": "\u2699 greedy",
}


@pytest.mark.parametrize("game", ODD)
async def test_a_match_is_made_by_its_form_as_it_says(visit, game):
    ada = await visit("Ada")
    page = await lobby(ada)
    (fields, options), (kept, terms) = ODD[game], TERMS[game]
    await begin(page, game, **fields, **kept)
    await axe(page)
    await shot(page, f"create-{game}")
    match = await made(page)
    found = await ada.call("MatchService", "GetMatch", matchId=match)
    assert json.loads(found["options"]["json"]) == options
    assert found["match"].get("terms", {}) == terms
    seats = found["match"]["seats"]
    assert len(seats) == int(fields["seats"])
    own = next(int(name[4:]) for name, value in ({"bot:0": "own"} | fields).items() if value == "own")
    assert [seat.get("player") for seat in seats].index(ada.player) == own
    bots = {f"bot:{seat}" for seat, who in enumerate(seats) if who.get("bot")}
    assert bots == {name for name, value in fields.items() if value == "greedy"}
    assert found["match"].get("autoStart", False) is not kept.get("closed", False)
    assert (found["match"]["logAfterEnd"] == "LOG_AFTER_END_CLOSED") is kept.get("closed", False)
    if game == "south_seas":
        described = await ada.call("GameService", "DescribeGame", game=game)
        house = next(edition["hash"] for edition in described["editions"] if edition["name"] == "house")
        assert found["match"]["edition"] == house


async def test_what_the_rules_forbid_is_told_with_the_rule_and_can_be_put_right(visit):
    page = await lobby(await visit("Ada"))
    await begin(page, "catan_fishermen", **{"bot:1": "greedy", "bot:2": "greedy", "option:victory_points": "999"})
    await expect(page.locator("select[name=seats] option").first).to_have_text("2 seats (unofficial)")
    await page.click(f"{CREATE} button[type=submit]")
    await expect(page.locator(f"{CREATE} [role=alert].refusal .rule")).to_have_text(re.compile(r"^CA-\d+$"))
    await fill(page, {"option:victory_points": "8"})
    await made(page)
    await page.wait_for_selector("main[data-status=running]")


async def test_who_joins_is_seen_by_all_at_once_and_the_match_begins(visit):
    ada, bob = await visit("Ada"), await visit("Bob")
    his, hers = await lobby(bob), await lobby(ada)
    match = await ada.create("lost_seas", 2, own_seat=0)
    await listed(his, match, "open").locator("button[data-do=join]").wait_for()
    assert await listed(hers, match, "open").locator("button[data-do]").get_attribute("data-do") == "play"
    await listed(his, match, "open").locator("button[data-do=join]").click()
    await his.wait_for_selector(f"main[data-page=table][data-match='{match}'][data-status=running]")
    await listed(hers, match, "live").wait_for()
    assert await listed(hers, match, "open").count() == 0
    begun = hers.locator(f"[data-offer='{match}'][data-kind=begun]")
    await expect(begun).to_be_visible()
    await begun.locator("a").click()
    await hers.wait_for_selector("main[data-page=table][data-status=running]")


async def test_the_focus_goes_along_to_a_page_that_has_to_be_asked_for(visit):
    page = await lobby(await visit("Ada"))
    await begin(page, "lost_seas", **{"seats": "2", "bot:1": "greedy"})
    await made(page)
    await until(page, "() => document.activeElement === document.querySelector('main[data-page=table]')")


async def test_an_invitation_that_counts_no_more_keeps_nobody_from_what_they_may_see(visit):
    ada, bob, eve = await visit("Ada"), await visit("Bob"), await visit("Eve")
    match = await ada.create("lost_seas", 3, own_seat=0, terms={"private": True})
    link = f"/table/{match}#invitation="
    made_for_bob = (await ada.call("LobbyService", "CreateInvitation", matchId=match))["invitation"]
    await bob.page.goto(link + made_for_bob)
    await bob.page.locator("button[data-do=join]").first.click()
    await bob.page.wait_for_selector("button[data-do=leave]")
    await bob.page.goto("/")
    for visitor, text in ((bob, made_for_bob), (ada, "forged")):
        await visitor.page.goto(link + text)
        await visitor.page.wait_for_selector("main[data-page=table] button[data-do=leave]")
    for text, why in ((made_for_bob, "no longer valid"), ("forged", "no such match")):
        await eve.page.goto("/")
        await eve.page.goto(link + text)
        assert why in await eve.page.text_content("main[data-page=table] .refusal")


async def test_an_invitation_opens_one_seat_of_a_private_match_once(visit):
    ada, bob, cyd = await visit("Ada"), await visit("Bob"), await visit("Cyd")
    page, strange = await lobby(ada), await lobby(cyd)
    await begin(page, "lost_seas", seats="3", private=True)
    match = await made(page)
    await page.click("button[data-do=invite]")
    link = await page.locator("input.invite-link").input_value()
    assert link.startswith(page.url + "#invitation=")
    public = await ada.create("lost_seas", 2, own_seat=0)
    await listed(strange, public).wait_for()
    assert await listed(strange, match).count() == 0
    invited = bob.page
    await invited.goto(link)
    await invited.locator("button[data-do=join]").first.click()
    await until(page, "(name) => document.querySelector('main').innerText.includes(name)", "Bob")
    late = cyd.page
    await late.goto(link)
    told = late.locator("[role=alert].refusal")
    await late.locator("button[data-do=join]").first.or_(told).first.wait_for()
    if await told.count() == 0:
        await late.locator("button[data-do=join]").first.click()
    await expect(told).to_be_visible()
    seats = (await ada.call("MatchService", "GetMatch", matchId=match))["match"]["seats"]
    assert [seat.get("player", "") for seat in seats] == [ada.player, bob.player, ""]


async def test_filters_stand_in_the_address_and_hold_for_news_too(visit):
    ada, bob = await visit("Ada"), await visit("Bob")
    before = [await bob.create("lost_seas", 2, own_seat=0) for _ in range(22)]
    mine = await ada.create("south_seas", 2, own_seat=0)
    page = await lobby(ada)
    await listed(page, before[-1]).wait_for()
    assert await listed(page, before[0]).count() == 0
    while await listed(page, before[0]).count() == 0:
        shown = await page.locator("[data-list=open] .match").count()
        await page.click("[data-list=open] button[data-do=more]")
        await until(page, "(shown) => document.querySelectorAll('[data-list=open] .match').length > shown", shown)
    await page.select_option("select[name=filter-game]", "south_seas")
    await until(page, "() => !document.querySelector('.match[data-game=lost_seas]')")
    await listed(page, mine).wait_for()
    await page.select_option("select[name=filter-game]", "")
    await page.check("input[name=filter-mine]")
    await listed(page, mine).wait_for()
    await until(page, "() => document.querySelectorAll('.match:not(.own)').length === 0")
    await page.reload()
    await listed(page, mine).wait_for()
    assert page.url.endswith("/?mine=1")
    assert await page.is_checked("input[name=filter-mine]")
    other = await bob.create("lost_seas", 2, own_seat=0)
    fresh = await ada.create("lost_seas", 2, own_seat=0)
    await listed(page, fresh, "open").wait_for()
    assert await listed(page, other).count() == 0
    await page.uncheck("input[name=filter-mine]")
    await page.check("input[name=filter-free]")
    await listed(page, other, "open").wait_for()
    await ada.join(other, 1)
    await until(page, "(id) => !document.querySelector(`[data-list=open] [data-match='${id}']`)", other)


async def test_names_are_shown_as_texts_that_touch_nothing_around_them(visit):
    page = await lobby(await visit("Ada"))
    shown = {}
    for kind, name in HOSTILE.items():
        player = await visit(name)
        match = await player.create("lost_seas", 2, own_seat=0)
        await listed(page, match).wait_for()
        shown[kind] = (await listed(page, match).locator(".name").inner_text(), player.player, match)
    texts = {kind: text for kind, (text, _, _) in shown.items()}
    assert texts["markup"] == HOSTILE["markup"]
    assert texts["turned"] == "esreveR Ada"
    assert texts["unseen"] == f"Guest {shown['unseen'][1][-4:]}"
    assert len(texts["stacked"]) == len("z\u0335\u0327\u0334algo")
    assert texts["a bot's sign"] == "greedy"
    assert await page.locator(".match img").count() == 0
    assert await listed(page, shown["a bot"][2]).locator(".badge").count() == 0
    heights = await page.evaluate("() => [...document.querySelectorAll('.name')].map((name) => name.offsetHeight)")
    assert max(heights) <= 1.5 * min(heights)
    for width in (1280, 360):
        await shot(page, "hostile-names", width)
    _, player, _ = shown["wide"]
    await page.goto(f"/player/{player.replace('|', '%7C')}")
    await page.wait_for_selector("[data-part=history] tbody tr")
    await shot(page, "hostile-player", 360)


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 360)])
async def test_pages_are_accessible_in_every_language(visit, scheme, width):
    ada, bob = await visit("Ada", color_scheme=scheme, viewport={"width": width, "height": 800}), await visit("Bob")
    over = await ada.create("lost_seas", 2, own_seat=0)
    await bob.join(over, 1)
    await bob.call("MatchService", "LeaveMatch", requestId=secrets.token_hex(8), matchId=over, seat=1)
    await bob.create("catan_fishermen", 4, own_seat=0, bots={1: "greedy"}, terms={"clock": {"moveMs": "90000"}})
    page = await lobby(ada)
    for tag, heading in (("en", "Lobby"), ("cs", "Herna")):
        await page.select_option("select[name=language]", tag)
        await expect(page.locator("h1")).to_have_text(heading)
        assert await page.get_attribute("html", "lang") == tag
        await axe(page)
        await shot(page, f"lobby-{tag}-{scheme}", width)
        await begin(page, "black_fleet", clock="bank", absence="BOT", delay="SECONDS")
        await axe(page)
        await shot(page, f"create-{tag}-{scheme}", width)
        await page.keyboard.press("Escape")
        await until(page, "() => document.activeElement.dataset.do === 'create'")
    await page.reload()
    await expect(page.locator("h1")).to_have_text("Herna")
    if width < 800:
        await page.click("[role=tab][data-tab=finished]")
        await page.keyboard.press("ArrowLeft")
        await expect(page.locator("[role=tab][aria-selected=true]")).to_have_attribute("data-tab", "live")
        await page.keyboard.press("ArrowRight")
    await listed(page, over, "finished").locator("button[data-do=replay]").wait_for()
    await page.click("nav a[href^='/player/']")
    await page.wait_for_selector("[data-part=record] [data-game=lost_seas]")
    await page.select_option("select[name=leaderboard-game]", "lost_seas")
    await page.wait_for_selector(f"[data-part=leaderboard] [data-player='{ada.player}'].own")
    await expect(page.locator(f"[data-part=history] [data-match='{over}'] td").nth(1)).to_contain_text("1.")
    await axe(page)
    await shot(page, f"player-cs-{scheme}", width)


async def test_players_are_paired_and_a_search_can_be_given_up(visit):
    ada, bob = await visit("Ada"), await visit("Bob")
    hers, his = await lobby(ada), await lobby(bob)
    for page in (hers, hers, his):
        await page.click("button[data-do=quick]")
        form = page.locator("form[data-form=quick]")
        await form.locator("select[name=game]").select_option("lost_seas")
        await form.locator("select[name=seats]").select_option("2")
        await form.locator("select[name=clock]").select_option("move")
        await form.locator("button[type=submit]").click()
        if page is hers and await hers.evaluate("() => !globalThis.gaveUp"):
            await hers.click("[data-kind=waiting] button[data-do=cancel-quick]")
            await until(hers, "() => !document.querySelector('[data-kind=waiting]')")
            await hers.evaluate("() => { globalThis.gaveUp = true }")
        elif page is hers:
            await hers.wait_for_selector("[data-kind=waiting]")
    for page in (hers, his):
        await page.wait_for_selector("main[data-page=table][data-status=running]")
    assert hers.url == his.url


async def test_a_rematch_is_offered_to_the_other_at_once(visit):
    ada, bob = await visit("Ada"), await visit("Bob")
    over = await ada.create("lost_seas", 2, own_seat=0)
    await bob.join(over, 1)
    await bob.call("MatchService", "LeaveMatch", requestId=secrets.token_hex(8), matchId=over, seat=1)
    hers, his = await lobby(ada, "/?mine=1"), await lobby(bob, "/?invited=1")
    await listed(hers, over, "finished").locator("button[data-do=rematch]").click()
    await hers.wait_for_selector("main[data-page=table][data-status=open]")
    await his.wait_for_selector("[data-kind=offered]")
    await until(his, "() => document.querySelectorAll('[data-list=open] .match').length === 1")
    await his.click("[data-kind=offered] button[data-do=accept]")
    await his.wait_for_selector("main[data-page=table][data-status=running]")
    assert his.url == hers.url
    await hers.goto(f"/player/{bob.player.replace('|', '%7C')}")
    await expect(hers.locator("[data-part=together] li")).to_have_text(
        re.compile("^Lost Seas: 1 match; you were ahead 1., behind 0., level 0.[.]$")
    )


@pytest.mark.parametrize("player", ["tidelog|nobody", "nobody", "tidelog|bot:nobody", "<img src=x>"])
async def test_of_a_player_nobody_has_met_it_is_said_that_nobody_has(visit, player):
    page = await (await visit("Ada")).open(f"/player/{quote(player, safe='')}", "player")
    await page.wait_for_selector("main[data-unknown]")
    await expect(page.locator("h1")).to_have_text("No such player is known here")
    await expect(page.locator(".player-id")).to_have_text(player)
    assert await page.locator("[data-part]").count() == 0
    assert "No such player" in await page.title()
    await axe(page)


async def test_who_has_not_played_yet_is_known_to_themself_alone_until_they_sit_somewhere(visit):
    ada, bob = await visit("Ada"), await visit("Bob")
    place = f"/player/{quote(bob.player, safe='')}"
    own = await bob.open(place, "player")
    await own.wait_for_selector("[data-part=history] .hint")
    await expect(own.locator("[data-part=record] .hint")).to_have_text("No result yet.")
    assert await own.get_attribute("main", "data-unknown") is None
    page = await ada.open(place, "player")
    await page.wait_for_selector("main[data-unknown]")
    match = await bob.create("lost_seas", 2, own_seat=0)
    listing = await lobby(ada)
    await listed(listing, match).wait_for()
    page = await ada.open(place, "player")
    await page.wait_for_selector(f"[data-part=history] [data-match='{match}']")
    await expect(page.locator("h1 .name")).to_have_text("Bob")


async def test_a_second_tab_is_the_same_player_under_the_same_name(visit):
    ada = await visit(guest=False)
    page = await lobby(ada)
    await page.click("button[data-do=name]")
    await page.fill("dialog input[name=name]", "Ada <3")
    await page.click("dialog button[type=submit]")
    await expect(page.locator("button[data-do=name] .name")).to_have_text("Ada <3")
    other = await lobby_tab(ada)
    await expect(other.locator("button[data-do=name] .name")).to_have_text("Ada <3")
    player = "() => JSON.parse(localStorage['tidelog.session']).player"
    assert await other.evaluate(player) == await page.evaluate(player)
    await begin(page, "lost_seas")
    match = await made(page)
    await listed(other, match, "open").and_(other.locator(".own")).wait_for()
    await expect(listed(other, match).locator(".name").first).to_have_text("Ada <3")
    await other.click("button[data-do=name]")
    await other.fill("dialog input[name=name]", "Countess")
    await other.click("dialog button[type=submit]")
    await expect(page.locator("button[data-do=name] .name")).to_have_text("Countess")


async def test_a_token_that_is_taken_no_more_is_replaced_without_losing_the_page(visit):
    ada = await visit("Ada")
    page = await lobby(ada)
    kept = "() => JSON.parse(localStorage['tidelog.session'])"
    keep = "(session) => { localStorage['tidelog.session'] = JSON.stringify(session) }"
    old = await page.evaluate(kept)
    await page.evaluate(keep, old | {"sinceMs": 2 * old["sinceMs"] - old["expiresAtMs"]})
    other = await lobby_tab(ada)
    new = await other.evaluate(kept)
    assert (new["player"], new["name"]) == (old["player"], "Ada")
    assert new["token"] != old["token"]
    await page.evaluate(keep, new | {"token": "forged"})
    third = await lobby_tab(ada)
    assert (await third.evaluate(kept))["player"] != old["player"]
    match = await ada.create("lost_seas", 2, own_seat=0)
    for each in (page, other, third):
        await listed(each, match, "open").wait_for()


async def test_a_lost_connection_is_told_and_what_was_asked_is_done_once_it_is_back(visit):
    ada, bob = await visit("Ada"), await visit("Bob")
    for visitor in (ada, bob):
        visitor.watched.pardon("ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED|Failed to load resource")
    page = await lobby(ada)
    await begin(page, "lost_seas")
    await page.context.set_offline(True)
    await page.click(f"{CREATE} button[type=submit]")
    await expect(page.locator(".away p")).to_be_visible()
    meanwhile = await bob.create("south_seas", 2, own_seat=0)
    await page.context.set_offline(False)
    await page.wait_for_selector("main[data-page=table]")
    await expect(page.locator(".away p")).to_have_count(0)
    await page.click("a.brand")
    await listed(page, meanwhile, "open").wait_for()
    mine = await ada.call("MatchService", "ListMatches", creator=ada.player)
    assert len(mine["matches"]) == 1


async def test_a_lobby_that_nobody_sees_takes_no_connection(visit):
    ada, bob = await visit("Ada"), await visit("Bob")
    page = await lobby(ada)
    turn = """(hidden) => {
      Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }"""
    async with page.expect_event("requestfailed", lambda request: request.url.endswith("/WatchMatches")):
        await page.evaluate(turn, True)
    match = await bob.create("lost_seas", 2, own_seat=0)
    await page.evaluate(turn, False)
    await listed(page, match, "open").wait_for()
