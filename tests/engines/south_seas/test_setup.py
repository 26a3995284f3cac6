from collections import Counter

from engines.core.draft import Draft
from engines.south_seas import ENGINE
from engines.south_seas.events import ShipsTurnedUp, StartTileLaid, TileDrawn, TurnBegun
from engines.south_seas.state import FirstPlayer
from tests.engines.south_seas.scenario import CATALOG, Rigged, given, opened, proposal, start
from tests.rules import rule


def begun(seats=2, **options):
    draft = Draft(ENGINE.evolve, start(seats, **options), Rigged())
    ENGINE.setup(draft)
    draft.close()
    return draft


@rule("SS-1")
def test_two_to_five_play_with_four_islanders_each():
    for seats in (2, 3, 4, 5):
        players = ENGINE.view(begun(seats).state, None).players
        assert [player.islanders_left for player in players] == [4] * seats
    proposal(1).refuses("SS-1")
    proposal(6).refuses("SS-1")


@rule("SS-1")
def test_there_are_73_tiles_24_ships_and_19_boats():
    assert len(CATALOG.pile) + 1 == 73
    assert len(CATALOG.ships) == 24
    boats = [tile.copies for tile in CATALOG.tiles for feature in tile.features if feature.boat]
    assert sum(boats) == 19


@rule("SS-2")
def test_the_start_tile_lies_in_the_middle_and_72_are_drawn_from():
    draft = begun()
    assert draft.emitted[0].event == StartTileLaid("SS31")
    view = ENGINE.view(draft.state, None)
    assert [(one.x, one.y, one.rotation, one.tile.id) for one in view.tiles] == [(0, 0, 0, "SS31")]
    draws = [draw for emitted in draft.emitted for draw in emitted.draws]
    assert [(draw.label, draw.n) for draw in draws][-1] == ("tile", 72)
    assert Counter(CATALOG.pile)[CATALOG.start] == 0


@rule("SS-3")
def test_four_ships_are_turned_up():
    draft = begun()
    assert draft.emitted[1].event == ShipsTurnedUp(("SHIP01", "SHIP02", "SHIP03", "SHIP04"))
    assert [(draw.label, draw.n) for draw in draft.emitted[1].draws] == [("ship", n) for n in (24, 23, 22, 21)]


@rule("SS-4", "SS-32")
def test_an_option_takes_its_own_values_alone():
    proposal(2, first_player="drawn").refuses("SS-4")
    for wrong in ("yes", 1):
        proposal(2, hidden_scores=wrong).refuses("SS-32")


@rule("SS-4")
def test_the_first_player_is_the_seat_named_and_draws_at_once():
    assert [emitted.event for emitted in begun(5, first_player=FirstPlayer.SEAT_4).emitted[2:]] == [
        TurnBegun(4, 1),
        TileDrawn(4, "SS01", True),
    ]
    assert begun().state.seat == 0


@rule("SS-4")
def test_the_first_player_is_a_seat_of_the_match():
    proposal(2, first_player=FirstPlayer.SEAT_2).refuses("SS-4")
    proposal(4, first_player=FirstPlayer.SEAT_4).refuses("SS-4")


@rule("SS-4")
def test_nobody_owes_a_move_before_a_tile_is_drawn():
    assert ENGINE.to_act(given().state) == ()
    assert ENGINE.to_act(given(opened()).state) == ()
