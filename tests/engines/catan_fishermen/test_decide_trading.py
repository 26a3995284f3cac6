import pytest

from engines.catan_fishermen import ENGINE
from engines.catan_fishermen.catalog import NOTHING, SETTLEMENT, Cards, Harbour, Resource
from engines.catan_fishermen.events import (
    BankTraded,
    SettlementBuilt,
    TradeAccepted,
    TradeCancelled,
    TradeClosed,
    TradeCountered,
    TradeDeclined,
    TradeOffered,
)
from engines.catan_fishermen.moves import (
    AcceptTrade,
    BuildRoad,
    BuildSettlement,
    CancelTrade,
    ConfirmTrade,
    CounterOffer,
    DeclineTrade,
    EndTurn,
    OfferTrade,
    Roll,
    TradeBank,
)
from engines.catan_fishermen.state import Answer
from engines.catan_fishermen.view import ReplyView
from tests.engines.catan_fishermen.scenario import (
    BOARD,
    LAID,
    building,
    cards,
    city,
    given,
    pips,
    roads,
    rolling,
    settled,
    spent,
)
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


FOR_WOOL = OfferTrade(Cards(brick=1), Cards(wool=1))
HANDS = cards(0, brick=2, lumber=1), cards(1, wool=2, ore=1), cards(2, wool=1, ore=2)


def offered(*events, seats=3):
    """Seat 0 offers a brick for a wool."""
    return given(building(*HANDS, *events), TradeOffered(0, FOR_WOOL.give, FOR_WOOL.take), seats=seats)


def replies(position):
    return ENGINE.view(position.state, None).offer.replies


@rule("CA-17")
def test_an_offer_is_open_to_all_others():
    position = given(building(*HANDS, seat=1))
    position.when(1, OfferTrade(Cards(wool=1), Cards(brick=2))).then(TradeOffered(1, Cards(wool=1), Cards(brick=2)))
    assert ENGINE.may_act(position.state) == (0, 2)
    assert ENGINE.to_act(position.state) == (1,)


@rule("CA-17")
@pytest.mark.parametrize(
    ("give", "take"),
    [
        (Cards(), Cards(wool=1)),
        (Cards(brick=1), Cards()),
        (Cards(), Cards()),
        (Cards(brick=1), Cards(brick=1)),
        (Cards(brick=2), Cards(brick=1)),
        (Cards(brick=1, lumber=1), Cards(lumber=1, wool=1)),
        (Cards(brick=3), Cards(wool=1)),
        (Cards(grain=1), Cards(wool=1)),
        (Cards(brick=-1), Cards(wool=1)),
        (Cards(brick=1), Cards(wool=-1)),
        (Cards(brick=1, wool=-1), Cards(ore=1)),
        (Cards(brick=1), Cards(wool=1, ore=-1)),
        (Cards(brick=1), Cards(wool=20)),
        (Cards(brick=1), Cards(wool=2**53 - 1)),
        (Cards(brick=2**53 - 1), Cards(wool=1)),
    ],
)
def test_an_offer_gives_cards_of_the_hand_for_others(give, take):
    given(building(*HANDS)).when(0, OfferTrade(give, take)).refuses("CA-17")
    counter = given(
        building(cards(0, wool=1), cards(1, brick=2, lumber=1)), TradeOffered(0, Cards(wool=1), Cards(ore=1))
    )
    counter.when(1, CounterOffer(give, take)).refuses("CA-17")


@rule("CA-17")
def test_an_offer_may_ask_for_all_cards_of_a_kind_and_for_several_kinds():
    given(building(*HANDS)).when(0, OfferTrade(Cards(brick=2, lumber=1), Cards(wool=19, ore=19))).play()


@rule("CA-17")
def test_nothing_is_traded_before_the_roll():
    given(rolling(*HANDS)).when(0, FOR_WOOL).refuses("CA-8")


@rule("CA-17")
def test_a_trade_between_two_others_is_refused():
    position = given(building(*HANDS))
    position.when(1, OfferTrade(Cards(wool=1), Cards(ore=1))).refuses("CA-17")
    position = offered()
    position.when(2, OfferTrade(Cards(ore=1), Cards(wool=1))).refuses("CA-17")
    position.when(1, CounterOffer(Cards(wool=1), Cards(ore=1))).play()
    position.when(2, AcceptTrade()).play()
    # Both answers are the active player's alone to close.
    position.when(2, ConfirmTrade(1)).refuses("CA-17")
    position.when(1, ConfirmTrade(2)).refuses("CA-17")


@rule("CA-17")
def test_an_acceptance_is_closed_by_the_active_player():
    position = offered()
    position.when(1, AcceptTrade()).then(TradeAccepted(1))
    assert position.hand(0) == Cards(brick=2, lumber=1)
    position.when(0, ConfirmTrade(1)).then(TradeClosed(0, 1, Cards(brick=1), Cards(wool=1)))
    assert position.hand(0) == Cards(brick=1, lumber=1, wool=1)
    assert position.hand(1) == Cards(brick=1, wool=1, ore=1)
    assert position.bank() == given(building(*HANDS)).bank()
    assert ENGINE.view(position.state, None).offer is None
    position.when(0, ConfirmTrade(1)).refuses("CA-17")


@rule("CA-17")
@pytest.mark.parametrize(("seat", "partner"), [(1, 0), (1, 2), (2, 0), (2, 1)])
def test_any_two_trade_while_one_of_them_is_active(seat, partner):
    position = given(building(cards(seat, brick=1), cards(partner, wool=1), seat=seat))
    position.when(seat, FOR_WOOL).play()
    position.when(partner, AcceptTrade()).play()
    position.when(seat, ConfirmTrade(partner)).then(TradeClosed(seat, partner, Cards(brick=1), Cards(wool=1)))


@rule("CA-17")
def test_the_active_player_chooses_among_the_answers():
    position = offered()
    position.when(1, AcceptTrade()).play()
    position.when(2, CounterOffer(Cards(ore=2), Cards(brick=1, lumber=1))).then(
        TradeCountered(2, Cards(ore=2), Cards(brick=1, lumber=1))
    )
    position.when(0, ConfirmTrade(2)).then(TradeClosed(0, 2, Cards(brick=1, lumber=1), Cards(ore=2)))
    assert position.hand(0) == Cards(brick=1, ore=2)
    assert position.hand(2) == Cards(brick=1, lumber=1, wool=1)


@rule("CA-17")
def test_a_counter_offer_may_ask_for_what_the_active_player_lacks():
    position = offered()
    position.when(1, CounterOffer(Cards(wool=1), Cards(grain=1))).play()
    position.when(0, ConfirmTrade(1)).refuses("CA-17")


@rule("CA-17")
def test_whoever_accepts_holds_the_cards():
    position = given(building(*HANDS), TradeOffered(0, Cards(brick=1), Cards(wool=2)))
    position.when(2, AcceptTrade()).refuses("CA-17")
    position.when(1, AcceptTrade()).then(TradeAccepted(1))


@rule("CA-17")
def test_a_trade_is_closed_with_someone_who_agreed():
    position = offered(seats=4)
    position.when(1, DeclineTrade()).play()
    for partner in (0, 1, 2, 3, 4, -1, -3, 2**53 - 1):
        position.when(0, ConfirmTrade(partner)).refuses("CA-17")


@rule("CA-17")
def test_nothing_is_closed_without_an_offer():
    given(building(*HANDS)).when(0, ConfirmTrade(1)).refuses("CA-17")


@rule("CA-17")
def test_the_one_who_offered_may_no_longer_hold_the_cards():
    position = offered()
    position.when(1, AcceptTrade()).play()
    ENGINE.evolve(position.state, spent(0, brick=2))
    position.when(0, ConfirmTrade(1)).refuses("CA-17")


@rule("CA-17")
def test_the_one_who_accepted_may_no_longer_hold_the_cards():
    position = offered()
    position.when(1, AcceptTrade()).play()
    position.when(2, CounterOffer(Cards(ore=2), Cards(brick=1))).play()
    for event in (spent(1, wool=2), spent(2, ore=1)):
        ENGINE.evolve(position.state, event)
    position.when(0, ConfirmTrade(1)).refuses("CA-17")
    position.when(0, ConfirmTrade(2)).refuses("CA-17")


@rule("CA-17")
def test_a_new_answer_replaces_the_old():
    position = offered()
    position.when(1, AcceptTrade()).play()
    position.when(1, CounterOffer(Cards(ore=1), Cards(brick=2))).play()
    assert replies(position) == (ReplyView(1, Answer.COUNTERED, Cards(ore=1), Cards(brick=2)),)
    position.when(1, CounterOffer(Cards(ore=1), Cards(lumber=1))).play()
    assert replies(position) == (ReplyView(1, Answer.COUNTERED, Cards(ore=1), Cards(lumber=1)),)
    position.when(1, AcceptTrade()).play()
    assert replies(position) == (ReplyView(1, Answer.ACCEPTED, NOTHING, NOTHING),)


@rule("CA-17")
def test_a_new_offer_clears_all_answers():
    position = offered()
    position.when(1, AcceptTrade()).play()
    position.when(2, DeclineTrade()).play()
    position.when(0, OfferTrade(Cards(lumber=1), Cards(ore=1))).then(TradeOffered(0, Cards(lumber=1), Cards(ore=1)))
    assert replies(position) == ()
    position.when(0, ConfirmTrade(1)).refuses("CA-17")


@rule("CA-17")
def test_declining_withdraws_an_answer_and_may_be_changed():
    position = offered()
    position.when(1, AcceptTrade()).play()
    position.when(1, DeclineTrade()).then(TradeDeclined(1))
    position.when(0, ConfirmTrade(1)).refuses("CA-17")
    position.when(1, AcceptTrade()).play()
    position.when(0, ConfirmTrade(1)).play()


@rule("CA-17")
def test_an_answer_that_stands_already_is_refused():
    position = offered()
    for answer in (AcceptTrade(), DeclineTrade(), CounterOffer(Cards(ore=1), Cards(brick=1))):
        position.when(1, answer).play()
        position.when(1, answer).refuses("CA-17")


@rule("CA-17")
def test_the_active_player_withdraws_the_offer_with_all_answers():
    position = offered()
    position.when(1, AcceptTrade()).play()
    position.when(0, CancelTrade()).then(TradeCancelled(0))
    assert ENGINE.view(position.state, None).offer is None
    position.when(0, ConfirmTrade(1)).refuses("CA-17")
    position.when(0, CancelTrade()).refuses("CA-17")
    position.when(1, AcceptTrade()).refuses("CA-17")


@rule("CA-17")
def test_others_withdraw_their_own_answer():
    position = offered()
    position.when(1, CancelTrade()).refuses("CA-17")
    position.when(1, AcceptTrade()).play()
    position.when(2, DeclineTrade()).play()
    position.when(1, CancelTrade()).then(TradeCancelled(1))
    assert replies(position) == (ReplyView(2, Answer.DECLINED, NOTHING, NOTHING),)
    position.when(1, CancelTrade()).refuses("CA-17")


@rule("CA-17")
def test_nobody_answers_an_offer_of_their_own():
    position = offered(cards(0, wool=1))
    for answer in (AcceptTrade(), DeclineTrade(), CounterOffer(Cards(lumber=1), Cards(ore=1))):
        position.when(0, answer).refuses("CA-17")


@rule("CA-17")
def test_without_an_offer_there_is_nothing_to_answer():
    position = given(building(*HANDS))
    for seat in range(3):
        for answer in (AcceptTrade(), DeclineTrade(), CounterOffer(Cards(wool=1), Cards(brick=1)), CancelTrade()):
            position.when(seat, answer).refuses("CA-17")


@rule("CA-17")
def test_twenty_offers_are_made_in_a_turn():
    position = given(building(*HANDS))
    for _ in range(10):
        position.when(0, FOR_WOOL).play()
        position.when(0, CancelTrade()).play()
        position.when(0, FOR_WOOL).play()
    assert ENGINE.view(position.state, None).offers_left == 0
    position.when(0, FOR_WOOL).refuses("CA-17")
    # The last one is still good, and the next turn has its own twenty.
    position.when(1, AcceptTrade()).play()
    position.when(0, ConfirmTrade(1)).play()
    position.when(0, EndTurn()).play()
    position.when(1, Roll(), dice=pips(2)).play()
    position.when(1, OfferTrade(Cards(ore=1), Cards(wool=1))).play()
    assert ENGINE.view(position.state, None).offers_left == 19


@rule("CA-17")
def test_counter_offers_are_not_counted():
    position = offered()
    for wanted in range(1, 20):
        position.when(1, CounterOffer(Cards(ore=1), Cards(brick=wanted))).play()
    assert ENGINE.view(position.state, None).offers_left == 19


@rule("CA-17")
def test_an_open_offer_holds_up_nothing():
    position = given(
        building(cards(0, brick=2, lumber=1), settled(0, 8)), TradeOffered(0, Cards(brick=1), Cards(ore=1))
    )
    position.when(0, BuildRoad(7)).play()
    assert ENGINE.view(position.state, None).offer is not None
    position.when(0, EndTurn()).play()
    assert ENGINE.view(position.state, None).offer is None


@rule("CA-17")
def test_the_offer_lapses_with_the_turn_and_the_next_has_its_own():
    position = offered()
    position.when(1, AcceptTrade()).play()
    position.when(0, EndTurn()).play()
    position.when(1, Roll(), dice=pips(2)).play()
    position.when(1, ConfirmTrade(0)).refuses("CA-17")
    position.when(0, ConfirmTrade(1)).refuses("CA-17")
    position.when(0, CancelTrade()).refuses("CA-17")
