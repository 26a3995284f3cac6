"""How many sequences of moves there are from a few openings, and the order in which moves are listed."""

import pytest

from engines.south_seas import ENGINE
from engines.south_seas.catalog import Wares
from engines.south_seas.moves import ChooseShip, Deliver, PlaceIslander, PlaceTile, RetrieveIslander, Skip
from engines.south_seas.state import FirstPlayer
from tests.engines.perft import counted, opening
from tests.engines.south_seas.scenario import RING, drawn, given, laid, opened, placed, standing, start
from tests.engines.south_seas.test_decide_loading import delivering
from tests.rules import rule


@pytest.mark.parametrize(
    ("seats", "plies", "options", "counts"),
    [
        (2, 0, {}, (4, 12, 84)),
        (3, 21, {}, (3, 81, 235)),
        (4, 60, {"hidden_scores": True}, (63, 315)),
        (5, 100, {"first_player": FirstPlayer.SEAT_4}, (96, 288)),
        (2, 141, {}, (4, 572, 2858, 0)),
    ],
)
def test_the_number_of_move_sequences(seats, plies, options, counts):
    assert counted(ENGINE, opening(ENGINE, start(seats, **options), plies), plies, counts) == counts


def test_placings_are_listed_row_by_row_then_by_rotation():
    position = given(opened(), laid(("SS07", 0, 1, 0)), drawn("SS08"))
    cells = [(-1, 1), (1, 1), (0, 2)]
    assert position.listed(0) == [PlaceTile(x, y, rotation) for x, y in cells for rotation in range(4)]


def test_an_islander_is_left_placed_or_taken_back():
    position = given(opened(), standing((0, 0, 0, "S1"), (0, 0, 0, "I0"), (1, 0, 0, "S0")), placed("SS09", 1, 0, 1))
    assert position.listed(0) == [
        Skip(),
        PlaceIslander("B0"),
        RetrieveIslander(0, 0, "I0"),
        RetrieveIslander(0, 0, "S1"),
    ]


@rule("SS-20")
def test_ships_to_choose_from_are_listed_as_they_lie():
    ships = ("SHIP24", "SHIP01", "SHIP22", "SHIP23")
    position = given(opened("SS01", ships), RING, standing((1, 0, 0, "M0")), placed("SS07", -1, 0, 0))
    position.when(0, Skip()).play()
    assert position.listed(1) == [ChooseShip(ship) for ship in ("SHIP24", "SHIP22", "SHIP23")]


def test_deliveries_are_listed_ship_by_ship_the_most_shells_first():
    # A sail for 3 of one kind, one for any 5, one for a shell and a banana.
    mixes = [(3, 2, 0), (3, 1, 1), (3, 0, 2), (2, 2, 1), (2, 1, 2), (2, 0, 3), (1, 2, 2), (1, 1, 3), (0, 2, 3)]
    assert delivering(3, 2, 3).listed(0)[:13] == [
        Skip(),
        Deliver("SHIP04", Wares(3)),
        Deliver("SHIP04", Wares(fish=3)),
        *[Deliver("SHIP10", Wares(*mix)) for mix in mixes],
        Deliver("SHIP01", Wares(1, 1)),
    ]
