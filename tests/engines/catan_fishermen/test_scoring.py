import pytest

from engines.catan_fishermen import ENGINE
from engines.catan_fishermen.catalog import DEVELOPMENT, Development
from engines.catan_fishermen.events import (
    DevelopmentBought,
    GameEnded,
    KnightPlayed,
    LargestArmyMoved,
    LongestRoadMoved,
    RobberMoved,
    SettlementBuilt,
    TurnBegun,
)
from engines.catan_fishermen.moves import BuildCity, BuildSettlement, BuyDevelopment, EndTurn, PlayKnight, Roll
from engines.catan_fishermen.scoring import points, result
from engines.catan_fishermen.state import Phase
from engines.core.outcome import Outcome, Score, Standing
from tests.engines.catan_fishermen.scenario import (
    LAID,
    building,
    cards,
    city,
    development,
    given,
    pips,
    roads,
    robbing,
    rolled,
    rolling,
    settled,
)
from tests.rules import rule

KNIGHT, POINT = Development.KNIGHT, Development.VICTORY_POINT
RICH = cards(0, brick=9, lumber=9, wool=9, grain=9, ore=9)
RING = (18, 24, 30, 35, 29, 23, 18)
"""Round the desert."""


def length(*events):
    return given(LAID, *events).of_each("road_length")[0]


@rule("CA-20")
def test_a_road_counts_each_edge_of_its_longest_trail():
    assert length() == 0
    assert length(roads(0, 7, 12)) == 1
    assert length(roads(0, 7, 12, 8, 13, 9)) == 4
    assert length(roads(0, 13, 9), roads(0, 7, 12), roads(0, 8, 13), roads(0, 12, 8)) == 4


@rule("CA-20")
def test_roads_that_do_not_meet_are_counted_apart():
    assert length(roads(0, 7, 12, 8), roads(0, 13, 9, 14, 10)) == 3


@rule("CA-20")
def test_branches_do_not_add_up():
    assert length(roads(0, 7, 12, 8, 13, 9), roads(0, 8, 4)) == 4
    assert length(roads(0, 12, 8, 13), roads(0, 8, 4)) == 2
    assert length(roads(0, 7, 12, 8, 13, 9), roads(0, 8, 4, 1, 5)) == 5


@rule("CA-20")
def test_a_hexagon_counts_six():
    assert length(roads(0, *RING)) == 6
    assert length(roads(0, *RING[3:], *RING[1:4])) == 6


@rule("CA-20")
def test_a_hexagon_closed_at_an_opponents_building_counts_six():
    for at in range(6):
        ring = RING[at:6] + RING[: at + 1]
        assert length(roads(0, *ring), settled(1, ring[0])) == 6
        assert length(settled(1, ring[0]), roads(0, *ring)) == 6


@rule("CA-20")
def test_a_tail_adds_to_a_hexagon_but_through_an_opponents_building():
    tail = roads(0, 13, 18)
    assert length(roads(0, *RING), tail) == 7
    assert length(roads(0, *RING), tail, settled(1, 18)) == 6
    assert length(roads(0, *RING), tail, settled(1, 24)) == 6
    # Two buildings cut the ring into arcs of two and four.
    assert length(roads(0, *RING), tail, settled(1, 24, 23)) == 4


@rule("CA-20")
def test_intersections_may_be_passed_twice():
    # A ring, a bridge of one and another ring: all 13 edges in one trail.
    other = (9, 5, 1, 4, 8, 13, 9)
    assert length(roads(0, *RING), roads(0, 13, 18), roads(0, *other)) == 13
    # Two rings with a common side: 11 edges, a trail of 11 from one end of the side to the other.
    neighbour = (18, 13, 8, 12, 17, 23)
    assert length(roads(0, *RING), roads(0, *neighbour)) == 11


@rule("CA-20")
def test_own_buildings_do_not_end_a_road():
    assert length(roads(0, 7, 12, 8, 13, 9), settled(0, 12), city(0, 13)) == 4


@rule("CA-20")
def test_a_road_that_ends_at_an_opponents_building_counts_its_last_edge():
    assert length(roads(0, 7, 12, 8, 13, 9, 14), settled(1, 14)) == 5
    assert length(settled(1, 14), roads(0, 7, 12, 8, 13, 9, 14)) == 5
    # At both ends (others counted one or two too few).
    assert length(roads(0, 7, 12, 8, 13, 9, 14), settled(1, 14), city(2, 7)) == 5
    assert length(settled(1, 14), city(2, 7), roads(0, 12, 8, 13, 9, 14), roads(0, 7, 12)) == 5


@rule("CA-20")
def test_a_road_does_not_pass_an_opponents_building():
    for vertex, longest in ((7, 5), (12, 4), (8, 3), (13, 3), (9, 4), (14, 5)):
        assert length(roads(0, 7, 12, 8, 13, 9, 14), settled(1, vertex)) == longest


@rule("CA-20")
def test_a_cut_road_that_grows_is_measured_from_the_cut():
    # Others counted one too few after a cut, for ever.
    road = roads(0, 7, 12, 8, 13, 9, 14), settled(1, 8)
    assert length(*road) == 3
    assert length(*road, roads(0, 14, 10)) == 4
    assert length(*road, roads(0, 14, 10, 15)) == 5
    assert length(*road, roads(0, 7, 11, 16, 22)) == 5


@rule("CA-20")
def test_the_card_is_worth_two_points_and_goes_with_them():
    position = given(LAID, roads(0, 7, 12, 8, 13, 9, 14), LongestRoadMoved(0))
    assert position.of_each("points") == [2, 0, 0]
    ENGINE.evolve(position.state, LongestRoadMoved(1))
    assert position.of_each("points") == [0, 2, 0]
    ENGINE.evolve(position.state, LongestRoadMoved(None))
    assert position.of_each("points") == [0, 0, 0]


@rule("CA-20")
def test_no_road_of_four_is_the_longest():
    position = given(building(RICH, roads(0, 7, 12, 8, 13, 9), roads(1, 38, 43)))
    assert ENGINE.view(position.state, None).longest_road is None


@rule("CA-21")
def test_the_largest_army_is_worth_two_points_and_goes_with_them():
    position = given(LAID, LargestArmyMoved(2))
    assert position.of_each("points") == [0, 0, 2]
    assert ENGINE.view(position.state, None).largest_army == 2
    ENGINE.evolve(position.state, LargestArmyMoved(0))
    assert position.of_each("points") == [2, 0, 0]


@rule("CA-22")
def test_points_are_those_of_buildings_and_cards():
    position = given(
        rolling(settled(0, 0, 2), city(0, 47), development(0, POINT, POINT, KNIGHT)),
        LongestRoadMoved(0),
        LargestArmyMoved(0),
    )
    assert position.of_each("points") == [8, 0, 0]
    assert points(position.state, 0) == 10
    assert result(position.state, 0).ranking[0] == Standing(
        0,
        1,
        10,
        (
            Score("settlements", 2),
            Score("cities", 2),
            Score("longest_road", 2),
            Score("largest_army", 2),
            Score("victory_point_cards", 2),
        ),
    )


NINE = city(0, 0, 2, 47, 50), settled(0, 17)


def ended(events):
    """The outcome told by the last of the events."""
    assert isinstance(events[-1], GameEnded)
    return events[-1].outcome


@rule("CA-22")
def test_ten_points_on_ones_own_turn_win_at_once():
    position = given(building(cards(0, grain=2, ore=3), city(0, 0, 2, 47), settled(0, 17, 19, 50)))
    outcome = ended(position.when(0, BuildCity(50)).play())
    assert outcome.ranking[0].seat == 0
    assert position.state.phase is Phase.OVER
    assert ENGINE.outcome(position.state) == ENGINE.view(position.state, None).outcome == outcome


@rule("CA-22")
def test_nine_points_do_not_win():
    position = given(building(cards(0, grain=2, ore=3), city(0, 0, 2, 47), settled(0, 17, 50)))
    assert len(position.when(0, BuildCity(50)).play()) == 1
    assert ENGINE.outcome(position.state) is None


@rule("CA-22")
def test_a_settlement_may_win():
    position = given(building(RICH, NINE, roads(0, 23, 29)))
    events = position.when(0, BuildSettlement(29)).play()
    assert ended(events).ranking[0].points == 10


@rule("CA-22")
def test_a_victory_point_card_counts_secretly_from_the_moment_it_is_bought():
    position = given(building(RICH, settled(0, 0)))
    position.when(0, BuyDevelopment(), development=20).play()
    assert position.of_each("points") == [1, 0, 0]
    assert ENGINE.view(position.state, 0).players[0].own.points == 2


@rule("CA-22")
def test_a_victory_point_card_wins_at_once_when_bought():
    position = given(building(RICH, NINE))
    events = position.when(0, BuyDevelopment(), development=20).play()
    assert events[0] == DevelopmentBought(0, DEVELOPMENT, POINT)
    assert ended(events).ranking[0].scores[-1] == Score("victory_point_cards", 1)


@rule("CA-22")
def test_any_other_card_does_not_win_when_bought():
    position = given(building(RICH, NINE))
    assert position.when(0, BuyDevelopment()).play() == [DevelopmentBought(0, DEVELOPMENT, KNIGHT)]


@rule("CA-22")
def test_the_largest_army_wins_before_the_robber_moves():
    events = city(0, 0, 2, 47, 50), development(0, KNIGHT, KNIGHT, KNIGHT)
    played = KnightPlayed(0), RobberMoved(0, 4)
    position = given(rolling(*events, *played, *played))
    knight, army, *last = position.when(0, PlayKnight()).play()
    assert [knight, army] == [KnightPlayed(0), LargestArmyMoved(0)]
    assert ended(last).ranking[0].points == 10
    assert ENGINE.to_act(position.state) == ()


@rule("CA-22")
def test_a_settlement_that_gives_the_longest_road_to_a_third_player_does_not_win_for_them():
    held = roads(1, 7, 12, 8, 13, 9, 14), LongestRoadMoved(1)
    third = city(2, 0, 2, 47, 50), roads(2, 27, 33, 28, 34, 29, 35)
    position = given(building(RICH, roads(0, 4, 8), held, third))
    built, moved = position.when(0, BuildSettlement(8)).play()
    assert [built, moved] == [SettlementBuilt(0, 8, built.paid), LongestRoadMoved(2)]
    assert position.of_each("points") == [1, 0, 10]
    # Not on the turn of a third player either, but when the own turn begins, before the roll.
    assert position.when(0, EndTurn()).play() == [TurnBegun(1, 2)]
    position.when(1, Roll(), dice=pips(2)).play()
    begun, *last = position.when(1, EndTurn()).play()
    assert begun == TurnBegun(2, 3)
    assert ended(last).ranking[0].seat == 2
    position.when(2, Roll()).refuses("CA-22")


@rule("CA-22")
def test_ten_points_lost_before_the_own_turn_do_not_win():
    third = city(2, 0, 2, 47, 50), roads(2, 27, 33, 28, 34, 29, 35), LongestRoadMoved(2)
    cutter = roads(1, 44, 39, 34), cards(1, brick=1, lumber=1, wool=1, grain=1)
    position = given(building(third, cutter))
    assert position.of_each("points") == [0, 0, 10]
    position.when(0, EndTurn()).then(TurnBegun(1, 2))
    position.when(1, Roll(), dice=pips(2)).play()
    position.when(1, BuildSettlement(34)).play()
    position.when(1, EndTurn()).then(TurnBegun(2, 3))


@rule("CA-22")
def test_production_and_discards_in_the_turn_of_another_win_nothing():
    position = given(rolling(city(1, 0, 2, 47, 50), development(1, POINT, POINT)))
    position.when(0, Roll(), dice=pips(3)).then(rolled(3))
    assert points(position.state, 1) == 10
    assert ended(position.when(0, EndTurn()).play()).ranking[0].seat == 1


@rule("CA-22")
@pytest.mark.parametrize("goal", [3, 4, 7])
def test_the_goal_may_be_another(goal):
    cards_held = development(1, *[POINT] * (goal - 2))
    short = given(building(settled(1, 2), cards_held), victory_points=goal)
    assert short.when(0, EndTurn()).play() == [TurnBegun(1, 2)]
    reached = given(building(settled(1, 2, 0), cards_held), victory_points=goal)
    assert ended(reached.when(0, EndTurn()).play()).ranking[0].points == goal


@rule("CA-22")
def test_the_others_rank_by_all_their_points_and_equals_share_a_place():
    position = given(
        building(
            NINE,
            settled(1, 7, 20),
            city(2, 9),
            settled(3, 39),
            development(3, POINT, POINT),
            development(1, KNIGHT),
            cards(0, brick=1, lumber=1, wool=1, grain=1),
            roads(0, 23, 29),
        ),
        seats=4,
    )
    outcome = ended(position.when(0, BuildSettlement(29)).play())
    assert [(one.seat, one.place, one.points) for one in outcome.ranking] == [
        (0, 1, 10),
        (3, 2, 3),
        (1, 3, 2),
        (2, 3, 2),
    ]
    assert outcome.tie_breaks == ()


@rule("CA-22")
def test_the_winner_is_first_even_with_fewer_points_than_another():
    # Seat 1 has 11 points, but it is the turn of seat 0.
    other = city(1, 20, 32, 37, 46), development(1, POINT, POINT, POINT)
    position = given(building(RICH, NINE, roads(0, 23, 29), other))
    outcome = ended(position.when(0, BuildSettlement(29)).play())
    assert [(one.seat, one.place, one.points) for one in outcome.ranking] == [(0, 1, 10), (1, 2, 11), (2, 3, 0)]


@rule("CA-22")
def test_there_is_no_result_before_the_end():
    assert ENGINE.outcome(given(robbing()).state) is None
    assert isinstance(ENGINE.outcome(given(building(), GameEnded(Outcome(()))).state), Outcome)
