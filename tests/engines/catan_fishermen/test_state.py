import pytest

from engines.catan_fishermen import ENGINE
from engines.catan_fishermen.board import EMPTY, bits, mask, union
from engines.catan_fishermen.catalog import NOTHING, Cards, Development
from engines.catan_fishermen.events import (
    Due,
    KnightPlayed,
    LargestArmyMoved,
    LongestRoadMoved,
    RobberMoved,
    SettlementBuilt,
    SettlementPlaced,
    TradeOffered,
    TurnBegun,
)
from engines.catan_fishermen.state import Gain, Phase
from tests.engines.catan_fishermen.scenario import (
    LAID,
    building,
    cards,
    city,
    development,
    flat,
    given,
    roads,
    rolled,
    rolling,
    settled,
    start,
)
from tests.rules import rule

HOMES = [city(0, 8), settled(0, 40), settled(1, 19, 5), roads(0, 8, 13, 18), roads(1, 19, 24, 18, 23)]
POSITIONS = {
    "before the board is laid": [],
    "setting up": [LAID, SettlementPlaced(0, 8, NOTHING)],
    "rolling": rolling(HOMES),
    "discarding": [*rolling(HOMES, cards(1, wool=8)), rolled(7, discards=(Due(1, 4),))],
    "robbed": [*rolling(HOMES), rolled(7), RobberMoved(0, 4)],
    "with both cards": building(HOMES, LongestRoadMoved(0), LargestArmyMoved(1)),
    "a road is cut": building(HOMES, roads(2, 36, 30, 24), SettlementBuilt(2, 30, NOTHING)),
}


def copied(state):
    """What the state says in fields of its own."""
    return {
        name: value for name in state.__struct_fields__ if isinstance(value := getattr(state, name), bytearray | list)
    }


@pytest.mark.parametrize("name", POSITIONS)
def test_what_is_derived_is_as_from_scratch(name):
    state = given(POSITIONS[name]).state
    twin = state.copy()
    for field in state.derived:
        setattr(twin, field, None)
    twin.rederive()
    assert {field: getattr(twin, field) for field in state.derived} == {
        field: getattr(state, field) for field in state.derived
    }


def test_a_copy_shares_nothing_that_changes():
    state = given(building(HOMES, cards(0, wool=1))).state
    twin = state.copy()
    assert twin == state
    assert twin.catalog is state.catalog
    # The board is laid once for all: no event writes into these.
    laid = {"terrain", "numbers", "frame", "harbour_edges", "harbour_kinds"}
    for name, value in copied(state).items():
        assert (getattr(twin, name) is value) == (name in laid), name


def test_a_copy_goes_its_own_way():
    state = given(building(HOMES, cards(0, wool=1), development(0, Development.KNIGHT))).state
    before = {name: value[:] for name, value in copied(state).items()}
    twin = state.copy()
    offer = TradeOffered(0, Cards(wool=1), Cards(ore=1))
    later = [offer, city(2, 51), roads(2, 51, 48), cards(2, ore=8), development(2, Development.MONOPOLY), offer]
    later += [TurnBegun(0, 2), KnightPlayed(0), RobberMoved(0, 0), rolled(7, discards=(Due(2, 4),))]
    for event in flat(later):
        ENGINE.evolve(twin, event)
    assert copied(state) == before
    assert (state.turn, state.robber, state.offer) == (1, 9, None)


@rule("CA-8")
def test_before_the_set_up_and_after_the_end_nobody_owes_a_move():
    state = start()
    assert state.due() == ()
    state.phase = Phase.OVER
    assert state.due() == ()
    state.phase = Phase.ROLLING
    assert state.due() == (0,)


@rule("CA-9")
def test_a_number_pays_each_building_at_each_of_its_hexes():
    state = given(building(settled(0, 12), city(1, 8), settled(1, 23))).state
    # Hex 4, brick, bears the only 6 beside 12, 8 and 23.
    assert state.payout(6) == ((Gain(0, Cards(brick=1)), Gain(1, Cards(brick=3))), ((0, 4),))
    assert state.payout(7) == ((), ())
    state.robber = 4
    assert state.payout(6) == ((), ())


@rule("CA-16")
def test_rates_are_those_of_the_best_harbour():
    # 0 lies at a 3:1 harbour, 5 at the one for grain.
    assert list(given(LAID).state.rates_of(0)) == [4, 4, 4, 4, 4]
    assert list(given(building(settled(0, 0))).state.rates_of(0)) == [3, 3, 3, 3, 3]
    assert list(given(building(settled(0, 5))).state.rates_of(0)) == [4, 4, 4, 2, 4]
    assert list(given(building(settled(0, 0, 5))).state.rates_of(0)) == [3, 3, 3, 2, 3]
    assert list(given(building(settled(0, 5, 0))).state.rates_of(0)) == [3, 3, 3, 2, 3]


@rule("CA-22")
def test_points_that_everyone_sees():
    state = given(POSITIONS["with both cards"], development(0, Development.VICTORY_POINT)).state
    assert [state.public_points(seat) for seat in range(3)] == [5, 4, 0]


@rule("CA-23")
def test_the_supply_is_what_does_not_lie_on_the_board():
    state = given(POSITIONS["rolling"]).state
    assert [state.supply_of(seat) for seat in range(3)] == [(13, 4, 3), (12, 3, 4), (15, 5, 4)]


def test_the_buildings_of_all_and_of_others():
    state = given(POSITIONS["rolling"]).state
    assert state.built() == [5, 8, 19, 40]
    assert bits(state.foreign_homes(0)) == [5, 19]
    assert EMPTY not in state.built()


def test_a_mask_and_its_members():
    assert mask([0, 3, 53]) == 1 | 8 | 1 << 53
    assert bits(mask([53, 3, 0])) == [0, 3, 53]
    assert (mask([]), bits(0), union([])) == (0, [], 0)
    assert union([1, 4, 5]) == 5
