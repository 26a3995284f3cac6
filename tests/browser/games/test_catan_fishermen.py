"""Catan with the Fishermen in pictures: drawn from any view, and played by clicks on what is lit."""

import json
import random
import subprocess
from pathlib import Path

import msgspec
from playwright.async_api import expect

from engines.catan_fishermen import ENGINE
from engines.catan_fishermen.policy import choose
from engines.catan_fishermen.state import Phase
from engines.core import games
from engines.core.chance import SeededChance
from services.cli.selfplay import BareTable, Setting, secret_of
from tests.browser.floor import axe, shot, until
from tests.browser.playing import play_lit
from tests.requirements import needs_node

DRAWING = Path(__file__).with_name("catan_fishermen.mjs")
RARE = {Phase.DISCARDING, Phase.CHOOSING_FISH, Phase.MOVING_ROBBER, Phase.BUILDING_FREE_ROADS}
MOST = 1500
KINDS_OF_TARGETS = [
    "back", "card", "deal", "do", "edge", "fish", "give", "hex", "kind", "pay", "play", "plenty", "seat", "take",
    "vertex", "victim",
]  # fmt: skip


def states(seats, seed, **options):
    """Of a match of players who choose well or anything: the state before each move, and the last."""
    setting = Setting("catan_fishermen", msgspec.convert(options, ENGINE.Options), seats, edition(), (), seed, 0)
    table = BareTable(ENGINE, setting, secret_of(setting, 1))
    luck, chance = random.Random(seed), SeededChance(seed)
    for _ in range(MOST):
        yield table.state
        if ENGINE.outcome(table.state) is not None:
            return
        table.play(*chosen(table.state, luck, chance))


def positions(seats, seed, **options):
    """Some states of the match as those who sit at it and a spectator see them."""
    luck, before, seen = random.Random(seed), {}, set()
    for state in states(seats, seed, **options):
        mine = {seat: list(ENGINE.legal_moves(state, seat)) for seat in range(seats)}
        new = {type(move) for legal in mine.values() for move in legal} - seen
        rare = state.phase in RARE or (state.offer and any(state.replies))
        if not new and state.phase is not Phase.OVER and luck.random() > (0.15 if rare else 0.02):
            continue
        seen |= new
        for audience in (*range(seats), None):
            view = ENGINE.view(state, audience)
            families = () if audience is None else ENGINE.families(state, audience)
            yield {
                "view": view,
                "before": before.get(audience),
                "seat": audience,
                "scores": ENGINE.scores(view),
                "legal": mine.get(audience, []),
                "sampled": [family.sample(SeededChance(seed)) for family in families],
            }
            before[audience] = view


def edition():
    return games.edition("catan_fishermen")


def chosen(state, luck, chance):
    """Who answers an offer, or whoever owes a move, and what."""
    may = ENGINE.may_act(state)
    seat = luck.choice(may) if may and luck.random() < 0.5 else luck.choice(ENGINE.to_act(state))
    families = ENGINE.families(state, seat)
    if families and luck.random() < 0.15:
        return seat, luck.choice(families).sample(chance)
    legal = list(ENGINE.legal_moves(state, seat))
    move = choose(ENGINE.view(state, seat), legal, chance) if luck.random() < 0.8 else None
    return seat, move or luck.choice(legal)


def drawn(seen):
    lines = b"\n".join(msgspec.json.encode(position) for position in seen)
    done = subprocess.run([needs_node(), DRAWING], input=lines, capture_output=True, timeout=280, check=False)
    assert done.returncode == 0, done.stderr.decode()[-2000:]
    return msgspec.json.decode(done.stdout)


def test_whatever_may_be_picked_is_drawn_lit_and_whatever_is_said_has_words():
    seen = [
        *positions(2, 21, fishermen="spielbox"),
        *positions(3, 45, fishermen="lake"),
        *positions(4, 23, fishermen="no_ships", shuffle_frame=True),
        *positions(3, 24, fishermen="none", board="beginner"),
    ]
    told = drawn(seen)
    assert told["faults"] == []
    assert told["positions"] == len(seen)
    assert told["targets"] == KINDS_OF_TARGETS
    assert sum(position["view"].outcome is not None for position in seen) >= 3


async def test_a_person_plays_a_match_by_clicks_on_what_is_lit(visit):
    ada = await visit("Ada")
    bots = {1: "greedy", 2: "greedy"}
    match = await ada.create("catan_fishermen", 3, bots=bots, options={"fishermen": "lake"}, own_seat=0)
    page = await ada.open_table(match)
    await shot(page, "catan_fishermen-set-up")
    await axe(page)
    clicks = 0

    def middle():
        nonlocal clicks
        clicks += 1
        return clicks > 30

    await play_lit(page, 5, enough=middle)
    await axe(page)
    for width in (360, 1280):
        await shot(page, "catan_fishermen-middle", width)
    played = await play_lit(page, 6)
    assert played.board > 0
    for width in (360, 1280):
        await shot(page, "catan_fishermen-end", width)
    await axe(page)


async def test_two_people_trade(visit):
    ada, ben = await visit("Ada"), await visit("Ben")
    match = await ada.create("catan_fishermen", 2, own_seat=0)
    await ben.join(match, 1)
    mine, theirs = tables = [await ada.open_table(match), await ben.open_table(match)]
    for seat in (0, 1, 1, 0):
        await placed(tables[seat])
    await rolled(mine)
    give = next(kind for kind, count in (await hand(mine)).items() if count)
    take = next((kind for kind, count in (await hand(theirs)).items() if count and kind != give), None)
    if take is None:
        take, give = give, next(kind for kind, count in (await hand(mine)).items() if count and kind != give)

    await mine.click("button[data-open=offers]")
    await mine.click(f'dialog [data-more="give:{give}"]')
    await expect(mine.locator("dialog [data-do=send]")).to_be_disabled()
    await mine.click(f'dialog [data-more="take:{take}"]')
    await expect(mine.locator(f'dialog [data-more="take:{give}"]')).to_be_disabled()
    await axe(mine)
    await mine.click("dialog [data-do=send]")
    await theirs.click('[data-target="do:decline"][data-lit]')
    await expect(mine.locator(".replies .declined")).to_contain_text("Ben")
    await theirs.click("button[data-open=counter_offers]")
    await theirs.click("dialog [data-do=send]")
    await expect(mine.locator(".replies .countered")).to_contain_text("Ben")
    await theirs.click('[data-target="do:accept"][data-lit]')
    for page, name in zip(tables, ("offer", "answer"), strict=True):
        await expect(page.locator(".replies .accepted")).to_contain_text("Ben")
        await shot(page, f"catan_fishermen-{name}", 360)
    before = [await hand(page) for page in tables]
    await mine.click('[data-target="deal:1"][data-lit]')
    await mine.click("button[data-do=confirm]")
    for page in tables:
        await until(page, "() => document.querySelector('main').shownView.offer == null")
    after = [await hand(page) for page in tables]
    assert [new[give] - old[give] for new, old in zip(after, before, strict=True)] == [-1, 1]
    assert [new[take] - old[take] for new, old in zip(after, before, strict=True)] == [1, -1]
    await mine.click('[data-target="do:end"][data-lit]')
    await theirs.wait_for_selector(".dice.past")  # the last roll, before the next
    await axe(theirs)


PLACE = """() => {
  const { hexes } = document.querySelector("main").shownView;
  const places = [...document.querySelectorAll('[data-target^="vertex:"][data-lit]')].map((each) => {
    const vertex = Number(each.dataset.target.split(":")[1]);
    const kinds = hexes.filter((hex) => hex.vertices.includes(vertex) && hex.number).map((hex) => hex.terrain);
    return [new Set(kinds).size, vertex];
  });
  return places.sort((one, other) => other[0] - one[0] || one[1] - other[1])[0];
}"""
"""Where a settlement yields the most kinds of cards."""


async def placed(page):
    """A settlement and a road."""
    _, vertex = await until(page, PLACE)
    await page.click(f'[data-target="vertex:{vertex}"][data-lit]')
    await page.click("button[data-do=confirm]")
    await page.locator('[data-target^="edge:"][data-lit]').first.click()
    await page.click("button[data-do=confirm]")


ROLLED = """() =>
  document.querySelector('[data-target="do:end"][data-lit], [data-target^=hex][data-lit]')?.dataset.target"""


async def rolled(page):
    """The dice are rolled, and after a 7 the robber is moved."""
    await page.click('[data-target="do:roll"][data-lit]')
    if await until(page, ROLLED) != "do:end":
        await page.locator('[data-target^="hex:"][data-lit]').first.click()
        await page.locator('[data-target^="victim:"][data-lit], button[data-do=confirm]').first.click()
    await expect(page.locator('[data-target="do:end"][data-lit]')).to_be_visible()


async def hand(page):
    shown = await page.evaluate("() => document.querySelector('main').shownView")
    return shown["players"][shown["viewer"]]["known"]


FORM = """async ({ name, position }) => {
  const { html, render } = await import("/static/core/html.js");
  const { GAME } = await import("/static/games/catan_fishermen/index.js");
  const { loadGame, sayOf } = await import("/static/core/words.js");
  await loadGame(GAME.name);
  const { view, seat, legal } = position;
  const seats = view.players.map((player) => ({ seat: player.seat, name: `Player ${player.seat}` }));
  const room = document.createElement("div");
  room.id = "form";
  document.querySelector("#form")?.remove();
  document.body.prepend(room);
  globalThis.sent = [];
  const props = { view, seats, own: seat, legal, send: (move) => sent.push(move), close() {}, say: sayOf(GAME.name) };
  render(html`<${GAME.forms[name]} ...${props} />`, room);
}"""


async def test_forms_build_moves_that_their_families_contain(visit):
    ada = await visit("Ada")
    page = await ada.open_table(await ada.create("catan_fishermen", 2, bots={0: "greedy", 1: "greedy"}))
    throwing, paying = forms_filled()
    state, seat = throwing
    due = state.discards[seat]
    await page.evaluate(FORM, {"name": "discards", "position": seen_by(state, seat)})
    for _ in range(due):
        await expect(page.locator("#form [data-do=send]")).to_be_disabled()
        await page.locator("#form [data-more]:enabled").last.click()
    await expect(page.locator("#form [data-more]:enabled")).to_have_count(0)
    await sent(page, state, seat, "discards")

    state, seat = paying
    await page.evaluate(FORM, {"name": "spendings", "position": seen_by(state, seat)})
    await page.check("#form [name=benefit][value=resource]")
    while await page.locator("#form [data-more]:enabled").count():
        await page.locator("#form [data-more]:enabled").first.click()
    await expect(page.locator("#form [data-do=send]")).to_be_disabled()
    await page.locator("#form [name=resource]").first.check()
    await shot(page, "catan_fishermen-fish", 360)
    move = await sent(page, state, seat, "spendings")
    assert move.tokens.counts() == state.tokens(seat)


async def sent(page, state, seat, name):
    """The move that the form sends: it belongs to the family."""
    await page.click("#form [data-do=send]")
    (move,) = await page.evaluate("() => sent")
    move = msgspec.convert(move, ENGINE.Move)
    family = next(one for one in ENGINE.families(state, seat) if one.name == name)
    assert family.contains(move), move
    return move


def seen_by(state, seat):
    told = {"view": ENGINE.view(state, seat), "seat": seat, "legal": list(ENGINE.legal_moves(state, seat))}
    return json.loads(msgspec.json.encode(told))


def forms_filled():
    """A position where a seat discards, and one where a seat can pay four fish with more than four."""
    found = {}
    for state in states(3, 45, fishermen="lake"):
        for seat in state.owing:
            tokens = state.tokens(seat)
            if state.phase is Phase.DISCARDING:
                found.setdefault("discards", (state.copy(), seat))
            elif state.phase is Phase.TRADING_AND_BUILDING and tokens[0] + 2 * tokens[1] + 3 * tokens[2] > 5:
                found.setdefault("spendings", (state.copy(), seat))
    return found["discards"], found["spendings"]
