"""Grounds, lake and tokens, as a match begins."""

from collections import Counter

import pytest

from engines.catan_fishermen import ENGINE
from engines.catan_fishermen.board import GROUND_PLACE, PLACES_A_PIECE
from engines.catan_fishermen.catalog import TERRAIN_COUNTS, TOKENS, Terrain
from engines.catan_fishermen.events import BoardLaid, GroundsLaid
from engines.catan_fishermen.fish import FORMS, Fish, Fishermen, payments
from engines.catan_fishermen.state import EMPTY, Board, Options, Phase
from engines.core.chance import SeededChance
from engines.core.draft import Draft
from tests.engines.catan_fishermen.scenario import BOARD, CATALOG, GROUNDS, LAKE, Rigged, given, proposal, set_up, start
from tests.rules import rule

SEEDS = range(100)
SPIELBOX, LAKE_FORM, NO_SHIPS, NONE = Fishermen.SPIELBOX, Fishermen.LAKE, Fishermen.NO_SHIPS, Fishermen.NONE


def laid(seed, form, board=Board.STANDARD, **options):
    """The board and the numbers of the grounds."""
    board, grounds = set_up(Options(fishermen=form, board=board, **options), SeededChance(seed))
    return board, grounds.numbers


def position(seed, form, **options):
    events = set_up(Options(fishermen=form, **options), SeededChance(seed))
    return given(events, fishermen=form, **({"board": Board.STANDARD} | options)).state


def drawn(**options):
    draft = Draft(ENGINE.evolve, start(**options), Rigged())
    ENGINE.setup(draft)
    return [(draw.label, draw.n) for emitted in draft.emitted for draw in emitted.draws]


@rule("CA-30", "CA-70")
def test_the_fishermen_of_spielbox_are_played_unless_another_form_is_named():
    assert Options().fishermen is SPIELBOX
    assert [form.value for form in Fishermen] == ["spielbox", "lake", "no_ships", "none"]


@rule("CA-70")
def test_a_form_is_one_of_those_known():
    for wrong in ("fish", "", 0, None):
        proposal(3, fishermen=wrong).refuses("CA-70")


@rule("CA-30")
@pytest.mark.parametrize("form", [SPIELBOX, LAKE_FORM])
def test_there_are_29_tokens_and_a_boot(form):
    state = start(fishermen=form)
    assert state.fish_supply == (11, 10, 8, 1)
    assert ENGINE.view(state, None).fish_supply == 30


@rule("CA-60", "CA-62")
def test_the_open_piles_hold_55_fish_and_no_boot():
    state = start(fishermen=NO_SHIPS)
    assert state.fish_supply == (55, 0, 0, 0)
    assert ENGINE.view(state, None).fish_supply == 55


@rule("CA-31")
@pytest.mark.parametrize("form", list(FORMS))
@pytest.mark.parametrize("board", list(Board))
def test_six_numbers_are_shuffled_over_the_grounds_on_every_board(form, board):
    orders = [laid(seed, form, board)[1] for seed in SEEDS]
    assert all(sorted(order) == [4, 5, 6, 8, 9, 10] for order in orders)
    assert len(set(orders)) > 80
    assert {order[0] for order in orders} == {4, 5, 6, 8, 9, 10}


@rule("CA-31")
def test_a_ground_lies_on_each_piece_of_the_frame_and_serves_three_intersections():
    for seed in SEEDS:
        options = {"shuffle_frame": bool(seed % 2)}
        board, numbers = laid(seed, SPIELBOX, **options)
        waters = position(seed, SPIELBOX, **options).waters
        assert [water.numbers for water in waters] == [(number,) for number in numbers]
        for at, (piece, water) in enumerate(zip(board.frame, waters, strict=True)):
            place = PLACES_A_PIECE * at + GROUND_PLACE[piece]
            assert set(water.vertices) == {end for edge in BOARD.ring[place] for end in BOARD.edge_ends[edge]}
            assert water.catches == (1, 1, 1)


@rule("CA-31")
def test_the_grounds_of_a_frame_as_printed_lie_at_1_5_7_11_13_17():
    places = [PLACES_A_PIECE * at + GROUND_PLACE[piece] for at, piece in enumerate(CATALOG.pieces)]
    assert places == [1, 5, 7, 11, 13, 17]


@rule("CA-31", "CA-50")
def test_a_match_with_fish_draws_the_lake_before_the_hexes_and_the_grounds_last():
    grounds = [("ground", n) for n in range(6, 1, -1)]
    assert drawn(fishermen=SPIELBOX) == drawn(fishermen=NO_SHIPS) == drawn(fishermen=LAKE_FORM) == grounds
    base = drawn(fishermen=NONE, board=Board.STANDARD)
    assert drawn(fishermen=SPIELBOX, board=Board.STANDARD) == base + grounds
    hexes = [("hex", n) for n in range(18, 1, -1)]
    rest = [draw for draw in base if draw[0] != "hex"]
    assert drawn(fishermen=LAKE_FORM, board=Board.STANDARD) == [("lake", 7), *hexes, *rest, *grounds]


@rule("CA-50")
@pytest.mark.parametrize("board", [Board.STANDARD, Board.RANDOM])
def test_a_lake_lies_in_place_of_the_desert_on_an_inner_hex(board):
    lakes = Counter()
    for seed in SEEDS:
        hexes = laid(seed, LAKE_FORM, board)[0].hexes
        terrain = [one.terrain for one in hexes]
        (lake,) = [at for at, kind in enumerate(terrain) if kind is Terrain.LAKE]
        lakes[lake] += 1
        assert Counter(terrain) == Counter(
            {Terrain.LAKE if kind is Terrain.DESERT else kind: count for kind, count in TERRAIN_COUNTS.items()}
        )
        assert sorted(one.number for one in hexes if one.number) == list(TOKENS)
        assert hexes[lake].number == 0
        red = {at for at, one in enumerate(hexes) if one.number in {6, 8}}
        assert not any(BOARD.hex_neighbours[at] & red for at in red)
    assert set(lakes) == {4, 5, 8, 9, 10, 13, 14}


@rule("CA-50")
def test_the_lake_of_the_beginners_board_is_its_centre_and_has_four_numbers():
    board, grounds = LAKE
    assert [at for at, one in enumerate(board.hexes) if one.terrain is Terrain.LAKE] == [9]
    assert grounds == GROUNDS
    lake = given(LAKE, fishermen=LAKE_FORM).state.waters[-1]
    assert (lake.numbers, lake.hex) == ((2, 3, 11, 12), 9)
    assert (set(lake.vertices), set(lake.catches)) == ({18, 23, 24, 29, 30, 35}, {1})


@rule("CA-51")
def test_with_a_lake_the_robber_starts_off_the_board():
    board, _ = LAKE
    assert board.robber is None
    state = given(LAKE, fishermen=LAKE_FORM).state
    assert state.robber == state.home() == EMPTY
    assert ENGINE.view(state, None).robber is None


@rule("CA-5a", "CA-63")
@pytest.mark.parametrize("form", [SPIELBOX, NO_SHIPS])
def test_without_a_lake_the_robber_starts_on_the_desert(form):
    board, _ = laid(3, form)
    assert board.hexes[board.robber].terrain is Terrain.DESERT
    assert position(3, form).home() == board.robber


@rule("CA-61")
def test_the_ends_of_a_ground_have_a_harbour_and_its_middle_two_hexes():
    assert {position(seed, NO_SHIPS).waters[number].catches for seed in SEEDS[:5] for number in range(6)} <= {
        (1, 1, 2),
        (1, 2, 1),
        (2, 1, 1),
    }


@rule("CA-61")
def test_an_end_without_a_harbour_pays_three_fish_on_some_shuffled_frames():
    frames = [position(seed, NO_SHIPS, shuffle_frame=True) for seed in SEEDS]
    for state in frames:
        docks = {end for edge in state.harbour_edges for end in BOARD.edge_ends[edge]}
        for water in state.waters:
            for vertex, catch in zip(water.vertices, water.catches, strict=True):
                land = len(BOARD.vertex_hexes[vertex])
                assert catch == (1 if vertex in docks else {1: 3, 2: 2}[land])
    assert sum(3 in water.catches for state in frames for water in state.waters) > 20


def test_the_set_up_goes_on_as_ever():
    events = set_up(Options(fishermen=LAKE_FORM, board=Board.BEGINNER))
    assert [type(event) for event in events] == [BoardLaid, GroundsLaid]
    state = given(events, fishermen=LAKE_FORM).state
    assert (state.phase, ENGINE.to_act(state)) == (Phase.PLACING_SETTLEMENT, (0,))


def test_payments_have_no_token_to_spare_and_lose_few_fish_first():
    assert payments(4, 1, 1, 2) == (Fish(1, 0, 1), Fish(0, 1, 1), Fish(0, 0, 2))
    assert payments(2, 0, 0, 0) == payments(7, 1, 1, 1) == ()
    assert payments(3, 3, 0, 1) == (Fish(3), Fish(0, 0, 1))
