"""What a player reads off a view besides the land: who has built where, and where one may go on."""

from functools import cached_property
from typing import NamedTuple

from engines.catan_fishermen.board import mask
from engines.catan_fishermen.catalog import KINDS
from engines.catan_fishermen.policy.island import ALL_EDGES, ALL_VERTICES, Island, caught, island
from engines.catan_fishermen.policy.outlook import Counts
from engines.catan_fishermen.view import Player, View


class Place(NamedTuple):
    """A seat's place on the board, in masks; `stops` are the others' buildings."""

    land: Island
    seats: int
    roads: int
    towns: int
    cities: int
    stops: int
    open_edges: int
    open_vertices: int
    rates: Counts


class Table:
    """A view, read from the place of one seat."""

    def __init__(self, view: View, seat: int, land: Island | None = None) -> None:
        self.view, self.seat = view, seat
        self.seats = len(view.players)
        self.player: Player = view.players[seat]
        self.others = [player for player in view.players if player.seat != seat]
        self.land = land or island(view.hexes, view.edges, view.harbours, caught(view))
        self.hand = self.player.known.counts()
        self.rates = self.player.rates.counts()

    def of(self, seat: int) -> "Table":
        """The same table from another place."""
        return Table(self.view, seat, self.land)

    @cached_property
    def place(self) -> Place:
        roads = stops = 0
        open_vertices = ALL_VERTICES
        for player in self.view.players:
            roads |= mask(player.roads)
            homes = player.settlements + player.cities
            for vertex in homes:
                open_vertices &= ~self.land.paths.settled_mask[vertex]
            if player.seat != self.seat:
                stops |= mask(homes)
        own = self.player
        towns, cities = mask(own.settlements), mask(own.cities)
        return Place(
            self.land, self.seats, mask(own.roads), towns, cities, stops, ALL_EDGES & ~roads, open_vertices, self.rates
        )

    @property
    def points(self) -> int:
        """All that the viewer can tell."""
        return self.player.own.points if self.player.own else self.player.points

    @property
    def missing(self) -> int:
        """The points to victory."""
        return self.player.needed - self.points

    def pips(self, *, robbed: bool) -> list[int]:
        """What the seat's buildings pay, by resource; `robbed`: with the robber where he is."""
        paid = [0] * KINDS
        without = self.view.robber if robbed else None
        for places, count in ((self.player.settlements, 1), (self.player.cities, 2)):
            for vertex in places:
                for at, resource, pips in self.land.yields[vertex]:
                    if at != without:
                        paid[resource] += count * pips
        return paid
