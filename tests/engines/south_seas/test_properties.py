"""Random matches, each event followed in a ledger that knows the printed tiles and rules and nothing of the engine."""

import random

import pytest

from engines.core import games
from engines.core.chance import MatchChance, SeededChance
from engines.core.draft import Draft, refusal
from engines.south_seas import ENGINE
from engines.south_seas import moves as m
from engines.south_seas.catalog import Wares
from engines.south_seas.state import NONE, FirstPlayer, Options, Phase
from services.cli.laws.record import members
from tests.engines.south_seas.ledger import KINDS, Ledger
from tests.rules import rule

SHORT, SOAK, BATCH = range(50), 1000, 10
EDITIONS = games.editions("south_seas")
LEANINGS = (
    {},
    {m.Skip: 0.05, m.RetrieveIslander: 0.05},
    {m.Skip: 0.05, m.RetrieveIslander: 0},
    {m.Skip: 5, m.RetrieveIslander: 5},
)
"""How much likelier than others some moves are: whim, industry, crowds, rest."""
MERCHANT = m.PlaceIslander("M0")


class Play:
    """A match of random moves under the ledger's eyes."""

    def __init__(self, seed):
        self.seed, self.rng, self.chance = seed, random.Random(seed), SeededChance(seed)
        self.seats = 2 + seed % 4
        first = self.rng.randrange(self.seats)
        edition = EDITIONS[seed // 4 % len(EDITIONS)]
        options = Options(first_player=list(FirstPlayer)[first], hidden_scores=self.rng.random() < 0.5)
        catalog = ENGINE.catalog(games.edition("south_seas", edition))
        self.state = ENGINE.initial(catalog, options, self.seats, 1)
        self.ledger = Ledger(edition, self.seats, first)
        self.leaning = self.rng.choice(LEANINGS)
        self.compact = self.rng.random() < 0.5
        self.trading = seed % 3 == 0
        self.commands = 0

    def to_the_end(self):
        self.command(ENGINE.setup)
        while seats := ENGINE.to_act(self.state):
            (seat,) = seats
            moves = list(ENGINE.legal_moves(self.state, seat))
            moves_agree(self.state, self.ledger, seat, moves)
            view_offers(ENGINE.view(self.state, None), seat, moves)
            self.judge_anything(seat, set(moves))
            move = self.pick(moves)
            self.command(lambda draft, seat=seat, move=move: draft.play(ENGINE.decide, seat, move))
        assert self.ledger.outcome == ENGINE.outcome(self.state) is not None
        return self

    def pick(self, moves):
        if self.trading and MERCHANT in moves:
            return MERCHANT
        if isinstance(moves[0], m.PlaceTile) and (self.trading or self.compact):
            weights = list(map(self.attraction, moves))
        else:
            weights = [self.leaning.get(type(move), 1) for move in moves]
        (move,) = self.rng.choices(moves, weights if any(weights) else None)
        return move

    def attraction(self, move):
        """Crowded boards close more features: near the middle is likelier, and near merchants who wait for tiles."""
        if self.trading:
            markets = [part for part in self.ledger.chart.islanders if part[2] == MERCHANT.feature]
            if any(max(abs(x - move.x), abs(y - move.y)) == 1 for x, y, _ in markets):
                return 100.0
        return 1 / (1 + move.x * move.x + move.y * move.y) ** 2

    def command(self, act):
        draft = Draft(self.evolve, self.state, MatchChance(self.seed.to_bytes(32, "big"), self.commands))
        act(draft)
        draft.close()
        self.commands += 1
        if self.state.phase is Phase.PLACING_TILE or self.state.phase is Phase.OVER:
            features_agree(self.state, self.ledger)
            tallies_agree(self.state, self.ledger)

    def evolve(self, state, event):
        ENGINE.evolve(state, event)
        self.ledger.record(event)

    def judge_anything(self, seat, listed):
        """Moves that are nearly right are accepted just where they are listed."""
        for _ in range(3):
            move, mover = self.anything(), self.rng.randrange(self.seats)
            legal = refusal(ENGINE.decide, self.state, mover, move) is None
            assert legal == (mover == seat and move in listed), (mover, move)

    def anything(self):
        rng, chart = self.rng, self.ledger.chart
        x, y = rng.choice(list(chart.tiles))
        names = list(chart.tiles[x, y].features)
        arguments = {
            "x": lambda: x + rng.randint(-1, 1),
            "y": lambda: y + rng.randint(-1, 1),
            "rotation": lambda: rng.randrange(4),
            "feature": lambda: rng.choice(names),
            "ship": lambda: rng.choice(list(chart.ships)),
            "payment": lambda: Wares(*rng.choices([0, 0, 1, 1, 2, 3, 5], k=3)),
        }
        kind = rng.choice(members(ENGINE.Move))
        return kind(*[arguments[name]() for name in kind.__struct_fields__])


def moves_agree(state, ledger, seat, listed):
    """What may be done now is what the printed rules allow."""
    chart = ledger.chart
    assert len(listed) == len(set(listed))
    match state.phase:
        case Phase.PLACING_TILE:
            expected = {m.PlaceTile(*place) for place in chart.places(ledger.drawn)}
        case Phase.MOVING_ISLANDER:
            own = [part for part, owner in chart.islanders.items() if owner == seat]
            free = chart.free(*ledger.placed) if ledger.placed and len(own) < 4 else []
            expected = {m.Skip(), *map(m.PlaceIslander, free), *(m.RetrieveIslander(*part) for part in own)}
            assert len(expected) > 1
        case Phase.CHOOSING_SHIP:
            most = max(chart.ships[name]["points"] for name in ledger.display)
            best = {name for name in ledger.display if chart.ships[name]["points"] == most}
            assert len(best) > 1
            expected = {m.ChooseShip(name) for name in best}
        case Phase.DELIVERING:
            expected = {m.Skip(), *deliveries(chart.ships, ledger.display, ledger.wares[seat])}
            assert len(expected) > 1
    assert set(listed) == expected


def view_offers(view, seat, listed):
    """A client that knows no rules finds in the view what may be done; what a delivery pays, the ship says."""
    offers = [m.PlaceTile(spot.x, spot.y, turn) for spot in view.spots for turn in spot.rotations]
    offers += map(m.PlaceIslander, view.free)
    if view.phase is Phase.MOVING_ISLANDER:
        offers += [m.RetrieveIslander(one.x, one.y, one.feature) for one in view.islanders if one.seat == seat]
    if view.phase is Phase.CHOOSING_SHIP:
        offers += map(m.ChooseShip, view.offered)
    if view.phase is Phase.DELIVERING:
        assert view.offered == tuple(dict.fromkeys(move.ship for move in listed if isinstance(move, m.Deliver)))
    assert view.owed == (seat,)
    assert offers == [move for move in listed if not isinstance(move, m.Skip | m.Deliver)]


def deliveries(ships, display, hand):
    """SS-26."""
    held = [range(hand[kind] + 1) for kind in KINDS]
    mixes = [Wares(s, b, f) for s in held[0] for b in held[1] for f in held[2] if s + b + f <= 8]
    for name in display:
        asked = ships[name]
        for mix in mixes:
            counts = mix.counts()
            match asked["sail"]:
                case "specific":
                    pays = all(getattr(mix, kind) == asked["wares"].get(kind, 0) for kind in KINDS)
                case "any_same":
                    pays = sorted(counts) == [0, 0, asked["number"]]
                case "any":
                    pays = sum(counts) == asked["number"]
            if pays:
                yield m.Deliver(name, mix)


def features_agree(state, ledger):
    """The engine's features are those that flood fill finds."""
    view, chart = ENGINE.view(state, None), ledger.chart
    regions = {}
    for placed in view.tiles:
        for feature, number in zip(placed.tile.features, placed.regions, strict=True):
            regions.setdefault(number, set()).add((placed.x, placed.y, feature.id))
    told = {region.number: region for region in view.regions}
    assert set(told) == set(regions)
    found = {frozenset(parts): told[number] for number, parts in regions.items()}
    assert set(found) == chart.features()
    for parts, region in found.items():
        gaps = chart.gaps(parts)
        assert (region.terrain, region.gaps, region.complete) == (chart.terrain(parts), gaps, gaps == 0)
        assert region.pays == chart.pays(parts)
        assert {crew.seat: crew.islanders for crew in region.crews} == chart.crew(parts)
        assert list(region.owners) == chart.owners(parts)


def tallies_agree(state, ledger):
    """Wares, ships, islanders and piles are what the ledger says, and nothing is lost."""
    view = ENGINE.view(state, None)
    assert [player.wares.counts() for player in view.players] == [
        tuple(hand[kind] for kind in KINDS) for hand in ledger.wares
    ]
    assert [player.loaded for player in view.players] == [len(taken) for taken in ledger.taken]
    assert [ship.id for ship in view.ships] == ledger.display
    assert (view.pile, view.supply) == (ledger.pile.total(), len(ledger.supply))
    assert {(one.x, one.y, one.feature): one.seat for one in view.islanders} == ledger.chart.islanders
    standing = [list(ledger.chart.islanders.values()).count(seat) for seat in range(ledger.seats)]
    assert [player.islanders_left for player in view.players] == [4 - count for count in standing]
    assert view.pile + len(view.tiles) + len(view.discards) + (state.drawn != NONE) == 73
    assert view.supply + len(view.ships) + sum(player.loaded for player in view.players) == 24
    twin = state.copy()
    twin.rederive()
    assert twin.board == state.board


@pytest.mark.parametrize("seed", SHORT)
@rule("SS-5", "SS-8", "SS-13", "SS-14", "SS-15", "SS-16", "SS-18", "SS-20", "SS-22", "SS-27", "SS-28", "SS-29")
def test_a_match_of_random_moves_obeys_the_printed_rules(seed):
    Play(seed).to_the_end()


@pytest.mark.soak
@pytest.mark.parametrize("first", range(0, SOAK, BATCH))
def test_many_matches_of_random_moves_obey_the_printed_rules(first):
    for seed in range(first, first + BATCH):
        Play(seed).to_the_end()
