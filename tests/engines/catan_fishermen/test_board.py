from itertools import combinations, permutations

from engines.catan_fishermen.board import Piece
from tests.engines.catan_fishermen.scenario import BOARD, CATALOG
from tests.rules import rule

FRAMES = sorted(set(permutations([Piece.DOUBLE] * 3 + [Piece.SINGLE] * 3)))


def ends(edges):
    return [end for edge in edges for end in BOARD.edge_ends[edge]]


@rule("CA-2")
def test_there_are_54_intersections_72_paths_and_30_of_them_at_the_coast():
    corners = [vertex for around in BOARD.hex_vertices for vertex in around]
    assert sorted(set(corners)) == list(range(54))
    assert len(set(BOARD.edge_ends)) == 72
    by_hexes = [len(set(BOARD.vertex_hexes[one]) & set(BOARD.vertex_hexes[other])) for one, other in BOARD.edge_ends]
    assert (by_hexes.count(1), by_hexes.count(2)) == (30, 42)
    assert [len(hexes) for hexes in BOARD.vertex_hexes].count(3) == 24


def test_the_tables_of_a_place_agree():
    for vertex in range(54):
        edges = [edge for edge in range(72) if vertex in BOARD.edge_ends[edge]]
        assert [bit for bit, _ in BOARD.vertex_edges[vertex]] == [1 << edge for edge in edges]
        assert BOARD.vertex_edge_mask[vertex] == sum(1 << edge for edge in edges)
        assert BOARD.settled_mask[vertex] == sum(1 << end for end in {vertex, *ends(edges)})
    for edge, (one, other) in enumerate(BOARD.edge_ends):
        assert BOARD.edge_end_mask[edge] == 1 << one | 1 << other


def test_neighbouring_hexes_share_a_side():
    for one, other in combinations(range(19), 2):
        shared = set(BOARD.hex_vertices[one]) & set(BOARD.hex_vertices[other])
        assert (other in BOARD.hex_neighbours[one]) == (one in BOARD.hex_neighbours[other]) == (len(shared) == 2)
    assert sorted(map(len, BOARD.hex_neighbours)) == [3] * 6 + [4] * 6 + [6] * 7


@rule("CA-2", "CA-5")
def test_the_nine_harbours_of_the_printed_frame():
    edges = BOARD.harbour_edges(CATALOG.pieces)
    assert edges == (0, 3, 17, 38, 61, 69, 66, 49, 18)
    assert [BOARD.edge_ends[edge] for edge in edges[:3]] == [(0, 3), (1, 5), (10, 15)]


@rule("CA-5")
def test_the_six_fishing_grounds_of_the_printed_frame():
    assert BOARD.grounds(CATALOG.pieces) == (
        (0, 1, 4),
        (15, 20, 26),
        (32, 37, 42),
        (48, 51, 52),
        (38, 43, 47),
        (3, 7, 11),
    )


@rule("CA-5")
def test_however_the_frame_lies_grounds_are_apart_and_each_harbour_has_its_own_ends():
    assert len(FRAMES) == 20
    for frame in FRAMES:
        grounds = BOARD.grounds(frame)
        assert len(grounds) == 6
        assert len({vertex for ground in grounds for vertex in ground}) == 18
        harbours = BOARD.harbour_edges(frame)
        assert len(harbours) == 9
        assert len(set(ends(harbours))) == 18


@rule("CA-5")
def test_a_single_piece_has_its_harbour_before_its_ground():
    turned = (Piece.SINGLE, Piece.DOUBLE) * 3
    assert BOARD.grounds(turned)[0] == (1, 2, 5)
    assert BOARD.harbour_edges(turned)[0] == 2
    assert BOARD.edge_ends[2] == (1, 4)
