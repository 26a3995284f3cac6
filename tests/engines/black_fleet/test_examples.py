"""BF-42: the worked examples of the rulebook."""

from engines.black_fleet.events import CargoSold, ShipAttacked, ShipSailed, TreasureBuried
from engines.black_fleet.moves import Attack, Bury, Sail, Sell
from tests.engines.black_fleet.scenario import BLUE, CORSAIR, FRIGATE, MERCHANT, PIRATE, PURPLE, RED, RIVAL, given
from tests.rules import rule


@rule("BF-42", "BF-17", "BF-18")
def test_the_navy_ship_sails_two_sinks_and_sails_one():
    position = given(ships={FRIGATE: "s0107", CORSAIR: "s0110"}, treasure={1: RED})
    position.when(Sail(FRIGATE, ("s0108", "s0109"))).then(ShipSailed(0, FRIGATE, ("s0108", "s0109")))
    position.when(Attack(FRIGATE, CORSAIR)).then(
        ShipAttacked(0, FRIGATE, CORSAIR, doubloons=2, taken=False, sunk=True, spent=(), cube=RED)
    )
    position.when(Sail(FRIGATE, ("s0110",))).then(ShipSailed(0, FRIGATE, ("s0110",)))
    assert position.doubloons() == 2
    assert position.space(CORSAIR) is None
    assert position.state.supply[1] == 13
    position.when(Sail(FRIGATE, ("s0109",))).refuses("BF-13")


@rule("BF-42", "BF-19", "BF-20")
def test_two_cubes_earn_four_and_three_are_loaded():
    position = given(ships={MERCHANT: "s0103"}, cargo={0: (PURPLE, 2)})
    position.when(Sell("la_barbaria")).then(CargoSold(0, "la_barbaria", PURPLE, 2, doubloons=4, loaded=3, spent=()))
    assert (position.state.cargo[0], position.state.colours[0]) == (3, 0)
    assert position.doubloons() == 4


@rule("BF-42", "BF-17", "BF-23")
def test_the_pirate_sails_steals_and_sails_on():
    position = given(ships={PIRATE: "s0107", RIVAL: "s0110"}, cargo={1: (BLUE, 2)})
    position.after(Sail(PIRATE, ("s0108", "s0109")))
    position.when(Attack(PIRATE, RIVAL)).then(
        ShipAttacked(0, PIRATE, RIVAL, doubloons=2, taken=True, sunk=False, spent=(), cube=BLUE)
    )
    position.after(Sail(PIRATE, ("s0108",)))
    assert position.state.cargo[1] == 1
    assert position.space(RIVAL) == "s0110"
    assert position.doubloons() == 2


@rule("BF-42", "BF-24", "BF-25")
def test_the_pirate_buries_first_and_may_not_attack():
    position = given(ships={PIRATE: "s0606", RIVAL: "s0505", MERCHANT: "s0104", FRIGATE: "s0313"}, treasure={0: BLUE})
    position.when(Bury()).then(TreasureBuried(0, BLUE, doubloons=6))
    position.after(Sail(PIRATE, ("s0607", "s0506")))
    position.when(Attack(PIRATE, RIVAL)).refuses("BF-25")
