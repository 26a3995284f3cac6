"""A match at any of its versions: what is drawn is what it was, whatever is done to get there."""

import asyncio
import json
import random
import secrets

import msgspec
import pytest
import pytest_asyncio

from engines.core import games
from tests.browser.floor import axe, shot, until
from tests.browser.replaying import (
    AT,
    SCRUB,
    differing,
    drawn,
    last_version,
    open_replay,
    played,
    scrub,
    view,
)
from tests.integration.platform import tidelog

GAMES = {"lost_seas": 2, "south_seas": 3, "catan_fishermen": 3, "black_fleet": 3}
SHORT = "lost_seas"
STARTED = 40
"""A version behind the start of each of the matches."""

SAMPLED = 12
"""Versions of a long match that are looked at; all of them in `soak`."""

PAIRS = """() => {
  const main = document.querySelector("main[data-page=replay]");
  globalThis.pairs = [];
  new MutationObserver(() => {
    globalThis.pairs.push([Number(main.dataset.version), JSON.stringify(main.shownView)]);
  }).observe(main, { attributes: true, attributeFilter: ["data-version"] });
}"""


@pytest_asyncio.fixture(scope="session", loop_scope="session")
def matches():
    """Matches between bots that are over, by game, as tests ask for them."""
    return {}


@pytest.fixture
def finished(matches):
    async def finished(visitor, game):
        if game not in matches:
            matches[game] = await played(visitor, game, GAMES[game])
        return matches[game]

    return finished


async def swept(visitor, page, match, seats, versions):
    """Compares as a spectator, as one seat, and as all of them."""
    assert await differing(visitor, page, match, versions, None) == []
    await page.select_option("select[name=audience]", "1")
    await until(page, "() => document.querySelector('main').dataset.audience === '1'")
    some = versions[:: max(1, len(versions) // 12)]
    assert await differing(visitor, page, match, some, 1) == []
    await page.select_option("select[name=audience]", "all")
    few = versions[:: max(1, len(versions) // 5)]
    expected = [[await view(visitor, match, version, seat) for seat in range(seats)] for version in few]
    assert await drawn(page, few) == expected


@pytest.mark.parametrize("game", GAMES)
async def test_each_version_is_drawn_as_the_api_tells_it(visit, finished, game):
    ada = await visit()
    match = await finished(ada, game)
    page = await open_replay(ada, match)
    last = await last_version(ada, match)
    versions = list(range(1, last + 1))
    if game != SHORT:
        versions = sorted({1, 2, last, *random.Random(9).sample(range(1, last + 1), SAMPLED)})
    await swept(ada, page, match, GAMES[game], versions)


@pytest.mark.soak
@pytest.mark.parametrize("policy", ["greedy", "random"])
@pytest.mark.parametrize("game", GAMES)
async def test_every_version_of_every_game_is_drawn_as_the_api_tells_it(visit, game, policy):
    ada = await visit()
    match = await played(ada, game, GAMES[game], policy)
    page = await open_replay(ada, match)
    await swept(ada, page, match, GAMES[game], list(range(1, await last_version(ada, match) + 1)))


async def test_whatever_is_drawn_while_scrubbing_fast_is_true_and_the_last_wish_wins(visit, finished):
    ada = await visit()
    match = await finished(ada, "catan_fishermen")
    page = await open_replay(ada, match)
    last = await last_version(ada, match)
    await page.evaluate(PAIRS)
    luck = random.Random(4)
    wishes = [luck.randint(1, last) for _ in range(150)]
    await page.evaluate(
        f"(wishes) => {{ const scrub = {SCRUB}; for (const version of wishes) scrub([version]); }}", wishes
    )
    await until(page, AT, wishes[-1])
    for wish in (*wishes[:40], 7):
        await page.evaluate(SCRUB, [wish])
    await until(page, AT, 7)
    pairs = await page.evaluate("() => globalThis.pairs")
    assert [version for version, _ in pairs][-1] == 7
    seen = dict(pairs)
    assert len(seen) > 2
    wrong = [version for version, shown in seen.items() if json.loads(shown) != await view(ada, match, version)]
    assert wrong == []


async def test_steps_turns_and_the_log_lead_to_their_versions(visit, finished):
    ada = await visit()
    match = await finished(ada, SHORT)
    page = await open_replay(ada, match, "?version=50")
    await until(page, AT, 50)

    async def press(name, expected):
        await page.click(f"button[data-do={name}]")
        await until(page, AT, expected)
        assert await page.get_attribute("button[aria-current]", "aria-current") == "step"
        assert await page.locator(".log li:has(button[aria-current])").get_attribute("data-version") == str(expected)

    last = await last_version(ada, match)
    await press("previous", 49)
    await press("next", 50)
    await press("last", last)
    assert await page.is_disabled("button[data-do=next]")
    await press("first", 1)
    assert await page.is_disabled("button[data-do=previous]")
    await page.click(".log li[data-version='30'] button")
    await until(page, AT, 30)
    await page.keyboard.press("ArrowDown")
    await until(page, AT, 31)
    assert await page.evaluate("() => document.activeElement.parentElement.dataset.version") == "31"


async def test_turns_are_jumped_to_one_by_one(visit, finished):
    ada = await visit()
    match = await finished(ada, "south_seas")
    page = await open_replay(ada, match, "?version=290")
    turns = []
    while await page.is_enabled("button[data-do=turn-on]"):
        before = int(await page.get_attribute("main", "data-version"))
        await page.click("button[data-do=turn-on]")
        await until(page, "(before) => Number(document.querySelector('main').dataset.version) > before", before)
        turns.append((await page.evaluate("() => document.querySelector('main').shownView"))["turn"])
    assert len(turns) > 5
    assert turns == list(range(turns[0], turns[0] + len(turns)))
    await page.click("button[data-do=turn-back]")
    await until(page, f"() => document.querySelector('main').shownView.turn === {turns[-2]}")


async def test_a_shared_link_opens_that_version_for_whoever_has_it(visit, finished):
    ada, ben = await visit("Ada"), await visit("Ben", guest=False)
    match = await finished(ada, SHORT)
    page = await open_replay(ada, match, "?seat=1")
    await scrub(page, 61)
    await page.click("button[data-do=share]")
    link = await page.input_value("input.share-link")
    assert link.endswith(f"/replay/{match}?version=61&seat=1")
    opened = await ben.open(link, "replay")
    await until(opened, AT, 61)
    assert await opened.get_attribute("main", "data-audience") == "1"
    assert await opened.evaluate("() => document.querySelector('main').shownView") == await view(ada, match, 61, 1)


async def test_the_address_follows_so_that_a_reload_stays_where_it_was(visit, finished):
    ada = await visit()
    match = await finished(ada, SHORT)
    page = await open_replay(ada, match)
    await scrub(page, 44)
    await page.wait_for_url("**/*version=44")
    await page.reload()
    await until(page, AT, 44)


async def test_it_is_played_to_the_end_and_stops_there(visit, finished):
    ada = await visit()
    match = await finished(ada, SHORT)
    last = await last_version(ada, match)
    page = await open_replay(ada, match, "?version=8")
    await page.select_option("select[name=speed]", "64")
    await page.evaluate(PAIRS)
    await page.click("button[data-do=play]")
    await until(
        page, f"() => ({AT})({last}) && !document.querySelector('main').hasAttribute('data-playing')", None, 60_000
    )
    versions = [version for version, _ in await page.evaluate("() => globalThis.pairs")]
    assert versions == sorted(set(versions)), "it goes on, and tells nothing twice"
    assert len(versions) > 40
    await page.click("button[data-do=play]")
    await until(page, "() => Number(document.querySelector('main').dataset.version) < 12")
    await page.click("button[data-do=play]")
    await until(page, "() => !document.querySelector('main').hasAttribute('data-playing')")


async def test_a_match_under_way_is_replayed_as_far_as_it_goes_and_followed_from_there(visit):
    ada, ben = await visit("Ada"), await visit("Ben")
    match = await ada.create(SHORT, 2, bots={1: "greedy"}, own_seat=0)

    async def move():
        """One move of Ada's, and whatever the bot answers; the version then."""
        situation = await ada.call("MatchService", "ListLegalMoves", matchId=match, seat=0)
        receipt = await ada.call(
            "MatchService",
            "SubmitMove",
            requestId=secrets.token_hex(8),
            matchId=match,
            seat=0,
            move=situation["legal"]["moves"][0],
        )
        while not (await ada.call("MatchService", "ListLegalMoves", matchId=match, seat=0))["legal"]:
            pass
        return receipt["receipt"]["lastVersion"]

    while not (await ada.call("MatchService", "ListLegalMoves", matchId=match, seat=0))["legal"]:
        pass
    page = await open_replay(ada, match)
    theirs = await open_replay(ben, match, "?seat=0")
    assert await page.get_attribute("main", "data-audience") == "0"
    assert await theirs.get_attribute("main", "data-audience") == "spectator", "another's cards are not shown"
    for _ in range(3):
        await move()
    last = await last_version(ada, match)
    for shown, seat in ((page, 0), (theirs, None)):
        await until(shown, AT, last)
        assert await shown.evaluate("() => document.querySelector('main').shownView") == await view(
            ada, match, last, seat
        )

    # Who looks at the past stays there, until they play on to the end and along with it.
    await scrub(page, last - 6)
    await move()
    await until(theirs, AT, await last_version(ada, match))
    assert await page.get_attribute("main", "data-version") == str(last - 6)
    assert await page.locator("[data-live]").count() == 0
    await page.select_option("select[name=speed]", "64")
    await page.click("button[data-do=play]")
    last = await last_version(ada, match)
    await until(page, AT, last)
    await move()
    last = await last_version(ada, match)
    await until(page, AT, last)
    assert await page.locator("[data-live]").count() == 1
    assert await page.get_attribute("main", "data-playing") == ""
    await page.click("button[data-do=play]")
    assert await differing(ada, page, match, list(range(1, last + 1, 3)), 0) == []


@pytest.mark.parametrize("game", GAMES)
async def test_the_legend_says_the_scores_of_the_view_that_is_drawn(visit, finished, game):
    ada = await visit()
    match = await finished(ada, game)
    page = await open_replay(ada, match)
    last, engine = await last_version(ada, match), games.engine(game)
    shown = {"spectator": None, "1": 1, "all": None}
    for audience, seat in shown.items():
        await page.select_option("select[name=audience]", audience)
        await until(page, f"() => document.querySelector('main[data-known]')?.dataset.audience === '{audience}'")
        for version in sorted({last, *random.Random(f"{game} {audience}").sample(range(STARTED, last), 6)}):
            await scrub(page, version)
            told = msgspec.convert(await view(ada, match, version, seat), engine.View, strict=False)
            assert await legend(page) == list(engine.scores(told)), (audience, version)


async def legend(page):
    return await page.eval_on_selector_all(".legend strong", "(all) => all.map((each) => Number(each.textContent))")


async def test_the_chart_says_what_the_views_say(visit, finished):
    ada = await visit()
    match = await finished(ada, SHORT)
    page = await open_replay(ada, match)
    last = await last_version(ada, match)
    await page.click(".chart summary")
    rows = await page.eval_on_selector_all(
        ".chart tbody tr", "(rows) => rows.map((row) => [...row.cells].map((cell) => Number(cell.textContent)))"
    )
    assert [turn for turn, *_ in rows] == list(range(1, len(rows) + 1))
    assert rows[-1][1] == last
    outcome = (await ada.call("MatchService", "GetMatch", matchId=match))["match"]["outcome"]["ranking"]
    assert dict(enumerate(rows[-1][2:])) == {each.get("seat", 0): each.get("points", 0) for each in outcome}
    for _, version, *scores in rows[:: max(1, len(rows) // 5)]:
        await scrub(page, version)
        assert await legend(page) == scores
    lines = await page.eval_on_selector_all(
        ".lines .line", "(all) => all.map((each) => each.getAttribute('stroke-dasharray'))"
    )
    assert len(set(lines)) == GAMES[SHORT], "told apart without colours"
    box = await page.locator("svg.lines").bounding_box()
    await page.mouse.click(box["x"] + box["width"] - 34, box["y"] + 60)
    await until(page, AT, last)


async def test_the_download_is_the_export(visit, finished, platform, tmp_path):
    ada = await visit()
    match = await finished(ada, SHORT)
    page = await open_replay(ada, match)
    async with page.expect_download() as coming:
        await page.click("a[data-do=download]")
    download = await coming.value
    assert download.suggested_filename == f"{match}.jsonl"
    await download.save_as(tmp_path / "page.jsonl")
    exported = await asyncio.to_thread(
        tidelog, "export", match, "--data", platform.data, "--out", tmp_path / "cli.jsonl"
    )
    assert exported.returncode == 0
    assert (tmp_path / "page.jsonl").read_bytes() == (tmp_path / "cli.jsonl").read_bytes()


async def test_a_match_that_is_not_there_is_said_not_to_be(visit):
    ada = await visit()
    page = await ada.open("/replay/AAAAAAAAAAAAAAAAAAAAAAAA", "replay")
    await page.wait_for_selector("[role=alert].refusal")


@pytest.mark.parametrize("game", GAMES)
async def test_it_is_accessible_and_fits_a_phone(visit, finished, game):
    ada = await visit()
    match = await finished(ada, game)
    page = await open_replay(ada, match)
    await scrub(page, (await last_version(ada, match)) * 2 // 3)
    await shot(page, f"replay-{game}")
    await axe(page)
    await shot(page, f"replay-{game}", 360, 780)
    await page.select_option("select[name=audience]", "all")
    await until(page, "() => document.querySelectorAll('[data-seen] svg').length > 1")
    await shot(page, f"replay-{game}-all")
    if game == SHORT:
        await axe(page)
