from engines.black_fleet import ENGINE
from engines.black_fleet.events import MerchantDeployed, PirateDeployed, TurnBegun
from engines.black_fleet.moves import Attack, DeployMerchant, DeployPirate, PlayMovement, Sail, Sell
from engines.black_fleet.state import Phase
from tests.engines.black_fleet.scenario import (
    BLUE,
    BOARD,
    CATALOG,
    CORSAIR,
    FRIGATE,
    MERCHANT,
    PIRATE,
    RED,
    RIVAL,
    YELLOW,
    card,
    given,
    play_movement,
    set_up,
)
from tests.rules import rule

HOME = DeployMerchant("s0103", "la_barbaria")


def deploying(**ships):
    return given(ships=ships, phase=Phase.DEPLOYING)


@rule("BF-9")
def test_merchants_are_placed_in_turn_order():
    position, _ = set_up(3)
    position.when(HOME, 1).refuses("BF-8")
    position.when(DeployMerchant("s0103", "verdemar")).refuses("BF-9")
    position.when(DeployMerchant("s0104", "la_barbaria")).refuses("BF-9")
    position.when(DeployMerchant("s0103", "atlantis")).refuses("BF-9")
    position.when(HOME).then(MerchantDeployed(0, "s0103", "la_barbaria", 3))
    position.when(HOME, 1).refuses("BF-9")
    position.when(DeployMerchant("s0202", "la_barbaria"), 1).then(MerchantDeployed(1, "s0202", "la_barbaria", 3))
    position.when(DeployMerchant("s0009", "verdemar"), 2).then(
        MerchantDeployed(2, "s0009", "verdemar", 3), TurnBegun(0, 1)
    )
    assert ENGINE.to_act(position.state) == (0,)


@rule("BF-9")
def test_nothing_else_is_done_before_all_merchants_are_placed():
    set_up(3)[0].when(PlayMovement("M01")).refuses("BF-9")


@rule("BF-22")
def test_a_sunk_merchant_returns_loaded_and_may_sell():
    position = deploying(merchant_0=None, pirate_0="s0904", merchant_1="s0202")
    assert len(position.offers(DeployMerchant)) == 14
    position.when(DeployMerchant("s0202", "la_barbaria")).refuses("BF-22")
    position.when(DeployMerchant("s0807", "fort_azure")).then(MerchantDeployed(0, "s0807", "fort_azure", 3))
    position.when(HOME).refuses("BF-11")
    play_movement(position, card())
    position.after(Sail(MERCHANT, ("s0808",)))
    position.state.ships[0] = BOARD.numbers["s0103"]
    position.state.rederive()
    assert position.offers(Sell) == [Sell("la_barbaria")]


@rule("BF-22")
def test_a_merchant_on_the_board_is_not_placed():
    deploying(pirate_0=None).when(HOME).refuses("BF-22")


@rule("BF-26")
def test_a_pirate_is_placed_in_a_deep_sea():
    position = deploying(pirate_0=None)
    assert {move.space for move in position.offers(DeployPirate)} == {"deep_ne", "deep_sw", "deep_se"}
    position.when(DeployPirate("s0904")).refuses("BF-26")
    position.when(DeployPirate("nowhere")).refuses("BF-26")
    position.when(DeployPirate("deep_se")).then(PirateDeployed(0, "deep_se"))
    assert position.space(CORSAIR) == "deep_se"
    assert position.state.phase is Phase.PLAYING_MOVEMENT


@rule("BF-26")
def test_a_pirate_may_act_in_the_turn_in_which_it_returns():
    position = deploying(pirate_0=None, merchant_1="s0112").after(DeployPirate("deep_ne"))
    play_movement(position, card())
    assert [(move.ship, move.target) for move in position.offers(Attack)] == [(PIRATE, RIVAL)]


@rule("BF-26")
def test_a_pirate_on_the_board_is_not_placed():
    deploying(merchant_0=None).when(DeployPirate("deep_ne")).refuses("BF-26")


@rule("BF-11", "BF-22", "BF-26")
def test_both_ships_are_placed_in_either_order():
    for first, second in [(HOME, DeployPirate("deep_ne")), (DeployPirate("deep_ne"), HOME)]:
        position = deploying(merchant_0=None, pirate_0=None).after(first)
        assert position.state.phase is Phase.DEPLOYING
        assert position.after(second).state.phase is Phase.PLAYING_MOVEMENT


@rule("BF-30")
def test_a_lair_is_for_those_with_a_card():
    deploying(pirate_0=None).when(DeployPirate("s0301")).refuses("BF-30")
    hideout = given(ships={PIRATE: None, FRIGATE: "s0610"}, bought={0: ["D08B"]}, phase=Phase.DEPLOYING)
    assert DeployPirate("s0301") in hideout.offers(DeployPirate)
    hideout.when(DeployPirate("s0610")).refuses("BF-26")
    hideout.when(DeployPirate("s0301")).then(PirateDeployed(0, "s0301"))


@rule("BF-31")
def test_ships_are_placed_before_a_card_is_played():
    position = deploying(pirate_0=None)
    hand = position.state.movement_hands[0]
    position.when(PlayMovement(CATALOG.movement[hand[0]].id)).refuses("BF-31")


@rule("BF-45")
def test_a_port_without_cubes_is_not_chosen():
    position = given(ships={MERCHANT: None}, supply={YELLOW: 0, RED: 2}, phase=Phase.DEPLOYING)
    position.when(HOME).refuses("BF-45")
    assert all(move.port != "la_barbaria" for move in position.offers(DeployMerchant))
    position.when(DeployMerchant("s0611", "port_coral")).then(MerchantDeployed(0, "s0611", "port_coral", 2))
    assert position.state.cargo[0] == 2


@rule("BF-9", "BF-45")
def test_goods_come_from_the_port_of_their_colour():
    position = given(ships={MERCHANT: None}, phase=Phase.DEPLOYING).after(DeployMerchant("s0807", "fort_azure"))
    view = ENGINE.view(position.state, None)
    assert {one.port: one.cubes for one in view.cubes}["fort_azure"] == 10
    assert next(one for one in view.ships if one.ship is MERCHANT).colour is BLUE
