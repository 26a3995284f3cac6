"""Delivery and the end: SS-25 to SS-28."""

import pytest

from engines.south_seas import ENGINE
from engines.south_seas.catalog import Ware, Wares
from engines.south_seas.events import (
    Cause,
    FeatureEvaluated,
    FishCovered,
    Gain,
    GameEnded,
    IslanderPlaced,
    IslanderSkipped,
    MarketCompleted,
    ShipLoaded,
    ShipsTurnedUp,
    ShipTaken,
    Standpoint,
    TilePlaced,
    TurnBegun,
)
from engines.south_seas.moves import Deliver, PlaceIslander, PlaceTile, Skip
from engines.south_seas.state import Phase
from tests.engines.south_seas.scenario import RING, START, drawn, given, laid, opened, placed, standing
from tests.rules import rule

STRAIGHT = placed("SS09", 1, 0, 1)
FLEXIBLE = ("SHIP04", "SHIP10", "SHIP01", "SHIP22")
"""3 of one kind; any 5; a shell and a banana; 3 shells, 2 bananas and a fish."""


def delivering(*wares, ships=FLEXIBLE, seats=2):
    """Seat 0 has wares, and has placed its tile."""
    position = given(opened(START, ships), STRAIGHT, seats=seats).has(0, *wares)
    position.when(0, Skip()).play()
    return position


@rule("SS-25")
def test_one_face_up_ship_is_loaded_for_what_its_sail_shows():
    position = delivering(3, 2, 1).when(0, Deliver("SHIP22", Wares(3, 2, 1)))
    position.then(ShipLoaded(0, "SHIP22", Wares(3, 2, 1)), ShipsTurnedUp(("SHIP02",)))
    player = ENGINE.view(position.state, None).players[0]
    assert (player.wares, player.loaded, player.points) == (Wares(), 1, 6)
    assert [ship.id for ship in ENGINE.view(position.state, None).ships] == ["SHIP04", "SHIP10", "SHIP01", "SHIP02"]


@rule("SS-25")
def test_exactly_one_ship_is_loaded_a_turn():
    position = delivering(4, 4, 4).when(0, Deliver("SHIP01", Wares(1, 1)))
    assert TurnBegun(1, 3) in position.play()
    position.when(0, Deliver("SHIP22", Wares(3, 2, 1))).refuses("SS-4")


@rule("SS-25")
def test_delivery_is_no_must():
    position = delivering(3, 2, 1)
    assert position.listed(0)[0] == Skip()
    assert position.when(0, Skip()).play()[0] == TurnBegun(1, 3)


@rule("SS-25")
def test_who_can_load_no_ship_is_not_asked():
    position = given(opened(), STRAIGHT).has(0, shell=9)
    assert position.when(0, Skip()).play()[:2] == [IslanderSkipped(0), TurnBegun(1, 3)]


@rule("SS-25")
def test_wares_gained_in_the_same_turn_can_be_delivered():
    position = given(opened(), placed("SS26", 0, -1, 2)).has(0, shell=1)
    position.when(0, PlaceIslander("I0")).play()
    position.when(0, Deliver("SHIP01", Wares(1, 1))).play()
    assert position.wares(0) == Wares(banana=1)


@rule("SS-25")
def test_only_a_face_up_ship_is_loaded_with_wares_one_has():
    position = delivering(1, 1, 0)
    for ship in ("SHIP24", "SHIP99", ""):
        position.when(0, Deliver(ship, Wares(2, 1, 3))).refuses("SS-25")
    position.when(0, Deliver("SHIP22", Wares(3, 2, 1))).refuses("SS-25")
    position.when(0, Deliver("SHIP04", Wares(3))).refuses("SS-25")


@rule("SS-25")
def test_delivery_ends_the_turn():
    for step in (drawn("SS09"), STRAIGHT):
        given(opened(), step).has(0, 3, 3, 3).when(0, Deliver("SHIP01", Wares(1, 1))).refuses("SS-25")


@rule("SS-26")
@pytest.mark.parametrize(
    ("ship", "payments"),
    [
        ("SHIP01", [(1, 1, 0)]),
        ("SHIP04", [(3, 0, 0), (0, 0, 3)]),
        ("SHIP10", [(4, 1, 0), (4, 0, 1), (3, 1, 1), (3, 0, 2), (2, 1, 2), (2, 0, 3), (1, 1, 3)]),
        ("SHIP22", []),
    ],
)
def test_a_sail_asks_for_a_combination_for_so_many_of_one_kind_or_of_any(ship, payments):
    listed = [move.payment for move in delivering(4, 1, 3).listed(0)[1:] if move.ship == ship]
    assert listed == [Wares(*payment) for payment in payments]


@rule("SS-26")
@pytest.mark.parametrize(
    ("ship", "payment"),
    [
        ("SHIP01", Wares(2, 1)),
        ("SHIP01", Wares(0, 2)),
        ("SHIP01", Wares()),
        ("SHIP04", Wares(4)),
        ("SHIP04", Wares(2, 1)),
        ("SHIP04", Wares(2)),
        ("SHIP10", Wares(4)),
        ("SHIP10", Wares(6)),
        ("SHIP10", Wares(6, -1)),
        ("SHIP10", Wares(2**53 - 1, 6 - 2**53)),
    ],
)
def test_exactly_what_the_sail_asks_for_is_paid(ship, payment):
    delivering(9, 9, 9).when(0, Deliver(ship, payment)).refuses("SS-26")


@rule("SS-27")
def test_the_match_ends_after_the_turn_of_the_last_tile():
    position = given(opened(), drawn("SS09")).piled().has(0, shell=1, banana=2)
    position.when(0, PlaceTile(1, 0, 1)).then(TilePlaced(0, "SS09", 1, 0, 1))
    position.when(0, PlaceIslander("S1")).then(IslanderPlaced(0, 1, 0, "S1"))
    events = position.when(0, Deliver("SHIP01", Wares(1, 1))).play()
    assert [type(event) for event in events] == [ShipLoaded, ShipsTurnedUp, FeatureEvaluated, GameEnded]
    assert position.state.phase is Phase.OVER
    assert ENGINE.to_act(position.state) == ()


@rule("SS-27")
def test_the_match_ends_after_the_turn_of_the_last_ship():
    position = delivering(1, 1, 0, ships=("SHIP01",)).without_supply()
    events = position.when(0, Deliver("SHIP01", Wares(1, 1))).play()
    assert [type(event) for event in events] == [ShipLoaded, GameEnded]


@rule("SS-27")
def test_the_last_ship_taken_for_a_market_ends_the_match_too():
    ring, merchant = RING, standing((1, 0, 0, "M0"))
    position = given(opened("SS01", ("SHIP01",)), ring, merchant, placed("SS07", -1, 0, 0)).without_supply()
    events = position.when(0, Skip()).play()
    assert events[:3] == [IslanderSkipped(0), MarketCompleted(1, 0, 0, "M0", True), ShipTaken(1, "SHIP01")]
    assert isinstance(events[3], GameEnded)


@rule("SS-27")
def test_a_ship_face_up_or_in_the_supply_keeps_the_match_going():
    position = delivering(1, 1, 0, ships=("SHIP01", "SHIP02")).without_supply()
    position.when(0, Deliver("SHIP01", Wares(1, 1))).play()
    assert position.state.phase is not Phase.OVER


@rule("SS-27")
def test_nothing_is_accepted_after_the_end():
    position = delivering(1, 1, 0, ships=("SHIP01",)).without_supply()
    position.when(0, Deliver("SHIP01", Wares(1, 1))).play()
    for move in (Skip(), PlaceTile(0, 1, 0), Deliver("SHIP01", Wares(1, 1))):
        position.when(1, move).refuses("SS-27")


@rule("SS-28")
def test_at_the_end_what_is_not_complete_pays_as_if_it_were_but_markets():
    covered = [FishCovered(0, 0, "S1", False)]
    crew = standing((1, 0, 0, "S1"), (1, 0, 0, "I0"), (0, 0, 0, "B0"), (0, 0, 1, "M0"))
    position = given(opened(), laid(("SS01", 0, 1, 0)), covered, crew, drawn("SS12")).piled()
    position.when(0, PlaceTile(1, 0, 1)).play()
    events = position.when(0, Skip()).play()
    assert events[:-1] == [
        IslanderSkipped(0),
        FeatureEvaluated(Cause.END, 0, 0, "B0", Ware.SHELL, (Gain(0, 1),), (Standpoint(0, 0, 0, "B0"),)),
        FeatureEvaluated(Cause.END, 0, 0, "I0", Ware.BANANA, (Gain(1, 1),), (Standpoint(1, 0, 0, "I0"),)),
        FeatureEvaluated(Cause.END, 0, 0, "S1", Ware.FISH, (Gain(1, 2),), (Standpoint(1, 0, 0, "S1"),)),
    ]
    assert position.region(0, 1, "M0").owners == (0,)


@rule("SS-28")
def test_no_ship_is_loaded_after_the_final_evaluation():
    position = given(opened(), standing((0, 0, 0, "I0")), drawn("SS09")).piled().has(0, shell=1)
    position.when(0, PlaceTile(1, 0, 1)).play()
    position.when(0, Skip()).play()
    assert position.wares(0) == Wares(1, 1)
    position.when(0, Deliver("SHIP01", Wares(1, 1))).refuses("SS-27")
