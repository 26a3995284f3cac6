"""What a placed tile completes: SS-12 to SS-24."""

import pytest

from engines.south_seas import ENGINE
from engines.south_seas.catalog import Ware, Wares
from engines.south_seas.events import (
    Cause,
    FeatureEvaluated,
    FishCovered,
    Gain,
    IslanderPlaced,
    IslanderRetrieved,
    IslanderSkipped,
    Standpoint,
)
from engines.south_seas.moves import PlaceIslander, RetrieveIslander, Skip
from tests.engines.south_seas.scenario import given, laid, opened, placed, standing
from tests.rules import rule

SHELL, BANANA, FISH = Ware
SHORE = placed("SS26", 0, -1, 2)
"""The island of the start tile is complete, with two bananas."""
MIDDLE = laid(("SS26", 1, 1, 3), ("SS26", -1, 1, 1), ("SS27", 0, 2, 0))
"""With the island south of SS35 in the middle, four shores of 1 + 1 + 1 + 0 bananas round the cell south of it."""


def completed(x, y, feature, ware, gains, *returned, cause=Cause.COMPLETED):
    """`gains`: wares by seat."""
    paid = tuple(Gain(seat, count) for seat, count in gains.items())
    return FeatureEvaluated(cause, x, y, feature, ware, paid, tuple(Standpoint(*one) for one in returned))


@rule("SS-12", "SS-15", "SS-23")
def test_an_island_without_open_sides_pays_a_banana_for_each():
    given(opened(), SHORE).when(0, PlaceIslander("I0")).then(
        IslanderPlaced(0, 0, -1, "I0"),
        completed(0, -1, "I0", BANANA, {0: 2}, (0, 0, -1, "I0")),
    )


@rule("SS-15")
def test_an_island_with_a_gap_is_not_complete():
    # The island tile in the middle has piers of island on three sides; the south is still open.
    shores = laid(("SS26", 0, -1, 2), ("SS26", 1, 0, 3), ("SS25", -1, 0, 1))
    position = given(opened("SS24"), standing((0, 0, 0, "I0")), shores)
    assert position.region(0, 0, "I0").gaps == 1
    assert not position.region(0, 0, "I0").complete
    ends = given(opened("SS24"), standing((0, 0, 0, "I0")), shores, placed("SS27", 0, 1, 0))
    ends.when(0, Skip()).then(IslanderSkipped(0), completed(0, 1, "I0", BANANA, {0: 5}, (0, 0, 0, "I0")))


@rule("SS-12", "SS-14")
def test_a_bridge_between_a_market_and_a_junction_pays_its_shells():
    position = given(opened(), laid(("SS03", 1, 0, 1)), standing((1, 0, 0, "B0")), placed("SS19", -1, 0, 0))
    position.when(0, Skip()).then(IslanderSkipped(0), completed(-1, 0, "B0", SHELL, {1: 3}, (1, 0, 0, "B0")))


@rule("SS-14")
def test_a_bridge_between_two_islands_is_complete():
    # Both piers end at an island: SS29's to the west and SS30's to the east.
    position = given(opened(), laid(("SS29", 1, 0, 1)), placed("SS30", -1, 0, 3))
    position.when(0, PlaceIslander("B0")).then(
        IslanderPlaced(0, -1, 0, "B0"), completed(-1, 0, "B0", SHELL, {0: 3}, (0, -1, 0, "B0"))
    )


@rule("SS-14")
def test_an_open_end_keeps_a_bridge_open():
    position = given(opened(), laid(("SS03", 1, 0, 1)), placed("SS09", -1, 0, 1))
    position.when(0, PlaceIslander("B0")).then(IslanderPlaced(0, -1, 0, "B0"))
    assert position.region(0, 0, "B0").gaps == 1


@rule("SS-14", "SS-16")
def test_a_loop_is_complete_and_so_is_the_sea_within():
    # Four curves round a corner, with 1 + 1 + 2 shells; the fish is inside.
    curves = laid(("SS14", -1, 0, 3), ("SS17", -1, 1, 2))
    loop = given(opened("SS14"), curves, standing((0, 0, 0, "B0"), (1, 0, 0, "S1")), placed("SS16", 0, 1, 1, seat=0))
    loop.when(0, Skip()).then(
        IslanderSkipped(0),
        completed(0, 1, "B0", SHELL, {0: 4}, (0, 0, 0, "B0")),
        completed(0, 1, "S1", FISH, {1: 1}, (1, 0, 0, "S1")),
    )


@rule("SS-24")
def test_arms_that_meet_at_a_junction_are_separate_bridges():
    position = given(opened(), placed("SS21", 1, 0, 0))
    position.when(0, PlaceIslander("B0")).then(IslanderPlaced(0, 1, 0, "B0"))
    assert position.region(1, 0, "B0").crews != position.region(1, 0, "B1").crews == position.region(1, 0, "B2").crews


@rule("SS-24")
def test_seas_that_meet_round_an_obstacle_are_one_and_a_pier_to_an_island_cuts_it():
    round_the_end = given(opened("SS09"), laid(("SS03", 0, -1, 0)))
    assert round_the_end.region(0, 0, "S0") is round_the_end.region(0, 0, "S1")
    assert round_the_end.region(0, 0, "S0").pays == 1
    cut = given(opened("SS12"), laid(("SS28", 0, -1, 0)))
    assert [cut.region(0, 0, sea).pays for sea in ("S0", "S1")] == [2, 1]


@rule("SS-24")
def test_two_seas_of_one_tile_join_round_a_corner():
    # The curve's two seas meet behind the market to the south: open sea all round its pier.
    apart = given(opened("SS16"))
    assert apart.region(0, 0, "S0").gaps == 6
    joined = given(opened("SS16"), laid(("SS03", 0, 1, 2)))
    assert joined.region(0, 0, "S0") is joined.region(0, 0, "S1")
    assert joined.region(0, 0, "S1").gaps == 6 + 2 + 8 - 4


@rule("SS-16")
def test_a_sea_region_without_open_half_edges_is_complete():
    # A channel between islands, with one fish: open to the south, then closed by an island.
    channel = laid(("SS37", 0, 1, 1))
    position = given(opened("SS62"), channel, standing((1, 0, 0, "S0")))
    assert position.region(0, 0, "S0").gaps == 2
    closed = given(opened("SS62"), channel, standing((1, 0, 0, "S0")), placed("SS63", 0, 2, 2))
    closed.when(0, Skip()).then(IslanderSkipped(0), completed(0, 2, "S0", FISH, {1: 1}, (1, 0, 0, "S0")))


@rule("SS-16")
def test_a_market_in_a_sea_changes_nothing():
    position = given(opened("SS62"), laid(("SS01", 0, 1, 0)))
    assert position.region(0, 1, "S0").gaps == 6
    assert position.region(0, 1, "S0").pays == 2


@rule("SS-13", "SS-22")
@pytest.mark.parametrize(
    ("crew", "gains"),
    [
        ([(0, 1, 1, "I0")], {0: 5}),
        ([(0, 0, 0, "I1"), (0, -1, 1, "I0"), (1, 1, 1, "I0")], {0: 5}),
        ([(0, 0, 0, "I1"), (1, 1, 1, "I0")], {0: 5, 1: 5}),
        ([(0, 0, 0, "I1"), (1, 1, 1, "I0"), (2, -1, 1, "I0")], {0: 5, 1: 5, 2: 5}),
        ([(0, 0, 0, "I1"), (2, -1, 1, "I0"), (2, 0, 2, "I0")], {2: 5}),
        ([(0, 0, 0, "I1"), (0, 1, 1, "I0"), (2, -1, 1, "I0"), (2, 0, 2, "I0")], {0: 5, 2: 5}),
    ],
)
def test_the_most_islanders_are_paid_in_full_and_all_go_home(crew, gains):
    # An island of two bananas joins four shores, on which islanders stand already.
    position = given(opened("SS35"), MIDDLE, standing(*crew), placed("SS24", 0, 1, 0), seats=3)
    position.when(0, Skip()).then(IslanderSkipped(0), completed(0, 1, "I0", BANANA, gains, *crew))
    assert [position.wares(seat).banana for seat in range(3)] == [gains.get(seat, 0) for seat in range(3)]
    assert [player.islanders_left for player in ENGINE.view(position.state, None).players] == [4, 4, 4]


@rule("SS-24")
def test_who_takes_an_islander_back_is_not_there_any_more():
    position = given(opened(), standing((0, 0, 0, "I0")), SHORE)
    position.when(0, RetrieveIslander(0, 0, "I0")).then(IslanderRetrieved(0, 0, 0, "I0"))
    assert position.wares(0) == Wares()


@rule("SS-24")
def test_a_feature_without_symbols_sends_its_islanders_home():
    position = given(opened("SS27"), standing((1, 0, 0, "I0")), placed("SS32", 0, -1, 2))
    position.when(0, Skip()).then(IslanderSkipped(0), completed(0, -1, "I0", BANANA, {}, (1, 0, 0, "I0")))


@rule("SS-13")
def test_nobody_is_paid_where_nobody_stands():
    given(opened(), SHORE).when(0, Skip()).then(IslanderSkipped(0))


@rule("SS-24")
def test_one_tile_completes_several_features_bridges_first_then_islands_then_seas():
    # Island north and south, a market's pier to the east, the end of a sea with a fish to the west.
    around = laid(("SS27", 0, 2, 0), ("SS03", 1, 1, 1), ("SS40", -1, 1, 0))
    crew = standing((0, 1, 1, "B0"), (1, 0, 0, "I1"), (0, -1, 1, "S0"))
    position = given(opened("SS35"), around, crew, placed("SS43", 0, 1, 0, seat=1))
    position.when(1, Skip()).then(
        IslanderSkipped(1),
        completed(0, 1, "B0", SHELL, {0: 2}, (0, 1, 1, "B0")),
        completed(0, 1, "I0", BANANA, {1: 3}, (1, 0, 0, "I1")),
        completed(0, 1, "S2", FISH, {0: 1}, (0, -1, 1, "S0")),
    )


@rule("SS-17", "SS-18", "SS-22")
def test_a_boat_pays_an_open_region_and_covers_a_group_of_two_first():
    # The first sea has a group of two, the second a single fish.
    position = given(opened("SS07"), laid(("SS26", 0, -1, 0)), standing((1, 0, 0, "S0")), placed("SS08", 0, 1, 0))
    position.when(0, Skip()).then(
        IslanderSkipped(0),
        completed(0, 1, "S0", FISH, {1: 3}, (1, 0, 0, "S0"), cause=Cause.BOAT),
        FishCovered(0, 0, "S0", True),
    )
    assert position.region(0, 0, "S0").pays == 1
    assert not position.region(0, 0, "S0").complete


@rule("SS-18")
def test_covered_fish_never_pay_again_and_single_ones_follow():
    covered = [FishCovered(0, 0, "S0", True)]
    position = given(
        opened("SS07"), laid(("SS26", 0, -1, 0)), covered, standing((1, 0, 0, "S0")), placed("SS08", 0, 1, 0)
    )
    position.when(0, Skip()).then(
        IslanderSkipped(0),
        completed(0, 1, "S0", FISH, {1: 1}, (1, 0, 0, "S0"), cause=Cause.BOAT),
        FishCovered(0, -1, "S0", False),
    )
    assert position.region(0, 0, "S0").pays == 0


@rule("SS-18")
def test_of_equal_groups_the_earliest_tiles_is_covered():
    seas = laid(("SS26", 0, -1, 0), ("SS27", -1, 0, 3), ("SS56", 1, 1, 2))
    position = given(opened("SS07"), seas, standing((1, 0, 0, "S0")), placed("SS08", 0, 1, 0))
    events = position.when(0, Skip()).play()
    assert FishCovered(0, 0, "S0", True) in events


@rule("SS-17")
def test_a_fisherman_placed_with_the_boat_fishes_at_once():
    position = given(opened("SS07"), placed("SS08", 0, 1, 0))
    position.when(0, PlaceIslander("S0")).then(
        IslanderPlaced(0, 0, 1, "S0"),
        completed(0, 1, "S0", FISH, {0: 2}, (0, 0, 1, "S0"), cause=Cause.BOAT),
        FishCovered(0, 0, "S0", True),
    )


@rule("SS-17")
def test_a_fisherman_taken_back_does_not_count():
    position = given(opened("SS07"), standing((0, 0, 0, "S0")), placed("SS08", 0, 1, 0))
    position.when(0, RetrieveIslander(0, 0, "S0")).then(IslanderRetrieved(0, 0, 0, "S0"))


@rule("SS-17")
def test_a_boat_acts_in_the_turn_of_its_placement_only():
    position = given(opened("SS08"), laid(("SS07", 0, 1, 0)), placed("SS26", 0, -1, 0))
    position.when(0, PlaceIslander("S0")).then(IslanderPlaced(0, 0, -1, "S0"))


@rule("SS-17")
def test_a_boat_fishes_in_its_own_region_only():
    # The boat is west of the bridge, the fisherman east of it.
    position = given(opened("SS09"), standing((1, 0, 0, "S1")), placed("SS10", 0, -1, 2))
    position.when(0, Skip()).then(IslanderSkipped(0))
    assert not position.state.covered


@rule("SS-19")
def test_a_boat_in_an_empty_region_does_nothing():
    position = given(opened("SS07"), placed("SS08", 0, 1, 0))
    position.when(0, Skip()).then(IslanderSkipped(0))
    assert position.region(0, 0, "S0").pays == 2


@rule("SS-19")
def test_a_boat_that_completes_its_region_pays_once():
    # The channel with one fish is closed by the boat's own tile.
    channel = laid(("SS37", 0, 1, 1))
    position = given(opened("SS62"), channel, standing((1, 0, 0, "S0")), placed("SS42", 0, 2, 3))
    position.when(0, Skip()).then(
        IslanderSkipped(0),
        completed(0, 2, "S0", FISH, {1: 1}, (1, 0, 0, "S0")),
        FishCovered(0, 1, "S0", False),
    )
    assert position.region(0, 0, "S0").complete


@rule("SS-19")
def test_a_boat_without_open_fish_sends_the_fishermen_home():
    position = given(opened("SS62"), standing((1, 0, 0, "S0")), placed("SS08", 0, 1, 0))
    position.when(0, Skip()).then(
        IslanderSkipped(0), completed(0, 1, "S0", FISH, {}, (1, 0, 0, "S0"), cause=Cause.BOAT)
    )
    assert not position.state.covered


@rule("SS-30")
def test_wares_are_unlimited():
    position = given(opened(), SHORE).has(0, banana=40).has(1, banana=40)
    position.when(0, PlaceIslander("I0")).play()
    assert position.wares(0) == Wares(banana=42)


@rule("SS-18", "SS-19")
def test_fish_are_covered_though_the_boats_sea_is_one_with_another_of_its_tile():
    # The bridge's two seas meet behind the market, and islands close them; the boat is in the second.
    shores = laid(("SS62", 0, -1, 0), ("SS62", 1, 0, 1), ("SS63", -1, 0, 3), ("SS63", 1, 1, 1), ("SS64", 0, 2, 2))
    fisher = [*laid(("SS40", -1, 1, 0)), *standing((1, -1, 1, "S0"))]
    position = given(opened("SS03"), shores, fisher, placed("SS10", 0, 1, 0))
    position.when(0, Skip()).then(
        IslanderSkipped(0),
        completed(0, 1, "S1", FISH, {1: 1}, (1, -1, 1, "S0")),
        FishCovered(-1, 1, "S0", False),
    )
