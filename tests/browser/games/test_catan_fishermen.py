"""Catan with the Fishermen in pictures: drawn from any view, and played by clicks on what is lit."""

import random
import subprocess
from pathlib import Path

import msgspec

from engines.catan_fishermen import ENGINE
from engines.catan_fishermen.policy import choose
from engines.catan_fishermen.state import Phase
from engines.core import games
from engines.core.chance import SeededChance
from services.cli.selfplay import BareTable, Setting, secret_of
from tests.requirements import needs_node

DRAWING = Path(__file__).with_name("catan_fishermen.mjs")
RARE = {Phase.DISCARDING, Phase.CHOOSING_FISH, Phase.MOVING_ROBBER, Phase.BUILDING_FREE_ROADS}
MOST = 1500
KINDS_OF_TARGETS = [
    "back", "card", "deal", "do", "edge", "fish", "give", "hex", "kind", "pay", "play", "plenty", "seat", "take",
    "vertex", "victim",
]  # fmt: skip


def positions(seats, seed, **options):
    """A match of players who choose well or anything, as some who sit at it and a spectator see it now and then."""
    setting = Setting("catan_fishermen", msgspec.convert(options, ENGINE.Options), seats, edition(), (), seed, 0)
    table = BareTable(ENGINE, setting, secret_of(setting, 1))
    luck, chance = random.Random(seed), SeededChance(seed)
    before, seen, moves = {}, set(), 0
    while True:
        state = table.state
        over = ENGINE.outcome(state) is not None or moves == MOST
        mine = {seat: list(ENGINE.legal_moves(state, seat)) for seat in range(seats)}
        new = {type(move) for legal in mine.values() for move in legal} - seen
        rare = state.phase in RARE or (state.offer and any(state.replies))
        if new or over or luck.random() < (0.25 if rare else 0.03):
            seen |= new
            for audience in (*range(seats), None):
                view = ENGINE.view(state, audience)
                families = ENGINE.families(state, audience) if audience is not None else ()
                sampled = [family.sample(chance) for family in families]
                yield {
                    "view": view,
                    "before": before.get(audience),
                    "seat": audience,
                    "legal": mine.get(audience, []),
                    "sampled": sampled,
                }
                before[audience] = view
        if over:
            return
        table.play(*chosen(state, mine, luck, chance))
        moves += 1


def edition():
    return games.edition("catan_fishermen")


def chosen(state, mine, luck, chance):
    """Who answers an offer, or whoever owes a move, and what."""
    may = ENGINE.may_act(state)
    seat = luck.choice(may) if may and luck.random() < 0.5 else luck.choice(ENGINE.to_act(state))
    families = ENGINE.families(state, seat)
    if families and luck.random() < 0.15:
        return seat, luck.choice(families).sample(chance)
    move = choose(ENGINE.view(state, seat), mine[seat], chance) if luck.random() < 0.8 else None
    return seat, move or luck.choice(mine[seat])


def drawn(seen):
    lines = b"\n".join(msgspec.json.encode(position) for position in seen)
    done = subprocess.run([needs_node(), DRAWING], input=lines, capture_output=True, timeout=280, check=False)
    assert done.returncode == 0, done.stderr.decode()[-2000:]
    return msgspec.json.decode(done.stdout)


def test_whatever_may_be_picked_is_drawn_lit_and_whatever_is_said_has_words():
    seen = [
        *positions(2, 21, fishermen="spielbox"),
        *positions(3, 41, fishermen="lake"),
        *positions(4, 23, fishermen="no_ships", shuffle_frame=True),
        *positions(3, 24, fishermen="none", board="beginner"),
    ]
    told = drawn(seen)
    assert told["faults"] == []
    assert told["positions"] == len(seen)
    assert told["targets"] == KINDS_OF_TARGETS
    assert sum(position["view"].outcome is not None for position in seen) >= 3
