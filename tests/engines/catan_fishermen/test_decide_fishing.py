"""Who takes fish, and how many."""

import pytest

from engines.catan_fishermen import ENGINE
from engines.catan_fishermen.catalog import Cards
from engines.catan_fishermen.events import (
    BootDrawn,
    BootPassed,
    Catch,
    FishCaught,
    FishDrawn,
    FishReturned,
    FishSeen,
    FishShuffled,
    FishSpent,
    RoadPlaced,
    RobberMoved,
    SettlementPlaced,
)
from engines.catan_fishermen.fish import Benefit, Fish, Fishermen
from engines.catan_fishermen.moves import EndTurn, KeepFish, PlaceRoad, PlaceSettlement, Roll
from engines.catan_fishermen.state import Phase
from tests.engines.catan_fishermen.scenario import (
    GROUNDS,
    LAID,
    LAKE,
    city,
    edge,
    fish,
    fishing,
    given,
    pips,
    rolled,
    rolling,
    settled,
)
from tests.rules import rule

ONE, TWO, THREE, BOOT = 0, 11, 21, 29
"""The first token of each kind in a full supply."""
SPIELBOX, LAKE_FORM, NO_SHIPS = Fishermen.SPIELBOX, Fishermen.LAKE, Fishermen.NO_SHIPS


def roll(*events, number, form=SPIELBOX, seats=3, seat=0, **luck):
    """The position, the number about to be rolled."""
    position = fishing(*events, form=form, begin=rolling, seats=seats, seat=seat)
    return position.when(seat, Roll(), dice=pips(number), **luck)


def fished(position):
    """What the roll brings besides resources."""
    return position.play()[1:]


def held(position, seat):
    return position.state.tokens(seat)


@rule("CA-32")
def test_a_settlement_takes_one_token_and_a_city_two():
    first = roll(settled(0, 1), city(1, 15), number=4, fish=THREE)
    assert fished(first) == [FishDrawn(0, 3)]
    second = roll(settled(0, 1), city(1, 15), number=5, fish=[ONE, TWO - 1])
    assert fished(second) == [FishDrawn(1, 1), FishDrawn(1, 2)]
    assert (held(second, 0), held(second, 1)) == ((0, 0, 0), (1, 1, 0))


@rule("CA-32")
def test_each_of_the_three_intersections_of_a_ground_serves_it_and_no_other():
    for number, vertices in ((4, (0, 1, 4)), (5, (15, 20, 26)), (10, (3, 7, 11))):
        serving = [vertex for vertex in range(54) if fished(roll(settled(0, vertex), number=number))]
        assert tuple(serving) == vertices


@rule("CA-32")
def test_tokens_are_drawn_clockwise_from_the_active_player_all_of_a_player_at_once():
    homes = settled(0, 43), city(1, 38), settled(2, 47)
    assert [one.seat for one in fished(roll(homes, number=9, seat=1))] == [1, 1, 2, 0]
    assert [one.seat for one in fished(roll(homes, number=9, seat=2))] == [2, 0, 1, 1]


@rule("CA-32")
def test_the_robber_blocks_no_ground():
    # Hex 1, whose number is 2, lies between the ground's intersections.
    robbed = roll(settled(0, 1), RobberMoved(2, 1), number=4)
    assert fished(robbed) == [FishDrawn(0, 1)]


@rule("CA-11", "CA-32")
def test_a_seven_brings_no_fish():
    assert fished(roll(city(0, 1), city(1, 15), number=7)) == []


@rule("CA-32", "CA-39")
def test_resources_are_paid_before_fish():
    position = fishing(settled(0, 0), begin=rolling)
    position.when(0, Roll(), dice=pips(4)).then(rolled(4), FishDrawn(0, 1))
    # Hex 5 gives wool for the 4; 9 and 10 lie at it and at no ground.
    both = fishing(settled(0, 0, 9), begin=rolling).when(0, Roll(), dice=pips(4)).play()
    assert both[0].gains[0].cards == Cards(wool=1)
    assert both[1] == FishDrawn(0, 1)


@rule("CA-39")
def test_an_intersection_may_be_harbour_and_fishing_ground():
    position = roll(settled(0, 0), number=4)
    position.play()
    assert sum(held(position, 0)) == 1
    assert ENGINE.view(position.state, None).players[0].rates == Cards(3, 3, 3, 3, 3)


PAIRS = [
    [SettlementPlaced(seat, vertex, Cards()), RoadPlaced(seat, edge(vertex, beyond), following)]
    for seat, vertex, beyond, following in ((0, 41, 46, 1), (1, 44, 39, 1))
]


def placing(form=SPIELBOX):
    """Seat 1 places its second settlement, then seat 0."""
    laid = LAKE if form is LAKE_FORM else [LAID, GROUNDS]
    return given(laid, PAIRS, seats=2, fishermen=form)


@rule("CA-33")
def test_the_second_settlement_takes_one_token_besides_its_cards():
    position = placing().when(1, PlaceSettlement(1), fish=TWO)
    position.then(SettlementPlaced(1, 1, Cards(wool=1)), FishDrawn(1, 2))
    assert held(position, 1) == (0, 1, 0)
    assert ENGINE.to_act(position.state) == (1,)
    position.when(1, PlaceRoad(edge(1, 4))).play()


@rule("CA-33")
def test_the_second_settlement_elsewhere_and_the_first_anywhere_take_none():
    placing().when(1, PlaceSettlement(30)).then(SettlementPlaced(1, 30, Cards(lumber=1, grain=1)))
    given(LAID, GROUNDS, fishermen=SPIELBOX).when(0, PlaceSettlement(1)).then(SettlementPlaced(0, 1, Cards()))


@rule("CA-33", "CA-41")
def test_the_boot_can_be_drawn_in_the_set_up():
    position = placing().when(1, PlaceSettlement(1), fish=BOOT)
    position.then(SettlementPlaced(1, 1, Cards(wool=1)), BootDrawn(1))
    assert position.state.boot == 1
    assert held(position, 1) == (0, 0, 0)
    assert position.state.phase is Phase.PLACING_ROAD


@rule("CA-52")
def test_the_second_settlement_at_the_lake_takes_a_token_in_place_of_a_card():
    position = placing(LAKE_FORM).when(1, PlaceSettlement(23), fish=THREE)
    position.then(SettlementPlaced(1, 23, Cards(brick=1, lumber=1)), FishDrawn(1, 3))


@rule("CA-63")
def test_the_second_settlement_takes_fish_of_the_open_piles_by_its_place():
    placing(NO_SHIPS).when(1, PlaceSettlement(4)).then(
        SettlementPlaced(1, 4, Cards(wool=1, ore=1)), FishCaught((Catch(1, 2),))
    )


@rule("CA-37")
def test_below_seven_each_token_is_kept():
    position = roll(settled(0, 1), fish(0, one=6), number=4, fish=TWO - 6)
    assert fished(position) == [FishDrawn(0, 2)]
    assert position.state.phase is Phase.TRADING_AND_BUILDING


@rule("CA-37")
def test_an_eighth_token_of_a_settlement_is_seen_and_one_goes_back():
    position = roll(settled(0, 1), fish(0, one=6, two=1), number=4, fish=THREE - 7)
    assert fished(position) == [FishSeen(0, (), 3)]
    assert ENGINE.to_act(position.state) == (0,)
    assert position.state.fish_supply == (5, 9, 7, 1)
    assert list(ENGINE.legal_moves(position.state, 0)) == [KeepFish(3), KeepFish(1), KeepFish(2)]
    position.when(0, KeepFish(1)).then(FishReturned(0, 1))
    assert held(position, 0) == (5, 1, 1)
    assert position.state.fish_supply == (6, 9, 7, 1)
    assert position.state.phase is Phase.TRADING_AND_BUILDING


@rule("CA-37")
def test_the_token_seen_may_go_back_itself():
    position = roll(settled(0, 1), fish(0, two=7), number=4)
    assert fished(position) == [FishSeen(0, (), 1)]
    assert ENGINE.autopilot(position.state, 0) == KeepFish(1)
    position.when(0, KeepFish(1)).then(FishReturned(0, 1))
    assert held(position, 0) == (0, 7, 0)


@rule("CA-37")
def test_a_city_at_the_limit_sees_one_token_and_the_other_is_not_drawn():
    position = roll(city(0, 1), fish(0, one=7), number=4, fish=TWO - 7)
    assert fished(position) == [FishSeen(0, (), 2)]
    position.when(0, KeepFish(1)).then(FishReturned(0, 1))
    assert sum(held(position, 0)) == 7


@rule("CA-37")
def test_a_city_with_six_tokens_keeps_one_and_sees_the_other():
    position = roll(city(0, 1), fish(0, one=6), number=4, fish=[ONE, THREE - 7])
    assert fished(position) == [FishDrawn(0, 1), FishSeen(0, (), 3)]


@rule("CA-37")
def test_several_seats_choose_one_after_the_other_and_others_draw_in_between():
    full = fish(0, one=7), fish(2, two=7)
    homes = city(0, 38), settled(1, 43), settled(2, 47)
    position = roll(homes, full, number=9, seat=2, fish=0)
    assert fished(position) == [FishSeen(2, (Catch(0, 2), Catch(1, 1)), 1)]
    assert ENGINE.to_act(position.state) == (2,)
    position.when(0, KeepFish(1)).refuses("CA-37")
    position.when(2, KeepFish(2)).then(FishReturned(2, 2), FishSeen(0, (Catch(1, 1),), 1))
    assert ENGINE.to_act(position.state) == (0,)
    position.when(2, EndTurn()).refuses("CA-8")
    position.when(0, KeepFish(1)).then(FishReturned(0, 1), FishDrawn(1, 1))
    assert position.state.phase is Phase.TRADING_AND_BUILDING
    assert ENGINE.to_act(position.state) == (2,)


@rule("CA-37", "CA-41")
def test_the_boot_as_the_token_looked_at_stays_and_uses_up_the_exchange():
    position = roll(city(0, 38), settled(1, 43), fish(0, one=7), number=9, fish=[BOOT - 7, ONE])
    assert fished(position) == [BootDrawn(0), FishDrawn(1, 1)]
    assert position.state.boot == 0
    assert sum(held(position, 0)) == 7
    assert position.state.phase is Phase.TRADING_AND_BUILDING


@rule("CA-37", "CA-41")
def test_the_boot_uses_up_a_draw_and_is_none_of_the_seven():
    position = roll(city(0, 38), fish(0, one=6), number=9, fish=[BOOT - 6, ONE])
    assert fished(position) == [BootDrawn(0), FishDrawn(0, 1)]
    assert sum(held(position, 0)) == 7


@rule("CA-37")
def test_whose_choice_it_is_follows_from_what_is_stored():
    position = roll(settled(1, 1), fish(1, one=7), number=4)
    position.play()
    twin = position.state.copy()
    twin.owing, twin.waters, twin.catches = (), (), ()
    twin.rederive()
    assert twin.owing == twin.due() == (1,)
    assert (twin.waters, twin.catches) == (position.state.waters, position.state.catches)


@rule("CA-37")
@pytest.mark.parametrize("back", [-1, 0, 2, 4, 2**53 - 1])
def test_what_goes_back_is_one_of_the_eight(back):
    position = roll(settled(0, 1), fish(0, one=7), number=4, fish=THREE - 7)
    position.play()
    position.when(0, KeepFish(back)).refuses("CA-37")
    position.when(0, KeepFish(3)).play()


@rule("CA-37")
def test_nobody_chooses_unless_a_token_was_seen():
    for position in (fishing(fish(0, one=7)), fishing(fish(0, one=7), begin=rolling)):
        position.when(0, KeepFish(1)).refuses("CA-37")
    fishing(form=NO_SHIPS).when(0, KeepFish(1)).refuses("CA-37")


@rule("CA-8", "CA-37")
def test_while_a_token_is_to_be_chosen_nothing_else_is_accepted():
    position = roll(settled(0, 1), fish(0, one=7), number=4, fish=THREE - 7)
    position.play()
    position.when(0, EndTurn()).refuses("CA-8")
    position.when(0, Roll()).refuses("CA-8")
    assert ENGINE.may_act(position.state) == ()


def spent_tokens(*tokens, seat=1):
    return [[fish(seat, *one), FishSpent(seat, Benefit.STEAL, Fish(*one))] for one in tokens]


@rule("CA-40")
def test_an_empty_supply_is_made_of_the_tokens_spent():
    drained = fish(1, one=11), fish(2, two=10), spent_tokens((0, 0, 8))
    position = roll(city(0, 1), drained, BootDrawn(2), number=4)
    assert position.state.fish_supply == (0, 0, 0, 0)
    assert fished(position) == [FishShuffled(), FishDrawn(0, 3), FishDrawn(0, 3)]
    assert (position.state.fish_supply, position.state.fish_spent) == ((0, 0, 6, 0), (0, 0, 0))


@rule("CA-40")
def test_the_last_token_of_the_supply_is_drawn_before_those_spent_are_shuffled():
    drained = fish(1, one=11), fish(2, two=10), fish(1, three=1), spent_tokens((0, 0, 6))
    position = roll(city(0, 1), drained, BootDrawn(2), number=4)
    assert position.state.fish_supply == (0, 0, 1, 0)
    assert fished(position) == [FishDrawn(0, 3), FishShuffled(), FishDrawn(0, 3)]
    assert position.state.fish_supply == (0, 0, 5, 0)


@rule("CA-40")
def test_where_nothing_lies_anywhere_nothing_is_drawn():
    drained = fish(1, one=11), fish(2, two=10, three=7), BootDrawn(2)
    position = roll(city(0, 38), settled(1, 43), drained, number=9)
    assert fished(position) == [FishDrawn(0, 3)]
    assert sum(position.state.fish_supply) == 0
    assert position.state.phase is Phase.TRADING_AND_BUILDING


@rule("CA-50")
def test_the_lake_pays_for_each_of_its_numbers():
    for number in (2, 3, 11, 12):
        position = roll(settled(0, 23), city(1, 30), number=number, form=LAKE_FORM)
        assert fished(position) == [FishDrawn(0, 1), FishDrawn(1, 1), FishDrawn(1, 1)]
    assert fished(roll(settled(0, 23), number=6, form=LAKE_FORM)) == []


@rule("CA-52")
def test_the_robber_on_the_lake_blocks_all_its_numbers():
    for number in (2, 3, 11, 12):
        robbed = settled(0, 23), city(1, 30), RobberMoved(2, 9)
        assert fished(roll(robbed, number=number, form=LAKE_FORM)) == []
        left = fished(roll(robbed, RobberMoved(2, 0), number=number, form=LAKE_FORM))
        assert [one.seat for one in left] == [0, 1, 1]


@rule("CA-53")
def test_with_the_lake_the_grounds_pay_as_ever_and_the_boot_is_there():
    position = roll(city(0, 1), number=4, form=LAKE_FORM, fish=[BOOT, THREE])
    assert fished(position) == [BootDrawn(0), FishDrawn(0, 3)]


@rule("CA-61")
def test_of_open_piles_a_place_pays_by_harbour_and_land():
    # 0 has a harbour; 4 lies between two hexes without one.
    assert fished(roll(settled(0, 0), number=4, form=NO_SHIPS)) == [FishCaught((Catch(0, 1),))]
    assert fished(roll(settled(0, 4), number=4, form=NO_SHIPS)) == [FishCaught((Catch(0, 2),))]
    assert fished(roll(city(0, 4), number=4, form=NO_SHIPS)) == [FishCaught((Catch(0, 4),))]
    several = roll(settled(0, 38), city(1, 43), settled(2, 47), number=9, form=NO_SHIPS, seat=1)
    assert fished(several) == [FishCaught((Catch(1, 4), Catch(2, 1), Catch(0, 1)))]


@rule("CA-62")
def test_nobody_holds_more_than_21_fish_and_nothing_is_exchanged():
    rich = FishCaught((Catch(0, 19),))
    position = roll(rich, city(0, 4), number=4, form=NO_SHIPS)
    assert fished(position) == [FishCaught((Catch(0, 2),))]
    assert position.state.phase is Phase.TRADING_AND_BUILDING
    full = roll(FishCaught((Catch(0, 21),)), city(0, 4), number=4, form=NO_SHIPS)
    assert fished(full) == []


@rule("CA-62")
def test_too_few_fish_are_dealt_one_by_one_from_the_active_player_on():
    # Of 55 fish four are left; owed are 2, 4 and 1.
    hoard = FishCaught((Catch(3, 51),))
    homes = settled(0, 38), city(1, 43), settled(2, 47)
    position = roll(hoard, homes, number=9, form=NO_SHIPS, seats=4, seat=1)
    assert fished(position) == [FishCaught((Catch(1, 2), Catch(2, 1), Catch(0, 1)))]
    assert sum(position.state.fish_supply) == 0
    empty = roll(FishCaught((Catch(3, 55),)), homes, number=9, form=NO_SHIPS, seats=4, seat=1)
    assert fished(empty) == []


@rule("CA-41")
def test_the_boot_has_one_owner_at_a_time():
    position = fishing(BootDrawn(1), BootPassed(1, 2))
    assert ENGINE.view(position.state, None).boot == 2
