"""Markets and the ships they earn: SS-20, SS-21."""

from engines.south_seas import ENGINE
from engines.south_seas.events import (
    IslanderPlaced,
    IslanderSkipped,
    MarketCompleted,
    ShipsTurnedUp,
    ShipTaken,
)
from engines.south_seas.moves import ChooseShip, PlaceIslander, Skip
from engines.south_seas.state import Phase
from tests.engines.south_seas.scenario import PAIR, RING, given, opened, placed, ring, standing
from tests.rules import rule


@rule("SS-20")
def test_a_market_surrounded_by_eight_tiles_earns_the_ship_worth_most():
    position = given(opened("SS01"), RING, standing((1, 0, 0, "M0")), placed("SS07", -1, 0, 0))
    assert position.region(0, 0, "M0").complete
    position.when(0, Skip()).then(
        IslanderSkipped(0),
        MarketCompleted(1, 0, 0, "M0", True),
        ShipTaken(1, "SHIP08"),
        ShipsTurnedUp(("SHIP04",)),
    )
    assert ENGINE.view(position.state, None).players[1].ships[0].id == "SHIP08"


@rule("SS-20")
def test_seven_tiles_round_a_market_are_not_enough():
    position = given(opened("SS01"), RING, standing((1, 0, 0, "M0")), placed("SS24", 0, -2, 0))
    assert position.region(0, 0, "M0").gaps == 1
    position.when(0, Skip()).then(IslanderSkipped(0))


@rule("SS-20", "SS-23")
def test_a_market_can_be_the_last_of_its_nine_tiles():
    position = given(opened("SS07"), ring(1, 0), placed("SS01", 1, 0, 0))
    position.when(0, PlaceIslander("M0")).then(
        IslanderPlaced(0, 1, 0, "M0"),
        MarketCompleted(0, 1, 0, "M0", True),
        ShipTaken(0, "SHIP08"),
        ShipsTurnedUp(("SHIP04",)),
    )


@rule("SS-20")
def test_an_unoccupied_market_earns_nothing():
    given(opened("SS01"), RING, placed("SS07", -1, 0, 0)).when(0, Skip()).then(IslanderSkipped(0))


@rule("SS-20")
def test_among_ships_worth_the_same_the_owner_of_the_market_chooses():
    ships = ("SHIP22", "SHIP01", "SHIP24", "SHIP02")
    position = given(opened("SS01", ships), RING, standing((1, 0, 0, "M0")), placed("SS07", -1, 0, 0))
    position.when(0, Skip()).then(IslanderSkipped(0), MarketCompleted(1, 0, 0, "M0", True))
    assert position.state.phase is Phase.CHOOSING_SHIP
    assert ENGINE.to_act(position.state) == (1,)
    assert position.listed(1) == [ChooseShip("SHIP22"), ChooseShip("SHIP24")]
    for ship in ("SHIP01", "SHIP23", ""):
        position.when(1, ChooseShip(ship)).refuses("SS-20")
    position.when(1, Skip()).refuses("SS-20")
    position.when(0, Skip()).refuses("SS-21")
    position.when(0, ChooseShip("SHIP22")).refuses("SS-21")
    position.when(1, ChooseShip("SHIP24")).then(ShipTaken(1, "SHIP24"), ShipsTurnedUp(("SHIP03",)))


@rule("SS-20")
def test_without_a_ship_face_up_the_merchant_returns_with_nothing():
    position = given(opened("SS01", ()), RING, standing((1, 0, 0, "M0")), placed("SS07", -1, 0, 0))
    position.without_supply().when(0, Skip())
    events = position.play()
    assert events[:2] == [IslanderSkipped(0), MarketCompleted(1, 0, 0, "M0", False)]
    assert ENGINE.view(position.state, None).players[1].islanders_left == 4


@rule("SS-20")
def test_the_display_is_refilled_while_the_supply_lasts():
    position = given(opened("SS01"), RING, standing((1, 0, 0, "M0")), placed("SS07", -1, 0, 0)).without_supply()
    position.when(0, Skip()).then(IslanderSkipped(0), MarketCompleted(1, 0, 0, "M0", True), ShipTaken(1, "SHIP08"))
    assert len(position.state.display) == 3


@rule("SS-21")
def test_several_markets_are_paid_clockwise_from_the_active_player_with_a_refill_between():
    # Seat 1 is active: of the owners 2 and 0 the former comes first. A ship worth more is turned up between.
    merchants = standing((0, 0, 0, "M0"), (2, 1, 0, "M0"))
    ships = ("SHIP05", "SHIP01", "SHIP02", "SHIP03")
    position = given(opened("SS01", ships), PAIR, merchants, placed("SS07", 0, 1, 0, seat=1), seats=3)
    position.state.supply = bytearray([23, 6])
    position.when(1, Skip()).then(
        IslanderSkipped(1),
        MarketCompleted(2, 1, 0, "M0", True),
        ShipTaken(2, "SHIP05"),
        ShipsTurnedUp(("SHIP24",)),
        MarketCompleted(0, 0, 0, "M0", True),
        ShipTaken(0, "SHIP24"),
        ShipsTurnedUp(("SHIP07",)),
    )


@rule("SS-21")
def test_who_has_completed_two_markets_takes_both_ships_before_the_next_player():
    merchants = standing((0, 0, 0, "M0"), (0, 1, 0, "M0"))
    ships = ("SHIP22", "SHIP23", "SHIP24", "SHIP01")
    position = given(opened("SS01", ships), PAIR, merchants, placed("SS07", 0, 1, 0))
    position.when(0, Skip()).then(IslanderSkipped(0), MarketCompleted(0, 0, 0, "M0", True))
    position.when(0, ChooseShip("SHIP23")).then(
        ShipTaken(0, "SHIP23"), ShipsTurnedUp(("SHIP02",)), MarketCompleted(0, 1, 0, "M0", True)
    )
    position.when(0, ChooseShip("SHIP22")).then(ShipTaken(0, "SHIP22"), ShipsTurnedUp(("SHIP03",)))
