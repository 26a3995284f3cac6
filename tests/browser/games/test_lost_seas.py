"""Lost Seas in pictures: drawn from any view, its lines judged by the rules, and played by clicks on what is lit."""

import random
import subprocess
from collections import Counter
from functools import cache
from itertools import combinations_with_replacement
from pathlib import Path

import msgspec

from engines.core import games
from engines.core.chance import SeededChance
from engines.lost_seas import ENGINE
from engines.lost_seas.board import SIZE
from engines.lost_seas.catalog import ELEMENTS, Demand, Pattern
from engines.lost_seas.policy import choose
from engines.lost_seas.scoring import worth
from engines.lost_seas.state import KINDS
from services.cli.selfplay import BareTable, Setting, secret_of
from tests.browser.floor import axe, shot, until
from tests.browser.playing import play_lit
from tests.requirements import needs_node

DRAWING = Path(__file__).with_name("lost_seas.mjs")
PARTIES = [
    (2, 1, {}),
    (3, 2, {"first_player": "seat_2"}),
    (4, 3, {"majority_ties": True}),
    (2, 4, {"arrange_expeditions": True}),
    (3, 5, {"young_explorers": True}),
]


def run(**asked):
    given = msgspec.json.encode({"positions": [], "lines": []} | asked)
    done = subprocess.run([needs_node(), DRAWING], input=given, capture_output=True, timeout=150, check=False)
    assert done.returncode == 0, done.stderr.decode()[-2000:]
    return msgspec.json.decode(done.stdout)


def positions(seats, seed, options):
    """A match of players who choose well or anything, as each seat and a spectator see it, and how it stands there."""
    edition = games.edition("lost_seas")
    setting = Setting("lost_seas", msgspec.convert(options, ENGINE.Options), seats, edition, (), seed, 0)
    table = BareTable(ENGINE, setting, secret_of(setting, 1))
    luck, chance = random.Random(seed), SeededChance(seed)
    before = {}
    while True:
        state = table.state
        to_act = ENGINE.to_act(state)
        for seat in (*range(seats), None):
            legal = [] if seat is None else list(ENGINE.legal_moves(state, seat))
            view = ENGINE.view(state, seat)
            if not to_act or luck.random() < (0.25 if legal else 0.1):
                yield {"view": view, "before": before.get(seat), "seat": seat, "legal": legal}
            before[seat] = view
        if not to_act:
            return
        seat = luck.choice(to_act)
        legal = list(ENGINE.legal_moves(state, seat))
        table.play(seat, choose(ENGINE.view(state, seat), legal, chance) if luck.random() < 0.7 else luck.choice(legal))


@cache
def parties():
    """Each party's positions, and what is drawn of them."""
    played = [list(positions(*party)) for party in PARTIES]
    told = run(positions=[position for party in played for position in party])
    stands = iter(told["stands"])
    return told, [[(position, next(stands)) for position in party] for party in played]


def test_whatever_may_be_picked_is_drawn_lit_and_whatever_is_said_has_words():
    told, played = parties()
    assert told["faults"] == []
    assert told["positions"] == sum(map(len, played)) > 150
    assert told["targets"] == ["cell", "side", "tile"]
    assert told["drawings"] > 6 * told["positions"]


def test_scores_are_the_engines():
    for party in parties()[1]:
        for position, stands in party:
            assert tuple(stands["scores"]) == ENGINE.scores(position["view"])


def test_a_line_stays_lost_or_met_once_it_is_said_to_be():
    seen = Counter()
    for party in parties()[1]:
        last = party[-1][0]["view"].players
        for position, stands in party:
            for player, lines in zip(position["view"].players, stands["lines"], strict=True):
                for place, (line, found) in enumerate(zip(player.lines, lines, strict=True)):
                    assert (found is None) == (line.laid is None)
                    if found is None:
                        continue
                    state, points, most = found
                    end = last[player.seat].lines[place].points
                    seen[state] += 1
                    assert points == line.points
                    assert state == "lost" or bool(points) == (state != "open")
                    assert state != "lost" or end == 0
                    assert state != "sure" or end >= points
                    assert end <= most
        for line in party[-1][1]["lines"][0]:
            assert line is None or line[0] in ("sure", "lost")
    assert min(seen[state] for state in ("sure", "met", "open", "lost")) > 50


def any_demand(luck):
    pattern = luck.choice(tuple(Pattern))
    points = luck.randint(1, 9)
    match pattern:
        case Pattern.EXACT_ANY | Pattern.TOTAL:
            return Demand(pattern, points, number=luck.randint(1, 12))
        case Pattern.DIFFERENT:
            return Demand(pattern, points, number=luck.randint(1, 6))
        case Pattern.MAJORITY:
            return Demand(pattern, points, (luck.choice(ELEMENTS),))
    if luck.random() < 0.15:
        return Demand(pattern, points, ELEMENTS)
    return Demand(pattern, points, tuple(luck.choices(ELEMENTS, k=luck.randint(1, 6))))


def any_line(luck):
    """A demand, and a line with at most three empty cells: few kinds and many, so that it may be won, lost and kept."""
    room = luck.choice((0, 1, 1, 2, 2, 3))
    kinds = luck.sample(ELEMENTS, luck.randint(1, 6))
    lying = [element for _ in range(SIZE - room) for element in luck.choices(kinds, k=luck.randint(1, 3))]
    return any_demand(luck), lying, room, luck.random() < 0.3


@cache
def additions(room):
    """All that so many tiles of 1 to 3 elements can bring, as counts: LS-2."""
    added = (
        more for number in range(room, 3 * room + 1) for more in combinations_with_replacement(range(KINDS), number)
    )
    return [tuple(map(more.count, range(KINDS))) for more in added]


def test_what_a_line_may_come_to_is_what_scoring_makes_of_every_way_to_fill_it():
    luck = random.Random(11)
    lines = [any_line(luck) for _ in range(900)]
    asked = [
        {"demand": demand, "counts": Counter(lying), "room": room, "ties": ties} for demand, lying, room, ties in lines
    ]
    seen = Counter()
    for (demand, lying, room, ties), found in zip(lines, run(lines=asked)["judged"], strict=True):
        counts = tuple(map(lying.count, ELEMENTS))
        ways = [tuple(map(sum, zip(counts, more, strict=True))) for more in additions(room)]
        ends = [worth(demand, way, ties=ties) for way in ways]
        now = worth(demand, counts, ties=ties)
        state = "sure" if min(ends) else "lost" if not max(ends) else "met" if now else "open"
        assert found == [state, now // demand.points, max(ends) // demand.points], (demand, lying, room, ties)
        seen[demand.pattern, state] += 1
    assert len(seen) >= 24


async def test_a_whole_match_is_played_by_clicks_on_what_is_lit(visit):
    ada = await visit("Ada")
    match = await ada.create("lost_seas", 2, bots={1: "greedy"}, own_seat=0)
    page = await ada.open_table(match)
    await shot(page, "lost_seas-sides")
    await play_lit(page, 1, enough=await round_is(page, 1))
    await change_of_mind(page)
    await shot(page, "lost_seas-ghost")
    await page.click("button[data-do=back]")
    await play_lit(page, 2, enough=await round_is(page, 9))
    await shot(page, "lost_seas-middle", 360)
    await axe(page)
    await shot(page, "lost_seas-middle")
    played = await play_lit(page, 3)
    assert played.board > 10
    await shot(page, "lost_seas-end")
    view = await page.evaluate("() => document.querySelector('main').shownView")
    assert view["phase"] == "over"
    assert await page.locator("svg .map .tile").count() == 32
    assert await page.locator(".map .expedition:is(.sure, .lost)").count() == 16
    totals = await page.locator(".map .total").all_text_contents()
    assert totals == [str(player["points"]) for player in view["players"]]
    assert await page.locator(".result .sum td").all_text_contents() == totals
    await axe(page)


async def round_is(page, number):
    """Whether the round has come that far, as `play_lit` asks it."""
    seen = {"round": 0}
    await page.expose_function(f"round{number}", lambda now: seen.update(round=now))
    await page.evaluate(
        f"""() => new MutationObserver(() => window.round{number}(document.querySelector("main").shownView?.round ?? 0))
            .observe(document.querySelector("main"), {{ attributes: true }})"""
    )
    return lambda: seen["round"] >= number


async def change_of_mind(page):
    """Another tile replaces the one picked; it lies on the cell pointed at, and two lines are told anew."""
    lit = await page.locator(".offer [data-lit]").evaluate_all("all => all.map((each) => each.dataset.target)")
    await page.click(f'[data-target="{lit[0]}"]')
    await page.click(f'[data-target="{lit[1]}"]')
    picked = await page.locator("[data-picked]").evaluate_all("all => all.map((each) => each.dataset.target)")
    assert picked == [lit[1]]
    await page.hover('[data-target="cell:5"]')
    assert await page.locator('[data-target="cell:5"] .tile.ghost').count() == 1
    assert await page.locator(".expedition.ghost").count() == 2


async def test_expeditions_are_arranged_by_the_form_in_secret(visit):
    ada, ben = await visit("Ada"), await visit("Ben")
    options = {"arrange_expeditions": True}
    match = await ada.create("lost_seas", 4, bots={1: "greedy", 3: "random"}, options=options, own_seat=0)
    await ben.join(match, 2)
    page, other = await ada.open_table(match), await ben.open_table(match)
    await until(page, "() => document.querySelector('.map .target.lit')")
    dealt = await page.evaluate("() => document.querySelector('main').shownView.players[0].choosing.map(({id}) => id)")
    await page.click("button[data-open=arranged_sides]")
    form = page.locator("dialog[data-form=arranged_sides]")
    for fieldset in await form.locator("fieldset").all():
        await fieldset.locator("input[value=hard]").check()
    await form.locator("[data-do=later]").first.click()
    await shot(page, "lost_seas-arranging", 360)
    await axe(page)
    await form.locator("button[data-do=send]").click()
    await page.click("button[data-do=confirm]")
    chosen = "() => document.querySelector('main').shownView.players[0].chosen"
    await until(page, chosen)
    assert await page.locator(".map .expedition.private .lock").count() == 4
    laid = "() => document.querySelector('main').shownView.players[0].lines.map(({laid}) => laid && laid.expedition)"
    first, second, *rest = dealt
    assert await page.evaluate(laid) == [second, first, *rest, None, None, None, None]
    await until(other, chosen)
    assert await other.evaluate(laid) == [None] * 8
    await page.click(".enlarge >> nth=1")
    assert await page.locator(".place").first.locator("[data-target]").count() == 0
    await shot(page, "lost_seas-secret")
