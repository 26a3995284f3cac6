from engines.south_seas.board import Board
from engines.south_seas.events import FishCovered
from tests.engines.south_seas.scenario import given, laid, opened, standing


def test_a_copy_shares_nothing_but_the_catalog():
    state = given(opened(), laid(("SS07", 0, 1, 0))).state
    twin = state.copy()
    assert twin.catalog is state.catalog
    mutable = [name for name in state.__struct_fields__ if isinstance(getattr(state, name), bytearray | list | Board)]
    assert len(mutable) == 12
    for name in mutable:
        assert getattr(twin, name) == getattr(state, name)
        assert getattr(twin, name) is not getattr(state, name)


def test_the_board_is_that_of_its_tiles_islanders_and_covered_fish():
    state = given(
        opened("SS07"), laid(("SS26", 0, -1, 0)), standing((1, 0, 0, "S0")), FishCovered(0, 0, "S0", True)
    ).state
    twin = state.copy()
    twin.board = Board()
    twin.rederive()
    assert twin.board == state.board


def test_islanders_on_the_board_are_told_by_their_nodes():
    state = given(opened(), standing((1, 0, 0, "S1"), (1, 0, 0, "I0")), seats=3).state
    assert [state.on_board(seat) for seat in range(3)] == [[], [0, 3], []]
    assert [state.place(node) for node in state.on_board(1)] == [(0, 0, "I0"), (0, 0, "S1")]
    assert state.has_islander(1)
