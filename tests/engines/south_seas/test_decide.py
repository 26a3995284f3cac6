"""A turn's order, its tile and its islander: SS-1 to SS-11."""

from engines.south_seas import ENGINE
from engines.south_seas.catalog import Wares
from engines.south_seas.events import (
    FeatureEvaluated,
    GameEnded,
    IslanderPlaced,
    IslanderRetrieved,
    IslanderSkipped,
    Misfit,
    NoTileLeft,
    TileDiscarded,
    TileDrawn,
    TilePlaced,
    TurnBegun,
)
from engines.south_seas.moves import ChooseShip, Deliver, PlaceIslander, PlaceTile, RetrieveIslander, Skip
from engines.south_seas.state import Phase
from tests.engines.south_seas.scenario import drawn, given, laid, opened, placed, standing
from tests.rules import rule

STRAIGHT = placed("SS09", 1, 0, 1)
"""The bridge of the start tile goes on to the east."""


@rule("SS-1")
def test_a_seat_outside_the_match_has_no_moves():
    given(opened(), drawn("SS09")).when(2, Skip()).refuses("SS-1")
    given(opened(), drawn("SS09")).when(-1, Skip()).refuses("SS-1")


@rule("SS-4")
def test_only_the_active_player_moves():
    position = given(opened(), drawn("SS09"))
    for move in (PlaceTile(1, 0, 1), PlaceIslander("B0"), RetrieveIslander(0, 0, "B0"), Skip()):
        position.when(1, move).refuses("SS-4")
    given(opened(), STRAIGHT).when(1, Skip()).refuses("SS-4")
    position = given(opened(), STRAIGHT).has(0, shell=1, banana=1)
    position.when(0, Skip()).play()
    assert position.state.phase is Phase.DELIVERING
    position.when(1, Skip()).refuses("SS-4")
    position.when(1, Deliver("SHIP01", Wares(1, 1))).refuses("SS-4")


@rule("SS-4")
def test_play_goes_clockwise_and_round():
    position = given(opened(seat=2), placed("SS09", 1, 0, 1, seat=2), seats=3)
    position.when(2, Skip()).then(IslanderSkipped(2), TurnBegun(0, 3), TileDrawn(0, "SS01", True))


@rule("SS-5")
def test_a_tile_touches_a_tile_with_a_side():
    position = given(opened(), drawn("SS07"))
    for x, y in ((1, 1), (0, -2), (9, 9), (0, 99), (2**53 - 1, 0), (-(2**53 - 1), 2**53 - 1), (257, 1), (-255, -1)):
        position.when(0, PlaceTile(x, y, 0)).refuses("SS-5")
    position.when(0, PlaceTile(0, 1, 0)).then(TilePlaced(0, "SS07", 0, 1, 0))


@rule("SS-5")
def test_a_tile_does_not_lie_on_another():
    given(opened(), drawn("SS07")).when(0, PlaceTile(0, 0, 0)).refuses("SS-5")


@rule("SS-5")
def test_every_side_that_touches_a_tile_goes_on():
    # The straight bridge is of sea on its other sides: it goes on the start tile's, or its side lies at the south.
    position = given(opened(), drawn("SS09"))
    places = [(-1, 0), (1, 0), (0, 1)]
    assert position.listed(0) == [PlaceTile(x, y, rotation) for x, y in places for rotation in (1, 3)]
    for x, y, rotation in ((1, 0, 0), (-1, 0, 2), (0, 1, 0), (0, -1, 0), (0, -1, 1)):
        position.when(0, PlaceTile(x, y, rotation)).refuses("SS-5")
    position.when(0, PlaceTile(1, 0, 1)).then(TilePlaced(0, "SS09", 1, 0, 1))


@rule("SS-5")
def test_a_tile_between_two_fits_both():
    # South of the straight bridge and east of the open sea: sea to the north and to the west.
    position = given(opened(), laid(("SS09", 1, 0, 1), ("SS07", 0, 1, 0)), drawn("SS24"))
    position.when(0, PlaceTile(1, 1, 0)).refuses("SS-5")
    position = given(opened(), laid(("SS09", 1, 0, 1), ("SS07", 0, 1, 0)), drawn("SS53"))
    assert [move.rotation for move in position.listed(0) if (move.x, move.y) == (1, 1)] == [2]


@rule("SS-5")
def test_a_tile_is_turned_up_to_three_times():
    for rotation in (-1, 4, 2**53 - 1):
        given(opened(), drawn("SS07")).when(0, PlaceTile(0, 1, rotation)).refuses("SS-5")


@rule("SS-5")
def test_a_turn_begins_with_its_one_tile():
    given(opened(), drawn("SS07")).when(0, Skip()).refuses("SS-5")
    given(opened(), STRAIGHT).when(0, PlaceTile(0, 1, 1)).refuses("SS-5")


@rule("SS-6")
def test_a_tile_that_fits_nowhere_leaves_the_game_and_another_is_drawn():
    # Beside a tile of island alone there is no place for the open sea.
    position = given(opened("SS24")).piled("SS01", "SS07", "SS63")
    position.state.phase = Phase.DELIVERING
    position.when(0, Skip()).then(
        TurnBegun(1, 2),
        TileDrawn(1, "SS01", False),
        TileDiscarded(1, "SS01", Misfit.FITS_NOWHERE),
        TileDrawn(1, "SS07", False),
        TileDiscarded(1, "SS07", Misfit.FITS_NOWHERE),
        TileDrawn(1, "SS63", True),
    )
    assert [tile.id for tile in ENGINE.view(position.state, None).discards] == ["SS01", "SS07"]


@rule("SS-6")
def test_if_the_last_tile_fits_nowhere_the_rest_of_the_turn_remains():
    position = given(opened("SS24"), standing((1, 0, 0, "I0"))).piled("SS01").has(1, shell=1, banana=1)
    position.when(0, Skip()).then(
        TurnBegun(1, 2),
        TileDrawn(1, "SS01", False),
        TileDiscarded(1, "SS01", Misfit.FITS_NOWHERE),
        NoTileLeft(1),
    )
    position.when(1, PlaceIslander("I0")).refuses("SS-6")
    assert position.listed(1) == [Skip(), RetrieveIslander(0, 0, "I0")]
    position.when(1, RetrieveIslander(0, 0, "I0")).then(IslanderRetrieved(1, 0, 0, "I0"))
    assert position.listed(1) == [Skip(), Deliver("SHIP01", Wares(1, 1))]
    position.when(1, Skip()).play()
    assert position.state.phase is Phase.OVER


@rule("SS-6", "SS-11")
def test_who_has_no_tile_and_no_islander_to_take_back_is_not_asked_for_one():
    course = [
        TurnBegun(1, 2),
        TileDrawn(1, "SS01", False),
        TileDiscarded(1, "SS01", Misfit.FITS_NOWHERE),
        NoTileLeft(1),
        IslanderSkipped(1),
    ]
    others = opened("SS24"), standing((0, 0, 0, "I0"))
    position = given(*others).piled("SS01").has(1, shell=1, banana=1)
    assert position.when(0, Skip()).play() == course
    assert position.listed(1) == [Skip(), Deliver("SHIP01", Wares(1, 1))]
    events = given(*others).piled("SS01").when(0, Skip()).play()
    assert events[:-2] == course
    assert [type(event) for event in events[-2:]] == [FeatureEvaluated, GameEnded]


@rule("SS-7")
def test_an_islander_stands_on_any_feature_of_the_tile_just_placed():
    position = given(opened(), STRAIGHT)
    assert position.listed(0) == [Skip(), PlaceIslander("B0"), PlaceIslander("S0"), PlaceIslander("S1")]
    position.when(0, PlaceIslander("S0")).then(IslanderPlaced(0, 1, 0, "S0"))
    market = given(opened(), placed("SS01", 0, 1, 0))
    market.when(0, PlaceIslander("M0")).then(IslanderPlaced(0, 0, 1, "M0"))


@rule("SS-7")
def test_an_islander_needs_a_feature_of_the_tile_just_placed():
    position = given(opened(), STRAIGHT)
    for feature in ("I0", "M0", "", "B1"):
        position.when(0, PlaceIslander(feature)).refuses("SS-7")


@rule("SS-7")
def test_an_islander_follows_the_tile():
    given(opened(), drawn("SS09")).when(0, PlaceIslander("B0")).refuses("SS-7")
    position = given(opened(), STRAIGHT).has(0, shell=1, banana=1)
    position.when(0, Skip()).play()
    position.when(0, PlaceIslander("B0")).refuses("SS-7")


@rule("SS-8")
def test_an_islander_shares_no_feature_not_even_with_an_own_one():
    for seat in (0, 1):
        position = given(opened(), standing((seat, 0, 0, "B0")), STRAIGHT)
        position.when(0, PlaceIslander("B0")).refuses("SS-8")
        assert PlaceIslander("B0") not in position.listed(0)
        position.when(0, PlaceIslander("S1")).play()


@rule("SS-8")
def test_one_feature_of_a_tile_is_taken_by_way_of_another():
    # The pier's two seas are one behind the market, where it ends.
    position = given(opened("SS03"), standing((1, 0, 0, "S0")), placed("SS09", 0, 1, 0))
    position.when(0, PlaceIslander("S0")).refuses("SS-8")
    position.when(0, PlaceIslander("S1")).refuses("SS-8")


@rule("SS-9")
def test_with_four_islanders_on_the_board_none_is_placed():
    four = standing((0, 0, 0, "I0"), (0, 0, 0, "B0"), (0, 0, 0, "S0"), (0, 0, 0, "S1"))
    position = given(opened(), four, placed("SS01", 0, 1, 0))
    position.when(0, PlaceIslander("M0")).refuses("SS-9")
    assert [type(move) for move in position.listed(0)] == [Skip] + [RetrieveIslander] * 4
    four_of_one_before = given(opened(), four, placed("SS01", 0, 1, 0, seat=1))
    four_of_one_before.when(1, PlaceIslander("M0")).play()


@rule("SS-10")
def test_an_islander_is_taken_back_for_nothing_whatever_is_in_the_supply():
    position = given(opened(), standing((0, 0, 0, "I0")), STRAIGHT)
    assert position.listed(0)[-1] == RetrieveIslander(0, 0, "I0")
    position.when(0, RetrieveIslander(0, 0, "I0")).then(IslanderRetrieved(0, 0, 0, "I0"))
    assert position.wares(0) == Wares()
    assert ENGINE.view(position.state, None).players[0].islanders_left == 4


@rule("SS-10")
def test_only_an_own_islander_that_stands_there_is_taken_back():
    position = given(opened(), standing((1, 0, 0, "I0")), STRAIGHT)
    for x, y, feature in ((0, 0, "I0"), (0, 0, "B0"), (7, 7, "I0"), (2**53 - 1, 0, "I0"), (0, 0, "")):
        position.when(0, RetrieveIslander(x, y, feature)).refuses("SS-10")


@rule("SS-10")
def test_nothing_is_taken_back_before_the_tile_is_placed_nor_after_an_islander():
    given(opened(), standing((0, 0, 0, "I0")), drawn("SS09")).when(0, RetrieveIslander(0, 0, "I0")).refuses("SS-10")
    position = given(opened(), standing((0, 0, 0, "I0")), STRAIGHT).has(0, shell=1, banana=1)
    position.when(0, PlaceIslander("B0")).play()
    position.when(0, RetrieveIslander(0, 0, "I0")).refuses("SS-10")


@rule("SS-11")
def test_neither_placing_nor_taking_back_is_a_must():
    position = given(opened(), standing((0, 0, 0, "I0")), STRAIGHT)
    assert position.listed(0)[0] == Skip()
    position.when(0, Skip()).then(IslanderSkipped(0))


@rule("SS-11")
def test_a_player_who_can_do_neither_is_not_asked():
    # Everything on the straight bridge is taken by the other, and no own islander is on the board.
    taken = standing((1, 0, 0, "B0"), (1, 0, 0, "S0"), (1, 0, 0, "S1"))
    position = given(opened(), taken, drawn("SS09")).when(0, PlaceTile(1, 0, 1))
    position.then(TilePlaced(0, "SS09", 1, 0, 1), IslanderSkipped(0), TurnBegun(1, 3), TileDrawn(1, "SS01", True))


@rule("SS-20")
def test_no_ship_is_chosen_without_a_market():
    given(opened(), drawn("SS09")).when(0, ChooseShip("SHIP08")).refuses("SS-20")
    given(opened(), STRAIGHT).when(0, ChooseShip("SHIP08")).refuses("SS-20")
