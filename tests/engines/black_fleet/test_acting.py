import pytest

from engines.black_fleet import ENGINE
from engines.black_fleet.events import CargoLoaded, CargoSold, DoubloonsGained, ShipAttacked, TreasureBuried
from engines.black_fleet.moves import Attack, Bury, Load, PlayFortune, Sail, Sell
from engines.black_fleet.state import EMPTY, Ship
from tests.engines.black_fleet.scenario import (
    BLUE,
    BOARD,
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
    given,
)
from tests.rules import rule

THIRD = Ship.PIRATE_2


def robbery(cubes=2, **more):
    """The own pirate beside a merchant with so many blue cubes."""
    return given(ships={PIRATE: "s0107", RIVAL: "s0108", **more.pop("ships", {})}, cargo={1: (BLUE, cubes)}, **more)


@rule("BF-16")
def test_a_ship_acts_once_a_turn():
    ships = {FRIGATE: "s0107", CORSAIR: "s0106", THIRD: "s0108"}
    position = given(ships=ships).after(Attack(FRIGATE, CORSAIR))
    position.when(Attack(FRIGATE, THIRD)).refuses("BF-16")
    merchant = given(ships={MERCHANT: "s0103"}, cargo={0: (PURPLE, 1)}).after(Sell("la_barbaria"))
    merchant.state.colours[0] = 4
    merchant.when(Sell("la_barbaria")).refuses("BF-16")


@rule("BF-16")
def test_each_ship_has_an_action_of_its_own():
    ships = {PIRATE: "s0107", RIVAL: "s0108", MERCHANT: "s0103", FRIGATE: "s0904", CORSAIR: "s0905"}
    position = given(ships=ships, cargo={0: (RED, 3), 1: (BLUE, 2)})
    position.after(Attack(PIRATE, RIVAL), Sell("la_barbaria"), Attack(FRIGATE, CORSAIR))
    assert position.doubloons() == 2 + 9 + 2


@rule("BF-18")
def test_a_navy_ship_sinks_a_pirate():
    position = given(ships={FRIGATE: "s0107", CORSAIR: "s0108"})
    position.when(Attack(FRIGATE, CORSAIR)).then(
        ShipAttacked(0, FRIGATE, CORSAIR, doubloons=2, taken=False, sunk=True, spent=())
    )
    assert position.space(CORSAIR) is None
    given(ships={FRIGATE: "s0107", RIVAL: "s0108"}).when(Attack(FRIGATE, RIVAL)).refuses("BF-18")


@rule("BF-18a")
def test_a_target_is_an_adjacent_enemy():
    position = given(ships={FRIGATE: "s0107", CORSAIR: "s0109", OTHER_FRIGATE: "s0106"})
    position.when(Attack(FRIGATE, CORSAIR)).refuses("BF-18a")
    position.when(Attack(FRIGATE, OTHER_FRIGATE)).refuses("BF-18a")
    position.when(Attack(FRIGATE, Ship.PIRATE_3)).refuses("BF-18a")
    gone = given(ships={FRIGATE: "s0107", CORSAIR: None})
    gone.when(Attack(FRIGATE, CORSAIR)).refuses("BF-18a")


@rule("BF-19")
def test_a_merchant_sells_all_it_has():
    position = given(ships={MERCHANT: "s0103"}, cargo={0: (RED, 3)})
    position.when(Sell("la_barbaria")).then(CargoSold(0, "la_barbaria", RED, 3, doubloons=9, loaded=3, spent=()))
    assert position.state.supply[1] == 13


@rule("BF-19")
@pytest.mark.parametrize("colour", [GREEN, YELLOW])
def test_a_port_does_not_buy_what_it_does_not_list(colour):
    given(ships={MERCHANT: "s0103"}, cargo={0: (colour, 3)}).when(Sell("la_barbaria")).refuses("BF-19")


@rule("BF-19")
def test_a_merchant_sells_next_to_the_port_what_it_has():
    given(ships={MERCHANT: "s0104"}, cargo={0: (RED, 3)}).when(Sell("la_barbaria")).refuses("BF-19")
    given(ships={MERCHANT: "s0103"}, cargo={0: (RED, 3)}).when(Sell("atlantis")).refuses("BF-19")
    given(ships={MERCHANT: "s0103"}, cargo={0: (RED, 0)}).when(Sell("la_barbaria")).refuses("BF-19")
    given(ships={MERCHANT: "s0107", CORSAIR: "s0108"}).when(Attack(MERCHANT, CORSAIR)).refuses("BF-19")


@rule("BF-6", "BF-20")
def test_a_sale_is_followed_by_loading():
    short = given(ships={MERCHANT: "s0103"}, cargo={0: (RED, 1)}, supply={YELLOW: 2})
    short.when(Sell("la_barbaria")).then(CargoSold(0, "la_barbaria", RED, 1, doubloons=3, loaded=2, spent=()))
    assert short.state.supply[0] == 0


@rule("BF-6")
def test_a_merchant_loads_three_and_a_pirate_one():
    merchant = given(ships={MERCHANT: "s0103"}, cargo={0: (RED, 1)}).after(Sell("la_barbaria"))
    assert merchant.state.cargo[0] == 3
    pirate = robbery(cubes=3).after(Attack(PIRATE, RIVAL))
    assert (pirate.state.cargo[1], pirate.state.treasures[0]) == (2, 3)


@rule("BF-21")
def test_nobody_loads_without_a_sale():
    given(ships={MERCHANT: "s0103"}, cargo={0: (RED, 1)}).when(Load("la_barbaria")).refuses("BF-21")
    given(ships={MERCHANT: "s0103"}, cargo={0: (YELLOW, 1)}).when(Load("la_barbaria")).refuses("BF-21")


@rule("BF-23")
def test_a_pirate_takes_a_cube():
    robbery(2).when(Attack(PIRATE, RIVAL)).then(
        ShipAttacked(0, PIRATE, RIVAL, doubloons=2, taken=True, sunk=False, spent=(), cube=BLUE)
    )
    last = robbery(1)
    last.when(Attack(PIRATE, RIVAL)).then(
        ShipAttacked(0, PIRATE, RIVAL, doubloons=2, taken=True, sunk=True, spent=(), cube=BLUE)
    )
    assert last.space(RIVAL) is None
    assert last.state.colours[1] == EMPTY


@rule("BF-23")
def test_a_loaded_pirate_does_not_attack():
    robbery(treasure={0: RED}).when(Attack(PIRATE, RIVAL)).refuses("BF-23")
    given(ships={PIRATE: "s0107", CORSAIR: "s0108"}).when(Attack(PIRATE, CORSAIR)).refuses("BF-23")


@rule("BF-24")
def test_a_pirate_buries_on_a_beach():
    position = given(ships={PIRATE: "s0209"}, treasure={0: RED})
    position.when(Bury()).then(TreasureBuried(0, RED, doubloons=3))
    assert position.state.supply[1] == 13
    given(ships={PIRATE: "s0209"}).when(Bury()).refuses("BF-24")
    given(ships={PIRATE: "s0208"}, treasure={0: RED}).when(Bury()).refuses("BF-24")


@rule("BF-25")
def test_a_pirate_does_not_attack_and_bury_in_one_turn():
    position = given(ships={PIRATE: "s0208", RIVAL: "s0108"}).after(Attack(PIRATE, RIVAL), Sail(PIRATE, ("s0209",)))
    position.when(Bury()).refuses("BF-25")


@rule("BF-27")
@pytest.mark.parametrize(
    ("ship", "target"), [(FRIGATE, PIRATE), (PIRATE, MERCHANT), (MERCHANT, PIRATE), (PIRATE, PIRATE)]
)
def test_nobody_attacks_their_own_ships(ship, target):
    position = given(ships={FRIGATE: "s0106", PIRATE: "s0107", MERCHANT: "s0108"}, bought={0: ["D11A"]})
    position.when(Attack(ship, target)).refuses("BF-27")


@rule("BF-28")
def test_no_place_is_safe():
    port = given(ships={PIRATE: "s0104", RIVAL: "s0103"}, cargo={1: (YELLOW, 3)})
    assert port.offers(Attack) == [Attack(PIRATE, RIVAL)]
    deep = given(ships={FRIGATE: "s0912"})
    assert Attack(FRIGATE, CORSAIR) in deep.offers(Attack)


@rule("BF-40")
def test_doubloons_are_unlimited():
    position = given(ships={FRIGATE: "s0107", CORSAIR: "s0108"}, doubloons={0: 400}).after(Attack(FRIGATE, CORSAIR))
    assert position.doubloons() == 402
    ENGINE.evolve(position.state, DoubloonsGained(0, 1000))
    assert ENGINE.view(position.state, None).players[0].doubloons == 1402


@rule("BF-43")
def test_a_merchant_has_cubes_of_one_colour():
    position = given(ships={MERCHANT: "s0103"}, cargo={0: (RED, 2)}).after(Sell("la_barbaria"))
    ship = next(one for one in ENGINE.view(position.state, None).ships if one.ship is MERCHANT)
    assert (ship.cubes, ship.colour) == (3, YELLOW)


@rule("BF-45")
def test_an_empty_merchant_is_no_target_and_may_load():
    position = given(ships={MERCHANT: "s0103"}, cargo={0: (RED, 2)}, supply={YELLOW: 0}).after(Sell("la_barbaria"))
    assert (position.state.cargo[0], position.space(MERCHANT)) == (0, "s0103")
    robbery(0).when(Attack(PIRATE, RIVAL)).refuses("BF-45")
    loading = given(ships={MERCHANT: "s0103"}, cargo={0: (RED, 0)}, supply={YELLOW: 2})
    loading.when(Load("verdemar")).refuses("BF-45")
    loading.when(Load("la_barbaria")).then(CargoLoaded(0, "la_barbaria", 2))
    loading.when(Load("la_barbaria")).refuses("BF-21")
    nothing = given(ships={MERCHANT: "s0103"}, cargo={0: (RED, 0)}, supply={YELLOW: 0})
    nothing.when(Load("la_barbaria")).refuses("BF-45")
    assert nothing.offers(Load) == []


@rule("BF-16", "BF-45")
def test_an_empty_merchant_that_has_acted_does_not_load():
    position = given(ships={MERCHANT: "s0103"}, cargo={0: (RED, 2)}, supply={YELLOW: 0}).after(Sell("la_barbaria"))
    position.state.supply[0] = 3
    position.when(Load("la_barbaria")).refuses("BF-16")


@rule("BF-46")
def test_a_deep_sea_adjoins_its_exits_and_itself():
    inside = given(ships={PIRATE: "deep_ne", RIVAL: "s0112"}, cargo={1: (BLUE, 2)})
    inside.when(Attack(PIRATE, RIVAL)).play()
    hunters = given(ships={PIRATE: "deep_ne", CORSAIR: "deep_ne"}, bought={0: ["D11C"]})
    hunters.when(Attack(PIRATE, CORSAIR)).play()
    assert hunters.space(PIRATE) == "deep_ne"
    assert hunters.state.occupied >> BOARD.numbers["deep_ne"] & 1


@rule("BF-29")
def test_a_card_is_not_played_out_of_the_hand():
    given().when(PlayFortune("F16")).refuses("BF-29")
