import pytest

from engines.catan_fishermen import ENGINE
from engines.catan_fishermen.board import HEXES
from engines.catan_fishermen.catalog import Cards, Development, Resource
from engines.catan_fishermen.events import (
    CardsDiscarded,
    CardStolen,
    Due,
    KnightPlayed,
    RobberMoved,
)
from engines.catan_fishermen.moves import (
    Discard,
    EndTurn,
    MoveRobber,
    Roll,
)
from engines.catan_fishermen.state import Phase
from tests.engines.catan_fishermen.scenario import (
    building,
    cards,
    city,
    development,
    given,
    pips,
    robbing,
    rolled,
    rolling,
    settled,
)
from tests.rules import rule

DESERT_HEX, HILLS_6, FIELDS_6 = 9, 4, 17
"""Hexes of the beginner's board."""


@rule("CA-11")
def test_on_a_7_nobody_produces_and_hands_of_more_than_seven_are_halved():
    position = given(rolling(city(0, 18), cards(0, brick=8), cards(1, wool=7), cards(2, ore=5, grain=10)))
    position.when(0, Roll(), dice=pips(7)).then(rolled(7, discards=[Due(0, 4), Due(2, 7)]))
    assert ENGINE.to_act(position.state) == (0, 2)


@rule("CA-11")
def test_all_halve_their_hands_in_any_order_the_roller_too():
    discards = [Due(0, 4), Due(1, 4), Due(2, 7)]
    hands = cards(0, brick=8), cards(1, wool=9), cards(2, ore=5, grain=10)
    half = {0: Cards(brick=4), 1: Cards(wool=4), 2: Cards(ore=3, grain=4)}
    for order in ((0, 1, 2), (2, 1, 0), (1, 2, 0)):
        position = given(rolling(*hands), rolled(7, discards=discards))
        for number, seat in enumerate(order):
            assert ENGINE.to_act(position.state) == tuple(sorted(order[number:]))
            position.when(0, MoveRobber(0)).refuses("CA-12")
            position.when(seat, Discard(half[seat])).then(CardsDiscarded(seat, half[seat]))
        assert position.state.phase is Phase.MOVING_ROBBER
        assert ENGINE.to_act(position.state) == (0,)
        assert position.bank() == Cards(15, 19, 14, 13, 17)


@rule("CA-11")
def test_a_hand_is_halved_once():
    # 20 cards become 10, which is still more than seven.
    position = given(rolling(cards(0, brick=10, wool=10), cards(1, ore=8)))
    position.when(0, Roll(), dice=pips(7)).then(rolled(7, discards=[Due(0, 10), Due(1, 4)]))
    position.when(0, Discard(Cards(brick=10))).play()
    position.when(0, Discard(Cards(wool=5))).refuses("CA-11")


@rule("CA-11")
def test_the_player_chooses_what_to_discard():
    position = given(rolling(cards(0, brick=2, lumber=2, wool=2, grain=2)), rolled(7, discards=[Due(0, 4)]))
    position.when(0, Discard(Cards(brick=1, lumber=1, grain=2))).play()
    assert position.hand(0) == Cards(brick=1, lumber=1, wool=2)


@rule("CA-11")
@pytest.mark.parametrize(
    "wrong",
    [
        Cards(),
        Cards(brick=3),
        Cards(brick=5),
        Cards(brick=8),
        Cards(brick=-4),
        Cards(brick=5, wool=-1),
        Cards(brick=2, wool=2),
        Cards(ore=4),
        Cards(brick=2**53 - 1),
    ],
)
def test_just_half_of_the_hand_is_discarded(wrong):
    position = given(rolling(cards(0, brick=8)), rolled(7, discards=[Due(0, 4)]))
    position.when(0, Discard(wrong)).refuses("CA-11")


@rule("CA-11")
def test_whoever_has_seven_or_fewer_discards_nothing():
    position = given(rolling(cards(0, brick=8), cards(1, wool=7)), rolled(7, discards=[Due(0, 4)]))
    position.when(1, Discard(Cards(wool=3))).refuses("CA-11")
    position.when(2, Discard(Cards())).refuses("CA-11")


@rule("CA-11")
def test_nothing_is_discarded_but_after_a_7():
    hand = cards(0, brick=8)
    knight = development(0, Development.KNIGHT)
    for position in (given(rolling(hand)), given(building(hand)), given(rolling(hand, knight), KnightPlayed(0))):
        position.when(0, Discard(Cards(brick=4))).refuses("CA-11")


@rule("CA-11")
def test_development_cards_are_not_counted():
    position = given(rolling(cards(0, brick=7), development(0, *Development)))
    position.when(0, Roll(), dice=pips(7)).then(rolled(7))


@rule("CA-11", "CA-12")
def test_a_7_without_discards_leads_to_the_robber_at_once():
    position = given(rolling(cards(0, brick=7))).when(0, Roll(), dice=pips(7)).then(rolled(7))
    assert position.state.phase is Phase.MOVING_ROBBER
    position.when(0, MoveRobber(HILLS_6)).then(RobberMoved(0, HILLS_6))
    assert position.state.phase is Phase.TRADING_AND_BUILDING


@rule("CA-12")
def test_the_robber_steals_one_card_of_the_victim():
    position = given(robbing(settled(1, 12), cards(1, brick=1, wool=2)))
    position.when(0, MoveRobber(HILLS_6, 1), stolen=1).then(RobberMoved(0, HILLS_6, 1), CardStolen(0, 1, Resource.WOOL))
    assert (position.hand(0), position.hand(1)) == (Cards(wool=1), Cards(brick=1, wool=1))


@rule("CA-12")
@pytest.mark.parametrize(("seat", "victim"), [(1, 0), (1, 2), (2, 0), (2, 1)])
def test_anyone_robs_anyone_else(seat, victim):
    position = given(robbing(settled(victim, 12), cards(victim, ore=1), seat=seat))
    position.when(seat, MoveRobber(HILLS_6, victim)).then(
        RobberMoved(seat, HILLS_6, victim), CardStolen(seat, victim, Resource.ORE)
    )


@rule("CA-12")
def test_each_card_of_the_victim_is_equally_likely():
    hand = cards(1, brick=1, wool=2, ore=1)
    stolen = [given(robbing(settled(1, 12), hand)).when(0, MoveRobber(HILLS_6, 1), stolen=at) for at in range(4)]
    assert [position.play()[1].card for position in stolen] == [
        Resource.BRICK,
        Resource.WOOL,
        Resource.WOOL,
        Resource.ORE,
    ]


@rule("CA-12")
def test_the_robber_must_move():
    position = given(robbing())
    position.when(0, MoveRobber(DESERT_HEX)).refuses("CA-12")
    position.when(0, EndTurn()).refuses("CA-8")


@rule("CA-12")
def test_the_robber_may_go_back_to_the_desert():
    position = given(robbing(RobberMoved(1, HILLS_6)))
    position.when(0, MoveRobber(HILLS_6)).refuses("CA-12")
    position.when(0, MoveRobber(DESERT_HEX)).then(RobberMoved(0, DESERT_HEX))


@rule("CA-12")
@pytest.mark.parametrize("nowhere", [-1, -HEXES, HEXES, 2**53 - 1, -(2**53 - 1)])
def test_the_robber_stays_on_the_island(nowhere):
    given(robbing()).when(0, MoveRobber(nowhere)).refuses("CA-12")
    given(robbing()).when(0, MoveRobber(nowhere, 1)).refuses("CA-12")


@rule("CA-12")
def test_a_victim_must_be_named_if_there_is_one():
    position = given(robbing(settled(1, 12), city(2, 23), cards(1, brick=1), cards(2, ore=1)))
    position.when(0, MoveRobber(HILLS_6)).refuses("CA-12")
    position.when(0, MoveRobber(HILLS_6, 2)).then(RobberMoved(0, HILLS_6, 2), CardStolen(0, 2, Resource.ORE))


@rule("CA-12")
def test_an_opponent_without_cards_is_no_victim():
    events = settled(1, 12), city(2, 23), cards(2, ore=1)
    given(robbing(*events)).when(0, MoveRobber(HILLS_6, 1)).refuses("CA-12")
    given(robbing(settled(1, 12))).when(0, MoveRobber(HILLS_6, 1)).refuses("CA-12")
    given(robbing(settled(1, 12))).when(0, MoveRobber(HILLS_6)).then(RobberMoved(0, HILLS_6))


@rule("CA-12")
def test_an_opponent_elsewhere_is_no_victim():
    position = given(robbing(settled(1, 12), cards(1, brick=1), cards(2, brick=1)))
    position.when(0, MoveRobber(HILLS_6, 2)).refuses("CA-12")
    position.when(0, MoveRobber(FIELDS_6, 1)).refuses("CA-12")
    position.when(0, MoveRobber(FIELDS_6)).play()


@rule("CA-12")
def test_nobody_robs_themselves():
    position = given(robbing(settled(0, 12), cards(0, brick=1)))
    position.when(0, MoveRobber(HILLS_6, 0)).refuses("CA-12")
    position.when(0, MoveRobber(HILLS_6)).then(RobberMoved(0, HILLS_6))


@rule("CA-12")
@pytest.mark.parametrize("nobody", [-1, 3, 4, 255, 2**53 - 1, -(2**53 - 1)])
def test_a_victim_is_a_seat_of_the_match(nobody):
    position = given(robbing(settled(1, 12), cards(1, brick=1)))
    position.when(0, MoveRobber(HILLS_6, nobody)).refuses("CA-12")


@rule("CA-12")
def test_the_robber_rests_but_after_a_7_or_a_knight():
    for position in (given(rolling()), given(building())):
        position.when(0, MoveRobber(0)).refuses("CA-12")


@rule("CA-8", "CA-12")
def test_the_active_player_alone_moves_the_robber():
    position = given(robbing(settled(0, 12), cards(0, brick=1)))
    position.when(1, MoveRobber(HILLS_6, 0)).refuses("CA-8")
