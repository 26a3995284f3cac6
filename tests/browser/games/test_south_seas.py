"""South Seas in pictures: what may be chosen is drawn and lit, and a large sea is easy to move about in."""

import json
import random
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import pytest

from engines.core import games
from engines.core.chance import SeededChance
from engines.south_seas import ENGINE
from engines.south_seas.state import Options
from services.cli.selfplay import BareTable, Setting
from tests.browser.floor import WEB, axe, shot
from tests.browser.playing import play_lit
from tests.web.client import catalogue
from tests.web.test_catalogues import arguments

GAME = WEB / "static" / "games" / "south_seas"
ORIGIN = "http://south-seas.test"
TYPES = {".js": "text/javascript", ".json": "application/json", ".css": "text/css"}
PAGE = """<!doctype html><html lang="en"><title>South Seas</title>
<link rel="stylesheet" href="/static/app.css"><link rel="stylesheet" href="/static/games/south_seas/game.css">
<style>.two { display: grid; grid-template-columns: minmax(0, 1fr) 20rem }
@media (width < 50rem) { .two { display: block } }</style>
<main class="two" id="room"></main><script type="module" src="/stage.js"></script></html>"""
STAGE = (Path(__file__).parent / "south_seas_stage.js").read_text()
HALFWAY = 60


def positions(seats, seed, *, greedy=False, options=None):
    """Every position of a match as its owner sees it, and the last one as a spectator does."""
    edition = games.edition("south_seas", ENGINE.edition)
    bots = ("greedy",) * seats
    setting = Setting("south_seas", options or Options(), seats, edition, bots, seed, 1000)
    table = BareTable(ENGINE, setting, seed.to_bytes(32, "big"))
    choose, luck = games.policy("south_seas"), random.Random(seed)
    found = []
    while owing := ENGINE.to_act(table.state):
        seat = owing[0]
        view, legal = ENGINE.view(table.state, seat), list(ENGINE.legal_moves(table.state, seat))
        families = [family.name for family in ENGINE.families(table.state, seat)]
        found.append({"seat": seat, "view": view, "legal": legal, "families": families})
        chance = SeededChance(luck.getrandbits(64))
        table.play(seat, choose(view, legal, chance) if greedy else luck.choice(legal))
    return [*found, {"seat": None, "view": ENGINE.view(table.state, None), "legal": [], "families": []}]


def told(position):
    """As JSON that the page is given."""
    return json.loads(msgspec.json.encode(position))


def first(found, **wanted):
    """The first position with these phases and more legal moves than one."""
    return next(told(one) for one in found if one["view"].phase == wanted["phase"] and len(one["legal"]) > 1)


@asynccontextmanager
async def staged(browser, *, width=1280, height=900, **settings):
    """A page that shows South Seas alone, from the files as they are; nothing in it may fail."""
    context = await browser.new_context(viewport={"width": width, "height": height}, **settings)
    faults = []
    context.on("weberror", lambda error: faults.append(str(error.error)))

    async def serve(route):
        path = route.request.url.removeprefix(ORIGIN)
        if path == "/":
            await route.fulfill(body=PAGE, content_type="text/html")
        elif path == "/stage.js":
            await route.fulfill(body=STAGE, content_type="text/javascript")
        else:
            file = WEB / path.removeprefix("/")
            await route.fulfill(body=file.read_text(), content_type=TYPES[file.suffix])

    await context.route(f"{ORIGIN}/**", serve)
    page = await context.new_page()
    await page.goto(f"{ORIGIN}/")
    await page.wait_for_function("globalThis.stage")
    try:
        yield page
    finally:
        await context.close()
    assert faults == []


async def show(page, position, before=None):
    await page.evaluate("([position, before]) => stage.show(position, before)", [position, before])


async def where(page):
    """How the camera stands: x, y and scale."""
    return await page.evaluate("""async () => {
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      await Promise.all(document.querySelector(".world").getAnimations().map((each) => each.finished));
      const { e, f, a } = new DOMMatrix(getComputedStyle(document.querySelector(".world")).transform);
      return [e, f, a];
    }""")


async def centre(page, selector):
    box = await page.locator(selector).first.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
async def test_all_that_may_be_chosen_is_drawn_and_told(browser, seats):
    found = positions(seats, 100 + seats, greedy=seats % 2, options=Options(hidden_scores=seats > 3))
    shown = [*found[:3], *found[3:-1:11], found[-1]]
    async with staged(browser) as page:
        for one in shown:
            assert await page.evaluate("(position) => stage.examine(position)", told(one)) == []
            assert tuple(await page.evaluate("() => stage.scores()")) == ENGINE.scores(one["view"])
        assert await page.evaluate("() => [...stage.missing]") == []
        used = await page.evaluate("() => stage.used()")
    for tag in ("en", "cs"):
        texts = catalogue(GAME / "messages" / f"{tag}.json")
        assert [key for key, given in used if not arguments(texts[key]) <= set(given)] == []


async def test_a_tile_is_turned_and_placed_by_keys_and_clicks(browser):
    position = first(positions(2, 3), phase="placing_tile")
    spots = position["view"]["spots"]
    several = next(spot for spot in spots if len(spot["rotations"]) > 1)
    other = next(spot for spot in spots if spot != several)
    target = f"cell:{several['x']},{several['y']}"
    async with staged(browser) as page:
        await show(page, position)
        await page.mouse.move(*await centre(page, f'[data-target="{target}"]'))
        ghosts = set()
        for _ in several["rotations"]:
            ghosts.add(await page.locator(".ghost").inner_html())
            await page.keyboard.press("r")
        assert len(ghosts) == len(several["rotations"])
        await page.mouse.click(*await centre(page, f'[data-target="cell:{other["x"]},{other["y"]}"]'))
        await page.mouse.click(*await centre(page, f'[data-target="{target}"]'))
        lit = await page.locator(".turn[data-lit]").evaluate_all("(all) => all.map((each) => each.dataset.target)")
        assert lit == [f"turn:{rotation}" for rotation in several["rotations"]]
        wished = await page.locator('.turn[aria-pressed="true"]').get_attribute("data-target")
        await page.mouse.click(*await centre(page, f'[data-target="{target}"]'))
        sent = await page.evaluate("() => stage.sent")
        assert sent == {"kind": "place_tile", "x": several["x"], "y": several["y"], "rotation": int(wished[-1])}


async def test_the_sea_fits_itself_and_is_moved_by_wheel_drag_and_keys(browser):
    found = [told(one) for one in positions(3, 5) if one["view"].phase == "placing_tile"]
    async with staged(browser) as page:
        await show(page, found[3])
        await show(page, found[-1])
        board, dock = await page.locator(".sea-chart").bounding_box(), await page.locator(".dock").bounding_box()
        for spot in await page.locator("[data-lit].spot").all():
            box = await spot.bounding_box()
            assert board["x"] <= box["x"] <= board["x"] + board["width"] - box["width"]
            assert board["y"] <= box["y"] <= dock["y"] - box["height"]
        fitted = await where(page)

        at = board["x"] + 300, board["y"] + 200
        await page.mouse.move(*at)
        await page.mouse.wheel(0, -400)
        await page.wait_for_function("(old) => stage.scale() > old", arg=fitted[2])
        x, y, scale = await where(page)
        kept = [
            (side - start) / size for side, start, size in ((300, fitted[0], fitted[2]), (200, fitted[1], fitted[2]))
        ]
        assert [(300 - x) / scale, (200 - y) / scale] == pytest.approx(kept, abs=2)

        await page.mouse.down()
        await page.mouse.move(at[0] + 90, at[1] + 40, steps=5)
        await page.mouse.up()
        moved = await where(page)
        # What is within the first few pixels may still become a click.
        assert [moved[0] - x, moved[1] - y] == pytest.approx([90, 40], abs=20)
        assert await page.evaluate("() => stage.picks") == []

        await page.keyboard.press("ArrowRight")
        assert (await where(page))[0] == pytest.approx(moved[0], abs=1)
        await page.keyboard.press("Shift+ArrowRight")
        assert (await where(page))[0] == pytest.approx(moved[0] - 60, abs=1)
        await page.keyboard.press("+")
        closer = (await where(page))[2]
        assert closer > moved[2]
        await page.keyboard.press("-")
        assert (await where(page))[2] < closer
        await page.keyboard.press("0")
        assert await where(page) == pytest.approx(fitted, abs=0.01)


async def test_two_fingers_zoom(browser):
    position = first(positions(2, 3), phase="placing_tile")
    async with staged(browser, width=360, height=740, has_touch=True) as page:
        await show(page, position)
        x, y = await centre(page, ".sea-chart > svg")
        fitted = await where(page)
        fingers = await page.context.new_cdp_session(page)
        for kind, apart in (("touchStart", 20), ("touchMove", 40), ("touchMove", 60), ("touchMove", 80)):
            points = [{"x": x - apart, "y": y - 60, "id": 0}, {"x": x + apart, "y": y - 60, "id": 1}]
            await fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        await fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        assert (await where(page))[2] > 1.5 * fitted[2]
        assert await page.evaluate("() => stage.picks") == []


async def test_a_feature_under_the_pointer_lights_up_as_far_as_it_reaches(browser):
    found = positions(3, 11, greedy=True)
    position = told(found[-40])
    view = position["view"]
    async with staged(browser) as page:
        await show(page, position)
        for held in [region for region in view["regions"] if region["crews"]]:
            one = next(one for one in view["islanders"] if held["number"] in regions_of(view, one))
            mark = f'[data-target="islander:{one["x"]},{one["y"]},{one["feature"]}"]'
            await page.mouse.move(*await centre(page, mark))
            parts = sum(placed["regions"].count(held["number"]) for placed in view["tiles"])
            assert await page.locator(".glow path").count() == parts
            told_of = await page.locator(".told").inner_text()
            assert str(held["gaps"]) in told_of
            assert await page.locator(".told .crew").count() == len(held["crews"])


def regions_of(view, one):
    """The region that the islander stands on."""
    placed = next(tile for tile in view["tiles"] if (tile["x"], tile["y"]) == (one["x"], one["y"]))
    numbers = [feature["id"] for feature in placed["tile"]["features"]]
    return [placed["regions"][numbers.index(one["feature"])]]


async def test_wares_are_paid_one_by_one_in_a_form(browser):
    deliveries = (one for one in positions(2, 42, greedy=True) if "free_payments" in one["families"])
    position = told(next(deliveries))
    ship = next(
        one for one in position["view"]["ships"] if one["sail"] == "any" and one["id"] in position["view"]["offered"]
    )
    async with staged(browser) as page:
        await page.evaluate("(position) => stage.form(position, 'free_payments')", position)
        send, more = page.locator('button[data-do="send"]'), ".ware-row button:last-of-type"
        await page.locator(f'input[value="{ship["id"]}"]').check()
        for _ in range(ship["number"]):
            assert await send.is_disabled()
            await page.locator(f"{more}:enabled").first.click()
        assert await page.locator(f"{more}:enabled").count() == 0
        await send.click()
        sent = await page.evaluate("() => stage.sent")
    assert sent["ship"] == ship["id"]
    assert sent in position["legal"]


def full_board():
    """The last two positions of a match whose 73 tiles all fitted."""
    matches = (positions(5, seed, greedy=True) for seed in range(1, 9))
    return next(found for found in matches if len(found[-1]["view"].tiles) == 73)[-2:]


async def panned(page, found):
    """Four laps by mouse over the last position: the length of each frame, what was touched, how long a redraw took."""
    before, last = map(told, found)
    await show(page, before)
    await show(page, last, before["view"])
    x, y = await centre(page, ".sea-chart > svg")
    await page.mouse.move(x, y)
    await page.evaluate("() => stage.watch()")
    await page.mouse.down()
    for lap in range(4):
        await page.mouse.move(x + 260 * (-1) ** lap, y + 120 * (-1) ** lap, steps=40)
    await page.mouse.up()
    return await page.evaluate("() => stage.watched()")


async def test_a_full_board_is_moved_about_without_being_drawn_anew(browser):
    """How fast its frames come tests/bench/bench_browser.py tells."""
    found = full_board()
    async with staged(browser) as page:
        await show(page, told(found[-1]))
        start = await where(page)
        frames, touched, _ = await panned(page, found)
        moved = await where(page)
    assert moved[:2] != start[:2]
    assert len(frames) > 10
    # A transform on one element: neither what is drawn nor any other attribute changes.
    assert touched == ["world style"]


async def test_a_person_plays_a_whole_match_by_clicking_what_is_lit(visit):
    ann = await visit("Ann")
    match = await ann.create("south_seas", 2, bots={1: "greedy"}, own_seat=0)
    page = await ann.open_table(match)
    await pictured(page, "south_seas-begin")
    version = await page.locator("main").get_attribute("data-version")
    await page.locator(".sea-chart > svg").click(position={"x": 30, "y": 300})
    refusal = page.locator("[role=alert].refusal")
    await refusal.wait_for()
    assert "SS-5" in await refusal.inner_text()
    assert await page.locator("main").get_attribute("data-version") == version
    tiles = "() => document.querySelector('main').shownView.tiles.length"
    clicks = 0

    def enough():
        nonlocal clicks
        clicks += 1
        return clicks > HALFWAY

    half = await play_lit(page, 5, enough=enough)
    await pictured(page, "south_seas-middle")
    whole = await play_lit(page, 6)
    assert half.board + whole.board > half.listed + whole.listed
    assert await page.locator("main").get_attribute("data-status") == "finished"
    assert await page.evaluate(tiles) > 60
    assert await page.locator(".scoring tbody tr").count() == 2
    await pictured(page, "south_seas-end")


async def pictured(page, name):
    """Pictures for people to look at, and a look at what nobody sees."""
    await shot(page, name, 360)
    await shot(page, name)
    await axe(page)
