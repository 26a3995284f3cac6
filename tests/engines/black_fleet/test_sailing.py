import pytest

from engines.black_fleet import ENGINE
from engines.black_fleet.board import PLAIN
from engines.black_fleet.catalog.kinds import Symbol
from engines.black_fleet.events import MovementPlayed, ShipSailed
from engines.black_fleet.legal import waters_of
from engines.black_fleet.moves import Attack, EndSailing, PlayFortune, PlayMovement, Sail
from engines.black_fleet.state import Phase, Ship
from tests.engines.black_fleet.scenario import (
    BOARD,
    CATALOG,
    CORSAIR,
    FRIGATE,
    MERCHANT,
    OTHER_FRIGATE,
    PIRATE,
    RIVAL,
    card,
    given,
    movement_hand,
)
from tests.rules import rule


def commands(position):
    return {command.ship: command.steps for command in ENGINE.view(position.state, 0).commands}


@rule("BF-12")
def test_a_movement_card_gives_each_ship_its_value():
    position = movement_hand(given(phase=Phase.PLAYING_MOVEMENT), card("purple", (1, 4, 3), Symbol.DRAW_1), card())
    position.when(PlayMovement("M01")).refuses("BF-12")
    position.when(PlayMovement("nothing")).refuses("BF-12")
    position.when(PlayMovement("M36")).then(MovementPlayed(0, "M36"))
    assert commands(position) == {MERCHANT: 3, PIRATE: 4, OTHER_FRIGATE: 1}
    position.when(PlayMovement("M06")).refuses("BF-11")


@rule("BF-12")
def test_a_player_commands_no_ship_of_others():
    given().when(Sail(RIVAL, ("s0112",))).refuses("BF-12")
    given().when(Attack(RIVAL, MERCHANT)).refuses("BF-12")


@rule("BF-13")
def test_a_ship_sails_up_to_its_value():
    position = given(ships={MERCHANT: "s0104"})
    assert {"s0105", "s0106", "s0107"} <= position.ends(MERCHANT)
    assert "s0108" not in position.ends(MERCHANT)
    position.when(Sail(MERCHANT, ("s0105", "s0106", "s0107", "s0108"))).refuses("BF-13")
    position.when(Sail(MERCHANT, ("s0108",))).refuses("BF-13")
    position.when(Sail(MERCHANT, ("s0105", "s0106", "s0107"))).then(
        ShipSailed(0, MERCHANT, ("s0105", "s0106", "s0107"))
    )
    assert position.space(MERCHANT) == "s0107"
    position.when(Sail(MERCHANT, ("s0108",))).refuses("BF-13")


@rule("BF-13")
def test_an_end_alone_means_a_shortest_path():
    position = given(ships={MERCHANT: "s0104"})
    position.when(Sail(MERCHANT, ("s0107",))).then(ShipSailed(0, MERCHANT, ("s0105", "s0106", "s0107")))


@rule("BF-13")
@pytest.mark.parametrize(
    "path",
    [("l0205", "s0207"), ("l0205",), ("s0106", "s0107"), ("s0105", "s0107"), ("atlantis",), ("s0105", "", "s0106")],
)
def test_a_path_goes_from_space_to_space_over_the_sea(path):
    given(ships={MERCHANT: "s0104"}).when(Sail(MERCHANT, path)).refuses("BF-13")


@rule("BF-13")
def test_a_path_may_come_back():
    position = given(ships={MERCHANT: "s0104"})
    position.when(Sail(MERCHANT, ("s0105", "s0104"))).then(ShipSailed(0, MERCHANT, ("s0105", "s0104")))


@rule("BF-14")
def test_friends_are_passed_and_enemies_are_not():
    friends = given(ships={MERCHANT: "s0104", PIRATE: "s0105"})
    friends.when(Sail(MERCHANT, ("s0105", "s0106"))).then(ShipSailed(0, MERCHANT, ("s0105", "s0106")))
    navy = given(ships={MERCHANT: "s0104", FRIGATE: "s0105"})
    navy.when(Sail(MERCHANT, ("s0106",))).then(ShipSailed(0, MERCHANT, ("s0105", "s0106")))
    for enemy in (RIVAL, CORSAIR):
        position = given(ships={MERCHANT: "s0104", enemy: "s0105"})
        position.when(Sail(MERCHANT, ("s0105", "s0106"))).refuses("BF-14")
        position.when(Sail(MERCHANT, ("s0106",))).refuses("BF-14")
        assert position.ends(MERCHANT).isdisjoint({"s0105", "s0106"})


@rule("BF-14")
def test_an_end_alone_is_reached_round_an_enemy():
    position = given(ships={MERCHANT: "s0106", RIVAL: "s0107"})
    position.when(Sail(MERCHANT, ("s0108",))).play()
    assert position.space(MERCHANT) == "s0108"


@rule("BF-15")
@pytest.mark.parametrize("other", [PIRATE, FRIGATE, RIVAL, CORSAIR, OTHER_FRIGATE])
def test_no_sail_ends_on_a_ship(other):
    position = given(ships={MERCHANT: "s0104", other: "s0105"})
    position.when(Sail(MERCHANT, ("s0105",))).refuses("BF-15")
    given(ships={MERCHANT: "s0104", other: "s0106"}).when(Sail(MERCHANT, ("s0106",))).refuses("BF-15")


@rule("BF-17")
def test_a_move_is_over_when_another_ship_sails():
    position = given(ships={MERCHANT: "s0104", PIRATE: "s0904"})
    position.after(Sail(MERCHANT, ("s0105",)), Sail(MERCHANT, ("s0106",)), Sail(PIRATE, ("s0905",)))
    position.when(Sail(MERCHANT, ("s0107",))).refuses("BF-17")
    assert position.ends(MERCHANT) == set()
    position.after(Sail(PIRATE, ("s0904",)))


@rule("BF-17")
def test_a_move_is_over_when_another_ship_acts_and_acting_begins_none():
    ships = {MERCHANT: "s0104", PIRATE: "s0904", RIVAL: "s0905"}
    position = given(ships=ships).after(Sail(MERCHANT, ("s0105",)), Attack(PIRATE, RIVAL))
    position.when(Sail(MERCHANT, ("s0106",))).refuses("BF-17")
    position.after(Sail(PIRATE, ("s0903",)))


@rule("BF-17")
def test_a_ship_sails_a_step_at_least():
    position = given(ships={MERCHANT: "s0104"})
    position.when(Sail(MERCHANT, ())).refuses("BF-17")
    position.when(Sail(MERCHANT, ("s0104",))).refuses("BF-17")


@rule("BF-17")
def test_a_ship_acts_after_its_move_is_over():
    ships = {PIRATE: "s0904", RIVAL: "s0902", MERCHANT: "s0104"}
    position = given(ships=ships).after(Sail(PIRATE, ("s0903",)), Sail(MERCHANT, ("s0105",)))
    position.after(Attack(PIRATE, RIVAL))
    assert position.state.treasures[0] != 255


@rule("BF-31")
def test_nothing_has_to_be_done():
    given().after(EndSailing())


@rule("BF-46")
def test_a_navy_ship_not_named_blocks_and_is_not_used():
    position = given(ships={MERCHANT: "s0104", OTHER_FRIGATE: "s0105"})
    position.when(Sail(MERCHANT, ("s0106",))).refuses("BF-14")
    position.when(Sail(OTHER_FRIGATE, ("s0006",))).refuses("BF-46")
    position.when(Attack(OTHER_FRIGATE, CORSAIR)).refuses("BF-46")
    purple = given(ships={MERCHANT: "s0104", OTHER_FRIGATE: "s0105"}, order=card("purple"))
    purple.when(Sail(OTHER_FRIGATE, ("s0006",))).then(ShipSailed(0, OTHER_FRIGATE, ("s0006",)))


@rule("BF-46")
def test_a_deep_sea_is_left_and_never_entered():
    position = given(ships={PIRATE: "deep_ne", MERCHANT: "s0104"})
    assert {"s0112", "s0111"} <= position.ends(PIRATE)
    position.when(Sail(PIRATE, ("s0112", "deep_ne"))).refuses("BF-46")
    position.when(Sail(PIRATE, ("s0112",))).then(ShipSailed(0, PIRATE, ("s0112",)))
    assert position.state.sailed[1] == 1
    position.when(Sail(PIRATE, ("deep_ne",))).refuses("BF-46")
    far = given(ships={PIRATE: "s0111", MERCHANT: "s0104"}).when(Sail(PIRATE, ("deep_ne",)))
    far.refuses("BF-46")


@rule("BF-46")
def test_pirates_in_one_deep_sea_do_not_hinder_each_other():
    position = given(ships={PIRATE: "deep_ne", CORSAIR: "deep_ne", MERCHANT: "s0104"})
    position.after(Sail(PIRATE, ("s0112",)))
    assert position.space(CORSAIR) == "deep_ne"
    assert position.state.occupied >> CATALOG.board.numbers["deep_ne"] & 1


@rule("BF-30")
def test_from_lair_to_lair_sails_a_pirate_with_a_card():
    given(ships={PIRATE: "s0301"}).when(Sail(PIRATE, ("s0610", "s0611"))).refuses("BF-30")
    hideout = given(ships={PIRATE: "s0301", MERCHANT: "s0104"}, bought={0: ["D08B"]})
    assert {"s0610", "s0611"} <= hideout.ends(PIRATE)
    assert "s0610" not in given(ships={MERCHANT: "s0301"}, bought={0: ["D08B"]}).ends(MERCHANT)
    hideout.when(Sail(PIRATE, ("s0611",))).then(ShipSailed(0, PIRATE, ("s0610", "s0611")))


@rule("BF-8")
def test_only_the_active_seat_moves():
    given().when(EndSailing(), 1).refuses("BF-8")
    given().when(Sail(Ship.MERCHANT_1, ("s0112",)), 1).refuses("BF-8")


@rule("BF-13", "BF-14")
def test_a_way_round_may_be_longer_than_any_that_is_straight():
    ships = {MERCHANT: "s0006", RIVAL: "s0104", CORSAIR: "s0106"}
    more = {"hand": ["F02", "F02"], "bought": {0: ["D05A", "D14D"]}, "order": card(values=(1, 3, 5))}
    assert len(waters_of(BOARD, BOARD.numbers["s0006"], PLAIN).within) - 1 == 12
    position = given(ships=ships, **more).after(PlayFortune("F02"), PlayFortune("F02"))
    assert commands(position)[MERCHANT] == 13
    assert "s0900" in position.ends(MERCHANT)
