import pytest

from engines.catan_fishermen import ENGINE
from engines.catan_fishermen.board import EDGES, VERTICES
from engines.catan_fishermen.catalog import NOTHING, Cards
from engines.catan_fishermen.events import RoadPlaced, SettlementPlaced, TurnBegun
from engines.catan_fishermen.moves import PlaceRoad, PlaceSettlement
from engines.catan_fishermen.state import Phase
from tests.engines.catan_fishermen.scenario import LAID, building, edge, given, rolling
from tests.rules import rule


def placed(seat, vertex, other, next_seat, gained=NOTHING):
    """A settlement and its road to a neighbour, in the set-up."""
    return [SettlementPlaced(seat, vertex, gained), RoadPlaced(seat, edge(vertex, other), next_seat)]


@rule("CA-6")
@pytest.mark.parametrize(
    ("seats", "order"), [(2, (0, 1, 1, 0)), (3, (0, 1, 2, 2, 1, 0)), (4, (0, 1, 2, 3, 3, 2, 1, 0))]
)
def test_pairs_are_placed_in_turn_and_then_in_reverse(seats, order):
    position = given(LAID, seats=seats)
    pairs = zip((0, 1, 2, 51, 52, 53, 21, 26), (4, 5, 6, 47, 48, 50, 27, 32), strict=True)
    for number, (seat, (vertex, other)) in enumerate(zip(order, pairs, strict=False), 1):
        assert ENGINE.to_act(position.state) == (seat,)
        position.when(seat, PlaceSettlement(vertex)).play()
        assert ENGINE.to_act(position.state) == (seat,)
        next_seat = order[number] if number < len(order) else 0
        first_turn = [TurnBegun(0, 1)] if number == len(order) else []
        position.when(seat, PlaceRoad(edge(vertex, other))).then(
            RoadPlaced(seat, edge(vertex, other), next_seat), *first_turn
        )
    assert position.state.phase is Phase.ROLLING


@rule("CA-6")
def test_the_first_settlement_yields_nothing():
    given(LAID).when(0, PlaceSettlement(8)).then(SettlementPlaced(0, 8, NOTHING))


@rule("CA-6")
def test_the_second_settlement_yields_a_card_of_each_producing_hex():
    reverse = [placed(0, 0, 4, 1), placed(1, 2, 6, 1)]
    given(LAID, reverse, seats=2).when(1, PlaceSettlement(8)).then(
        SettlementPlaced(1, 8, Cards(ore=1, wool=1, brick=1))
    )
    given(LAID, reverse, seats=2).when(1, PlaceSettlement(52)).then(SettlementPlaced(1, 52, Cards(grain=1)))
    two_of_a_kind = Cards(lumber=2, ore=1)
    given(LAID, reverse, seats=2).when(1, PlaceSettlement(34)).then(SettlementPlaced(1, 34, two_of_a_kind))


@rule("CA-6")
def test_the_desert_yields_nothing_at_the_second_settlement():
    reverse = [placed(0, 0, 4, 1), placed(1, 2, 6, 1)]
    position = given(LAID, reverse, seats=2).when(1, PlaceSettlement(18))
    position.then(SettlementPlaced(1, 18, Cards(brick=1, wool=1)))
    assert position.hand(1) == Cards(brick=1, wool=1)
    assert position.bank() == Cards(18, 19, 18, 19, 19)


@rule("CA-6")
def test_the_second_pair_needs_no_road_to_the_first():
    position = given(LAID, placed(0, 0, 4, 1), placed(1, 2, 6, 1), seats=2)
    position.when(1, PlaceSettlement(53)).play()
    position.when(1, PlaceRoad(edge(50, 53))).play()


@rule("CA-6")
def test_the_road_adjoins_the_settlement_just_placed():
    position = given(LAID, placed(0, 0, 4, 1), placed(1, 2, 6, 1), SettlementPlaced(1, 53, NOTHING), seats=2)
    position.when(1, PlaceRoad(edge(2, 5))).refuses("CA-6")
    position.when(1, PlaceRoad(edge(49, 45))).refuses("CA-6")
    position.when(1, PlaceRoad(edge(49, 53))).play()


@rule("CA-6")
def test_each_settlement_is_followed_by_its_road():
    given(LAID).when(0, PlaceRoad(edge(0, 4))).refuses("CA-6")
    given(LAID, SettlementPlaced(0, 0, NOTHING)).when(0, PlaceSettlement(2)).refuses("CA-6")


@rule("CA-6")
def test_only_the_seat_whose_turn_it_is_places():
    given(LAID).when(1, PlaceSettlement(0)).refuses("CA-6")
    given(LAID, SettlementPlaced(0, 0, NOTHING)).when(1, PlaceRoad(edge(0, 4))).refuses("CA-6")
    given(LAID, placed(0, 0, 4, 1)).when(0, PlaceSettlement(2)).refuses("CA-6")


@rule("CA-6")
@pytest.mark.parametrize("nowhere", [-1, -VERTICES, VERTICES, EDGES, 2**53 - 1, -(2**53 - 1)])
def test_nothing_is_placed_off_the_board(nowhere):
    given(LAID).when(0, PlaceSettlement(nowhere)).refuses("CA-6")
    given(LAID, SettlementPlaced(0, 0, NOTHING)).when(0, PlaceRoad(nowhere)).refuses("CA-6")


@rule("CA-6")
def test_nothing_is_placed_once_the_set_up_is_over():
    for position in (given(rolling()), given(building())):
        position.when(0, PlaceSettlement(0)).refuses("CA-6")
        position.when(0, PlaceRoad(0)).refuses("CA-6")


@rule("CA-7")
def test_a_settlement_of_the_set_up_keeps_its_distance_from_everyones():
    position = given(LAID, placed(0, 8, 4, 1))
    for taken in (8, 4, 12, 13):
        position.when(1, PlaceSettlement(taken)).refuses("CA-7")
    own = given(LAID, placed(0, 0, 4, 1), placed(1, 8, 13, 1), seats=2)
    for taken in (0, 3, 8, 13):
        own.when(1, PlaceSettlement(taken)).refuses("CA-7")
    own.when(1, PlaceSettlement(1)).play()
