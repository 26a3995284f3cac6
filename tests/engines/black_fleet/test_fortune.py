"""Every fortune card of the house edition alone: BF-29, BF-48."""

import pytest

from engines.black_fleet import ENGINE
from engines.black_fleet.catalog.kinds import ShipKind
from engines.black_fleet.events import (
    CargoSold,
    DoubloonsGained,
    DoubloonsTaken,
    FortunePlayed,
    ShipAttacked,
    ShipDisplaced,
    ShipsSwapped,
    Taking,
    ValuesSwapped,
)
from engines.black_fleet.moves import Attack, Bury, PlayFortune, Sail, Sell, UseDevelopment
from engines.black_fleet.state import Ship
from tests.engines.black_fleet.scenario import (
    BLUE,
    CORSAIR,
    FRIGATE,
    GREEN,
    MERCHANT,
    OTHER_FRIGATE,
    PIRATE,
    PURPLE,
    RED,
    RIVAL,
    YELLOW,
    card,
    given,
)
from tests.rules import rule

NAVY, ROVER, TRADER = ShipKind
"""The rows of a movement card."""
HOME = {MERCHANT: "s0103", PIRATE: "s0904"}


def steps(position):
    return {command.ship: command.steps for command in ENGINE.view(position.state, 0).commands}


@rule("BF-29")
def test_a_fortune_card_is_played_from_the_hand_in_the_own_turn():
    position = given(hand=["F16", "F01"], doubloons={1: 2})
    position.when(PlayFortune("F16")).then(FortunePlayed(0, "F16"), DoubloonsTaken(0, (Taking(1, 1),)))
    assert [position.state.catalog.fortune[one].id for one in position.state.fortune_discards] == ["F16"]
    assert len(position.state.fortune_hands[0]) == 1
    position.when(PlayFortune("F16")).refuses("BF-29")


@rule("BF-29")
def test_a_card_is_played_with_just_the_choices_that_it_asks_for():
    position = given(hand=["F16", "F01", "F12"], doubloons={1: 2})
    position.when(PlayFortune("F16", ship=MERCHANT)).refuses("BF-29")
    position.when(PlayFortune("F01")).refuses("BF-29")
    position.when(PlayFortune("F01", ship=MERCHANT, port="verdemar")).refuses("BF-29")
    position.when(PlayFortune("F01", ship=RIVAL)).refuses("BF-29")
    position.when(PlayFortune("F01", ship=OTHER_FRIGATE)).refuses("BF-29")
    position.when(PlayFortune("F12", ship=RIVAL)).refuses("BF-29")


@rule("BF-29")
@pytest.mark.parametrize(
    ("move", "more"),
    [
        (PlayFortune("F01", ship=FRIGATE), {FRIGATE: 2}),
        (PlayFortune("F02"), {MERCHANT: 3}),
        (PlayFortune("F03"), {PIRATE: 3}),
        (PlayFortune("F04", ship=FRIGATE), {FRIGATE: 3}),
        (PlayFortune("F05"), {MERCHANT: 1, PIRATE: 1, FRIGATE: 1}),
    ],
    ids=lambda value: getattr(value, "card", ""),
)
def test_some_cards_let_ships_sail_further(move, more):
    position = given(ships=HOME, hand=[move.card]).after(move)
    assert steps(position) == {ship: 3 + more.get(ship, 0) for ship in (MERCHANT, PIRATE, FRIGATE)}


@rule("BF-29")
def test_a_signal_is_for_a_navy_ship_under_command():
    given(hand=["F04"]).when(PlayFortune("F04", ship=MERCHANT)).refuses("BF-29")
    given(hand=["F04"]).when(PlayFortune("F04", ship=OTHER_FRIGATE)).refuses("BF-29")


@rule("BF-29")
def test_a_gale_is_for_a_pirate_in_a_deep_sea_too():
    position = given(ships={PIRATE: "deep_ne", MERCHANT: "s0103"}, hand=["F03"]).after(PlayFortune("F03"))
    assert steps(position)[PIRATE] == 6


@rule("BF-48")
def test_two_values_of_the_movement_card_are_exchanged():
    order = card(values=(2, 4, 3))
    position = given(ships=HOME, hand=["F06", "F06"], order=order)
    position.when(PlayFortune("F06", rows=(NAVY, ROVER))).then(FortunePlayed(0, "F06"), ValuesSwapped(0, NAVY, ROVER))
    assert steps(position) == {FRIGATE: 4, PIRATE: 2, MERCHANT: 3}
    position.when(PlayFortune("F06", rows=(NAVY, ROVER))).refuses("BF-48")
    given(hand=["F06"], order=order).when(PlayFortune("F06", rows=(ROVER, NAVY))).play()
    for rows in [(NAVY,), (NAVY, NAVY), (NAVY, ROVER, TRADER)]:
        given(hand=["F06"], order=order).when(PlayFortune("F06", rows=rows)).refuses("BF-48")
    given(hand=["F06"]).when(PlayFortune("F06", rows=(NAVY, ROVER))).refuses("BF-48")


@rule("BF-13", "BF-29")
def test_a_hidden_channel_leads_over_islands():
    position = given(ships={MERCHANT: "s0104"}, hand=["F07"]).after(PlayFortune("F07", ship=MERCHANT))
    position.when(Sail(MERCHANT, ("l0205",))).refuses("BF-13")
    position.when(Sail(MERCHANT, ("s0204", "l0205"))).refuses("BF-13")
    position.after(Sail(MERCHANT, ("l0205", "l0206", "s0207")))
    given(hand=["F07"]).when(PlayFortune("F07", ship=FRIGATE)).refuses("BF-29")


@rule("BF-29")
def test_what_a_ship_may_do_already_is_not_played_for():
    channel = given(ships=HOME, hand=["F07", "F07"]).after(PlayFortune("F07", ship=MERCHANT))
    channel.when(PlayFortune("F07", ship=MERCHANT)).refuses("BF-29")
    assert channel.plays("F07") == [PlayFortune("F07", ship=PIRATE)]
    shallow = given(ships=HOME, hand=["F07"], bought={0: ["D08D"]})
    shallow.when(PlayFortune("F07", ship=PIRATE)).refuses("BF-29")
    lantern = given(ships=HOME, hand=["F20"], bought={0: ["D08E"]})
    assert lantern.plays("F20") == [PlayFortune("F20", ship=FRIGATE)]


@rule("BF-16", "BF-49")
def test_all_hands_let_a_ship_act_once_more():
    ships = {PIRATE: "s0208", RIVAL: "s0108", MERCHANT: "s0103"}
    position = given(ships=ships, cargo={1: (BLUE, 2)}, hand=["F08"])
    position.after(PlayFortune("F08", ship=PIRATE), Attack(PIRATE, RIVAL), Sail(PIRATE, ("s0209",)), Bury())
    assert position.doubloons() == 5


@rule("BF-29", "BF-29a")
def test_quick_shovels_bury_what_was_just_robbed():
    ships = {PIRATE: "s0208", RIVAL: "s0108", MERCHANT: "s0103"}
    position = given(ships=ships, hand=["F09"])
    position.when(PlayFortune("F09")).refuses("BF-29")
    position.after(Attack(PIRATE, RIVAL), PlayFortune("F09"), Sail(PIRATE, ("s0209",)), Bury())
    assert position.doubloons() == 5
    over = given(ships=ships, hand=["F09"])
    over.after(Attack(PIRATE, RIVAL), Sail(PIRATE, ("s0207",)), Sail(MERCHANT, ("s0104",)))
    over.when(PlayFortune("F09")).refuses("BF-29a")
    other = given(ships=ships, hand=["F09"], treasure={0: RED})
    other.when(PlayFortune("F09")).refuses("BF-29")


@rule("BF-47")
def test_long_guns_reach_two_steps_once():
    ships = {FRIGATE: "s0106", CORSAIR: "s0108", Ship.PIRATE_2: "s0109", MERCHANT: "s0103"}
    position = given(ships=ships, hand=["F10"])
    position.when(PlayFortune("F10", ship=FRIGATE)).then(FortunePlayed(0, "F10", FRIGATE))
    position.when(Attack(FRIGATE, Ship.PIRATE_2)).refuses("BF-47")
    position.when(Attack(FRIGATE, CORSAIR)).then(
        ShipAttacked(0, FRIGATE, CORSAIR, doubloons=2, taken=False, sunk=True, spent=("F10",))
    )
    assert position.state.in_force == b""


@rule("BF-29", "BF-46")
def test_a_maelstrom_exchanges_two_neighbours_of_anyone():
    ships = {MERCHANT: "s0104", RIVAL: "s0105", CORSAIR: "s0106", OTHER_FRIGATE: "s0107", PIRATE: "deep_ne"}
    ships |= {Ship.MERCHANT_2: "s0012"}
    move = PlayFortune("F11", ship=MERCHANT, target=RIVAL)
    position = given(ships=ships, hand=["F11"])
    assert PlayFortune("F11", ship=CORSAIR, target=OTHER_FRIGATE) in position.plays("F11")
    position.when(move).then(FortunePlayed(0, "F11"), ShipsSwapped(0, MERCHANT, RIVAL))
    assert (position.space(MERCHANT), position.space(RIVAL)) == ("s0105", "s0104")
    given(ships=ships, hand=["F11"]).when(PlayFortune("F11", ship=RIVAL, target=MERCHANT)).play()
    for one, other in [(MERCHANT, CORSAIR), (MERCHANT, MERCHANT), (Ship.MERCHANT_2, PIRATE), (MERCHANT, Ship.PIRATE_3)]:
        given(ships=ships, hand=["F11"]).when(PlayFortune("F11", ship=one, target=other)).refuses("BF-29")
    lairs = given(ships={MERCHANT: "s0301", RIVAL: "s0610"}, hand=["F11"], bought={0: ["D08B"]})
    lairs.when(move).refuses("BF-29")


@rule("BF-17", "BF-29")
def test_a_ship_swapped_in_mid_move_sails_on_from_there():
    position = given(ships={MERCHANT: "s0103", RIVAL: "s0105"}, hand=["F11"]).after(Sail(MERCHANT, ("s0104",)))
    position.after(PlayFortune("F11", ship=MERCHANT, target=RIVAL), Sail(MERCHANT, ("s0106", "s0107")))


@rule("BF-29")
def test_a_current_moves_an_enemy_over_free_sea():
    ships = {MERCHANT: "s0104", RIVAL: "s0106", FRIGATE: "s0107", PIRATE: "s0904", CORSAIR: "deep_ne"}
    position = given(ships=ships, hand=["F12"])
    move = PlayFortune("F12", ship=RIVAL, path=("s0207", "s0208"))
    position.when(move).then(FortunePlayed(0, "F12"), ShipDisplaced(0, RIVAL, ("s0207", "s0208")))
    end = given(ships=ships, hand=["F12"]).when(PlayFortune("F12", ship=RIVAL, path=("s0208",)))
    end.then(FortunePlayed(0, "F12"), ShipDisplaced(0, RIVAL, ("s0207", "s0208")))
    refused = [
        (RIVAL, ("s0107",)), (RIVAL, ("s0107", "s0208")), (RIVAL, ("s0105", "s0104")), (RIVAL, ("s0105", "s0106")),
        (RIVAL, ("s0106",)), (RIVAL, ("s0207", "s0208", "s0209")), (RIVAL, ("l0206",)), (RIVAL, ("nowhere",)),
        (RIVAL, ("s0006", "s0107")), (MERCHANT, ("s0105",)), (FRIGATE, ("s0108",)), (CORSAIR, ("s0112",)),
        (Ship.PIRATE_3, ("s0105",)),
    ]  # fmt: skip
    for ship, path in refused:
        given(ships=ships, hand=["F12"]).when(PlayFortune("F12", ship=ship, path=path)).refuses("BF-29")
    beside = given(ships=ships | {RIVAL: "s0012"}, hand=["F12"])
    assert all("deep_ne" not in play.path for play in beside.plays("F12"))


@rule("BF-29")
def test_eager_buyers_pay_one_more_a_cube():
    position = given(ships=HOME, cargo={0: (PURPLE, 3)}, hand=["F13"]).after(PlayFortune("F13"))
    position.when(Sell("la_barbaria")).then(
        CargoSold(0, "la_barbaria", PURPLE, 3, doubloons=9, loaded=3, spent=("F13",))
    )


@rule("BF-29", "BF-16")
def test_a_black_market_buys_what_the_port_does_not():
    position = given(ships=HOME, cargo={0: (GREEN, 3)}, hand=["F14"])
    position.when(PlayFortune("F14", port="la_barbaria")).then(
        FortunePlayed(0, "F14"), CargoSold(0, "la_barbaria", GREEN, 3, doubloons=6, loaded=3, spent=())
    )
    for colour in (YELLOW, RED):
        given(ships=HOME, cargo={0: (colour, 3)}, hand=["F14"]).when(PlayFortune("F14", port="la_barbaria")).refuses(
            "BF-29"
        )
    given(ships=HOME, cargo={0: (GREEN, 3)}, hand=["F14"]).when(PlayFortune("F14", port="verdemar")).refuses("BF-19")
    sold = given(ships=HOME, cargo={0: (RED, 3)}, hand=["F14"]).after(Sell("la_barbaria"))
    sold.state.colours[0] = 2
    sold.when(PlayFortune("F14", port="la_barbaria")).refuses("BF-16")


@rule("BF-29", "BF-47")
def test_a_deck_cannon_is_an_attack_of_the_merchant():
    ships = {MERCHANT: "s0104", RIVAL: "s0105", CORSAIR: "s0103", PIRATE: "s0904"}
    position = given(ships=ships, cargo={1: (RED, 2)}, hand=["F15", "F15"])
    position.when(PlayFortune("F15", target=CORSAIR)).refuses("BF-29")
    position.when(PlayFortune("F15", target=PIRATE)).refuses("BF-29")
    position.when(PlayFortune("F15", target=MERCHANT)).refuses("BF-27")
    position.when(PlayFortune("F15", target=RIVAL)).then(
        FortunePlayed(0, "F15"),
        ShipAttacked(0, MERCHANT, RIVAL, doubloons=2, taken=False, sunk=False, spent=(), cube=RED),
    )
    assert position.state.supply[1] == 12
    position.when(PlayFortune("F15", target=RIVAL)).refuses("BF-16")
    empty = given(ships=ships, cargo={1: (RED, 0)}, hand=["F15"])
    empty.when(PlayFortune("F15", target=RIVAL)).refuses("BF-45")


@rule("BF-29")
def test_a_harbour_tax_is_taken_of_those_who_have_something():
    position = given(hand=["F16"], doubloons={0: 3, 1: 0, 2: 5}).after(PlayFortune("F16"))
    assert position.state.doubloons == [4, 0, 4]
    given(hand=["F16"], doubloons={0: 3}).when(PlayFortune("F16")).refuses("BF-29")


@rule("BF-29")
def test_a_letter_of_marque_is_for_a_robbery_and_a_sinking():
    ships = {FRIGATE: "s0107", CORSAIR: "s0106", PIRATE: "s0904", RIVAL: "s0905", MERCHANT: "s0103"}
    position = given(ships=ships, hand=["F17"])
    position.when(PlayFortune("F17")).refuses("BF-29")
    position.after(Attack(FRIGATE, CORSAIR)).when(PlayFortune("F17")).refuses("BF-29")
    position.after(Attack(PIRATE, RIVAL))
    position.when(PlayFortune("F17")).then(FortunePlayed(0, "F17"), DoubloonsGained(0, 4))


@rule("BF-29")
def test_a_bounty_adds_to_the_next_pirate_sunk():
    ships = {FRIGATE: "s0107", CORSAIR: "s0106", MERCHANT: "s0103"}
    position = given(ships=ships, hand=["F18"]).after(PlayFortune("F18", ship=FRIGATE), Attack(FRIGATE, CORSAIR))
    assert position.doubloons() == 4
    given(ships=ships, hand=["F18"]).when(PlayFortune("F18", ship=PIRATE)).refuses("BF-29")


@rule("BF-48")
def test_a_joint_manoeuvre_commands_both_navy_ships():
    position = given(ships=HOME, hand=["F19", "F05"], order=card(values=(2, 4, 3)))
    position.after(PlayFortune("F05"), PlayFortune("F19"))
    assert steps(position)[OTHER_FRIGATE] == steps(position)[FRIGATE] == 3
    position.after(Sail(OTHER_FRIGATE, ("s0706",)))
    admiral = given(hand=["F19"], bought={0: ["D14A"]})
    admiral.when(PlayFortune("F19")).refuses("BF-29")


@rule("BF-14", "BF-15", "BF-29")
def test_a_ghost_ship_passes_enemies_and_ends_on_none():
    ships = {MERCHANT: "s0104", RIVAL: "s0105", PIRATE: "s0904"}
    position = given(ships=ships, hand=["F20"]).after(PlayFortune("F20", ship=MERCHANT))
    position.when(Sail(MERCHANT, ("s0105",))).refuses("BF-15")
    position.after(Sail(MERCHANT, ("s0105", "s0106")))


@rule("BF-37")
def test_a_fortune_card_is_no_development():
    given(hand=["F16"], doubloons={1: 1}).when(UseDevelopment("F16")).refuses("BF-37")
