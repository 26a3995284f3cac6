"""The set-up: where settlements and roads promise most."""

from collections.abc import Sequence

from engines.catan_fishermen.catalog import KINDS
from engines.catan_fishermen.moves import PlaceRoad, PlaceSettlement
from engines.catan_fishermen.policy.preferring import preferred
from engines.catan_fishermen.policy.sites import rates_with, speed, with_fish
from engines.catan_fishermen.policy.table import Table
from engines.core.chance import Chance

USUAL = (1.6, 1.9, 1.9, 1.9, 1.6)
"""What a settlement pays on average: the pair of a first one is still to come."""


def place_settlement(table: Table, legal: Sequence[PlaceSettlement], chance: Chance) -> PlaceSettlement:
    return preferred(legal, [promise(table, move.vertex) for move in legal], chance)


def promise(table: Table, vertex: int) -> float:
    """How fast the seat would be with a settlement there: many pips, of all kinds, and a harbour for them."""
    pips: list[float] = [0.0] * KINDS
    for at in (*table.player.settlements, vertex):
        for _, resource, dots in table.land.yields[at]:
            pips[resource] += dots
        pips = with_fish(table.land, pips, at, 1)
    if not table.player.settlements:
        pips = [paid + usual for paid, usual in zip(pips, USUAL, strict=True)]
    return speed(pips, rates_with(table.land, table.rates, vertex), table.seats)


def place_road(table: Table, legal: Sequence[PlaceRoad], chance: Chance) -> PlaceRoad:
    """Towards the best site, two roads from the settlement."""
    return preferred(legal, [best_beyond(table, move.edge) for move in legal], chance)


def best_beyond(table: Table, edge: int) -> float:
    sites = [
        beyond
        for vertex in table.land.paths.edge_ends[edge]
        for other, beyond in table.land.around[vertex]
        if other != edge and table.place.open_edges >> other & 1 and table.place.open_vertices >> beyond & 1
    ]
    return max((promise(table, site) for site in sites), default=0.0)
