"""The longest road against a search of all trails, on random networks and as they grow."""

import random
from itertools import pairwise

import pytest

from engines.catan_fishermen import ENGINE
from engines.catan_fishermen.board import longest_trail, mask
from engines.catan_fishermen.catalog import NOTHING
from engines.catan_fishermen.events import LongestRoadMoved, RoadBuilt, SettlementBuilt
from engines.catan_fishermen.scoring import longest_road_holder
from engines.catan_fishermen.state import NOBODY
from tests.engines.catan_fishermen.ledger import AT, BESIDE, HEXES, PATHS, VERTICES, longest_by_hand
from tests.engines.catan_fishermen.scenario import BOARD, LAID, given
from tests.rules import rule

SHORT, SOAK, BATCH = 150, 5000, 250
TIED = (31, 51, 111, 156, 209)
"""Seeds of growths in which the card is set aside because two others have the longest road."""
SEATS = 4


def edges_of(*vertices):
    """The edges along these vertices."""
    return frozenset(PATHS.index(tuple(sorted(pair))) for pair in pairwise(vertices))


RING = edges_of(*HEXES[9], HEXES[9][0])


@pytest.mark.parametrize(
    ("edges", "stops", "length"),
    [
        (frozenset(), (), 0),
        (edges_of(18, 24, 30, 35), (), 3),
        (edges_of(18, 24, 30, 35), (24,), 2),
        (edges_of(18, 24, 30, 35), (18, 35), 3),
        (RING, (), 6),
        (RING, (18,), 6),
        (RING, (18, 35), 3),
        (RING | edges_of(18, 13), (), 7),
        (RING | edges_of(18, 13), (18,), 6),
        (edges_of(13, 18, 24) | edges_of(18, 23), (), 2),
        (RING | edges_of(*HEXES[10], HEXES[10][0]), (), 11),
        (edges_of(13, 18) | edges_of(35, 40), (), 1),
    ],
)
@rule("CA-20")
def test_the_length_of_a_plain_network_is_as_counted_by_hand(edges, stops, length):
    assert longest_by_hand(edges, frozenset(stops)) == length
    assert longest_trail(BOARD, mask(edges), mask(stops)) == length


def network(rng):
    """Up to 15 edges: mostly one that grows at its ends or anywhere, now and then in several places."""
    edges, size, sprawl = set(), rng.randint(1, 15), rng.choice([0.0, 0.1, 0.3])
    middle = rng.choice(VERTICES)
    while len(edges) < size:
        near = {edge for one in edges for end in PATHS[one] for edge in AT[end]} - edges
        if not near or rng.random() < sprawl:
            edges.add(rng.choice(AT[middle] if not edges else range(72)))
            continue
        closing = [edge for edge in near if len({end for one in edges for end in PATHS[one]} & set(PATHS[edge])) == 2]
        edges.add(rng.choice(sorted(closing if closing and rng.random() < 0.4 else near)))
    return frozenset(edges)


def compare_with_all_trails(seed):
    rng = random.Random(seed)
    edges = network(rng)
    met = sorted({end for edge in edges for end in PATHS[edge]})
    stops = frozenset(rng.sample(met, min(len(met), rng.choice([0, 0, 1, 1, 2, 3, 5]))))
    assert longest_trail(BOARD, mask(edges), mask(stops)) == longest_by_hand(edges, stops), (edges, stops)


class Growth:
    """Roads and settlements laid one by one, each where it is legal, by seats that get into each other's way."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.state = given(LAID, seats=SEATS).state
        self.roads, self.homes, self.card = {}, {}, NOBODY
        middle = self.rng.choice(VERTICES)
        for seat in range(SEATS):
            free = [vertex for vertex in VERTICES if self.is_free(vertex)]
            self.settle(seat, min(free, key=lambda vertex: (abs(vertex - middle), vertex)))

    def grow(self, steps):
        for _ in range(steps):
            seat = self.rng.randrange(SEATS)
            own = {end for edge, owner in self.roads.items() if owner == seat for end in PATHS[edge]}
            homes = sorted(vertex for vertex in own if self.is_free(vertex))
            cuts = [vertex for vertex in homes if any(self.roads.get(edge, seat) != seat for edge in AT[vertex])]
            if homes and list(self.homes.values()).count(seat) < 5 and self.rng.random() < (0.8 if cuts else 0.02):
                self.settle(seat, self.rng.choice(cuts or homes))
                continue
            paths = sorted(edge for edge in range(72) if edge not in self.roads and self.leads_on(seat, edge))
            if paths and list(self.roads.values()).count(seat) < 15:
                self.lay(seat, self.rng.choice(paths))

    def is_free(self, vertex):
        return not self.homes.keys() & ({vertex} | BESIDE[vertex])

    def leads_on(self, seat, edge):
        """CA-14."""
        for end in PATHS[edge]:
            owner = self.homes.get(end)
            if owner == seat or (owner is None and any(self.roads.get(other) == seat for other in AT[end])):
                return True
        return False

    def settle(self, seat, vertex):
        self.homes[vertex] = seat
        ENGINE.evolve(self.state, SettlementBuilt(seat, vertex, NOTHING))
        self.compare()

    def lay(self, seat, edge):
        self.roads[edge] = seat
        ENGINE.evolve(self.state, RoadBuilt(seat, edge, NOTHING))
        self.compare()

    def compare(self):
        lengths = [self.length(seat) for seat in range(SEATS)]
        assert list(self.state.road_lengths) == lengths, (self.roads, self.homes)
        most = max(lengths)
        leaders = [seat for seat in range(SEATS) if lengths[seat] == most]
        if most < 5:
            self.card = NOBODY
        elif self.card not in leaders:
            self.card = leaders[0] if len(leaders) == 1 else NOBODY
        assert longest_road_holder(self.state) == self.card, (self.roads, self.homes)
        if self.state.longest_road != self.card:
            ENGINE.evolve(self.state, LongestRoadMoved(None if self.card == NOBODY else self.card))

    def length(self, seat):
        edges = frozenset(edge for edge, owner in self.roads.items() if owner == seat)
        ends = {end for edge in edges for end in PATHS[edge]}
        return longest_by_hand(edges, frozenset(end for end in ends if self.homes.get(end, seat) != seat))


@rule("CA-20")
def test_the_longest_trail_is_that_of_a_search_of_all_trails():
    for seed in range(SHORT):
        compare_with_all_trails(seed)


@rule("CA-20")
def test_lengths_and_the_card_stay_right_as_networks_grow_and_are_cut():
    for seed in (*TIED, *range(5)):
        Growth(seed).grow(steps=80)


@pytest.mark.soak
@pytest.mark.parametrize("first", range(SHORT, SOAK, BATCH))
def test_the_longest_trails_of_many_networks_are_those_of_a_search(first):
    for seed in range(first, min(first + BATCH, SOAK)):
        compare_with_all_trails(seed)
        if seed % 10 == 0:
            Growth(seed).grow(steps=80)
