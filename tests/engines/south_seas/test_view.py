import json

from engines.core.chance import SeededChance
from engines.south_seas import ENGINE
from engines.south_seas.catalog import Terrain, Wares
from engines.south_seas.events import FishCovered, GameEnded, ShipTaken, Standpoint
from engines.south_seas.moves import PlaceTile, Skip
from engines.south_seas.scoring import result
from engines.south_seas.view import CoveredFish, Crew, Region, Spot
from services.cli.laws.record import encode_json
from tests.engines.south_seas.scenario import CATALOG, FOUR, RING, drawn, given, laid, opened, placed, standing
from tests.engines.south_seas.test_decide_loading import delivering
from tests.rules import rule

LOADED = [ShipTaken(seat, ship) for seat, ship in ((0, "SHIP01"), (1, "SHIP02"), (2, "SHIP03"), (2, "SHIP08"))]


def loaded(**options):
    return given(opened(), LOADED, seats=3, **options).has(0, shell=4)


@rule("SS-32")
def test_ships_are_shown_to_all_unless_scores_are_hidden():
    for viewer in (0, 1, 2, None):
        players = ENGINE.view(loaded().state, viewer).players
        assert [[ship.id for ship in one.ships] for one in players] == [["SHIP01"], ["SHIP02"], ["SHIP03", "SHIP08"]]
        assert [one.points for one in players] == [3, 2, 5]


@rule("SS-32")
def test_hidden_scores_show_own_ships_and_how_many_others_have():
    state = loaded(hidden_scores=True).state
    for viewer in (0, 1, 2, None):
        for one in ENGINE.view(state, viewer).players:
            assert one.loaded == (1, 1, 2)[one.seat]
            assert len(one.ships) == (one.loaded if one.seat == viewer else 0)
            assert (one.points is None) == (one.seat != viewer)


@rule("SS-32")
def test_hidden_scores_are_told_at_the_end():
    position = loaded(hidden_scores=True)
    ENGINE.evolve(position.state, GameEnded(result(position.state)))
    assert [one.points for one in ENGINE.view(position.state, None).players] == [3, 2, 5]


@rule("SS-32")
def test_determinizing_redraws_which_of_the_others_has_which_ship():
    state = loaded(hidden_scores=True).state
    owners = {bytes(ENGINE.determinize(state, 0, SeededChance(seed)).owners) for seed in range(40)}
    assert len(owners) == 3
    for one in owners:
        assert [one.count(seat) for seat in range(3)] == [1, 1, 2]
        assert one[CATALOG.ship_numbers["SHIP01"]] == 0


def test_determinizing_what_has_no_secret_changes_nothing():
    for state in (loaded().state, given(opened(), seats=2, hidden_scores=True).state):
        twin = ENGINE.determinize(state, 0, SeededChance(1))
        assert twin == state
        assert twin.owners is not state.owners


def test_everyone_is_told_everything_that_happens():
    for event in LOADED:
        assert ENGINE.redact(event, None) is ENGINE.redact(event, 0) is event


def test_tiles_are_told_with_where_they_lie_and_what_they_are_part_of():
    view = ENGINE.view(given(opened(), laid(("SS09", 1, 0, 3)), standing((1, 0, 0, "B0"))).state, 0)
    start, straight = view.tiles
    assert (straight.x, straight.y, straight.rotation, straight.tile.id) == (1, 0, 3, "SS09")
    island, bridge, north, south = start.regions
    assert straight.regions == (bridge, south, north)
    assert (island, bridge, north, south) == (0, 1, 2, 3)
    assert view.regions[1] == Region(1, Terrain.BRIDGE, False, 2, 2, (Crew(1, 1),), (1,))
    assert view.regions[0] == Region(0, Terrain.ISLAND, False, 1, 1, (), ())
    assert view.islanders == (Standpoint(1, 0, 0, "B0"),)


def test_a_region_keeps_the_number_of_its_first_feature():
    # Two islands in the north and the south, with sea between them that the third tile joins.
    apart = [opened("SS62"), laid(("SS63", 0, 2, 2))]
    assert [one.regions for one in ENGINE.view(given(apart).state, None).tiles] == [(0, 1), (2, 3)]
    view = ENGINE.view(given(apart, laid(("SS07", 0, 1, 0))).state, None)
    assert [one.regions for one in view.tiles] == [(0, 1), (2, 1), (1,)]
    assert [one.number for one in view.regions] == [0, 1, 2]


def test_a_tile_drawn_is_told_with_its_spots():
    view = ENGINE.view(given(opened(), drawn("SS09")).state, 1)
    assert view.drawn is CATALOG.tiles[CATALOG.tile_numbers["SS09"]]
    assert view.spots == (Spot(-1, 0, (1, 3)), Spot(1, 0, (1, 3)), Spot(0, 1, (1, 3)))
    assert view.free == ()
    assert view.owed == (0,)


def test_spots_are_the_placings_that_are_legal():
    position = given(opened(), laid(("SS09", 1, 0, 3), ("SS24", 0, -1, 0)), drawn("SS53"))
    spots = [PlaceTile(one.x, one.y, turn) for one in ENGINE.view(position.state, None).spots for turn in one.rotations]
    assert spots == position.listed(0)


def test_features_free_for_an_islander_are_told():
    view = ENGINE.view(given(opened(), standing((1, 0, 0, "B0")), placed("SS09", 1, 0, 1)).state, 1)
    assert view.free == ("S0", "S1")
    assert view.drawn is None
    assert view.spots == ()


@rule("SS-20", "SS-25")
def test_ships_that_may_be_taken_are_told():
    position = delivering(3, 2, 0)
    for viewer in (0, 1, None):
        assert ENGINE.view(position.state, viewer).offered == ("SHIP04", "SHIP10", "SHIP01")
    ships = ("SHIP22", "SHIP01", "SHIP24", "SHIP02")
    market = given(opened("SS01", ships), RING, standing((1, 0, 0, "M0")), placed("SS07", -1, 0, 0)).has(0, 9, 9, 9)
    assert ENGINE.view(market.state, 0).offered == ()
    market.when(0, Skip()).play()
    assert ENGINE.view(market.state, 0).offered == ("SHIP22", "SHIP24")


def test_covered_fish_are_told_with_their_tile():
    view = ENGINE.view(given(opened("SS07"), FishCovered(0, 0, "S0", True)).state, None)
    assert view.covered == (CoveredFish(0, 0, "S0", True),)
    assert view.regions[0].pays == 0


def test_wares_islanders_and_piles_are_counted():
    view = ENGINE.view(given(opened(), standing((1, 0, 0, "B0"))).has(1, 1, 2, 3).state, None)
    assert [ship.id for ship in view.ships] == list(FOUR)
    assert (view.pile, view.supply, view.turn, view.active) == (72, 20, 1, 0)
    assert view.players[1].wares == Wares(1, 2, 3)
    assert [one.islanders_left for one in view.players] == [4, 3]


def test_a_view_has_its_viewer():
    state = given(opened()).state
    assert [ENGINE.view(state, viewer).viewer for viewer in (0, 1, None)] == [0, 1, None]
    assert json.loads(encode_json(ENGINE.view(state, None)))["viewer"] is None
