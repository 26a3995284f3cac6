from dataclasses import replace

import msgspec

from engines.core.chance import SeededChance
from engines.south_seas import ENGINE
from engines.south_seas.board import cell_at
from engines.south_seas.catalog import MOST_ASKED, Sail, Wares
from engines.south_seas.legal import placings
from engines.south_seas.moves import Deliver, PlaceTile, Skip
from tests.engines.south_seas.scenario import drawn, given, opened, placed
from tests.engines.south_seas.test_decide_loading import delivering
from tests.rules import rule


def test_a_seat_that_owes_nothing_has_neither_moves_nor_families():
    position = delivering(4, 4, 4)
    for seat in (-1, 1, 2):
        assert position.listed(seat) == []
        assert ENGINE.families(position.state, seat) == ()
    assert ENGINE.may_act(position.state) == ()


@rule("SS-5")
def test_only_cells_beside_tiles_are_looked_at():
    # However many tiles there are: a long row has its two ends, and the cells along it.
    position = given(opened("SS07"), drawn("SS08"))
    board = position.state.board
    for x in range(1, 60):
        board.lay(board.shapes[0], cell_at(x, 0))
    assert len(board.frontier) == 2 * 60 + 2
    assert len(placings(position.state)) == 4 * (2 * 60 + 2)


@rule("SS-26")
def test_payments_of_any_wares_form_a_family_and_are_listed_too():
    position = delivering(4, 1, 3)
    (family,) = ENGINE.families(position.state, 0)
    assert family.name == "free_payments"
    members = {move for move in position.listed(0) if isinstance(move, Deliver) and move.ship == "SHIP10"}
    assert {family.sample(SeededChance(seed)) for seed in range(80)} == members
    assert all(family.contains(move) for move in members)
    others = [Deliver("SHIP10", Wares(5)), Deliver("SHIP10", Wares(1, 1)), Deliver("SHIP04", Wares(3)), Skip()]
    assert not any(family.contains(move) for move in others)


@rule("SS-26")
def test_there_is_no_family_where_no_sail_of_any_wares_can_be_served():
    assert ENGINE.families(delivering(3, 1, 0).state, 0) == ()
    assert ENGINE.families(delivering(9, 9, 9, ships=("SHIP01", "SHIP04")).state, 0) == ()
    assert ENGINE.families(given(opened(), drawn("SS09")).state, 0) == ()


@rule("SS-26")
def test_four_sails_of_any_wares_can_still_be_listed():
    position = delivering(9, 9, 9)
    catalog = position.state.catalog
    most = [msgspec.structs.replace(ship, sail=Sail.ANY, wares=Wares(), number=MOST_ASKED) for ship in catalog.ships]
    position.state.catalog = replace(catalog, ships=tuple(most))
    assert len(position.listed(0)) == 1 + 4 * 45


def test_an_absent_player_places_the_tile_and_nothing_else():
    position = given(opened(), drawn("SS09"))
    assert ENGINE.autopilot(position.state, 0) == PlaceTile(-1, 0, 1)
    position = given(opened(), placed("SS09", 1, 0, 1))
    assert ENGINE.autopilot(position.state, 0) == Skip()
    assert ENGINE.autopilot(delivering(4, 1, 3).state, 0) == Skip()


def test_a_turn_lasts_from_draw_to_draw():
    position = given(opened(), drawn("SS09", turn=1))
    assert ENGINE.turns(position.state) == 1
    for _ in range(2):
        position.when(0, position.listed(0)[0]).play()
    assert ENGINE.turns(position.state) == 2
    assert ENGINE.turns(given().state) == 0
