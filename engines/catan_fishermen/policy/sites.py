"""Where a seat could build, and what that would bring: worked out once for each place on the board."""

from collections.abc import Sequence
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple

from engines.catan_fishermen.board import bits, trail_through
from engines.catan_fishermen.catalog import KINDS, open_harbour
from engines.catan_fishermen.policy.island import Island
from engines.catan_fishermen.policy.outlook import Counts, rounds
from engines.catan_fishermen.policy.table import Place

FAR = 3
"""So many roads a player looks ahead."""
LACKS, BOUGHT = (-4, -4, -4, -8, -8), 5.0
"""What a player buys in the middle of a match, and the points of it: the measure of an income."""


class Site(NamedTuple):
    """Where a settlement could come: so many roads away, the first of them on an edge."""

    vertex: int
    roads: int = 0
    edge: int = -1


Valued = tuple[tuple[float, Site], ...]
"""By how much the seat would be faster with a building more at each of these."""


def speed(pips: Sequence[float], rates: Counts, seats: int) -> float:
    """Points a round that such an income buys."""
    return BOUGHT / rounds(LACKS, tuple(pips), rates, seats)


def rates_with(land: Island, rates: Counts, vertex: int) -> Counts:
    """The rates after something was built at the vertex (CA-16)."""
    kind = land.harbours.get(vertex)
    if kind is None:
        return rates
    opened = bytearray(rates)
    open_harbour(opened, 0, kind)
    return tuple(opened)


def with_fish(land: Island, pips: list[float], vertex: int, count: int) -> list[float]:
    """The income with what so many shares of the vertex's water are worth."""
    fish = land.fish.get(vertex)
    return [paid + count * fish for paid in pips] if fish else pips


def gains(place: Place, sites: Sequence[Site]) -> list[tuple[float, Site]]:
    pips: list[float] = [0] * KINDS
    for buildings, count in ((place.towns, 1), (place.cities, 2)):
        for vertex in bits(buildings):
            for _, resource, dots in place.land.yields[vertex]:
                pips[resource] += count * dots
            pips = with_fish(place.land, pips, vertex, count)
    before = speed(pips, place.rates, place.seats)
    valued = []
    for site in sites:
        after = pips[:]
        for _, resource, dots in place.land.yields[site.vertex]:
            after[resource] += dots
        after = with_fish(place.land, after, site.vertex, 1)
        rates = rates_with(place.land, place.rates, site.vertex)
        valued.append((speed(after, rates, place.seats) - before, site))
    return valued


@lru_cache(maxsize=1 << 12)
def cities(place: Place) -> Valued:
    """The two best settlements to make cities of."""
    return best(gains(place, [Site(vertex) for vertex in bits(place.towns)]), 2)


@lru_cache(maxsize=1 << 12)
def settlements(place: Place) -> Valued:
    """The best two sites that roads have reached, and the best one at each distance (CA-14, CA-15)."""
    valued = gains(place, reachable(place))
    ready, *distant = [[one for one in valued if one[1].roads == roads] for roads in range(FAR + 1)]
    return best(ready, 2) + tuple(one for at in distant for one in best(at, 1))


def best(valued: list[tuple[float, Site]], number: int) -> Valued:
    return tuple(sorted(valued, key=itemgetter(0), reverse=True)[:number])


def reachable(place: Place) -> list[Site]:
    """Where the seat could settle, the nearest first."""
    land = place.land
    reached = land.touched(place.roads)
    found = [Site(vertex) for vertex in bits(reached & place.open_vertices)]
    seen = reached | place.towns | place.cities
    coasts = [(vertex, -1) for vertex in bits(seen & ~place.stops)]
    for roads in range(1, FAR + 1):
        following = []
        for vertex, first in coasts:
            for edge, beyond in land.around[vertex]:
                if seen >> beyond & 1 or not place.open_edges >> edge & 1:
                    continue
                seen |= 1 << beyond
                began = edge if first < 0 else first
                if place.open_vertices >> beyond & 1:
                    found.append(Site(beyond, roads, began))
                if not place.stops >> beyond & 1:
                    following.append((beyond, began))
        coasts = following
    return found


@lru_cache(maxsize=1 << 12)
def extension(place: Place, length: int) -> tuple[int, ...]:
    """Edges that make the longest road so long, each the one that lengthens it most; none if many would be needed."""
    land, roads, open_edges = place.land, place.roads, place.open_edges
    homes = place.towns | place.cities
    chosen: list[int] = []
    for _ in range(FAR):
        lengths = {
            edge: trail_through(land.paths, roads | 1 << edge, place.stops, edge)
            for vertex in bits(homes | land.touched(roads) & ~place.stops)
            for edge, _ in land.around[vertex]
            if open_edges >> edge & 1
        }
        if not lengths:
            return ()
        longest = max(lengths, key=lambda edge: lengths[edge])
        chosen.append(longest)
        if lengths[longest] >= length:
            return tuple(chosen)
        roads |= 1 << longest
        open_edges ^= 1 << longest
    return ()
