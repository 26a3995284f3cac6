import pytest

from engines.catan_fishermen.catalog import SETTLEMENT, Cards, Harbour, Resource
from engines.catan_fishermen.events import BankTraded, SettlementBuilt
from engines.catan_fishermen.moves import BuildSettlement, TradeBank
from tests.engines.catan_fishermen.scenario import BOARD, LAID, building, cards, city, given, roads, settled
from tests.rules import rule

BRICK, LUMBER, WOOL, GRAIN, ORE = Resource
DOCK = {harbour.trades: BOARD.edge_ends[harbour.edge] for harbour in LAID[0].harbours}
"""The two intersections of a harbour of each kind."""


@rule("CA-16")
def test_the_bank_takes_four_cards_for_one():
    position = given(building(cards(0, brick=4)))
    position.when(0, TradeBank(BRICK, ORE)).then(BankTraded(0, Cards(brick=4), Cards(ore=1)))
    assert (position.hand(0), position.bank()) == (Cards(ore=1), Cards(19, 19, 19, 19, 18))


@rule("CA-16")
def test_three_are_too_few_without_a_harbour():
    given(building(cards(0, brick=3))).when(0, TradeBank(BRICK, ORE)).refuses("CA-16")
    given(building(cards(0, brick=3, wool=1))).when(0, TradeBank(BRICK, ORE)).refuses("CA-16")
    given(building(cards(0, brick=4))).when(0, TradeBank(ORE, BRICK)).refuses("CA-16")


@rule("CA-16")
@pytest.mark.parametrize("end", [0, 1])
@pytest.mark.parametrize("built", [settled, city])
def test_a_generic_harbour_takes_three_of_any_kind(end, built):
    harbour = built(0, DOCK[Harbour.ANY][end])
    for give in Resource:
        take = ORE if give is not ORE else BRICK
        position = given(building(harbour, cards(0, **{give: 3})))
        position.when(0, TradeBank(give, take)).then(BankTraded(0, Cards(**{give: 3}), Cards(**{take: 1})))
        given(building(harbour, cards(0, **{give: 2}))).when(0, TradeBank(give, take)).refuses("CA-16")


@rule("CA-16")
@pytest.mark.parametrize("end", [0, 1])
@pytest.mark.parametrize("kind", list(Resource))
def test_the_harbour_of_a_kind_takes_two_of_it_alone(kind, end):
    harbour = settled(0, DOCK[Harbour(kind)][end])
    take = ORE if kind is not ORE else BRICK
    position = given(building(harbour, cards(0, **{kind: 2})))
    position.when(0, TradeBank(kind, take)).then(BankTraded(0, Cards(**{kind: 2}), Cards(**{take: 1})))
    for other in set(Resource) - {kind}:
        position = given(building(harbour, cards(0, **{other: 4})))
        position.when(0, TradeBank(other, kind)).then(BankTraded(0, Cards(**{other: 4}), Cards(**{kind: 1})))


@rule("CA-16")
@pytest.mark.parametrize("order", [1, -1])
def test_the_best_rate_is_taken(order):
    docks = (DOCK[Harbour.ANY][0], DOCK[Harbour.WOOL][0])[::order]
    position = given(building(settled(0, *docks), cards(0, wool=5, ore=3)))
    position.when(0, TradeBank(WOOL, BRICK)).then(BankTraded(0, Cards(wool=2), Cards(brick=1)))
    position.when(0, TradeBank(ORE, BRICK)).then(BankTraded(0, Cards(ore=3), Cards(brick=1)))


@rule("CA-16")
def test_the_harbours_of_others_are_no_use():
    position = given(building(settled(1, DOCK[Harbour.WOOL][0]), cards(0, wool=3)))
    position.when(0, TradeBank(WOOL, BRICK)).refuses("CA-16")


@rule("CA-16")
def test_a_harbour_built_this_turn_works_at_once():
    dock, other = DOCK[Harbour.WOOL]
    inland = next(far for _, far in BOARD.vertex_edges[dock] if far != other)
    position = given(building(roads(0, inland, dock), cards(0, brick=1, lumber=1, wool=3, grain=1)))
    position.when(0, TradeBank(WOOL, ORE)).refuses("CA-16")
    position.when(0, BuildSettlement(dock)).then(SettlementBuilt(0, dock, SETTLEMENT))
    position.when(0, TradeBank(WOOL, ORE)).then(BankTraded(0, Cards(wool=2), Cards(ore=1)))


@rule("CA-16")
def test_the_bank_gives_what_it_has_and_another_kind():
    position = given(building(cards(0, brick=8), cards(1, ore=19)))
    position.when(0, TradeBank(BRICK, ORE)).refuses("CA-16")
    position.when(0, TradeBank(BRICK, BRICK)).refuses("CA-16")
    position.when(0, TradeBank(BRICK, WOOL)).play()
    position.when(0, TradeBank(BRICK, GRAIN)).play()
    position.when(0, TradeBank(BRICK, LUMBER)).refuses("CA-16")
