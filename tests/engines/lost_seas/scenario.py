"""Positions of Lost Seas built from events, and the three words of a rule's test: given, when, then."""

from dataclasses import dataclass
from functools import partial

import pytest

from engines.core import games
from engines.core.draft import Draft
from engines.core.errors import IllegalMove
from engines.lost_seas import ENGINE
from engines.lost_seas.board import Line
from engines.lost_seas.catalog import SIDES
from engines.lost_seas.events import (
    ExpeditionsDealt,
    FirstPlayerSet,
    LaidExpedition,
    LaidLine,
    RoundBegun,
    SidesChosen,
    SidesRevealed,
    TilesTurnedUp,
    TileTaken,
)
from engines.lost_seas.state import Options
from tests.engines.staged import Proposal, Rigged

CATALOG = ENGINE.catalog(games.edition("lost_seas"))
proposal = partial(Proposal, ENGINE, CATALOG)
EASY, HARD = SIDES
ALL_EASY = (EASY,) * 4
FIVE = ("LS19", "LS20", "LS21", "LS22", "LS23")
"""Tiles that open a round in most positions."""


@dataclass
class Position:
    state: object
    seat: int | None = None
    move: object = None

    def when(self, seat, move):
        self.seat, self.move = seat, move
        return self

    def then(self, *events):
        """The move is accepted and gives just these events."""
        assert self.play() == list(events)
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


def start(seats=2, **options):
    return ENGINE.initial(CATALOG, Options(**options), seats, 1)


def given(*events, seats=2, **options):
    """The position after these events."""
    state = start(seats, **options)
    for event in events:
        ENGINE.evolve(state, event)
    return Position(state)


def expedition(number):
    return f"EX{number:02}"


def dealt(seats=2, line=Line.COLUMNS):
    """Seat 0 is dealt EX01 to EX04, seat 1 EX05 to EX08 ...; for the rows they go on at EX21."""
    first = 1 if line is Line.COLUMNS else 21
    return [ExpeditionsDealt(seat, line, hand(first + 4 * seat)) for seat in range(seats)]


def hand(first):
    return tuple(expedition(number) for number in range(first, first + 4))


def laid(names, sides=ALL_EASY):
    return LaidLine(tuple(LaidExpedition(name, side) for name, side in zip(names, sides, strict=True)))


def revealed(seats=2, line=Line.COLUMNS):
    """Everyone has laid the easy sides as dealt."""
    return SidesRevealed(line, tuple(laid(event.expeditions) for event in dealt(seats, line)))


def chosen(seat, line=Line.COLUMNS):
    return SidesChosen(seat, line, laid(dealt(4, line)[seat].expeditions))


def choosing(seats=2):
    """The columns are dealt, nobody has chosen."""
    return [FirstPlayerSet(0), *dealt(seats)]


def choosing_rows(seats=2):
    return [*choosing(seats), revealed(seats), *dealt(seats, Line.ROWS)]


def opened(seats=2, tiles=FIVE):
    """All sides are chosen and the first round has begun."""
    return [*choosing_rows(seats), revealed(seats, Line.ROWS), TilesTurnedUp(tuple(tiles)), RoundBegun(1, 0)]


def young(tiles=("LS19", "LS20", "LS21"), first=0):
    """The first round of young explorers."""
    return [FirstPlayerSet(first), TilesTurnedUp(tuple(tiles)), RoundBegun(1, first)]


def mapped(seat, tiles):
    """The tiles lie on the seat's map from cell 0 on."""
    events = []
    for cell, tile in enumerate(tiles):
        events += [TilesTurnedUp((tile,)), TileTaken(seat, tile, cell)]
    return events
