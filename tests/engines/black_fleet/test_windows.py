"""BF-29a: when a card can be played."""

import pytest

from engines.black_fleet.catalog.kinds import ShipKind
from engines.black_fleet.events import FortunePlayed, MoveEnded, ShipDisplaced
from engines.black_fleet.moves import Attack, EndSailing, PlayFortune, PlayMovement, Sail, Sell, UseDevelopment
from engines.black_fleet.state import Phase
from tests.engines.black_fleet.scenario import (
    CORSAIR,
    FRIGATE,
    GREEN,
    MERCHANT,
    PIRATE,
    PURPLE,
    RED,
    RIVAL,
    card,
    given,
)
from tests.rules import rule

ROWS = (ShipKind.NAVY, ShipKind.PIRATE)
FIRSTS = [PlayFortune("F05"), PlayFortune("F19"), PlayFortune("F06", rows=ROWS)]


def at_sea(hand, **more):
    ships = {MERCHANT: "s0103", PIRATE: "s0107", RIVAL: "s0108", FRIGATE: "s0904"} | more.pop("ships", {})
    return given(ships=ships, hand=hand, **more)


@rule("BF-29a")
@pytest.mark.parametrize("move", FIRSTS, ids=lambda move: move.card)
def test_first_is_before_any_ship_sails_or_acts(move):
    order = card(values=(2, 4, 3))
    at_sea([move.card], order=order).after(move)
    at_sea([move.card], order=order).after(Sail(MERCHANT, ("s0104",))).when(move).refuses("BF-29a")
    at_sea([move.card], order=order).after(Attack(PIRATE, RIVAL)).when(move).refuses("BF-29a")


@rule("BF-29a")
def test_a_displacement_is_no_sail():
    position = at_sea(["F12", "F05"]).after(PlayFortune("F12", ship=RIVAL, path=("s0109",)))
    position.after(PlayFortune("F05"))


@rule("BF-29a")
def test_a_development_has_its_window_too():
    move = UseDevelopment("D05C", rows=ROWS)
    given(bought={0: ["D05C"]}, ships={MERCHANT: "s0103"}).after(move)
    sailed = given(bought={0: ["D05C"]}, ships={MERCHANT: "s0103"}).after(Sail(MERCHANT, ("s0104",)))
    sailed.when(move).refuses("BF-29a")


@rule("BF-29a")
@pytest.mark.parametrize(
    "move",
    [
        PlayFortune("F01", ship=MERCHANT),
        PlayFortune("F02"),
        PlayFortune("F07", ship=MERCHANT),
        PlayFortune("F20", ship=MERCHANT),
    ],
    ids=lambda move: move.card,
)
def test_ship_is_while_its_move_is_not_over(move):
    at_sea([move.card]).after(move)
    at_sea([move.card]).after(Sail(MERCHANT, ("s0104",)), move)
    at_sea([move.card]).after(Attack(PIRATE, RIVAL), move)
    over = at_sea([move.card]).after(Sail(MERCHANT, ("s0104",)), Sail(PIRATE, ("s0106",)))
    over.when(move).refuses("BF-29a")
    assert [play for play in over.plays(move.card) if play.ship in (None, MERCHANT)] == []


@rule("BF-29a")
def test_a_ship_that_has_acted_may_still_be_helped():
    position = at_sea(["F08"]).after(Attack(PIRATE, RIVAL), PlayFortune("F08", ship=PIRATE))
    assert position.state.in_force


@rule("BF-29a")
def test_what_a_ship_was_given_lasts_to_the_end():
    position = at_sea(["F02"]).after(PlayFortune("F02"), Sail(PIRATE, ("s0106",)), Sail(MERCHANT, ("s0104",)))
    position.after(Sail(MERCHANT, ("s0204",)))
    assert position.state.sailed[0] == 2


@rule("BF-29a")
def test_between_ends_the_move_in_progress():
    position = at_sea(["F12"]).after(Sail(MERCHANT, ("s0104",)))
    position.when(PlayFortune("F12", ship=RIVAL, path=("s0109",))).then(
        FortunePlayed(0, "F12"), MoveEnded(0, MERCHANT), ShipDisplaced(0, RIVAL, ("s0109",))
    )
    position.when(Sail(MERCHANT, ("s0105",))).refuses("BF-17")


@rule("BF-29a")
def test_attack_is_before_one_that_the_ship_can_make():
    far = given(ships={PIRATE: "s0106", RIVAL: "s0108", MERCHANT: "s0103"}, hand=["F10"])
    far.after(PlayFortune("F10", ship=PIRATE), Attack(PIRATE, RIVAL))
    nobody = given(ships={PIRATE: "s0105", RIVAL: "s0108", MERCHANT: "s0103"}, hand=["F10"])
    nobody.when(PlayFortune("F10", ship=PIRATE)).refuses("BF-29a")
    assert nobody.plays("F10") == []
    acted = at_sea(["F10"]).after(Attack(PIRATE, RIVAL))
    acted.when(PlayFortune("F10", ship=PIRATE)).refuses("BF-29a")


@rule("BF-29a")
def test_an_attack_by_a_card_of_the_hand_counts():
    ships = {MERCHANT: "s0106", RIVAL: "s0108"}
    position = given(ships=ships, hand=["F10", "F15"], cargo={1: (RED, 2)})
    position.after(PlayFortune("F10", ship=MERCHANT), PlayFortune("F15", target=RIVAL))
    assert position.state.in_force == b""
    given(ships=ships, hand=["F10", "F16"]).when(PlayFortune("F10", ship=MERCHANT)).refuses("BF-29a")


@rule("BF-29a")
def test_sale_is_before_one_that_the_merchant_can_make():
    position = given(ships={MERCHANT: "s0103"}, cargo={0: (RED, 2)}, hand=["F13", "F13"])
    position.after(PlayFortune("F13"))
    position.when(PlayFortune("F13")).refuses("BF-29a")
    position.after(Sell("la_barbaria"))
    assert position.doubloons() == 8
    position.when(PlayFortune("F13")).refuses("BF-29a")
    given(ships={MERCHANT: "s0104"}, hand=["F13"]).when(PlayFortune("F13")).refuses("BF-29a")
    given(ships={MERCHANT: "s0103"}, cargo={0: (GREEN, 2)}, hand=["F13"]).when(PlayFortune("F13")).refuses("BF-29a")


@rule("BF-29a")
def test_a_sale_by_a_card_of_the_hand_counts():
    position = given(ships={MERCHANT: "s0103"}, cargo={0: (GREEN, 2)}, hand=["F13", "F14"])
    position.after(PlayFortune("F13"), PlayFortune("F14", port="la_barbaria"))
    assert position.doubloons() == 6
    assert position.state.in_force == b""


@rule("BF-29a")
def test_cards_are_played_while_ships_sail_and_act():
    before = given(hand=["F16"], doubloons={1: 1}, phase=Phase.PLAYING_MOVEMENT)
    before.when(PlayFortune("F16")).refuses("BF-11")
    after = given(hand=["F16"], doubloons={1: 1}).after(EndSailing())
    after.when(PlayFortune("F16")).refuses("BF-11")
    given(hand=["F16"], doubloons={1: 1}).when(PlayFortune("F16"), 1).refuses("BF-8")
    given(hand=["F16"], phase=Phase.PLAYING_MOVEMENT).when(PlayMovement("F16")).refuses("BF-12")
    assert given(ships={MERCHANT: "s0103"}, cargo={0: (PURPLE, 1)}).plays("F16") == []


@rule("BF-29a")
def test_a_bounty_waits_for_the_next_sinking():
    ships = {FRIGATE: "s0107", CORSAIR: "s0106", RIVAL: "s0108", MERCHANT: "s0103"}
    position = given(ships=ships, cargo={1: (RED, 2)}, hand=["F18", "F08"], bought={0: ["D14C"]})
    position.after(PlayFortune("F08", ship=FRIGATE), PlayFortune("F18", ship=FRIGATE), Attack(FRIGATE, RIVAL))
    assert position.doubloons() == 2
    position.after(Attack(FRIGATE, CORSAIR))
    assert position.doubloons() == 2 + 4
