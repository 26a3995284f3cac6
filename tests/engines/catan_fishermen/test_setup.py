from collections import Counter
from itertools import pairwise

import pytest

from engines.catan_fishermen import ENGINE
from engines.catan_fishermen.board import GROUND_PLACE, HARBOUR_PLACES, PLACES_A_PIECE, Piece
from engines.catan_fishermen.catalog import (
    HARBOUR_COUNTS,
    TERRAIN_COUNTS,
    TOKENS,
    Cards,
    Development,
    Harbour,
    Resource,
    Terrain,
)
from engines.catan_fishermen.events import BoardLaid, DiceRolled
from engines.catan_fishermen.fish import Fishermen
from engines.catan_fishermen.moves import EndTurn, PlaceRoad, PlaceSettlement, Roll
from engines.catan_fishermen.setup import LEAST_POINTS, MOST_POINTS
from engines.catan_fishermen.state import Board, Options, Phase
from engines.core.chance import SeededChance
from engines.core.draft import Draft
from tests.engines.catan_fishermen.scenario import BOARD, CATALOG, LAID, Rigged, given, proposal, set_up, start
from tests.rules import rule

PRINTED = (Piece.DOUBLE, Piece.SINGLE) * 3
SEEDS = range(200)


def laid(seed, board=Board.STANDARD, **options):
    (event,) = set_up(Options(board=board, fishermen=Fishermen.NONE, **options), SeededChance(seed))
    return event


def drawn(**options):
    draft = Draft(ENGINE.evolve, start(**options), Rigged())
    ENGINE.setup(draft)
    return [(draw.label, draw.n) for emitted in draft.emitted for draw in emitted.draws]


@rule("CA-1")
@pytest.mark.parametrize("board", list(Board))
def test_19_hexes_bear_18_tokens(board):
    for seed in SEEDS:
        hexes = laid(seed, board).hexes
        assert Counter(one.terrain for one in hexes) == TERRAIN_COUNTS
        assert sorted(one.number for one in hexes if one.number) == list(TOKENS)
        assert [one.number for one in hexes if one.terrain is Terrain.DESERT] == [0]


@rule("CA-2")
@pytest.mark.parametrize("board", list(Board))
def test_nine_harbours_serve_two_coastal_intersections_each(board):
    for seed in SEEDS:
        harbours = laid(seed, board).harbours
        assert Counter(harbour.trades for harbour in harbours) == HARBOUR_COUNTS
        docks = [vertex for harbour in harbours for vertex in BOARD.edge_ends[harbour.edge]]
        assert len(set(docks)) == 18
        assert all(len(BOARD.vertex_hexes[vertex]) < 3 for vertex in docks)


@rule("CA-3")
def test_the_bank_has_19_cards_of_a_kind_and_the_pile_25_developments():
    view = ENGINE.view(start(), None)
    assert view.bank == Cards(19, 19, 19, 19, 19)
    assert view.pile == 25
    assert dict(zip(Development, start().pile, strict=True)) == {
        Development.KNIGHT: 14,
        Development.VICTORY_POINT: 5,
        Development.ROAD_BUILDING: 2,
        Development.YEAR_OF_PLENTY: 2,
        Development.MONOPOLY: 2,
    }
    assert len(Resource) == 5


@rule("CA-4")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_two_to_four_play_with_15_roads_5_settlements_and_4_cities_each(seats):
    players = ENGINE.view(start(seats), None).players
    assert [(one.roads_left, one.settlements_left, one.cities_left) for one in players] == [(15, 5, 4)] * seats


@rule("CA-4")
def test_two_play_unofficially():
    assert ENGINE.seats == (2, 4)
    assert ENGINE.unofficial_seats == (2,)


@rule("CA-4")
def test_there_are_no_pieces_for_one_or_for_five():
    for seats in (-1, 0, 1, 5):
        proposal(seats).refuses("CA-4")


@rule("CA-5")
def test_the_board_of_beginners_lies_as_printed():
    assert [laid(7, Board.BEGINNER)] == LAID
    assert [(one.terrain.value, one.number) for one in LAID[0].hexes[:4]] == [
        ("mountains", 10),
        ("pasture", 2),
        ("forest", 9),
        ("fields", 12),
    ]
    assert LAID[0].frame == PRINTED
    assert [harbour.trades.value for harbour in LAID[0].harbours] == [
        "any",
        "grain",
        "ore",
        "any",
        "wool",
        "any",
        "any",
        "brick",
        "lumber",
    ]
    assert drawn(board=Board.BEGINNER) == []


@rule("CA-5")
def test_the_standard_board_has_its_letters_in_a_spiral():
    corners = set()
    for seed in SEEDS:
        hexes = laid(seed).hexes
        (corner,) = [number for number in range(6) if follows_letters(hexes, CATALOG.spirals[number])]
        corners.add(corner)
    assert corners == set(range(6))


def follows_letters(hexes, spiral):
    return tuple(hexes[at].number for at in spiral if hexes[at].terrain is not Terrain.DESERT) == CATALOG.letters


@rule("CA-5")
def test_the_letters_are_those_printed_on_the_tokens():
    assert CATALOG.letters == (5, 2, 6, 3, 8, 10, 9, 12, 11, 4, 8, 10, 9, 4, 5, 6, 3, 11)


@rule("CA-5")
def test_a_spiral_runs_counterclockwise_along_the_coast_first():
    for spiral in CATALOG.spirals:
        outer = [CATALOG.hexes[at] for at in spiral[:12]]
        assert all(len(BOARD.hex_neighbours[at]) < 6 for at in spiral[:12])
        turns = [a.q * b.r - a.r * b.q for a, b in pairwise(outer)]
        assert all(turn < 0 for turn in turns)


@rule("CA-5")
@pytest.mark.parametrize("board", list(Board))
def test_six_and_eight_lie_apart(board):
    for seed in SEEDS:
        red = {at for at, one in enumerate(laid(seed, board).hexes) if one.number in {6, 8}}
        assert len(red) == 4
        assert not any(BOARD.hex_neighbours[at] & red for at in red)


@rule("CA-5")
def test_a_random_board_follows_no_letters():
    hexes = [laid(seed, Board.RANDOM).hexes for seed in SEEDS]
    assert not any(follows_letters(one, spiral) for one in hexes for spiral in CATALOG.spirals)
    assert len({tuple(one.number for one in board) for board in hexes}) == len(SEEDS)


@rule("CA-5")
def test_terrain_and_harbours_are_shuffled():
    boards = [laid(seed) for seed in SEEDS]
    assert len({tuple(one.terrain for one in board.hexes) for board in boards}) == len(SEEDS)
    assert len({board.hexes.index(desert(board)) for board in boards}) == 19
    assert {board.harbours[0].trades for board in boards} == set(Harbour)
    assert {tuple(one.edge for one in board.harbours) for board in boards} == {BOARD.harbour_edges(PRINTED)}


def desert(board):
    (one,) = [one for one in board.hexes if one.terrain is Terrain.DESERT]
    return one


@rule("CA-5")
def test_every_draw_of_a_board_is_from_what_is_left():
    hexes = [("hex", n) for n in range(19, 1, -1)]
    harbours = [("harbour", n) for n in range(9, 1, -1)]
    frame = [("frame", n) for n in range(6, 1, -1)]
    assert drawn(board=Board.STANDARD) == [*hexes, ("corner", 6), *harbours]
    assert drawn(board=Board.STANDARD, shuffle_frame=True) == [*frame, *hexes, ("corner", 6), *harbours]
    tokens = [("token", n) for n in (4, 3, 2)] + [("token", n) for n in range(14, 1, -1)]
    random = drawn(board=Board.RANDOM)
    assert [random[:18], random[19:]] == [hexes, [*tokens, *harbours]]
    assert random[18][0] == "high_tokens"


@rule("CA-5")
def test_a_frame_that_is_not_shuffled_lies_as_printed():
    assert {laid(seed, board).frame for seed in range(20) for board in Board} == {PRINTED}


@rule("CA-5")
def test_a_shuffled_frame_has_three_double_and_three_single_pieces_anyhow():
    frames = {laid(seed, shuffle_frame=True).frame for seed in SEEDS}
    assert all(sorted(frame) == sorted(PRINTED) for frame in frames)
    assert len(frames) == 20


@rule("CA-5")
def test_a_harbour_lies_beside_the_ground_of_its_piece():
    for seed in SEEDS:
        event = laid(seed, Board.RANDOM, shuffle_frame=True)
        edges = iter(harbour.edge for harbour in event.harbours)
        for at, piece in enumerate(event.frame):
            ground = set(BOARD.ground(PLACES_A_PIECE * at + GROUND_PLACE[piece]))
            for place in HARBOUR_PLACES[piece]:
                edge = next(edges)
                assert edge in BOARD.ring[PLACES_A_PIECE * at + place]
                assert ground & set(BOARD.edge_ends[edge])
        assert list(edges) == []


@rule("CA-5")
def test_the_frame_of_the_beginners_board_is_not_shuffled():
    proposal(3, board=Board.BEGINNER, shuffle_frame=True).refuses("CA-5")


@rule("CA-5a")
def test_the_robber_starts_on_the_desert_and_seat_0_begins():
    for seed in SEEDS:
        event = laid(seed, Board.RANDOM)
        assert event.hexes[event.robber].terrain is Terrain.DESERT
        state = given(event).state
        assert (state.robber, state.phase, ENGINE.to_act(state)) == (event.robber, Phase.PLACING_SETTLEMENT, (0,))


@rule("CA-22")
def test_a_match_goes_to_three_to_22_points():
    for points in (-1, 0, LEAST_POINTS - 1, MOST_POINTS + 1, 1000):
        proposal(3, victory_points=points).refuses("CA-22")
    assert [start(victory_points=points).options.victory_points for points in (3, 10, 22)] == [3, 10, 22]
    assert Options().victory_points == 10


@rule("CA-22")
def test_no_more_points_can_be_had_than_a_match_may_go_to():
    buildings, cards, longest_and_largest = 5 + 4 * 2, 5, 2 + 2
    assert buildings + cards + longest_and_largest == MOST_POINTS


@rule("CA-5", "CA-22", "CA-70")
def test_an_option_takes_its_own_values_alone():
    for wrong in ("lakes", "", 0, True):
        proposal(3, fishermen=wrong).refuses("CA-70")
        proposal(3, board=wrong).refuses("CA-5")
    proposal(3, shuffle_frame="no").refuses("CA-5")
    proposal(3, victory_points="ten").refuses("CA-22")


@rule("CA-70")
def test_the_base_game_has_no_fish():
    events = set_up(Options(fishermen=Fishermen.NONE))
    assert [type(event) for event in events] == [BoardLaid]
    position = given(events, seats=2, fishermen=Fishermen.NONE)
    for seat, vertex, road in ((0, 0, 0), (1, 2, 4), (1, 51, 66), (0, 53, 71)):
        position.when(seat, PlaceSettlement(vertex)).play()
        position.when(seat, PlaceRoad(road)).play()
    for number in range(36):
        if number % 6 + number // 6 == 5:
            continue
        (event,) = position.when(number_of_turn(position), Roll(), dice=number).play()
        assert isinstance(event, DiceRolled)
        position.when(event.seat, EndTurn()).play()


def number_of_turn(position):
    (seat,) = ENGINE.to_act(position.state)
    return seat
