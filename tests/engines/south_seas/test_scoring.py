import pytest

from engines.core.outcome import Score
from engines.south_seas import ENGINE
from engines.south_seas.board import crews, owners
from engines.south_seas.catalog import Wares
from engines.south_seas.events import FeatureEvaluated, GameEnded, ShipTaken
from engines.south_seas.moves import PlaceTile, Skip
from engines.south_seas.scoring import result
from tests.engines.south_seas.scenario import drawn, given, laid, opened, standing
from tests.rules import rule


@rule("SS-13")
@pytest.mark.parametrize(
    ("occupants", "crew", "paid"),
    [
        (0, (), ()),
        (0b001, (1,), (0,)),
        (0b001_000_000, (0, 0, 1), (2,)),
        (0b001_001, (1, 1), (0, 1)),
        (0b001_100, (4, 1), (0,)),
        (0b010_000_010_001_000, (0, 1, 2, 0, 2), (2, 4)),
    ],
)
def test_the_seats_with_the_most_islanders_own_a_feature(occupants, crew, paid):
    assert crews(occupants) == crew
    assert owners(occupants) == paid


def ended(*wares, ships=(), seats=2):
    """The ranking of seats with these wares and ships."""
    position = given(opened(ships=[ship for ship, _ in ships][:4]), seats=seats)
    for ship, seat in ships:
        ENGINE.evolve(position.state, ShipTaken(seat, ship))
    for seat, counts in enumerate(wares):
        position.has(seat, *counts)
    return result(position.state).ranking


@rule("SS-29")
def test_points_are_those_of_the_ships_and_one_for_every_three_wares():
    first, second = ended((1, 1, 3), (0, 2, 0), ships=[("SHIP24", 1), ("SHIP01", 0)])
    assert (first.seat, first.place, first.points) == (1, 1, 6)
    assert first.scores == (Score("ships", 6), Score("wares", 0))
    assert (second.seat, second.place, second.points) == (0, 2, 2 + 1)


@rule("SS-29")
def test_equals_share_a_place_and_the_next_is_left_out():
    ranking = ended((3, 3, 3), (9, 0, 0), (0, 0, 12), (2, 0, 0), (0, 0, 9), seats=5)
    assert [(one.seat, one.place) for one in ranking] == [(2, 1), (0, 2), (1, 2), (4, 2), (3, 5)]


@rule("SS-29")
def test_a_shared_victory_is_a_victory_of_both():
    assert [one.place for one in ended((3, 0, 0), (0, 3, 2))] == [1, 1]


@rule("SS-31")
def test_the_example_of_the_rulebook():
    red, blue, green, black, yellow = range(5)
    tiles = laid(
        *(("SS40", 0, -1, 0), ("SS42", 0, 1, 0)),  # the left island, of four bananas with the start tile
        *(("SS11", 10, 0, 0), ("SS09", 10, 1, 0)),  # the bridge, of three shells
        ("SS01", 20, 0, 0),  # the market
        *(("SS07", 30, 0, 0), ("SS27", 31, 0, 0)),  # the sea region, of four fish
        ("SS63", 40, 0, 0),  # the right island, of two bananas
    )
    crew = standing(
        (red, 0, -1, "I0"), (red, 0, 1, "I0"), (blue, 0, 0, "I0"), (green, 10, 0, "B0"), (black, 20, 0, "M0"),
        (yellow, 30, 0, "S0"), (blue, 31, 0, "S0"), (yellow, 40, 0, "I0"),
    )  # fmt: skip
    position = given(opened("SS41"), tiles, crew, drawn("SS08", seat=black), seats=5).piled()
    position.when(black, PlaceTile(21, 0, 0)).play()
    position.when(black, Skip()).play()
    assert position.wares(red) == Wares(banana=4)
    assert position.wares(blue) == Wares(fish=4)
    assert position.wares(green) == Wares(shell=3)
    assert position.wares(black) == Wares()
    assert position.wares(yellow) == Wares(banana=2, fish=4)


@rule("SS-28", "SS-29")
def test_the_end_is_scored_after_the_final_evaluation():
    position = given(opened(), standing((1, 0, 0, "I0")), drawn("SS09")).piled().has(1, fish=2)
    position.when(0, PlaceTile(1, 0, 1)).play()
    events = position.when(0, Skip()).play()
    assert isinstance(events[-2], FeatureEvaluated)
    assert isinstance(events[-1], GameEnded)
    assert position.wares(1) == Wares(banana=1, fish=2)
    assert [(one.seat, one.points) for one in ENGINE.outcome(position.state).ranking] == [(1, 1), (0, 0)]
