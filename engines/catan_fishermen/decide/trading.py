"""Trade with the bank and among players: CA-16, CA-17."""

from engines.catan_fishermen.cards import alike, holds
from engines.catan_fishermen.catalog import CARDS, KINDS, RESOURCES, Cards
from engines.catan_fishermen.decide.guards import CatanDraft, Decisions, out_of_turn, require_building
from engines.catan_fishermen.events import (
    BankTraded,
    TradeAccepted,
    TradeCancelled,
    TradeClosed,
    TradeCountered,
    TradeDeclined,
    TradeOffered,
)
from engines.catan_fishermen.moves import (
    AcceptTrade,
    CancelTrade,
    ConfirmTrade,
    CounterOffer,
    DeclineTrade,
    OfferTrade,
    TradeBank,
)
from engines.catan_fishermen.state import TRADING_AND_BUILDING, Answer, Reply, State, Terms
from engines.core.errors import IllegalMove

MOST_OFFERS = 20
"""CA-17: in one turn."""
MOST_ANSWERS = 20
"""CA-17: of one seat to one offer; each can be withdrawn."""


def trade_bank(draft: CatanDraft, seat: int, move: TradeBank) -> None:
    state = draft.state
    require_building(state, seat)
    give, take = RESOURCES.index(move.give), RESOURCES.index(move.take)
    if give == take:
        raise IllegalMove("CA-16", "the bank gives a card of another kind")
    rate = state.rates[seat * KINDS + give]
    if state.hands[seat * KINDS + give] < rate:
        raise IllegalMove("CA-16", f"the rate for {move.give} is {rate} cards")
    if not state.bank[take]:
        raise IllegalMove("CA-16", f"the bank has no {move.take}")
    draft.emit(BankTraded(seat, alike(give, rate), alike(take, 1)))


def offer_trade(draft: CatanDraft, seat: int, move: OfferTrade) -> None:
    state = draft.state
    if seat != state.seat and state.turn:
        raise IllegalMove("CA-17", "only the active player offers; others answer the active player's offers")
    require_building(state, seat)
    require_terms(state, seat, move.give, move.take)
    if state.offers_made >= MOST_OFFERS:
        raise IllegalMove("CA-17", f"{MOST_OFFERS} offers were made in this turn")
    draft.emit(TradeOffered(seat, move.give, move.take))


def counter_offer(draft: CatanDraft, seat: int, move: CounterOffer) -> None:
    state = draft.state
    require_offer(state, seat)
    require_terms(state, seat, move.give, move.take)
    if state.replies[seat] == Reply(Answer.COUNTERED, Terms(move.give, move.take)):
        raise IllegalMove("CA-17", "this counter-offer stands already")
    draft.emit(TradeCountered(seat, move.give, move.take))


def require_terms(state: State, seat: int, give: Cards, take: Cards) -> None:
    """Raises IllegalMove unless the seat can propose this: CA-17."""
    given, taken = give.counts(), take.counts()
    if min(given) < 0 or min(taken) < 0:
        raise IllegalMove("CA-17", "a trade has no negative numbers of cards")
    if not any(given) or not any(taken):
        raise IllegalMove("CA-17", "each side of a trade has at least one card")
    if any(map(min, given, taken)):
        raise IllegalMove("CA-17", "no kind of card is on both sides of a trade")
    if max(taken) > CARDS:
        raise IllegalMove("CA-17", f"there are only {CARDS} cards of a kind")
    if not holds(state, seat, give):
        raise IllegalMove("CA-17", "only cards in the hand are offered")


def accept_trade(draft: CatanDraft, seat: int, move: AcceptTrade) -> None:
    state = draft.state
    offer = require_offer(state, seat)
    # The offer may have been replaced while the answer was on its way.
    if Terms(move.take, move.give) != offer:
        raise IllegalMove("CA-17", "these are not the terms of the open offer")
    if not holds(state, seat, offer.take):
        raise IllegalMove("CA-17", "the cards asked for are not in the hand")
    if state.replies[seat] == Reply(Answer.ACCEPTED):
        raise IllegalMove("CA-17", "the offer is accepted already")
    draft.emit(TradeAccepted(seat))


def decline_trade(draft: CatanDraft, seat: int, move: DeclineTrade) -> None:  # noqa: ARG001 - it has no choices
    state = draft.state
    require_offer(state, seat)
    if state.replies[seat] == Reply(Answer.DECLINED):
        raise IllegalMove("CA-17", "the offer is declined already")
    draft.emit(TradeDeclined(seat))


def require_offer(state: State, seat: int) -> Terms:
    """The open offer that the seat may answer: CA-17, CA-8."""
    if state.offer is None:
        raise IllegalMove("CA-17", "no offer is open")
    if state.phase is not TRADING_AND_BUILDING:
        raise out_of_turn(state, state.seat)
    if seat == state.seat:
        raise IllegalMove("CA-17", "nobody answers an offer of their own")
    if state.answers_made[seat] >= MOST_ANSWERS:
        raise IllegalMove("CA-17", f"{MOST_ANSWERS} answers were given to this offer")
    return state.offer


def confirm_trade(draft: CatanDraft, seat: int, move: ConfirmTrade) -> None:
    state = draft.state
    if seat != state.seat and state.turn:
        raise IllegalMove("CA-17", "only the active player closes a trade")
    require_building(state, seat)
    terms = agreed(state, move.partner) if 0 <= move.partner < state.seats else None
    if terms is None:
        raise IllegalMove("CA-17", "that seat has neither accepted nor made a counter-offer")
    # The partner may have answered anew while the move was on its way.
    if Terms(move.give, move.take) != terms:
        raise IllegalMove("CA-17", "these are not the terms that the partner agreed to")
    if not holds(state, seat, terms.give):
        raise IllegalMove("CA-17", "the cards to give are no longer in the hand")
    if not holds(state, move.partner, terms.take):
        raise IllegalMove("CA-17", "the partner no longer holds the cards")
    draft.emit(TradeClosed(seat, move.partner, terms.give, terms.take))


def agreed(state: State, partner: int) -> Terms | None:
    """What the partner has agreed to or proposed, as the active player sees it."""
    match state.replies[partner]:
        case Reply(answer=Answer.ACCEPTED):
            return state.offer
        case Reply(answer=Answer.COUNTERED, terms=Terms(give=give, take=take)):
            return Terms(take, give)
        case _:
            return None


def cancel_trade(draft: CatanDraft, seat: int, move: CancelTrade) -> None:  # noqa: ARG001 - it has no choices
    state = draft.state
    if state.offer is None or (seat != state.seat and state.replies[seat] is None):
        raise IllegalMove("CA-17", "there is nothing to withdraw")
    if state.phase is not TRADING_AND_BUILDING:
        raise out_of_turn(state, state.seat)
    draft.emit(TradeCancelled(seat))


DECISIONS: Decisions = {
    TradeBank: trade_bank,
    OfferTrade: offer_trade,
    CounterOffer: counter_offer,
    AcceptTrade: accept_trade,
    DeclineTrade: decline_trade,
    ConfirmTrade: confirm_trade,
    CancelTrade: cancel_trade,
}
