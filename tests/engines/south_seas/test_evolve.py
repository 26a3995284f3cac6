from engines.south_seas import ENGINE
from engines.south_seas.catalog import Wares
from engines.south_seas.events import (
    GameEnded,
    IslanderRetrieved,
    MarketCompleted,
    Misfit,
    NoTileLeft,
    ShipLoaded,
    ShipsTurnedUp,
    ShipTaken,
    TileDiscarded,
    TileDrawn,
    TurnBegun,
)
from engines.south_seas.scoring import result
from engines.south_seas.state import IN_SUPPLY, NOBODY, NONE, Phase
from tests.engines.south_seas.scenario import CATALOG, drawn, given, opened, placed, standing


def test_a_tile_drawn_leaves_the_pile_and_is_owed_if_it_fits():
    state = given(opened(), drawn("SS09")).state
    assert state.drawn == CATALOG.tile_numbers["SS09"]
    assert state.phase is Phase.PLACING_TILE
    assert len(state.pile) == 71
    misfit = given(opened(), TileDrawn(0, "SS09", False)).state
    assert misfit.phase is Phase.DRAWING
    assert ENGINE.to_act(misfit) == ()


def test_a_discarded_tile_is_in_no_pile_any_more():
    state = given(opened(), TileDrawn(0, "SS09", False), TileDiscarded(0, "SS09", Misfit.FITS_NOWHERE)).state
    assert list(state.discards) == [CATALOG.tile_numbers["SS09"]]
    assert state.drawn == NONE


def test_a_turn_without_a_tile_has_its_islanders():
    state = given(opened(), placed("SS09", 1, 0, 1), TurnBegun(1, 3), NoTileLeft(1)).state
    assert (state.phase, state.placed, state.seat) == (Phase.MOVING_ISLANDER, False, 1)
    assert list(state.new_nodes()) == []


def test_an_islander_comes_from_the_supply_and_goes_back():
    placing = [*opened(), *standing((1, 0, 0, "B0"))]
    assert given(placing).state.islanders == [IN_SUPPLY] * 4 + [1] + [IN_SUPPLY] * 3
    assert set(given(placing, IslanderRetrieved(1, 0, 0, "B0")).state.islanders) == {IN_SUPPLY}


def test_a_ship_goes_from_the_supply_to_the_display_to_its_owner():
    state = given(ShipsTurnedUp(("SHIP20", "SHIP03")), ShipTaken(1, "SHIP20")).state
    assert list(state.display) == [2]
    assert (state.owners[19], state.owners[2]) == (1, NONE)
    assert len(state.supply) == 22


def test_a_loaded_ship_is_paid_for():
    position = given(opened(), ShipLoaded(0, "SHIP01", Wares(1, 1)))
    assert position.state.wares[:3] == [-1, -1, 0]


def test_a_completed_market_is_owed_a_ship_if_there_is_one():
    market = [*opened("SS01"), *standing((1, 0, 0, "M0"))]
    owed = given(market, MarketCompleted(1, 0, 0, "M0", True)).state
    assert (owed.phase, owed.chooser) == (Phase.CHOOSING_SHIP, 1)
    assert given(market, MarketCompleted(1, 0, 0, "M0", False)).state.chooser == NOBODY


def test_the_end_keeps_the_result_that_the_event_holds():
    outcome = result(given().state)
    state = given(opened(), GameEnded(outcome)).state
    assert state.phase is Phase.OVER
    assert ENGINE.outcome(state) is outcome
