"""The greedy player in small positions, and against random ones."""

from fractions import Fraction

import pytest

from engines.core import games
from engines.core.chance import SeededChance
from engines.south_seas import ENGINE
from engines.south_seas.catalog import Terrain, Wares
from engines.south_seas.moves import ChooseShip, Deliver, PlaceIslander, PlaceTile, RetrieveIslander, Skip
from engines.south_seas.policy import choose
from engines.south_seas.policy.landing import Landing
from engines.south_seas.policy.worth import earnings, idle
from services.bots.players import seat_players
from services.cli.selfplay import BareTable, Setting, play, secret_of
from tests.engines.south_seas.scenario import RING, drawn, given, laid, opened, placed, standing
from tests.engines.south_seas.test_decide_loading import delivering

SHORE = PlaceTile(0, -1, 2)
"""Of SS26 it completes the island of the start tile, with two bananas."""


def chosen(position, seat=0):
    return choose(ENGINE.view(position.state, seat), tuple(position.listed(seat)), SeededChance(3))


def test_it_completes_what_is_its_own_and_not_what_is_anothers():
    assert chosen(given(opened(), standing((0, 0, 0, "I0")), drawn("SS26"))) == SHORE
    assert chosen(given(opened(), standing((1, 0, 0, "I0")), drawn("SS26"))) != SHORE


def test_it_places_the_tile_where_an_islander_earns_at_once():
    assert chosen(given(opened(), drawn("SS26"))) == SHORE
    four = standing((0, 0, 0, "B0"), (0, 0, 0, "S0"), (0, 0, 0, "S1"), (0, 9, 9, "I0"))
    assert chosen(given(opened(), laid(("SS24", 9, 9, 0)), four, drawn("SS26"))) != SHORE


def test_it_places_an_islander_where_it_earns_at_once():
    assert chosen(given(opened(), placed("SS26", 0, -1, 2))) == PlaceIslander("I0")


def test_it_fishes_with_a_boat():
    position = given(opened("SS07"), laid(("SS27", 0, -1, 0)), placed("SS08", 0, 1, 0))
    assert chosen(position) == PlaceIslander("S0")


def test_it_brings_a_boat_to_its_own_fishermen():
    # The sea of the start tile has a fish in the south; in the north it has none.
    position = given(opened(), standing((0, 0, 0, "S1"), (1, 0, 0, "S0")), drawn("SS08"))
    assert chosen(position).y == 1


def test_it_completes_a_market_of_its_own_and_not_anothers():
    closing = given(opened("SS01"), RING, standing((0, 0, 0, "M0")), drawn("SS07"))
    assert (chosen(closing).x, chosen(closing).y) == (-1, 0)
    busy = laid(("SS23", 9, 9, 0), ("SS02", 20, 20, 0)), standing(*((0, 9, 9, f"B{number}") for number in range(4)))
    others = given(opened("SS01"), RING, *busy, standing((1, 0, 0, "M0")), drawn("SS07"))
    assert (chosen(others).x, chosen(others).y) != (-1, 0)


def test_it_takes_back_an_islander_that_earns_nothing_when_it_has_no_other():
    poor = standing((0, 0, 0, "S1"), (0, 5, 0, "S0"), (0, 7, 0, "S0"), (0, 9, 0, "S0"))
    waste = laid(("SS08", 5, 0, 0), ("SS10", 7, 0, 0), ("SS11", 9, 0, 0))
    position = given(opened("SS11"), waste, poor, placed("SS12", 0, 1, 0))
    assert isinstance(chosen(position), RetrieveIslander)


def test_it_leaves_an_islander_that_is_about_to_be_paid():
    shore = [*opened(), *standing((0, 0, 0, "I0"), (0, 0, 0, "B0"), (0, 0, 0, "S1"), (0, 0, 0, "S0"))]
    move = chosen(given(shore, placed("SS26", 0, -1, 2)))
    assert move != RetrieveIslander(0, 0, "I0")


def test_it_loads_the_ship_worth_most():
    assert chosen(delivering(9, 9, 9)) == Deliver("SHIP22", Wares(3, 2, 1))


def test_it_pays_with_what_it_has_most_of():
    position = delivering(1, 0, 7, ships=("SHIP10", "SHIP11", "SHIP13", "SHIP14"))
    assert chosen(position) == Deliver("SHIP10", Wares(fish=5))


def test_for_a_market_it_takes_the_ship_that_asks_for_most():
    ships = ("SHIP11", "SHIP17", "SHIP12", "SHIP01")
    position = given(opened("SS01", ships), RING, standing((1, 0, 0, "M0")), placed("SS07", -1, 0, 0))
    position.when(0, Skip()).play()
    assert chosen(position, 1) == ChooseShip("SHIP17")


def test_a_landing_foresees_what_the_board_then_shows():
    crew = standing((1, 0, 0, "B0"), (0, 0, 0, "S1"), (1, 1, 1, "S0"))
    before = given(opened(), laid(("SS07", 0, 1, 0), ("SS26", 1, 1, 1), ("SS04", -1, 0, 3)), crew, drawn("SS14"))
    view = ENGINE.view(before.state, 0)
    at, regions = {(one.x, one.y): one for one in view.tiles}, {one.number: one for one in view.regions}
    for move in before.listed(0):
        groups = list(Landing(view.drawn, move, at, regions).groups())
        position = given(opened(), laid(("SS07", 0, 1, 0), ("SS26", 1, 1, 1), ("SS04", -1, 0, 3)), crew, drawn("SS14"))
        position.when(0, move).play()
        after = ENGINE.view(position.state, 0)
        own = [one for one in after.regions if one.number in after.tiles[-1].regions]
        assert sorted((one.terrain, one.gaps, one.pays, dict(one.crew)) for one in groups) == sorted(
            (one.terrain, one.gaps, one.pays, {crew.seat: crew.islanders for crew in one.crews}) for one in own
        )


@pytest.mark.parametrize("terrain", [Terrain.BRIDGE, Terrain.ISLAND, Terrain.SEA])
def test_a_feature_is_worth_more_the_more_it_pays_and_the_nearer_it_is(terrain):
    assert earnings(terrain, 1, 4, 40, 0) > earnings(terrain, 1, 2, 40, 0) > earnings(terrain, 1, 2, 40, 7) > 0
    assert earnings(terrain, 0, 4, 40, 0) > earnings(terrain, 3, 4, 1, 0)


def test_a_market_that_can_not_be_completed_any_more_is_worth_nothing():
    assert earnings(Terrain.MARKET, 1, 0, 1, 0) > earnings(Terrain.MARKET, 3, 0, 9, 0) > 0
    assert earnings(Terrain.MARKET, 3, 0, 2, 0) == 0


def test_the_fewer_islanders_are_left_the_dearer_they_are():
    assert idle(1) > idle(2) > idle(3) > idle(4)


def winnings(number):
    """The greedy seat's share of the victory over a random player; the seats alternate."""
    bots = ("greedy", "random") if number % 2 else ("random", "greedy")
    setting = Setting("south_seas", ENGINE.Options(), 2, games.edition("south_seas"), bots, 1, 1000)
    table = BareTable(ENGINE, setting, secret_of(setting, number))
    outcome = play(ENGINE, table, seat_players(ENGINE, bots, 2), setting, number).outcome
    winners = [standing.seat for standing in outcome.ranking if standing.place == 1]
    return Fraction(winners.count(bots.index("greedy")), len(winners))


@pytest.mark.parametrize("first", range(1, 101, 20))
def test_the_greedy_player_beats_a_random_one_in_95_of_100_matches(first):
    assert sum(winnings(number) for number in range(first, first + 20)) >= 19
