"""Random matches: after every event what must always be true, and now and then what the printed board says."""

import random
from collections import Counter

import msgspec
import pytest

from engines.black_fleet import ENGINE
from engines.black_fleet import moves as m
from engines.black_fleet.catalog.kinds import ROWS
from engines.black_fleet.events import TurnBegun
from engines.black_fleet.profile import pieces
from engines.black_fleet.state import EMPTY, SHIPS, Options, Phase, Ship
from engines.core.chance import MatchChance, SeededChance
from engines.core.draft import Draft, refusal
from tests.engines.black_fleet.scenario import CATALOG, EDITION
from tests.rules import rule

SHORT, SOAK, BATCH = 50, 2000, 50
CHART = msgspec.json.decode(EDITION)["chart"]
NEAR = {place["id"]: place["neighbours"] for place in CHART["places"]}
TERRAIN = {place["id"]: place["terrain"] for place in CHART["places"]}
PORTS = [port["id"] for port in CHART["ports"]]
LOOK_EVERY = 80
"""How often the lists of moves are compared with all that can be asked."""


class Play:
    """A match of random moves, watched."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.chance = SeededChance(seed)
        self.seed, self.seats, self.decisions = seed, 2 + seed % 3, 0
        self.open = self.rng.choice([0.0, 0.1, 0.5])
        options = Options(victory_card=(self.rng.choice([10, 20]),))
        self.state = ENGINE.initial(CATALOG, options, self.seats, 1)
        self.whole = pieces(self.state)
        self.turns = Counter()
        self.settling = False

    def to_the_end(self):
        self.command(ENGINE.setup)
        while ENGINE.outcome(self.state) is None:
            seat, move = self.state.seat, self.pick()
            self.decisions += 1
            if self.decisions % LOOK_EVERY == 0:
                everything_listed_is_all_that_can_be_asked(self.state)
            self.command(lambda draft, seat=seat, move=move: draft.play(ENGINE.decide, seat, move))
        return self

    def pick(self):
        families = ENGINE.families(self.state, self.state.seat) if self.rng.random() < self.open else ()
        if families:
            return families[0].sample(self.chance)
        return self.rng.choice(list(ENGINE.legal_moves(self.state, self.state.seat)))

    def command(self, act):
        draft = Draft(self.evolve, self.state, MatchChance(self.seed.to_bytes(32, "big"), self.decisions))
        act(draft)
        draft.close()
        hands_are_within_limits(self.state)

    def evolve(self, state, event):
        ENGINE.evolve(state, event)
        if isinstance(event, TurnBegun):
            self.turns[event.seat] += 1
        assert pieces(state) == self.whole
        ships_are_where_they_can_be(state)


def ships_are_where_they_can_be(state):
    """BF-6, BF-13, BF-15, BF-46."""
    spaces = {SHIPS[ship]: CATALOG.board.ids[place] for ship, place in enumerate(state.ships) if place != EMPTY}
    at_sea = [space for space in spaces.values() if TERRAIN[space] != "deep_sea"]
    assert len(set(at_sea)) == len(at_sea)
    for ship, space in spaces.items():
        assert TERRAIN[space] == "sea" or (TERRAIN[space] == "deep_sea" and ship.startswith("pirate"))
    for seat in range(state.seats):
        assert state.cargo[seat] <= 3
        assert (state.colours[seat] == EMPTY) == (state.cargo[seat] == 0)
        assert state.ships[seat] != EMPTY or not state.cargo[seat]
        assert state.ships[4 + seat] != EMPTY or state.treasures[seat] == EMPTY
        assert state.doubloons[seat] >= 0
    assert state.occupied == sum(1 << place for place in set(state.ships) - {EMPTY})


def hands_are_within_limits(state):
    """BF-32 to BF-34."""
    for seat in range(state.seats):
        in_play = state.phase is Phase.SAILING and seat == state.seat
        assert len(state.movement_hands[seat]) == (1 if in_play else 2) or state.phase is Phase.SETTING_UP
        drawing = state.phase is Phase.DISCARDING and seat == state.seat
        assert len(state.fortune_hands[seat]) <= 3 or drawing
    assert state.movement_pile
    assert state.fortune_pile or not state.fortune_discards


def everything_listed_is_all_that_can_be_asked(state):
    """Of the moves that can be enumerated, the legal ones are listed, and no others are."""
    seat = state.seat
    listed = set(ENGINE.legal_moves(state, seat))
    asked = set(simple_moves(state, seat))
    legal = {move for move in asked if refusal(ENGINE.decide, state, seat, move) is None}
    assert legal == listed & asked
    if state.phase is Phase.SAILING and len(listed) < 200:
        ends_are_those_of_a_plain_search(state, listed)


def simple_moves(state, seat):
    yield from [m.EndSailing(), m.EndTurn(), m.Bury()]
    yield from (m.Attack(ship, target) for ship in SHIPS for target in SHIPS)
    yield from (kind(port) for kind in (m.Sell, m.Load) for port in PORTS)
    yield from (m.DeployPirate(space) for space in NEAR)
    yield from (m.DeployMerchant(space, port["id"]) for port in CHART["ports"] for space in port["spaces"])
    yield from (m.Buy(row.id) for rows in (CATALOG.developments, CATALOG.victory) for row in rows)
    yield from (m.PlayMovement(row.id) for row in CATALOG.movement)
    yield from (m.Discard(row.id) for row in CATALOG.fortune)
    held = [CATALOG.fortune[card].id for card in set(state.fortune_hands[seat])]
    for kind, cards in ((m.PlayFortune, held), (m.UseDevelopment, [row.id for row in CATALOG.developments])):
        for card in cards:
            yield kind(card)
            yield from (kind(card, ship=ship) for ship in SHIPS)
            yield from (kind(card, target=ship) for ship in SHIPS)
            yield from (kind(card, port=port) for port in PORTS)
            if kind is m.UseDevelopment:
                yield from (kind(card, rows=(one, other)) for one in ROWS for other in ROWS if one is not other)


def ends_are_those_of_a_plain_search(state, listed):
    """BF-13 to BF-15, BF-46: step by step over the printed board, by the view alone."""
    view = ENGINE.view(state, state.seat)
    own = {Ship(f"merchant_{view.active}"), Ship(f"pirate_{view.active}")}
    spaces = {one.ship: one.space for one in view.ships}
    friends = {spaces[command.ship] for command in view.commands}
    lairs = set(CHART["lairs"])
    effects = {benefit.effect for card in view.players[view.active].developments for benefit in card.benefits}
    if view.in_force or effects & {"cross_islands", "pass_enemies"}:
        return
    for command in view.commands:
        hideout = "use_lairs" in effects and command.ship in own and command.ship.startswith("pirate")
        edge = reached = {spaces[command.ship]}
        for _ in range(command.steps):
            edge = {
                other
                for here in edge
                for other in NEAR[here] + (sorted(lairs) if hideout and here in lairs else [])
                if TERRAIN[other] == "sea" and (other in friends or other not in spaces.values())
            } - reached
            reached = reached | edge
        ends = {move.path[-1] for move in listed if isinstance(move, m.Sail) and move.ship is command.ship}
        assert ends == reached - set(spaces.values())


@pytest.mark.parametrize("seed", range(SHORT))
@rule("BF-2", "BF-6", "BF-15", "BF-32", "BF-33", "BF-34", "BF-38", "BF-46")
def test_a_match_of_random_moves_keeps_the_rules(seed):
    play = Play(seed).to_the_end()
    assert len(set(play.turns.values())) == 1


@pytest.mark.soak
@pytest.mark.parametrize("first", range(0, SOAK, BATCH))
def test_many_matches_of_random_moves_keep_the_rules(first):
    for seed in range(first, first + BATCH):
        play = Play(seed).to_the_end()
        assert len(set(play.turns.values())) == 1
