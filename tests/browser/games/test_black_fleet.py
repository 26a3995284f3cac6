"""Black Fleet in pictures: drawn from any view, and played by clicks on what is lit."""

import random
import subprocess
from pathlib import Path

import msgspec

from engines.black_fleet import ENGINE
from engines.black_fleet.policy import choose
from engines.core import games
from engines.core.chance import SeededChance
from services.cli.selfplay import BareTable, Setting, secret_of
from tests.requirements import needs_node

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
        yield {"seats": seats, "view": view, "before": before, "legal": legal, "sampled": sampled}
        plays = [move for move in legal if kind(move) in CARDS]
        if plays and luck.random() < 0.2:
            move = luck.choice(plays)
        else:
            move = choose(view, legal, chance) if luck.random() < chosen else luck.choice(legal)
        table.play(seat, move)
        before = view
    for audience in (*range(seats), None):
        yield {"seats": seats, "view": ENGINE.view(table.state, audience), "before": before, "legal": [], "sampled": []}


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
