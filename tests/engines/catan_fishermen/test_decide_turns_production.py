from engines.catan_fishermen.catalog import Cards
from engines.catan_fishermen.events import (
    Due,
    RobberMoved,
)
from engines.catan_fishermen.moves import (
    Discard,
    EndTurn,
    MoveRobber,
    Roll,
)
from engines.catan_fishermen.state import Gain
from tests.engines.catan_fishermen.scenario import (
    cards,
    city,
    given,
    pips,
    rolled,
    rolling,
    settled,
)
from tests.rules import rule

DESERT_HEX, HILLS_6 = 9, 4
"""Hexes of the beginner's board."""


def gains(seat, **counts):
    return Gain(seat, Cards(**counts))


@rule("CA-9")
def test_a_settlement_produces_one_card_and_a_city_two():
    position = given(rolling(settled(0, 12), city(1, 23)))
    position.when(0, Roll(), dice=pips(6)).then(rolled(6, [gains(0, brick=1), gains(1, brick=2)]))
    assert position.bank() == Cards(16, 19, 19, 19, 19)
    assert (position.hand(0), position.hand(1)) == (Cards(brick=1), Cards(brick=2))


@rule("CA-9")
def test_every_building_at_every_hex_of_the_number_produces():
    # The two 9s: fields 7 and forest 2.
    position = given(rolling(settled(0, 16, 33), city(0, 2)))
    position.when(0, Roll(), dice=pips(9)).then(rolled(9, [gains(0, lumber=2, grain=2)]))


@rule("CA-9")
def test_all_players_produce_whoever_rolls():
    position = given(rolling(settled(0, 49), settled(2, 48), seat=1))
    position.when(1, Roll(), dice=pips(6)).then(rolled(6, [gains(0, grain=1), gains(2, grain=1)], seat=1))


@rule("CA-9")
def test_only_the_robbed_hex_is_blocked():
    # Vertex 18 lies at hills 6, pasture 4 and the desert; vertex 49 at the other 6.
    position = given(rolling(settled(0, 18, 49), RobberMoved(0, HILLS_6)))
    position.when(0, Roll(), dice=pips(6)).then(rolled(6, [gains(0, grain=1)]))
    position = given(rolling(settled(0, 18, 49), RobberMoved(0, HILLS_6)))
    position.when(0, Roll(), dice=pips(4)).then(rolled(4, [gains(0, wool=1)]))


@rule("CA-9")
def test_the_hex_that_the_robber_leaves_produces_again():
    position = given(rolling(city(0, 18), RobberMoved(0, HILLS_6), RobberMoved(0, DESERT_HEX)))
    position.when(0, Roll(), dice=pips(6)).then(rolled(6, [gains(0, brick=2)]))


@rule("CA-9")
def test_the_desert_produces_nothing():
    # Vertex 24 lies at pasture 4, the desert and forest 3. The robber is elsewhere.
    paid = {3: [gains(0, lumber=2)], 4: [gains(0, wool=2)]}
    for number in (2, 3, 4, 5, 6, 8, 9, 10, 11, 12):
        position = given(rolling(city(0, 24), RobberMoved(0, 0)))
        position.when(0, Roll(), dice=pips(number)).then(rolled(number, paid.get(number, ())))


@rule("CA-10")
def test_a_sole_player_owed_a_short_resource_takes_what_is_left():
    position = given(rolling(cards(2, brick=18), city(0, 18)))
    position.when(0, Roll(), dice=pips(6)).then(rolled(6, [gains(0, brick=1)]))
    assert position.bank().brick == 0


@rule("CA-10")
def test_a_sole_player_may_be_owed_by_several_buildings():
    position = given(rolling(cards(2, brick=17), city(0, 18), settled(0, 12)))
    position.when(0, Roll(), dice=pips(6)).then(rolled(6, [gains(0, brick=2)]))


@rule("CA-10")
def test_a_sole_player_takes_nothing_of_nothing():
    position = given(rolling(cards(2, brick=19), city(0, 18)))
    position.when(0, Roll(), dice=pips(6)).then(rolled(6))


@rule("CA-10")
def test_of_a_short_resource_several_get_nothing():
    position = given(rolling(cards(2, brick=18), settled(0, 18), settled(1, 12)))
    position.when(0, Roll(), dice=pips(6)).then(rolled(6))
    assert position.bank().brick == 1


@rule("CA-10")
def test_several_are_paid_if_the_bank_just_serves_them():
    position = given(rolling(cards(2, brick=17), settled(0, 18), settled(1, 12)))
    position.when(0, Roll(), dice=pips(6)).then(rolled(6, [gains(0, brick=1), gains(1, brick=1)]))


@rule("CA-10")
def test_a_shortage_leaves_other_resources_alone():
    # Hills 6 and fields 6: brick is short, grain is not.
    position = given(rolling(cards(2, brick=18), settled(0, 18, 49), settled(1, 12), city(1, 45)))
    position.when(0, Roll(), dice=pips(6)).then(rolled(6, [gains(0, grain=1), gains(1, grain=2)]))


@rule("CA-10")
def test_whoever_is_paid_another_resource_is_not_owed_the_short_one():
    position = given(rolling(cards(2, brick=18), city(0, 18), settled(1, 45)))
    position.when(0, Roll(), dice=pips(6)).then(rolled(6, [gains(0, brick=1), gains(1, grain=1)]))


@rule("CA-10")
def test_two_resources_of_a_roll_can_be_short_each_in_its_own_way():
    position = given(rolling(cards(2, brick=19, grain=18), settled(0, 18), settled(1, 12), city(1, 45)))
    position.when(0, Roll(), dice=pips(6)).then(rolled(6, [gains(1, grain=1)]))


@rule("CA-10")
def test_a_shortage_is_judged_by_the_bank_before_the_payments():
    # 3 of the 4 cards owed are there: the first player's two are not paid either.
    position = given(rolling(cards(2, brick=16), city(0, 18), city(1, 12)))
    position.when(0, Roll(), dice=pips(6)).then(rolled(6))
    assert position.bank().brick == 3


@rule("CA-10")
def test_what_is_paid_back_is_won_again():
    position = given(rolling(cards(2, brick=19), settled(0, 18)), rolled(7, discards=[Due(2, 9)]))
    position.when(2, Discard(Cards(brick=9))).play()
    position.when(0, MoveRobber(0)).play()
    position.when(0, EndTurn()).play()
    position.when(1, Roll(), dice=pips(6)).then(rolled(6, [gains(0, brick=1)], seat=1))
