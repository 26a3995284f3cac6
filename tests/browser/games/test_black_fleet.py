"""Black Fleet in pictures: drawn from any view, and played by clicks on what is lit."""

import random
import re
import subprocess
from pathlib import Path

import msgspec

from engines.black_fleet import ENGINE
from engines.black_fleet.policy import choose
from engines.core import games
from engines.core.chance import SeededChance
from services.cli.selfplay import BareTable, Setting, secret_of
from tests.browser.floor import axe, shot, until
from tests.browser.playing import play_lit
from tests.requirements import needs_node
from tests.web.client import STATIC, catalogue

MESSAGES = STATIC / "games" / "black_fleet" / "messages"
CATALOGUES = [catalogue(MESSAGES / f"{language}.json") for language in ("en", "cs")]
DRAWING = Path(__file__).with_name("black_fleet.mjs")
CARDS = ("play_fortune", "use_development")
MATCHES = ((2, 1), (3, 7), (4, 6))
"""Seats and seeds: in these together each card can be played."""


def positions(seats, seed, chosen):
    """A match by players who choose well so often, else anything: each position as its audiences see it."""
    setting = Setting("black_fleet", ENGINE.Options(), seats, games.edition("black_fleet"), (), seed, 0)
    table = BareTable(ENGINE, setting, secret_of(setting, 1))
    luck, chance = random.Random(seed), SeededChance(seed)
    before = None
    while ENGINE.outcome(table.state) is None:
        seat = ENGINE.to_act(table.state)[0]
        legal, view = list(ENGINE.legal_moves(table.state, seat)), ENGINE.view(table.state, seat)
        sampled = [family.sample(chance) for family in ENGINE.families(table.state, seat) for _ in range(5)]
        yield shown(view, before, legal, sampled)
        plays = [move for move in legal if kind(move) in CARDS]
        if plays and luck.random() < 0.2:
            move = luck.choice(plays)
        else:
            move = choose(view, legal, chance) if luck.random() < chosen else luck.choice(legal)
        table.play(seat, move)
        before = view
    for audience in (*range(seats), None):
        yield shown(ENGINE.view(table.state, audience), before)


def shown(view, before, legal=(), sampled=()):
    seats, scores = len(view.players), ENGINE.scores(view)
    return {"seats": seats, "view": view, "before": before, "legal": legal, "sampled": sampled, "scores": scores}


def kind(move):
    return move.__struct_config__.tag


def drawn(positions):
    lines = b"\n".join(msgspec.json.encode(position) for position in positions)
    done = subprocess.run([needs_node(), DRAWING], input=lines, capture_output=True, timeout=280, check=False)
    assert done.returncode == 0, done.stderr.decode()[-2000:]
    return msgspec.json.decode(done.stdout)


def some(seed, most, positions):
    """So many of them: the first, the last, and each way of playing a card once at least."""
    luck, found, seen = random.Random(seed), list(positions), set()
    kept = set(luck.sample(range(len(found)), min(most, len(found)))) | set(range(6)) | set(range(-6, 0))
    for at, position in enumerate(found):
        new = {getattr(move, "card", kind(move)) for move in position["legal"]} - seen
        seen |= new
        if new:
            kept.add(at)
    return [found[at] for at in sorted(at % len(found) for at in kept)]


def test_whatever_may_be_picked_is_drawn_lit_and_whatever_is_said_has_words():
    seen = [one for match in MATCHES for one in some(match[1], 25, positions(*match, 0.9))]
    edition = ENGINE.catalog(games.edition("black_fleet"))
    usable = {card.id for card in edition.developments if card.when}
    played = {move.card for one in seen for move in one["legal"] if kind(move) in CARDS}
    assert played == {card.id for card in edition.fortune} | usable
    told = drawn(seen)
    assert told["faults"] == []
    assert told["positions"] == len(seen)
    assert told["renders"] > 5 * len(seen)
    assert told["sailed"] > 200
    assert {text_key(card) for card in edition.fortune} <= set(told["said"])


def test_each_card_of_the_house_says_in_every_language_what_it_does():
    edition = ENGINE.catalog(games.edition("black_fleet"))
    texts = {text_key(card): card.text for card in (*edition.fortune, *edition.developments)}
    english, czech = ({key: text for key, text in one.items() if key.startswith("text.")} for one in CATALOGUES)
    assert english == texts
    assert czech.keys() == texts.keys()
    assert [key for key in texts if czech[key] == texts[key]] == []


def text_key(card):
    return f"text.{'_'.join(re.findall('[a-z0-9]+', card.text.lower().replace(chr(39), '')))}"


class Captain:
    """Clicks what earns something, ends a sailing now and then, and buys; counts its clicks."""

    def __init__(self):
        self.clicks = 0
        self.luck = random.Random(9)

    def __call__(self, lit):
        self.clicks += 1
        if "do:end_sailing" in lit and self.luck.random() < 0.5:
            return ["do:end_sailing"]
        return [target for target in lit if target.startswith(("port:", "do:bury"))] or [
            target for target in lit if target != "do:end_turn"
        ]


async def test_a_person_plays_a_match_by_clicking_only_what_is_lit(visit):
    ada = await visit("Ada")
    match = await ada.create("black_fleet", 3, bots={1: "greedy", 2: "greedy"}, own_seat=0)
    page = await ada.open_table(match)
    await until(page, "() => document.querySelector('[data-target^=\"space:\"][data-lit]')")
    await shot(page, "black_fleet-begin", 360, 740)
    await shot(page, "black_fleet-begin")
    await is_explained(page, "space:s0407", "BF-9")

    captain = Captain()
    await play_lit(page, 5, prefer=placing(captain), enough=lambda: captain.clicks > 1)
    await page.click("button[data-do=confirm]")
    await sails_a_way_of_its_own(page)

    await play_lit(page, 6, prefer=captain, on_board=1, enough=lambda: captain.clicks > 8)
    await axe(page)
    await shot(page, "black_fleet-middle", 360, 740)
    await shot(page, "black_fleet-middle")
    await is_watched_without_secrets(await visit("Eve", color_scheme="dark"), match)

    played = await play_lit(page, 7, prefer=captain, on_board=1)
    assert played.board > 5  # nobody wins before the fifth turn, and a turn is three clicks at least
    assert played.listed < played.board
    view = await page.evaluate("() => document.querySelector('main').shownView")
    assert [one["seat"] for one in view["outcome"]["ranking"] if one["place"] == 1]
    await shot(page, "black_fleet-end", 360, 740)
    await shot(page, "black_fleet-end")


def placing(captain):
    """Places ships until a movement card is chosen, and leaves that to be confirmed."""

    def prefer(lit):
        if any(target.startswith("card:") for target in lit):
            captain.clicks = 2
        return lit

    return prefer


async def is_explained(page, target, rule):
    """A click on what is not lit tells the rule against it."""
    await page.click(f'[data-target="{target}"]', force=True)
    told = await page.wait_for_selector(".refusal .rule")
    assert await told.inner_text() == rule
    await page.click("[data-do=understood]")


async def sails_a_way_of_its_own(page):
    await page.click("button[data-open=own_ways]")
    form = page.locator("dialog[data-form=own_ways]")
    spaces = form.locator("[data-choice^='space:']")
    for place in range(await spaces.count()):
        space = await spaces.nth(place).get_attribute("data-choice")
        await spaces.nth(place).click()
        if await form.locator("[data-do=send]").is_enabled():
            break
        await form.locator("[data-do=back]").click()
    await form.locator("[data-do=send]").click()
    sailed = "(space) => document.querySelector('main').shownView?.ships.some((ship) => ship.space === space)"
    await until(page, sailed, space.removeprefix("space:"))


async def is_watched_without_secrets(eve, match):
    """What is the players' own is not on a spectator's page, in another language and in the dark."""
    page = await eve.open_table(match)
    await page.select_option("select[name=language]", "cs")
    await until(page, "() => document.querySelector('.captains h3')?.textContent === 'Kapitáni'")
    assert await page.locator(".hand").count() == 0
    await axe(page)
    await shot(page, "black_fleet-watched-dark")
