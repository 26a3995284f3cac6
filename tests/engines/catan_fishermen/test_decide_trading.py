import pytest

from engines.catan_fishermen import ENGINE
from engines.catan_fishermen.catalog import NOTHING, Cards
from engines.catan_fishermen.events import (
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
    CancelTrade,
    ConfirmTrade,
    CounterOffer,
    DeclineTrade,
    EndTurn,
    OfferTrade,
    Roll,
)
from engines.catan_fishermen.state import Answer
from engines.catan_fishermen.view import ReplyView
from tests.engines.catan_fishermen.scenario import (
    building,
    cards,
    given,
    pips,
    rolling,
    settled,
    spent,
)
from tests.rules import rule

FOR_WOOL = OfferTrade(Cards(brick=1), Cards(wool=1))
ACCEPT, DECLINE = AcceptTrade(FOR_WOOL.take, FOR_WOOL.give), DeclineTrade()
COUNTER = CounterOffer(Cards(ore=1), Cards(brick=1))
HANDS = cards(0, brick=2, lumber=1), cards(1, wool=2, ore=1), cards(2, wool=1, ore=2)


def offered(*events, seats=3):
    """Seat 0 offers a brick for a wool."""
    return given(building(*HANDS, *events), TradeOffered(0, FOR_WOOL.give, FOR_WOOL.take), seats=seats)


def confirm(partner):
    """Closes what seat 0 offers."""
    return ConfirmTrade(partner, FOR_WOOL.give, FOR_WOOL.take)


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
    position.when(2, ACCEPT).play()
    # Both answers are the active player's alone to close.
    position.when(2, confirm(1)).refuses("CA-17")
    position.when(1, confirm(2)).refuses("CA-17")


@rule("CA-17")
def test_an_acceptance_is_closed_by_the_active_player():
    position = offered()
    position.when(1, ACCEPT).then(TradeAccepted(1))
    assert position.hand(0) == Cards(brick=2, lumber=1)
    position.when(0, confirm(1)).then(TradeClosed(0, 1, Cards(brick=1), Cards(wool=1)))
    assert position.hand(0) == Cards(brick=1, lumber=1, wool=1)
    assert position.hand(1) == Cards(brick=1, wool=1, ore=1)
    assert position.bank() == given(building(*HANDS)).bank()
    assert ENGINE.view(position.state, None).offer is None
    position.when(0, confirm(1)).refuses("CA-17")


@rule("CA-17")
@pytest.mark.parametrize(("seat", "partner"), [(1, 0), (1, 2), (2, 0), (2, 1)])
def test_any_two_trade_while_one_of_them_is_active(seat, partner):
    position = given(building(cards(seat, brick=1), cards(partner, wool=1), seat=seat))
    position.when(seat, FOR_WOOL).play()
    position.when(partner, ACCEPT).play()
    position.when(seat, confirm(partner)).then(TradeClosed(seat, partner, Cards(brick=1), Cards(wool=1)))


@rule("CA-17")
def test_the_active_player_chooses_among_the_answers():
    position = offered()
    position.when(1, ACCEPT).play()
    position.when(2, CounterOffer(Cards(ore=2), Cards(brick=1, lumber=1))).then(
        TradeCountered(2, Cards(ore=2), Cards(brick=1, lumber=1))
    )
    terms = Cards(brick=1, lumber=1), Cards(ore=2)
    position.when(0, ConfirmTrade(2, *terms)).then(TradeClosed(0, 2, *terms))
    assert position.hand(0) == Cards(brick=1, ore=2)
    assert position.hand(2) == Cards(brick=1, lumber=1, wool=1)


@rule("CA-17")
def test_a_counter_offer_may_ask_for_what_the_active_player_lacks():
    position = offered()
    position.when(1, CounterOffer(Cards(wool=1), Cards(grain=1))).play()
    position.when(0, ConfirmTrade(1, Cards(grain=1), Cards(wool=1))).refuses("CA-17")


@rule("CA-17")
def test_whoever_accepts_holds_the_cards():
    position = given(building(*HANDS), TradeOffered(0, Cards(brick=1), Cards(wool=2)))
    accept = AcceptTrade(Cards(wool=2), Cards(brick=1))
    position.when(2, accept).refuses("CA-17")
    position.when(1, accept).then(TradeAccepted(1))


@rule("CA-17")
def test_an_offer_that_was_replaced_is_not_accepted():
    position = offered()
    position.when(0, OfferTrade(Cards(brick=1), Cards(wool=2))).play()
    before = position.state.copy()
    position.when(1, ACCEPT).refuses("CA-17")
    assert position.state == before
    position.when(1, AcceptTrade(Cards(wool=2), Cards(brick=1))).then(TradeAccepted(1))


@rule("CA-17")
@pytest.mark.parametrize("first", [ACCEPT, COUNTER])
def test_an_answer_that_was_replaced_is_not_closed(first):
    position = offered()
    position.when(1, first).play()
    give, take = Cards(brick=2, lumber=1), Cards(ore=1)
    position.when(1, CounterOffer(take, give)).play()
    before = position.state.copy()
    position.when(0, ConfirmTrade(1, first.take, first.give)).refuses("CA-17")
    assert position.state == before
    position.when(0, ConfirmTrade(1, give, take)).then(TradeClosed(0, 1, give, take))


@rule("CA-17")
@pytest.mark.parametrize(
    ("give", "take"),
    [
        (FOR_WOOL.give, FOR_WOOL.take),
        (Cards(), Cards()),
        (FOR_WOOL.take, Cards()),
        (Cards(), FOR_WOOL.give),
        (Cards(wool=2), FOR_WOOL.give),
        (FOR_WOOL.take, Cards(brick=2)),
        (FOR_WOOL.take, Cards(brick=1, ore=-1)),
        (Cards(wool=2**53 - 1), FOR_WOOL.give),
    ],
)
def test_terms_are_accepted_and_closed_just_as_they_stand(give, take):
    position = offered()
    position.when(1, AcceptTrade(give, take)).refuses("CA-17")
    position.when(1, ACCEPT).play()
    position.when(0, ConfirmTrade(1, take, give)).refuses("CA-17")
    position.when(0, confirm(1)).play()


@rule("CA-17")
def test_a_trade_is_closed_with_someone_who_agreed():
    position = offered(seats=4)
    position.when(1, DECLINE).play()
    for partner in (0, 1, 2, 3, 4, -1, -3, 2**53 - 1):
        position.when(0, confirm(partner)).refuses("CA-17")


@rule("CA-17")
def test_nothing_is_closed_without_an_offer():
    given(building(*HANDS)).when(0, confirm(1)).refuses("CA-17")


@rule("CA-17")
def test_the_one_who_offered_may_no_longer_hold_the_cards():
    position = offered()
    position.when(1, ACCEPT).play()
    ENGINE.evolve(position.state, spent(0, brick=2))
    position.when(0, confirm(1)).refuses("CA-17")


@rule("CA-17")
def test_the_one_who_accepted_may_no_longer_hold_the_cards():
    position = offered()
    position.when(1, ACCEPT).play()
    position.when(2, CounterOffer(Cards(ore=2), Cards(brick=1))).play()
    for event in (spent(1, wool=2), spent(2, ore=1)):
        ENGINE.evolve(position.state, event)
    position.when(0, confirm(1)).refuses("CA-17")
    position.when(0, ConfirmTrade(2, Cards(brick=1), Cards(ore=2))).refuses("CA-17")


@rule("CA-17")
def test_a_new_answer_replaces_the_old():
    position = offered()
    position.when(1, ACCEPT).play()
    position.when(1, CounterOffer(Cards(ore=1), Cards(brick=2))).play()
    assert replies(position) == (ReplyView(1, Answer.COUNTERED, Cards(ore=1), Cards(brick=2)),)
    position.when(1, CounterOffer(Cards(ore=1), Cards(lumber=1))).play()
    assert replies(position) == (ReplyView(1, Answer.COUNTERED, Cards(ore=1), Cards(lumber=1)),)
    position.when(1, ACCEPT).play()
    assert replies(position) == (ReplyView(1, Answer.ACCEPTED, NOTHING, NOTHING),)


@rule("CA-17")
def test_a_new_offer_clears_all_answers():
    position = offered()
    position.when(1, ACCEPT).play()
    position.when(2, DECLINE).play()
    position.when(0, OfferTrade(Cards(lumber=1), Cards(ore=1))).then(TradeOffered(0, Cards(lumber=1), Cards(ore=1)))
    assert replies(position) == ()
    position.when(0, confirm(1)).refuses("CA-17")


@rule("CA-17")
def test_declining_withdraws_an_answer_and_may_be_changed():
    position = offered()
    position.when(1, ACCEPT).play()
    position.when(1, DECLINE).then(TradeDeclined(1))
    position.when(0, confirm(1)).refuses("CA-17")
    position.when(1, ACCEPT).play()
    position.when(0, confirm(1)).play()


@rule("CA-17")
def test_an_answer_that_stands_already_is_refused():
    position = offered()
    for answer in (ACCEPT, DECLINE, COUNTER):
        position.when(1, answer).play()
        position.when(1, answer).refuses("CA-17")


@rule("CA-17")
def test_the_active_player_withdraws_the_offer_with_all_answers():
    position = offered()
    position.when(1, ACCEPT).play()
    position.when(0, CancelTrade()).then(TradeCancelled(0))
    assert ENGINE.view(position.state, None).offer is None
    position.when(0, confirm(1)).refuses("CA-17")
    position.when(0, CancelTrade()).refuses("CA-17")
    position.when(1, ACCEPT).refuses("CA-17")


@rule("CA-17")
def test_others_withdraw_their_own_answer():
    position = offered()
    position.when(1, CancelTrade()).refuses("CA-17")
    position.when(1, ACCEPT).play()
    position.when(2, DECLINE).play()
    position.when(1, CancelTrade()).then(TradeCancelled(1))
    assert replies(position) == (ReplyView(2, Answer.DECLINED, NOTHING, NOTHING),)
    position.when(1, CancelTrade()).refuses("CA-17")


@rule("CA-17")
def test_nobody_answers_an_offer_of_their_own():
    position = offered(cards(0, wool=1))
    for answer in (ACCEPT, DECLINE, CounterOffer(Cards(lumber=1), Cards(ore=1))):
        position.when(0, answer).refuses("CA-17")


@rule("CA-17")
def test_without_an_offer_there_is_nothing_to_answer():
    position = given(building(*HANDS))
    for seat in range(3):
        for answer in (ACCEPT, DECLINE, CounterOffer(Cards(wool=1), Cards(brick=1)), CancelTrade()):
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
    position.when(1, ACCEPT).play()
    position.when(0, confirm(1)).play()
    position.when(0, EndTurn()).play()
    position.when(1, Roll(), dice=pips(2)).play()
    position.when(1, OfferTrade(Cards(ore=1), Cards(wool=1))).play()
    assert ENGINE.view(position.state, None).offers_left == 19


@rule("CA-17")
@pytest.mark.parametrize("answer", [ACCEPT, DECLINE, COUNTER])
def test_a_seat_answers_an_offer_twenty_times(answer):
    position = offered()
    for _ in range(20):
        position.when(1, answer).play()
        position.when(1, CancelTrade()).play()
    before = position.state.copy()
    for another in (ACCEPT, DECLINE, COUNTER, CancelTrade()):
        position.when(1, another).refuses("CA-17")
    assert position.state == before
    # The others have their own twenty, and the next offer gives new ones.
    position.when(2, answer).play()
    position.when(0, FOR_WOOL).play()
    position.when(1, answer).play()


@rule("CA-17")
def test_answers_of_all_kinds_are_counted_together_and_apart_from_offers():
    position = offered()
    for wanted in range(1, 7):
        for answer in (ACCEPT, DECLINE, CounterOffer(Cards(ore=1), Cards(brick=wanted))):
            position.when(1, answer).play()
    position.when(1, DECLINE).play()
    position.when(1, ACCEPT).play()
    position.when(1, COUNTER).refuses("CA-17")
    position.when(1, DECLINE).refuses("CA-17")
    assert ENGINE.view(position.state, None).offers_left == 19
    assert replies(position) == (ReplyView(1, Answer.ACCEPTED, NOTHING, NOTHING),)


@rule("CA-17")
def test_the_twentieth_answer_is_as_good_as_the_first():
    def at_the_last():
        position = offered()
        for _ in range(10):
            position.when(1, DECLINE).play()
            position.when(1, ACCEPT).play()
        return position

    at_the_last().when(0, confirm(1)).then(TradeClosed(0, 1, FOR_WOOL.give, FOR_WOOL.take))
    withdrawn = at_the_last().when(1, CancelTrade()).then(TradeCancelled(1))
    withdrawn.when(0, confirm(1)).refuses("CA-17")


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
    position.when(1, ACCEPT).play()
    position.when(0, EndTurn()).play()
    position.when(1, Roll(), dice=pips(2)).play()
    position.when(1, confirm(0)).refuses("CA-17")
    position.when(0, confirm(1)).refuses("CA-17")
    position.when(0, CancelTrade()).refuses("CA-17")
