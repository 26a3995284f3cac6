import msgspec
import pytest

from engines.catan_fishermen import ENGINE
from engines.catan_fishermen.catalog import Cards, Development, Resource
from engines.catan_fishermen.events import (
    Due,
    RobberMoved,
    SettlementPlaced,
    TradeAccepted,
    TradeCancelled,
    TradeDeclined,
    TradeOffered,
    TurnBegun,
)
from engines.catan_fishermen.legal import MOST_LISTED
from engines.catan_fishermen.moves import (
    AcceptTrade,
    BuildCity,
    BuildRoad,
    BuildSettlement,
    BuyDevelopment,
    CancelTrade,
    ConfirmTrade,
    CounterOffer,
    DeclineTrade,
    Discard,
    EndTurn,
    MoveRobber,
    OfferTrade,
    PlaceRoad,
    PlaceSettlement,
    PlayKnight,
    PlayMonopoly,
    PlayRoadBuilding,
    PlayYearOfPlenty,
    Roll,
    TradeBank,
)
from engines.core.chance import SeededChance
from engines.core.draft import refusal
from tests.engines.catan_fishermen.scenario import (
    LAID,
    building,
    cards,
    city,
    development,
    edge,
    given,
    pips,
    roads,
    robbing,
    rolled,
    rolling,
    settled,
    start,
)
from tests.rules import rule

KNIGHT, ROADS, PLENTY, MONOPOLY, POINT = (
    Development.KNIGHT,
    Development.ROAD_BUILDING,
    Development.YEAR_OF_PLENTY,
    Development.MONOPOLY,
    Development.VICTORY_POINT,
)
NOTHING = Cards()


def listed(position, seat):
    moves = list(ENGINE.legal_moves(position.state, seat))
    assert len(set(moves)) == len(moves)
    assert all(refusal(ENGINE.decide, position.state, seat, move) is None for move in moves)
    return moves


def family(position, seat):
    (found,) = ENGINE.families(position.state, seat)
    return found


@rule("CA-7")
def test_a_settlement_is_placed_where_the_distance_rule_allows():
    assert listed(given(LAID), 0) == [PlaceSettlement(vertex) for vertex in range(54)]
    position = given(LAID, settled(1, 8))
    assert listed(position, 0) == [PlaceSettlement(v) for v in range(54) if v not in {4, 8, 12, 13}]


@rule("CA-6")
def test_the_road_of_the_set_up_is_placed_at_its_settlement():
    position = given(LAID, SettlementPlaced(0, 8, NOTHING))
    assert listed(position, 0) == [PlaceRoad(edge(4, 8)), PlaceRoad(edge(8, 12)), PlaceRoad(edge(8, 13))]


@rule("CA-8")
def test_before_the_roll_one_rolls_or_plays_a_card():
    assert listed(given(rolling()), 0) == [Roll()]
    position = given(rolling(settled(0, 0), development(0, KNIGHT, ROADS, MONOPOLY, POINT)))
    assert listed(position, 0) == [Roll(), PlayKnight(), PlayRoadBuilding(), *map(PlayMonopoly, Resource)]
    position.when(0, PlayMonopoly(Resource.ORE)).play()
    assert listed(position, 0) == [Roll()]


@rule("CA-13")
def test_a_turn_lists_what_can_be_paid():
    home = settled(0, 8), roads(0, 8, 12, 17)
    open_roads = [BuildRoad(edge(*ends)) for ends in ((4, 8), (7, 12), (8, 13), (17, 22), (17, 23))]
    for nothing in ({}, {"ore": 1}, {"wool": 1, "ore": 1}, {"grain": 1, "ore": 3}, {"brick": 1}, {"lumber": 1}):
        assert listed(given(building(home, cards(0, **nothing))), 0) == [EndTurn()]
    assert listed(given(building(home, cards(0, brick=1, lumber=1))), 0) == [EndTurn(), *open_roads]
    settlement = given(building(home, cards(0, brick=1, lumber=1, wool=1, grain=1)))
    assert listed(settlement, 0) == [EndTurn(), *open_roads, BuildSettlement(17)]
    assert listed(given(building(home, cards(0, grain=2, ore=3))), 0) == [EndTurn(), BuildCity(8)]
    assert listed(given(building(home, cards(0, wool=1, grain=1, ore=1))), 0) == [EndTurn(), BuyDevelopment()]


@rule("CA-19", "CA-23")
def test_a_turn_lists_what_is_left():
    pile = [KNIGHT] * 14 + [ROADS] * 2 + [PLENTY] * 2 + [MONOPOLY] * 2 + [POINT] * 5
    position = given(building(cards(0, wool=1, grain=1, ore=1), development(1, *pile)))
    assert listed(position, 0) == [EndTurn()]
    fifteen = roads(0, 21, 16, 22, 17, 23, 18, 24, 19, 25, 20, 26, 32, 37, 31, 36, 30)
    position = given(building(cards(0, brick=1, lumber=1), fifteen))
    assert listed(position, 0) == [EndTurn()]
    rich = cards(0, brick=1, lumber=1, wool=1, grain=2, ore=3)
    position = given(building(rich, fifteen, settled(0, 2, 7, 8, 9, 53)))
    kinds = {type(move) for move in listed(position, 0)}
    assert kinds == {EndTurn, BuildCity, BuyDevelopment}
    position = given(building(rich, fifteen, city(0, 2, 7, 9, 53), settled(0, 8)))
    assert {type(move) for move in listed(position, 0)} == {EndTurn, BuildSettlement, BuyDevelopment}


@rule("CA-18")
def test_a_card_bought_this_turn_is_not_listed():
    rich = cards(0, wool=1, grain=1, ore=1)
    for card, place in ((KNIGHT, 0), (ROADS, 14), (PLENTY, 16), (MONOPOLY, 18), (POINT, 20)):
        position = given(building(settled(0, 0), rich))
        position.when(0, BuyDevelopment(), development=place).play()
        assert position.of_each("developments") == [1, 0, 0], card
        assert listed(position, 0) == [EndTurn()]


@rule("CA-18")
def test_year_of_plenty_lists_each_pair_the_bank_has():
    position = given(building(development(0, PLENTY)))
    assert len(listed(position, 0)) == 1 + 15
    short = given(building(development(0, PLENTY), cards(1, brick=18, lumber=19)))
    assert len(listed(short, 0)) == 1 + 15 - 5 - 1
    assert PlayYearOfPlenty(Cards(brick=2)) not in listed(short, 0)
    ninety_four = cards(1, brick=18, lumber=19, wool=19, grain=19, ore=19)
    one = given(building(development(0, PLENTY), ninety_four))
    assert listed(one, 0) == [EndTurn(), PlayYearOfPlenty(Cards(brick=1))]
    none = given(building(development(0, PLENTY), ninety_four, cards(2, brick=1)))
    assert listed(none, 0) == [EndTurn()]


@rule("CA-18")
def test_road_building_is_not_listed_without_a_place():
    position = given(building(development(0, ROADS), settled(0, 0), roads(1, 3, 0, 4)))
    assert listed(position, 0) == [EndTurn()]


@rule("CA-18")
def test_free_roads_are_listed_until_they_are_built():
    position = given(rolling(development(0, ROADS), settled(0, 0)))
    position.when(0, PlayRoadBuilding()).play()
    assert listed(position, 0) == [BuildRoad(edge(0, 3)), BuildRoad(edge(0, 4))]
    position.when(0, BuildRoad(edge(0, 3))).play()
    assert listed(position, 0) == [BuildRoad(edge(0, 4)), BuildRoad(edge(3, 7))]


@rule("CA-16")
def test_trades_with_the_bank_are_listed_at_the_best_rate():
    position = given(building(cards(0, brick=4, wool=3)))
    trades = [TradeBank(Resource.BRICK, take) for take in Resource if take is not Resource.BRICK]
    assert listed(position, 0) == [EndTurn(), *trades]
    harbour = given(building(cards(0, brick=4, wool=3), settled(0, 0)))
    assert len(listed(harbour, 0)) == 1 + 8
    empty = given(building(cards(0, brick=4), cards(1, ore=19)))
    assert len(listed(empty, 0)) == 1 + 3


@rule("CA-12")
def test_the_robber_goes_to_every_other_hex_with_a_victim_where_there_is_one():
    position = given(robbing(settled(0, 0), settled(1, 12), settled(2, 23), cards(0, ore=1), cards(1, ore=1)))
    moves = listed(position, 0)
    assert [move.hex for move in moves] == [at for at in range(19) if at != 9]
    assert {move for move in moves if move.victim is not None} == {MoveRobber(at, 1) for at in (0, 3, 4)}
    two = given(robbing(settled(1, 12), settled(2, 23), cards(1, ore=1), cards(2, ore=1)))
    assert {move for move in listed(two, 0) if move.hex == 4} == {MoveRobber(4, 1), MoveRobber(4, 2)}


@rule("CA-12")
def test_a_robber_off_the_board_may_enter_any_hex():
    (laid,) = LAID
    (_, *begun) = robbing()
    position = given(msgspec.structs.replace(laid, robber=None), *begun)
    assert listed(position, 0) == [MoveRobber(at) for at in range(19)]
    position.when(0, MoveRobber(9)).then(RobberMoved(0, 9))


@rule("CA-11")
def test_all_halves_of_a_hand_are_listed_the_plainest_first():
    position = given(rolling(cards(1, brick=5, wool=3)), rolled(7, discards=[Due(1, 4)]))
    assert listed(position, 1) == [
        Discard(Cards(brick=3, wool=1)),
        Discard(Cards(brick=1, wool=3)),
        Discard(Cards(brick=2, wool=2)),
        Discard(Cards(brick=4)),
    ]
    assert ENGINE.autopilot(position.state, 1) == listed(position, 1)[0]
    assert listed(position, 0) == []
    assert ENGINE.families(position.state, 0) == ()


@rule("CA-11")
def test_of_many_halves_two_hundred_are_listed_and_the_family_knows_all():
    hand = cards(1, brick=6, lumber=6, wool=6, grain=6, ore=6)
    position = given(rolling(hand), rolled(7, discards=[Due(1, 15)]))
    moves = listed(position, 1)
    assert len(moves) == MOST_LISTED
    assert moves[0] == Discard(Cards(3, 3, 3, 3, 3))
    found = family(position, 1)
    assert found.name == "discards"
    samples = [found.sample(SeededChance(seed)) for seed in range(50)]
    assert len(set(samples)) > 30
    assert set(samples) - set(moves)
    for move in [*samples, *moves]:
        assert found.contains(move)
    for wrong in (Discard(Cards(brick=7, wool=8)), Discard(Cards(16, -1)), Discard(Cards(brick=6)), EndTurn()):
        assert not found.contains(wrong)


@rule("CA-17")
def test_offers_are_a_family_of_the_active_player():
    position = given(building(cards(0, brick=1, wool=1, grain=1), cards(1, ore=1)))
    found = family(position, 0)
    assert found.name == "offers"
    samples = [found.sample(SeededChance(seed)) for seed in range(50)]
    assert len(set(samples)) > 20
    assert all(isinstance(move, OfferTrade) and found.contains(move) for move in samples)
    assert not found.contains(OfferTrade(Cards(brick=2), Cards(ore=1)))
    assert not found.contains(CounterOffer(Cards(brick=1), Cards(ore=1)))
    assert ENGINE.families(position.state, 1) == ()


@rule("CA-17")
def test_a_hand_of_all_kinds_is_never_offered_in_full():
    # Whatever is given can't be asked for: something is left to ask.
    found = family(given(building(cards(0, brick=1, lumber=1, wool=1, grain=1, ore=1))), 0)
    for seed in range(300):
        move = found.sample(SeededChance(seed))
        assert min(move.give.total(), move.take.total()) > 0


@rule("CA-17")
def test_counter_offers_are_a_family_of_those_with_cards():
    position = given(building(cards(0, brick=1), cards(1, wool=2)), TradeOffered(0, Cards(brick=1), Cards(wool=1)))
    found = family(position, 1)
    assert found.name == "counter_offers"
    assert all(found.contains(found.sample(SeededChance(seed))) for seed in range(30))
    assert not found.contains(OfferTrade(Cards(wool=1), Cards(brick=1)))
    # A standing counter-offer is not made again.
    position.when(1, CounterOffer(Cards(wool=1), Cards(brick=2))).play()
    assert not family(position, 1).contains(CounterOffer(Cards(wool=1), Cards(brick=2)))
    assert ENGINE.families(position.state, 2) == ()


@rule("CA-17")
def test_after_twenty_offers_there_is_no_family_of_offers():
    offers = [TradeOffered(0, Cards(brick=1), Cards(wool=1))] * 20
    position = given(building(cards(0, brick=1), cards(1, wool=1)), offers)
    assert ENGINE.families(position.state, 0) == ()
    assert family(position, 1).name == "counter_offers"


@rule("CA-17")
def test_an_open_offer_is_answered_by_all_others():
    position = given(building(cards(0, brick=1), cards(1, wool=1)), TradeOffered(0, Cards(brick=1), Cards(wool=1)))
    assert ENGINE.may_act(position.state) == (1, 2)
    assert listed(position, 1) == [AcceptTrade(Cards(wool=1), Cards(brick=1)), DeclineTrade()]
    assert listed(position, 2) == [DeclineTrade()]
    for event in (TradeAccepted(1), TradeDeclined(2)):
        ENGINE.evolve(position.state, event)
    assert listed(position, 1) == [DeclineTrade(), CancelTrade()]
    assert listed(position, 2) == [CancelTrade()]
    assert listed(position, 0) == [EndTurn(), CancelTrade(), ConfirmTrade(1, Cards(brick=1), Cards(wool=1))]


@rule("CA-17")
def test_a_counter_offer_is_closed_on_its_own_terms():
    position = given(building(cards(0, brick=2), cards(1, wool=1)), TradeOffered(0, Cards(brick=1), Cards(wool=1)))
    position.when(1, CounterOffer(Cards(wool=1), Cards(brick=2))).play()
    assert listed(position, 0)[-1] == ConfirmTrade(1, Cards(brick=2), Cards(wool=1))


@rule("CA-17")
def test_after_twenty_answers_the_last_can_only_be_withdrawn():
    declined = [TradeDeclined(1), TradeCancelled(1)] * 19
    position = given(building(cards(0, brick=1), cards(1, wool=1)), TradeOffered(0, Cards(brick=1), Cards(wool=1)))
    for event in declined:
        ENGINE.evolve(position.state, event)
    assert listed(position, 1) == [AcceptTrade(Cards(wool=1), Cards(brick=1)), DeclineTrade()]
    position.when(1, DeclineTrade()).play()
    assert listed(position, 1) == [CancelTrade()]
    assert ENGINE.families(position.state, 1) == ()
    assert ENGINE.may_act(position.state) == (1, 2)
    position.when(1, CancelTrade()).play()
    assert listed(position, 1) == []
    assert ENGINE.may_act(position.state) == (2,)
    position.when(0, OfferTrade(Cards(brick=1), Cards(wool=1))).play()
    assert listed(position, 1) == [AcceptTrade(Cards(wool=1), Cards(brick=1)), DeclineTrade()]
    assert family(position, 1).name == "counter_offers"


@rule("CA-17")
def test_a_trade_that_one_side_cannot_pay_is_not_listed():
    position = given(building(cards(0, brick=1), cards(1, wool=1)), TradeOffered(0, Cards(brick=1), Cards(wool=1)))
    position.when(1, CounterOffer(Cards(wool=1), Cards(grain=1))).play()
    assert listed(position, 0) == [EndTurn(), CancelTrade()]


@pytest.mark.parametrize("seat", [-1, 1, 2, 3])
def test_a_seat_that_owes_nothing_has_neither_moves_nor_families(seat):
    for position in (
        given(LAID),
        given(rolling(cards(1, ore=1))),
        given(building(cards(1, ore=1))),
        given(robbing(cards(1, ore=1))),
    ):
        assert listed(position, seat) == []
        assert ENGINE.families(position.state, seat) == ()


def test_an_empty_hand_offers_nothing():
    assert ENGINE.families(given(building()).state, 0) == ()


def test_nobody_moves_before_the_board_is_laid():
    state = start()
    assert ENGINE.to_act(state) == ENGINE.may_act(state) == ()
    assert list(ENGINE.legal_moves(state, 0)) == []


def test_an_absent_player_rolls_and_ends_the_turn():
    position = given(rolling(cards(0, brick=1, lumber=1), settled(0, 0), development(0, KNIGHT)))
    assert ENGINE.autopilot(position.state, 0) == Roll()
    position.when(0, Roll(), dice=pips(2)).play()
    assert ENGINE.autopilot(position.state, 0) == EndTurn()


@rule("CA-12")
def test_an_absent_player_moves_the_robber():
    position = given(robbing())
    assert ENGINE.autopilot(position.state, 0) == MoveRobber(0)


def test_turns_are_counted_from_the_end_of_the_set_up():
    assert ENGINE.turns(given(LAID).state) == 0
    assert ENGINE.turns(given(rolling()).state) == 1
    assert ENGINE.turns(given(rolling(), TurnBegun(1, 2)).state) == 2
