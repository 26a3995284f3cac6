import pytest

from engines.catan_fishermen import ENGINE
from engines.catan_fishermen.catalog import DEVELOPMENT, NOTHING, Cards, Development, Resource
from engines.catan_fishermen.events import (
    DevelopmentBought,
    Due,
    FreeRoadsLapsed,
    GameEnded,
    KnightPlayed,
    LargestArmyMoved,
    LongestRoadMoved,
    MonopolyPlayed,
    RoadBuildingPlayed,
    RoadBuilt,
    RobberMoved,
    TurnBegun,
    YearOfPlentyPlayed,
)
from engines.catan_fishermen.moves import (
    BuildRoad,
    BuyDevelopment,
    EndTurn,
    MoveRobber,
    PlayKnight,
    PlayMonopoly,
    PlayRoadBuilding,
    PlayYearOfPlenty,
    Roll,
)
from engines.catan_fishermen.state import Phase
from tests.engines.catan_fishermen.scenario import (
    building,
    cards,
    city,
    development,
    edge,
    given,
    pips,
    roads,
    rolled,
    rolling,
    settled,
)
from tests.rules import rule

KNIGHT, ROADS, PLENTY, MONOPOLY, POINT = (
    Development.KNIGHT,
    Development.ROAD_BUILDING,
    Development.YEAR_OF_PLENTY,
    Development.MONOPOLY,
    Development.VICTORY_POINT,
)
TWO_BRICKS = PlayYearOfPlenty(Cards(brick=2))
CARD_MOVES = [
    (KNIGHT, PlayKnight()),
    (ROADS, PlayRoadBuilding()),
    (PLENTY, TWO_BRICKS),
    (MONOPOLY, PlayMonopoly(Resource.WOOL)),
]
FIRST_OF_ITS_KIND = {KNIGHT: 0, ROADS: 14, PLENTY: 16, MONOPOLY: 18, POINT: 20}
"""Places in the whole pile."""
RICH = cards(0, brick=9, lumber=9, wool=9, grain=9, ore=9)


@rule("CA-18")
@pytest.mark.parametrize(("card", "move"), CARD_MOVES)
def test_a_card_is_not_played_in_the_turn_it_was_bought(card, move):
    position = given(building(RICH, settled(0, 8)))
    position.when(0, BuyDevelopment(), development=FIRST_OF_ITS_KIND[card]).then(
        DevelopmentBought(0, DEVELOPMENT, card)
    )
    position.when(0, move).refuses("CA-18")
    for seat in (0, 1, 2):
        position.when(seat, EndTurn()).play()
        position.when((seat + 1) % 3, Roll(), dice=pips(2)).play()
    position.when(0, move).play()


@rule("CA-18")
@pytest.mark.parametrize(("card", "move"), CARD_MOVES)
def test_an_older_card_of_the_same_kind_is_playable(card, move):
    position = given(building(RICH, settled(0, 8), development(0, card)))
    position.when(0, BuyDevelopment(), development=FIRST_OF_ITS_KIND[card]).then(
        DevelopmentBought(0, DEVELOPMENT, card)
    )
    position.when(0, move).play()


@rule("CA-18")
@pytest.mark.parametrize(("card", "move"), CARD_MOVES)
def test_a_card_not_held_is_not_played(card, move):
    others = [one for one, _ in CARD_MOVES if one is not card]
    position = given(building(RICH, settled(0, 8), development(0, POINT, *others), development(1, card)))
    position.when(0, move).refuses("CA-18")


@rule("CA-18")
@pytest.mark.parametrize(("card", "move"), CARD_MOVES)
def test_one_card_is_played_a_turn(card, move):
    position = given(rolling(settled(0, 8), development(0, MONOPOLY, MONOPOLY if card is MONOPOLY else card)))
    position.when(0, PlayMonopoly(Resource.ORE)).play()
    position.when(0, move).refuses("CA-18")
    position.when(0, Roll(), dice=pips(2)).play()
    position.when(0, move).refuses("CA-18")


@rule("CA-18")
def test_the_next_turn_has_a_card_of_its_own():
    position = given(building(development(0, MONOPOLY), development(1, MONOPOLY)))
    position.when(0, PlayMonopoly(Resource.ORE)).play()
    position.when(0, EndTurn()).play()
    position.when(1, PlayMonopoly(Resource.ORE)).play()


@rule("CA-18")
def test_a_card_bought_this_turn_hinders_nobody_else():
    position = given(building(RICH, settled(0, 8), development(1, KNIGHT)))
    position.when(0, BuyDevelopment(), development=0).play()
    position.when(0, EndTurn()).play()
    position.when(1, PlayKnight()).then(KnightPlayed(1))


@rule("CA-18")
def test_a_knight_moves_the_robber_and_nobody_discards():
    hand = cards(1, wool=9)
    position = given(building(development(0, KNIGHT), settled(1, 12), hand))
    position.when(0, PlayKnight()).then(KnightPlayed(0))
    position.when(0, MoveRobber(9)).refuses("CA-12")
    position.when(0, MoveRobber(4)).refuses("CA-12")
    position.when(0, MoveRobber(4, 1)).play()
    assert position.state.phase is Phase.TRADING_AND_BUILDING
    assert position.of_each("cards") == [1, 8, 0]
    assert position.of_each("knights") == [1, 0, 0]


@rule("CA-18")
def test_road_building_gives_two_free_roads():
    position = given(building(development(0, ROADS), settled(0, 8)))
    position.when(0, PlayRoadBuilding()).then(RoadBuildingPlayed(0, 2))
    position.when(0, BuildRoad(edge(8, 13))).then(RoadBuilt(0, edge(8, 13), NOTHING))
    position.when(0, EndTurn()).refuses("CA-8")
    position.when(0, BuildRoad(edge(13, 18))).then(RoadBuilt(0, edge(13, 18), NOTHING))
    position.when(0, BuildRoad(edge(18, 24))).refuses("CA-13")
    assert position.state.phase is Phase.TRADING_AND_BUILDING


@rule("CA-18")
def test_free_roads_obey_the_rules_of_roads():
    position = given(rolling(RICH, development(0, ROADS), settled(0, 8), settled(1, 13)))
    position.when(0, PlayRoadBuilding()).play()
    for one, other in ((18, 24), (13, 18), (0, 3)):
        position.when(0, BuildRoad(edge(one, other))).refuses("CA-14")
    position.when(0, BuildRoad(-1)).refuses("CA-14")
    position.when(1, BuildRoad(edge(13, 18))).refuses("CA-8")
    position.when(0, BuildRoad(edge(8, 13))).play()
    position.when(0, BuildRoad(edge(13, 18))).refuses("CA-14")
    position.when(0, BuildRoad(edge(8, 12))).play()
    assert position.hand(0) == Cards(9, 9, 9, 9, 9)
    assert position.state.phase is Phase.ROLLING


FOURTEEN = roads(0, 21, 16, 22, 17, 23, 18, 24, 19, 25, 20, 26, 32, 37, 31, 36)


@rule("CA-18")
def test_with_one_piece_only_one_road_is_free():
    position = given(building(development(0, ROADS), FOURTEEN, LongestRoadMoved(0)))
    position.when(0, PlayRoadBuilding()).then(RoadBuildingPlayed(0, 1))
    position.when(0, BuildRoad(edge(30, 36))).then(RoadBuilt(0, edge(30, 36), NOTHING))
    assert position.state.phase is Phase.TRADING_AND_BUILDING


@rule("CA-18")
@pytest.mark.parametrize("seat", [1, 2])
def test_the_pieces_for_free_roads_are_the_players_own(seat):
    events = development(seat, ROADS), settled(seat, 51)
    position = given(building(*events, FOURTEEN, LongestRoadMoved(0), seat=seat))
    position.when(seat, PlayRoadBuilding()).then(RoadBuildingPlayed(seat, 2))
    line = (21, 16, 22, 17, 23, 18, 24, 19, 25, 20, 26, 32, 37, 31, 36)
    position = given(building(*events, roads(seat, *line), seat=seat))
    position.when(seat, PlayRoadBuilding()).then(RoadBuildingPlayed(seat, 1))
    position = given(building(*events, roads(seat, *line, 30), seat=seat))
    position.when(seat, PlayRoadBuilding()).refuses("CA-18")


@rule("CA-18")
def test_without_a_piece_road_building_is_not_playable():
    position = given(building(development(0, ROADS), FOURTEEN, roads(0, 36, 30)))
    position.when(0, PlayRoadBuilding()).refuses("CA-18")


@rule("CA-18")
def test_with_one_place_only_one_road_is_free():
    # From the settlement on 0 the path to 3 is open, and nothing beyond.
    closed = roads(1, 0, 4), roads(1, 3, 7)
    position = given(building(development(0, ROADS), settled(0, 0), closed))
    position.when(0, PlayRoadBuilding()).then(RoadBuildingPlayed(0, 2))
    position.when(0, BuildRoad(edge(0, 3))).then(RoadBuilt(0, edge(0, 3), NOTHING), FreeRoadsLapsed(0))
    assert position.state.phase is Phase.TRADING_AND_BUILDING
    assert position.state.free_roads == 0


@rule("CA-18")
def test_a_free_road_that_lapses_before_the_roll_leaves_the_dice_to_roll():
    closed = roads(1, 0, 4), roads(1, 3, 7)
    position = given(rolling(development(0, ROADS), settled(0, 0), closed))
    position.when(0, PlayRoadBuilding()).play()
    position.when(0, BuildRoad(edge(0, 3))).play()
    assert position.state.phase is Phase.ROLLING


@rule("CA-18")
def test_the_first_free_road_may_open_the_place_of_the_second():
    position = given(building(development(0, ROADS), settled(0, 0), roads(1, 0, 4)))
    position.when(0, PlayRoadBuilding()).play()
    position.when(0, BuildRoad(edge(0, 3))).then(RoadBuilt(0, edge(0, 3), NOTHING))
    position.when(0, EndTurn()).refuses("CA-8")
    position.when(0, BuildRoad(edge(3, 7))).then(RoadBuilt(0, edge(3, 7), NOTHING))


@rule("CA-18")
def test_without_a_place_road_building_is_not_playable():
    position = given(building(development(0, ROADS), settled(0, 0), roads(1, 3, 0, 4)))
    position.when(0, PlayRoadBuilding()).refuses("CA-18")


@rule("CA-18", "CA-20")
def test_a_free_road_may_take_the_longest_road_and_win():
    events = development(0, ROADS), roads(0, 7, 12, 8, 13, 9), city(0, 0, 2, 47, 50)
    position = given(building(*events))
    position.when(0, PlayRoadBuilding()).play()
    road, moved, ended = position.when(0, BuildRoad(edge(9, 14))).play()
    assert [road, moved] == [RoadBuilt(0, edge(9, 14), NOTHING), LongestRoadMoved(0)]
    assert ended.outcome.ranking[0].points == 10
    assert position.state.phase is Phase.OVER


@rule("CA-18", "CA-22")
def test_a_first_free_road_that_wins_leaves_no_other_to_lapse():
    # All paths around are taken but one, which makes the road the longest.
    taken = [roads(1, *path) for path in ((7, 3), (7, 11), (12, 17), (8, 4), (13, 18), (9, 5), (10, 14, 19))]
    position = given(building(development(0, ROADS), roads(0, 7, 12, 8, 13, 9), taken, city(0, 7, 12, 8, 13)))
    position.when(0, PlayRoadBuilding()).play()
    road, moved, ended = position.when(0, BuildRoad(edge(9, 14))).play()
    assert [road, moved] == [RoadBuilt(0, edge(9, 14), NOTHING), LongestRoadMoved(0)]
    assert isinstance(ended, GameEnded)
    assert (position.state.phase, position.state.free_roads) == (Phase.OVER, 0)


@rule("CA-18")
def test_year_of_plenty_takes_two_cards_equal_or_not():
    for wanted in (Cards(brick=2), Cards(wool=1, ore=1)):
        position = given(building(development(0, PLENTY)))
        position.when(0, PlayYearOfPlenty(wanted)).then(YearOfPlentyPlayed(0, wanted))
        assert position.hand(0) == wanted
        assert position.bank().total() == 5 * 19 - 2


@rule("CA-18")
@pytest.mark.parametrize(
    "wrong",
    [Cards(), Cards(brick=1), Cards(brick=3), Cards(brick=1, wool=2), Cards(brick=3, wool=-1), Cards(brick=-2)],
)
def test_year_of_plenty_takes_just_two_cards(wrong):
    given(building(development(0, PLENTY))).when(0, PlayYearOfPlenty(wrong)).refuses("CA-18")


@rule("CA-18")
def test_year_of_plenty_takes_what_the_bank_has():
    position = given(building(development(0, PLENTY), cards(1, brick=18, wool=19)))
    for absent in (Cards(brick=2), Cards(wool=1, ore=1), Cards(wool=2)):
        position.when(0, PlayYearOfPlenty(absent)).refuses("CA-18")
    position.when(0, PlayYearOfPlenty(Cards(brick=1, ore=1))).play()


ALL_BUT_A_BRICK = cards(1, brick=18, lumber=19, wool=19, grain=19, ore=19)


@rule("CA-18")
def test_year_of_plenty_takes_one_card_if_the_bank_has_one_in_all():
    position = given(building(development(0, PLENTY), ALL_BUT_A_BRICK))
    for wrong in (Cards(brick=2), Cards(wool=1), Cards(brick=1, wool=1), Cards()):
        position.when(0, PlayYearOfPlenty(wrong)).refuses("CA-18")
    position.when(0, PlayYearOfPlenty(Cards(brick=1))).then(YearOfPlentyPlayed(0, Cards(brick=1)))
    assert position.bank() == NOTHING


@rule("CA-18")
def test_year_of_plenty_is_not_playable_if_the_bank_is_empty():
    position = given(building(development(0, PLENTY), ALL_BUT_A_BRICK, cards(2, brick=1)))
    for cards_wanted in (Cards(), Cards(brick=1), Cards(brick=2)):
        position.when(0, PlayYearOfPlenty(cards_wanted)).refuses("CA-18")


@rule("CA-18")
def test_a_monopoly_takes_all_cards_of_a_kind_of_all_others():
    position = given(building(development(0, MONOPOLY), cards(0, wool=1), cards(1, wool=3, ore=1), cards(2, wool=2)))
    position.when(0, PlayMonopoly(Resource.WOOL)).then(MonopolyPlayed(0, Resource.WOOL, (Due(1, 3), Due(2, 2))))
    assert [position.hand(seat) for seat in range(3)] == [Cards(wool=6), Cards(ore=1), NOTHING]
    assert position.bank() == Cards(19, 19, 13, 19, 18)


@rule("CA-18")
def test_a_monopoly_names_those_alone_who_had_some():
    position = given(building(development(0, MONOPOLY), cards(2, wool=2)))
    position.when(0, PlayMonopoly(Resource.WOOL)).then(MonopolyPlayed(0, Resource.WOOL, (Due(2, 2),)))


@rule("CA-18")
def test_a_monopoly_may_take_none():
    position = given(building(development(0, MONOPOLY), cards(0, wool=2), cards(1, ore=1)))
    position.when(0, PlayMonopoly(Resource.WOOL)).then(MonopolyPlayed(0, Resource.WOOL, ()))
    position.when(0, PlayMonopoly(Resource.ORE)).refuses("CA-18")


@rule("CA-18")
def test_cards_played_leave_the_game():
    for card, move in CARD_MOVES:
        position = given(building(settled(0, 8), development(0, card)))
        position.when(0, move).play()
        assert position.of_each("developments") == [0, 0, 0]
        assert ENGINE.view(position.state, None).pile == 24


@rule("CA-21")
def test_the_third_knight_takes_the_largest_army():
    position = given(building(development(0, KNIGHT, KNIGHT, KNIGHT), knights(0, 2)))
    position.when(0, PlayKnight()).then(KnightPlayed(0), LargestArmyMoved(0))
    assert position.of_each("points") == [2, 0, 0]


def knights(seat, number):
    """So many knights played in earlier turns; the robber ends on the desert."""
    one = [*development(seat, KNIGHT), KnightPlayed(seat), RobberMoved(seat, 4), RobberMoved(seat, 9)]
    return one * number


@rule("CA-21")
def test_the_largest_army_passes_to_strictly_more_knights_only():
    position = given(building(development(0, KNIGHT, KNIGHT), knights(0, 2), knights(1, 3), LargestArmyMoved(1)))
    position.when(0, PlayKnight()).then(KnightPlayed(0))
    assert position.of_each("points") == [0, 2, 0]
    position.when(0, MoveRobber(0)).play()
    for event in (TurnBegun(0, 4), rolled(2)):
        ENGINE.evolve(position.state, event)
    position.when(0, PlayKnight()).then(KnightPlayed(0), LargestArmyMoved(0))
    assert position.of_each("points") == [2, 0, 0]


@rule("CA-21")
def test_the_holder_of_the_largest_army_goes_on_holding_it():
    position = given(building(development(0, KNIGHT), knights(0, 3), LargestArmyMoved(0)))
    position.when(0, PlayKnight()).then(KnightPlayed(0))


@rule("CA-21")
def test_unplayed_knights_do_not_count():
    position = given(building(development(0, *[KNIGHT] * 5)))
    position.when(0, PlayKnight()).then(KnightPlayed(0))
    assert position.of_each("points") == [0, 0, 0]
