"""Positions of South Seas built from events, and the three words of a rule's test: given, when, then.

Scenes begin with any tile in the middle, and tiles lie wherever a test wants them: fitting is what tests of SS-5 check.
"""

from dataclasses import dataclass
from functools import partial

import pytest

from engines.core import games
from engines.core.draft import Draft
from engines.core.errors import IllegalMove
from engines.south_seas import ENGINE
from engines.south_seas.catalog import Wares
from engines.south_seas.events import (
    IslanderPlaced,
    ShipsTurnedUp,
    StartTileLaid,
    TileDiscarded,
    TileDrawn,
    TilePlaced,
    TurnBegun,
)
from engines.south_seas.state import Options
from tests.engines.staged import Proposal, Rigged

CATALOG = ENGINE.catalog(games.edition("south_seas", "house"))
proposal = partial(Proposal, ENGINE, CATALOG)
START = "SS31"
"""Island north, a bridge from west to east, sea south."""
FOUR = ("SHIP01", "SHIP02", "SHIP03", "SHIP08")
"""2, 2, 2 and 3 points."""
COURSE = (TurnBegun, TileDrawn, TileDiscarded)


@dataclass
class Position:
    state: object
    seat: int | None = None
    move: object = None

    def when(self, seat, move):
        self.seat, self.move = seat, move
        return self

    def then(self, *events):
        """The move is accepted and gives just these events, the next turn's draw apart."""
        played = self.play()
        if not any(isinstance(event, COURSE) for event in events):
            played = [event for event in played if not isinstance(event, COURSE)]
        assert played == list(events)
        return self

    def play(self):
        """The events of the move; the position goes on from them."""
        draft = Draft(ENGINE.evolve, self.state, Rigged())
        draft.play(ENGINE.decide, self.seat, self.move)
        return [emitted.event for emitted in draft.emitted]

    def refuses(self, rule_id):
        with pytest.raises(IllegalMove) as refused:
            self.play()
        assert refused.value.rule == rule_id
        return self

    def has(self, seat, shell=0, banana=0, fish=0):
        """The seat gets these wares besides."""
        for ware, count in enumerate((shell, banana, fish)):
            self.state.wares[3 * seat + ware] += count
        return self

    def piled(self, *tiles):
        """These tiles are left to draw."""
        self.state.pile = bytearray(sorted(CATALOG.tile_numbers[tile] for tile in tiles))
        return self

    def without_supply(self):
        """No ship is left to turn up."""
        self.state.supply = bytearray()
        return self

    def wares(self, seat):
        return Wares(*self.state.wares_of(seat))

    def listed(self, seat):
        return list(ENGINE.legal_moves(self.state, seat))

    def region(self, x, y, feature):
        """The region of the view to which the feature belongs."""
        view = ENGINE.view(self.state, None)
        (placed,) = (one for one in view.tiles if (one.x, one.y) == (x, y))
        names = [one.id for one in placed.tile.features]
        number = placed.regions[names.index(feature)]
        (region,) = (one for one in view.regions if one.number == number)
        return region


def start(seats=2, **options):
    return ENGINE.initial(CATALOG, Options(**options), seats, 1)


def given(*events, seats=2, **options):
    """The position after these events; lists of events are strung together."""
    state = start(seats, **options)
    for event in strung(events):
        ENGINE.evolve(state, event)
    return Position(state)


def strung(events):
    for event in events:
        if isinstance(event, list):
            yield from strung(event)
        else:
            yield event


def opened(tile=START, ships=FOUR, seat=0):
    """The first turn of the seat, before it draws."""
    return [StartTileLaid(tile), ShipsTurnedUp(tuple(ships)), TurnBegun(seat, 1)]


def laid(*tiles, seat=0):
    """Tiles on the table: (id, x, y, rotation)."""
    return [
        event
        for tile, x, y, rotation in tiles
        for event in (TileDrawn(seat, tile, True), TilePlaced(seat, tile, x, y, rotation))
    ]


def standing(*islanders):
    """Islanders on the board: (seat, x, y, feature)."""
    return [IslanderPlaced(*islander) for islander in islanders]


def drawn(tile, seat=0, turn=2):
    """A turn of the seat begins with this tile."""
    return [TurnBegun(seat, turn), TileDrawn(seat, tile, True)]


def placed(tile, x, y, rotation, seat=0):
    """The seat has placed the tile in its turn, and may move an islander."""
    return [*drawn(tile, seat), TilePlaced(seat, tile, x, y, rotation)]


def ring(x, y):
    """Round a market at x, y, all but the open sea to the west: its fish are 1 + 1 + 1 + 2 + 2 + 1."""
    tiles = (
        ("SS53", -1, -1, 0), ("SS26", 0, -1, 0), ("SS55", 1, -1, 1), ("SS26", 1, 0, 1), ("SS56", 1, 1, 2),
        ("SS27", 0, 1, 2), ("SS39", -1, 1, 2),
    )  # fmt: skip
    return laid(*[(tile, x + east, y + south, rotation) for tile, east, south, rotation in tiles])


RING = ring(0, 0)
PAIR = laid(
    ("SS02", 1, 0, 0), ("SS53", -1, -1, 0), ("SS26", 0, -1, 0), ("SS26", 1, -1, 0), ("SS55", 2, -1, 1),
    ("SS27", 2, 0, 1), ("SS56", 2, 1, 2), ("SS25", 1, 1, 2), ("SS39", -1, 1, 2), ("SS08", -1, 0, 0),
)  # fmt: skip
"""Round two markets side by side, all but the cell south of the first."""
