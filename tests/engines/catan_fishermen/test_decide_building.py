import pytest

from engines.catan_fishermen.board import EDGES, VERTICES
from engines.catan_fishermen.catalog import (
    CITY,
    DEVELOPMENT,
    DEVELOPMENT_COUNTS,
    NOTHING,
    ROAD,
    SETTLEMENT,
    Cards,
    Development,
    Resource,
)
from engines.catan_fishermen.events import (
    CityBuilt,
    DevelopmentBought,
    LongestRoadMoved,
    RoadBuilt,
    SettlementBuilt,
)
from engines.catan_fishermen.moves import BuildCity, BuildRoad, BuildSettlement, BuyDevelopment
from tests.engines.catan_fishermen.scenario import (
    building,
    cards,
    city,
    development,
    edge,
    given,
    roads,
    settled,
)
from tests.rules import rule

RICH = cards(0, brick=9, lumber=9, wool=9, grain=9, ore=9)
NOWHERE = [-1, -EDGES, -VERTICES, EDGES, 2**53 - 1, -(2**53 - 1)]


def holding(price, seat=0):
    return cards(seat, **{kind: count for kind, count in zip(Resource, price.counts(), strict=True) if count})


def one_short(price):
    """The price, less a card of each kind in turn."""
    for kind, count in zip(Resource, price.counts(), strict=True):
        if count:
            yield Cards(*[n - (other is kind) for other, n in zip(Resource, price.counts(), strict=True)])


BOUGHT = [
    (BuildRoad(edge(8, 13)), Cards(brick=1, lumber=1), RoadBuilt(0, edge(8, 13), ROAD)),
    (BuildSettlement(17), Cards(brick=1, lumber=1, wool=1, grain=1), SettlementBuilt(0, 17, SETTLEMENT)),
    (BuildCity(8), Cards(grain=2, ore=3), CityBuilt(0, 8, CITY)),
    (BuyDevelopment(), Cards(wool=1, grain=1, ore=1), DevelopmentBought(0, DEVELOPMENT, Development.KNIGHT)),
]
HOME = settled(0, 8), roads(0, 8, 12, 17)


@rule("CA-13")
@pytest.mark.parametrize(("move", "price", "event"), BOUGHT)
def test_everything_has_its_price(move, price, event):
    position = given(building(HOME, holding(price)))
    position.when(0, move).then(event)
    assert event.paid == price
    assert (position.hand(0), position.bank()) == (NOTHING, Cards(19, 19, 19, 19, 19))


@rule("CA-13")
@pytest.mark.parametrize(("move", "price", "event"), BOUGHT)
def test_nothing_is_had_for_less(move, price, event):
    del event
    for less in one_short(price):
        given(building(HOME, holding(less))).when(0, move).refuses("CA-13")


@rule("CA-13")
def test_a_city_replaces_an_own_settlement():
    position = given(building(RICH, settled(0, 8), settled(1, 0), city(0, 16)))
    for vertex in (0, 4, 16, 53):
        position.when(0, BuildCity(vertex)).refuses("CA-13")
    position.when(0, BuildCity(8)).then(CityBuilt(0, 8, CITY))


@rule("CA-13")
@pytest.mark.parametrize("vertex", NOWHERE)
def test_there_is_no_city_off_the_board(vertex):
    given(building(RICH, settled(0, 8))).when(0, BuildCity(vertex)).refuses("CA-13")


@rule("CA-13", "CA-23")
def test_a_city_returns_the_settlement_piece():
    position = given(building(RICH, settled(0, 0, 1, 2, 7, 10), roads(0, 8, 13)))
    position.when(0, BuildSettlement(13)).refuses("CA-23")
    position.when(0, BuildCity(0)).play()
    position.when(0, BuildSettlement(13)).then(SettlementBuilt(0, 13, SETTLEMENT))


@rule("CA-14")
def test_a_road_goes_on_from_an_own_building_or_road():
    position = given(building(RICH, settled(0, 8), roads(0, 8, 12)))
    for one, other in ((8, 13), (8, 4), (12, 17), (12, 7)):
        position.when(0, BuildRoad(edge(one, other))).then(RoadBuilt(0, edge(one, other), ROAD))


@rule("CA-14")
def test_a_road_does_not_begin_anywhere_else():
    position = given(building(RICH, settled(0, 8), roads(0, 8, 12), settled(1, 51), roads(1, 51, 47)))
    for one, other in ((17, 22), (0, 3), (47, 43), (51, 48)):
        position.when(0, BuildRoad(edge(one, other))).refuses("CA-14")


@rule("CA-14")
def test_a_road_lies_on_an_empty_path():
    position = given(building(RICH, settled(0, 8), roads(0, 8, 12), roads(1, 8, 13)))
    position.when(0, BuildRoad(edge(8, 12))).refuses("CA-14")
    position.when(0, BuildRoad(edge(8, 13))).refuses("CA-14")


@rule("CA-14")
@pytest.mark.parametrize("nowhere", NOWHERE)
def test_there_is_no_path_off_the_board(nowhere):
    given(building(RICH, settled(0, 8))).when(0, BuildRoad(nowhere)).refuses("CA-14")


@rule("CA-14")
def test_a_road_is_not_continued_behind_an_opponents_building():
    position = given(building(RICH, settled(0, 7), roads(0, 7, 12, 8), settled(1, 8)))
    position.when(0, BuildRoad(edge(8, 13))).refuses("CA-14")
    position.when(0, BuildRoad(edge(8, 4))).refuses("CA-14")
    position.when(0, BuildRoad(edge(12, 17))).play()


@rule("CA-14")
def test_nor_behind_a_settlement_that_is_built_there_later():
    position = given(building(RICH, cards(1, brick=9, lumber=9, wool=9, grain=9), roads(0, 7, 12, 8), roads(1, 4, 8)))
    position.when(0, BuildRoad(edge(8, 13))).play()
    # A new match with the same roads, cut before that road was built.
    cut = given(building(RICH, roads(0, 7, 12, 8), roads(1, 4, 8), settled(1, 8)))
    cut.when(0, BuildRoad(edge(8, 13))).refuses("CA-14")


@rule("CA-14")
def test_a_road_reaches_an_opponents_building():
    position = given(building(RICH, settled(0, 7), roads(0, 7, 12), settled(1, 8)))
    position.when(0, BuildRoad(edge(8, 12))).then(RoadBuilt(0, edge(8, 12), ROAD))


@rule("CA-14")
def test_both_sides_of_a_cut_road_may_still_be_extended():
    position = given(building(RICH, roads(0, 7, 12, 8, 13, 9), settled(1, 8)))
    for one, other in ((7, 3), (12, 17), (13, 18), (9, 5)):
        position.when(0, BuildRoad(edge(one, other))).then(RoadBuilt(0, edge(one, other), ROAD))


@rule("CA-14")
def test_a_road_behind_an_opponents_building_goes_on_from_an_own_road_there():
    # Own roads meet on both sides of the building at 8; the third path there stays closed.
    position = given(building(RICH, roads(0, 12, 8, 13), settled(1, 8)))
    position.when(0, BuildRoad(edge(8, 4))).refuses("CA-14")


@rule("CA-15")
def test_a_settlement_adjoins_an_own_road():
    position = given(building(RICH, settled(0, 8), roads(0, 8, 12, 17), roads(1, 13, 18)))
    for vertex in (18, 2, 53):
        position.when(0, BuildSettlement(vertex)).refuses("CA-15")
    position.when(0, BuildSettlement(17)).then(SettlementBuilt(0, 17, SETTLEMENT))


@rule("CA-15")
@pytest.mark.parametrize("nowhere", NOWHERE)
def test_there_is_no_intersection_off_the_board(nowhere):
    given(building(RICH, settled(0, 8))).when(0, BuildSettlement(nowhere)).refuses("CA-15")


@rule("CA-7")
def test_a_settlement_keeps_its_distance_from_everyones_buildings():
    position = given(building(RICH, settled(0, 8), roads(0, 8, 12, 17, 22, 16), settled(1, 23), city(1, 16)))
    for taken in (8, 12, 17, 22, 16):
        position.when(0, BuildSettlement(taken)).refuses("CA-7")


@rule("CA-7")
def test_a_coastal_intersection_has_two_neighbours_to_keep_off():
    position = given(building(RICH, roads(0, 3, 0, 4, 1), settled(1, 1)))
    position.when(0, BuildSettlement(4)).refuses("CA-7")
    position.when(0, BuildSettlement(0)).play()


@rule("CA-15")
def test_a_settlement_may_cut_an_opponents_road():
    position = given(building(RICH, roads(0, 4, 8), roads(1, 12, 8, 13)))
    position.when(0, BuildSettlement(8)).then(SettlementBuilt(0, 8, SETTLEMENT))


FOURTEEN = roads(0, 21, 16, 22, 17, 23, 18, 24, 19, 25, 20, 26, 32, 37, 31, 36)


@rule("CA-23")
def test_there_are_fifteen_roads():
    position = given(building(RICH, FOURTEEN, LongestRoadMoved(0)))
    position.when(0, BuildRoad(edge(30, 36))).then(RoadBuilt(0, edge(30, 36), ROAD))
    position.when(0, BuildRoad(edge(30, 35))).refuses("CA-23")


@rule("CA-23")
def test_there_are_four_cities():
    position = given(building(cards(0, grain=4, ore=6), city(0, 0, 1, 2), settled(0, 7, 8)))
    position.when(0, BuildCity(7)).play()
    position.when(0, BuildCity(8)).refuses("CA-23")


@rule("CA-23")
@pytest.mark.parametrize("seat", [1, 2])
def test_each_player_has_pieces_of_their_own(seat):
    rich = cards(seat, brick=9, lumber=9, wool=9, grain=9, ore=9)
    line = (21, 16, 22, 17, 23, 18, 24, 19, 25, 20, 26, 32, 37, 31, 36, 30)
    own = roads(seat, *line), city(seat, 0, 1, 2, 7), settled(seat, 8, 9, 21, 26, 47)
    position = given(building(rich, own, seat=seat))
    position.when(seat, BuildRoad(edge(30, 35))).refuses("CA-23")
    position.when(seat, BuildSettlement(17)).refuses("CA-23")
    position.when(seat, BuildCity(8)).refuses("CA-23")
    others = [[roads(0, *line), city(0, 0, 1, 2, 7), settled(0, 8, 9, 10, 47, 48)]]
    position = given(building(rich, others, settled(seat, 50), roads(seat, 50, 53, 49, 45), seat=seat))
    position.when(seat, BuildRoad(edge(40, 45))).play()
    position.when(seat, BuildSettlement(45)).play()
    position.when(seat, BuildCity(50)).play()


@rule("CA-19")
def test_a_card_is_drawn_from_the_whole_pile():
    position = given(building(RICH))
    position.when(0, BuyDevelopment(), development=14).then(
        DevelopmentBought(0, DEVELOPMENT, Development.ROAD_BUILDING)
    )
    position.when(0, BuyDevelopment(), development=23).then(
        DevelopmentBought(0, DEVELOPMENT, Development.VICTORY_POINT)
    )
    assert sum(position.state.pile) == 23


@rule("CA-19")
def test_an_empty_pile_sells_nothing():
    pile = [kind for kind, count in DEVELOPMENT_COUNTS.items() for _ in range(count)]
    position = given(building(RICH, development(1, *pile[1:])))
    position.when(0, BuyDevelopment()).then(DevelopmentBought(0, DEVELOPMENT, Development.KNIGHT))
    position.when(0, BuyDevelopment()).refuses("CA-19")


@rule("CA-20")
def test_the_fifth_road_in_a_row_takes_the_card():
    position = given(building(RICH, roads(0, 7, 12, 8, 13)))
    position.when(0, BuildRoad(edge(13, 9))).then(RoadBuilt(0, edge(9, 13), ROAD))
    position.when(0, BuildRoad(edge(9, 14))).then(RoadBuilt(0, edge(9, 14), ROAD), LongestRoadMoved(0))
    assert position.of_each("points")[0] == 2


@rule("CA-20")
def test_a_road_as_long_does_not_take_the_card():
    held = roads(1, 27, 33, 28, 34, 29, 35), LongestRoadMoved(1)
    position = given(building(RICH, held, roads(0, 7, 12, 8, 13, 9)))
    position.when(0, BuildRoad(edge(9, 14))).then(RoadBuilt(0, edge(9, 14), ROAD))
    position.when(0, BuildRoad(edge(10, 14))).then(RoadBuilt(0, edge(10, 14), ROAD), LongestRoadMoved(0))
    assert position.of_each("points") == [2, 0, 0]


CUTTER = roads(0, 4, 8)
"""A road of seat 0 to vertex 8, in the middle of the others' roads."""


@rule("CA-20")
def test_a_road_cut_below_five_loses_the_card():
    position = given(building(RICH, CUTTER, roads(1, 7, 12, 8, 13, 9, 14), LongestRoadMoved(1)))
    position.when(0, BuildSettlement(8)).then(SettlementBuilt(0, 8, SETTLEMENT), LongestRoadMoved(None))
    assert position.of_each("points") == [1, 0, 0]
    assert position.of_each("road_length") == [1, 3, 0]


@rule("CA-20")
def test_a_cut_that_leaves_the_longest_road_changes_nothing():
    held = roads(1, 7, 12, 8, 13, 9, 14, 10, 15, 20), LongestRoadMoved(1)
    position = given(building(RICH, CUTTER, held))
    position.when(0, BuildSettlement(8)).then(SettlementBuilt(0, 8, SETTLEMENT))
    assert position.of_each("road_length")[1] == 6


@rule("CA-20")
def test_the_holder_keeps_the_card_while_joint_longest():
    held = roads(1, 7, 12, 8, 13, 9, 14, 10, 15), LongestRoadMoved(1)
    position = given(building(RICH, CUTTER, held, roads(2, 27, 33, 28, 34, 29, 35)))
    position.when(0, BuildSettlement(8)).then(SettlementBuilt(0, 8, SETTLEMENT))
    assert position.of_each("road_length") == [1, 5, 5]


@rule("CA-20")
def test_a_cutting_settlement_may_hand_the_card_to_a_third_player():
    held = roads(1, 7, 12, 8, 13, 9, 14, 10, 15), LongestRoadMoved(1)
    position = given(building(RICH, CUTTER, held, roads(2, 27, 33, 28, 34, 29, 35, 30, 36)))
    position.when(0, BuildSettlement(8)).then(SettlementBuilt(0, 8, SETTLEMENT), LongestRoadMoved(2))
    assert position.of_each("points") == [1, 0, 2]


@rule("CA-20")
def test_a_cutting_settlement_may_win_the_card_for_its_builder():
    held = roads(1, 7, 12, 8, 13, 9, 14), LongestRoadMoved(1)
    position = given(building(RICH, CUTTER, roads(0, 4, 1, 5, 2, 6), held))
    position.when(0, BuildSettlement(8)).then(SettlementBuilt(0, 8, SETTLEMENT), LongestRoadMoved(0))


@rule("CA-20")
def test_of_several_longest_roads_after_a_cut_the_card_is_set_aside():
    held = roads(1, 7, 12, 8, 13, 9, 14), LongestRoadMoved(1)
    joint = roads(2, 27, 33, 28, 34, 29, 35), roads(3, 38, 43, 39, 44, 40, 45)
    position = given(building(RICH, CUTTER, held, joint), seats=4)
    position.when(0, BuildSettlement(8)).then(SettlementBuilt(0, 8, SETTLEMENT), LongestRoadMoved(None))
    assert position.of_each("points") == [1, 0, 0, 0]


@rule("CA-20")
def test_a_card_set_aside_goes_to_whoever_is_alone_the_longest():
    joint = roads(1, 27, 33, 28, 34, 29, 35), roads(2, 38, 43, 39, 44, 40, 45)
    position = given(building(RICH, joint, roads(0, 7, 12, 8, 13, 9), seat=0))
    # Three are as long as each other: still nobody.
    position.when(0, BuildRoad(edge(9, 14))).then(RoadBuilt(0, edge(9, 14), ROAD))
    position.when(0, BuildRoad(edge(10, 14))).then(RoadBuilt(0, edge(10, 14), ROAD), LongestRoadMoved(0))


@rule("CA-20")
def test_a_cut_of_one_of_two_joint_roads_gives_the_card_to_the_other():
    joint = roads(1, 7, 12, 8, 13, 9, 14), roads(2, 38, 43, 39, 44, 40, 45)
    position = given(building(RICH, CUTTER, joint))
    position.when(0, BuildSettlement(8)).then(SettlementBuilt(0, 8, SETTLEMENT), LongestRoadMoved(2))


@rule("CA-20")
def test_a_settlement_beside_the_roads_of_others_moves_no_card():
    held = roads(1, 7, 12, 8, 13, 9, 14), LongestRoadMoved(1)
    position = given(building(RICH, held, roads(0, 51, 47)))
    position.when(0, BuildSettlement(51)).then(SettlementBuilt(0, 51, SETTLEMENT))
