"""Cards together, as a rules lawyer would try them."""

from engines.black_fleet import ENGINE
from engines.black_fleet.catalog.kinds import ShipKind, Symbol
from engines.black_fleet.moves import (
    Attack,
    Bury,
    DeployPirate,
    Discard,
    EndSailing,
    Load,
    PlayFortune,
    Sail,
    Sell,
    UseDevelopment,
)
from engines.black_fleet.state import Phase, Ship
from tests.engines.black_fleet.scenario import (
    BLUE,
    CORSAIR,
    FRIGATE,
    GREEN,
    MERCHANT,
    OTHER_FRIGATE,
    PIRATE,
    RED,
    RIVAL,
    YELLOW,
    card,
    given,
    play_movement,
)
from tests.rules import rule

NAVY, ROVER, TRADER = ShipKind
SECOND, THIRD = Ship.MERCHANT_2, Ship.PIRATE_2
HOME = {MERCHANT: "s0103", PIRATE: "s0904"}
BETWEEN_TWO = {MERCHANT: "s0103", PIRATE: "s0107", RIVAL: "s0106", SECOND: "s0108"}
"""The own pirate between two merchants."""
TWO_CUBES = {1: (BLUE, 2), 2: (RED, 2)}


def steps(position):
    return {command.ship: command.steps for command in ENGINE.view(position.state, 0).commands}


@rule("BF-47")
def test_bonuses_to_sail_add_up():
    position = given(ships=HOME, hand=["F01", "F02", "F05"], bought={0: ["D05A", "D14D"]})
    position.after(PlayFortune("F05"), PlayFortune("F01", ship=MERCHANT), PlayFortune("F02"))
    assert steps(position) == {MERCHANT: 3 + 1 + 2 + 3 + 1 + 1, PIRATE: 3 + 1 + 1, FRIGATE: 3 + 1 + 1}


@rule("BF-47")
def test_ranges_do_not_add_up():
    ships = {FRIGATE: "s0106", CORSAIR: "s0109", THIRD: "s0108", MERCHANT: "s0103"}
    position = given(ships=ships, hand=["F10", "F10"]).after(PlayFortune("F10", ship=FRIGATE))
    position.when(PlayFortune("F10", ship=FRIGATE)).refuses("BF-29")
    position.when(Attack(FRIGATE, CORSAIR)).refuses("BF-47")


@rule("BF-48")
def test_values_are_exchanged_before_one_is_shifted_whatever_was_played_first():
    order = card(values=(2, 4, 3))
    swap, shift = PlayFortune("F06", rows=(NAVY, ROVER)), UseDevelopment("D05C", rows=(NAVY, TRADER))
    for moves in [(swap, shift), (shift, swap)]:
        position = given(ships=HOME, hand=["F06"], bought={0: ["D05C"]}, order=order).after(*moves)
        assert steps(position) == {FRIGATE: 3, PIRATE: 2, MERCHANT: 4}


@rule("BF-48")
def test_bonuses_are_added_after_exchange_and_shift():
    order = card(values=(2, 4, 3))
    position = given(ships=HOME, hand=["F05", "F06"], bought={0: ["D05A"]}, order=order)
    position.after(PlayFortune("F05"), PlayFortune("F06", rows=(NAVY, TRADER)))
    assert steps(position) == {FRIGATE: 3 + 1, PIRATE: 4 + 1, MERCHANT: 2 + 1 + 1}


@rule("BF-48")
def test_no_exchange_takes_away_what_was_shifted():
    position = given(ships=HOME, hand=["F06"], bought={0: ["D05C"]}, order=card(values=(3, 3, 2), symbol=Symbol.DRAW_1))
    position.state.shifts += bytes((1, 2, 1, 2, 1, 2))
    position.when(PlayFortune("F06", rows=(ROVER, TRADER))).refuses("BF-48")


@rule("BF-49")
def test_four_actions_of_a_pirate():
    position = given(ships=BETWEEN_TWO, cargo=TWO_CUBES, hand=["F08", "F09"], bought={0: ["D14B"]})
    position.after(PlayFortune("F08", ship=PIRATE), Attack(PIRATE, RIVAL))
    position.when(Attack(PIRATE, SECOND)).refuses("BF-23")
    position.after(Sail(PIRATE, ("s0208", "s0209")), Bury(), Attack(PIRATE, SECOND))
    position.when(Bury()).refuses("BF-49")
    position.after(PlayFortune("F09"), Bury())
    assert position.doubloons() == 2 + 3 + 2 + 3


@rule("BF-49")
def test_a_slot_for_burying_takes_no_attack():
    position = given(ships=BETWEEN_TWO, cargo=TWO_CUBES, hand=["F09"], bought={0: ["D14F"]})
    position.after(Attack(PIRATE, RIVAL), PlayFortune("F09"))
    position.when(Attack(PIRATE, SECOND)).refuses("BF-49")


@rule("BF-49")
def test_an_insatiable_cutthroat_attacks_once_unless_all_hands_are_called():
    # D14B and D14F cost the same, so nobody has both: an edition may say otherwise, and the slots still rule.
    position = given(ships=BETWEEN_TWO, cargo=TWO_CUBES, hand=["F08"], bought={0: ["D14F", "D08C"]})
    position.after(Attack(PIRATE, RIVAL))
    position.when(Attack(PIRATE, SECOND)).refuses("BF-16")
    position.after(PlayFortune("F08", ship=PIRATE), Attack(PIRATE, SECOND))
    assert position.doubloons() == 3 + 3
    assert position.state.supply[1] == 12


@rule("BF-49")
def test_a_black_market_needs_a_slot_of_the_merchant():
    sold = given(ships=HOME, cargo={0: (RED, 2)}, hand=["F14", "F08"]).after(Sell("la_barbaria"))
    assert sold.plays("F14") == []
    sold.after(PlayFortune("F08", ship=MERCHANT))
    assert sold.plays("F14") == []  # Its own goods are aboard now.
    sold.state.colours[0] = 2
    sold.after(PlayFortune("F14", port="la_barbaria"))
    assert sold.doubloons() == 6 + 6


@rule("BF-29a", "BF-47")
def test_eager_buyers_come_to_a_black_market_with_all_other_bonuses():
    position = given(ships=HOME, cargo={0: (GREEN, 3)}, hand=["F14", "F13"], bought={0: ["D05E", "D08A", "D14E"]})
    position.after(PlayFortune("F13"), PlayFortune("F14", port="la_barbaria"))
    assert position.doubloons() == 3 * (2 + 1 + 1) + 1 + 2


@rule("BF-47")
def test_long_guns_help_a_deck_cannon():
    ships = {MERCHANT: "s0106", RIVAL: "s0108", PIRATE: "s0904"}
    position = given(ships=ships, cargo={1: (RED, 1)}, hand=["F15", "F10"])
    position.when(PlayFortune("F15", target=RIVAL)).refuses("BF-18a")
    position.after(PlayFortune("F10", ship=MERCHANT), PlayFortune("F15", target=RIVAL))
    assert position.space(RIVAL) is None


@rule("BF-47")
def test_long_nines_help_a_deck_cannon():
    ships = {MERCHANT: "s0106", RIVAL: "s0108", PIRATE: "s0904"}
    position = given(ships=ships, cargo={1: (RED, 2)}, hand=["F15"], bought={0: ["D11D"]})
    position.after(PlayFortune("F15", target=RIVAL))


@rule("BF-49")
def test_a_deck_cannon_beside_a_privateer_needs_a_slot():
    ships = {MERCHANT: "s0107", RIVAL: "s0106", PIRATE: "s0904"}
    position = given(ships=ships, cargo={1: (RED, 3)}, hand=["F15", "F08"], bought={0: ["D11B"]})
    position.after(Attack(MERCHANT, RIVAL))
    position.when(PlayFortune("F15", target=RIVAL)).refuses("BF-16")
    position.after(PlayFortune("F08", ship=MERCHANT), PlayFortune("F15", target=RIVAL))
    assert position.state.cargo[1] == 1


@rule("BF-47")
def test_a_bounty_and_a_friend_add_up():
    position = given(ships={FRIGATE: "s0107", CORSAIR: "s0106", MERCHANT: "s0103"}, hand=["F18"], bought={0: ["D08F"]})
    position.after(PlayFortune("F18", ship=FRIGATE), Attack(FRIGATE, CORSAIR))
    assert position.doubloons() == 2 + 2 + 1


@rule("BF-29")
def test_a_letter_of_marque_counts_a_merchants_sinking_and_a_navys_robbery():
    ships = {FRIGATE: "s0107", RIVAL: "s0106", MERCHANT: "s0904", CORSAIR: "s0905"}
    position = given(ships=ships, cargo={1: (RED, 2)}, hand=["F17"], bought={0: ["D11A", "D14C"]})
    position.after(Attack(MERCHANT, CORSAIR), Attack(FRIGATE, RIVAL), PlayFortune("F17"))
    assert position.doubloons() == 3 + 2 + 4


@rule("BF-29")
def test_quick_shovels_are_for_the_pirates_own_robbery():
    ships = {FRIGATE: "s0107", RIVAL: "s0106", PIRATE: "s0904", MERCHANT: "s0103"}
    position = given(ships=ships, cargo={1: (RED, 2)}, treasure={0: BLUE}, hand=["F09"], bought={0: ["D14C"]})
    position.after(Attack(FRIGATE, RIVAL)).when(PlayFortune("F09")).refuses("BF-29")


@rule("BF-46", "BF-48")
def test_a_navy_ship_gained_is_a_friend_with_its_own_action():
    ships = {MERCHANT: "s0104", OTHER_FRIGATE: "s0105", CORSAIR: "s0006", PIRATE: "s0904"}
    position = given(ships=ships, hand=["F19"])
    position.when(Sail(MERCHANT, ("s0106",))).refuses("BF-14")
    position.after(PlayFortune("F19"), Sail(MERCHANT, ("s0106",)), Attack(OTHER_FRIGATE, CORSAIR))
    assert position.doubloons() == 2


@rule("BF-13", "BF-29a")
def test_an_island_is_crossed_past_an_enemy():
    ships = {MERCHANT: "s0104", RIVAL: "s0105", PIRATE: "s0904"}
    position = given(ships=ships, hand=["F07", "F20"]).after(PlayFortune("F07", ship=MERCHANT))
    position.after(Sail(MERCHANT, ("l0205", "l0206", "s0106")))


@rule("BF-17")
def test_flags_and_maelstroms_spend_neither_steps_nor_actions():
    ships = {MERCHANT: "s0103", PIRATE: "s0104", RIVAL: "s0202"}
    position = given(ships=ships, cargo={0: (RED, 1), 1: (BLUE, 2)}, hand=["F11"], bought={0: ["D11E"]})
    position.after(UseDevelopment("D11E"), PlayFortune("F11", ship=MERCHANT, target=PIRATE))
    assert (position.space(MERCHANT), position.space(PIRATE)) == ("s0103", "s0104")
    position.after(Sell("la_barbaria"), Sail(PIRATE, ("s0204", "s0203")), Attack(PIRATE, RIVAL))


@rule("BF-26", "BF-30")
def test_a_pirate_from_a_lair_acts_and_sails_to_the_other():
    ships = {PIRATE: None, RIVAL: "s0302", MERCHANT: "s0103"}
    position = given(ships=ships, cargo={1: (BLUE, 2)}, bought={0: ["D08B"]}, phase=Phase.DEPLOYING)
    position.after(DeployPirate("s0301"))
    play_movement(position, card())
    position.after(Attack(PIRATE, RIVAL), Sail(PIRATE, ("s0611",)))


@rule("BF-32", "BF-33", "BF-37")
def test_rumours_come_after_the_discard_and_under_the_limit():
    order = card(values=None, symbol=Symbol.DISCARD)
    position = given(ships=HOME, hand=["F16", "F17", "F18"], bought={0: ["D05D"]}, phase=Phase.PLAYING_MOVEMENT)
    play_movement(position, order)
    position.after(EndSailing(), Discard("F17"))
    assert len(position.state.fortune_hands[0]) == 3
    assert position.state.phase is Phase.BUYING


@rule("BF-45", "BF-49")
def test_a_merchant_sells_and_loads_with_all_hands():
    position = given(ships=HOME, cargo={0: (RED, 1)}, supply={YELLOW: 0}, hand=["F08"])
    position.after(Sell("la_barbaria"))
    position.state.supply[0] = 3
    position.after(PlayFortune("F08", ship=MERCHANT))
    position.after(Load("la_barbaria"))
    assert position.state.cargo[0] == 3
