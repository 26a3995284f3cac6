"""Trade with the bank and among players."""

from engines.catan_fishermen.events import (
    BankTraded,
    TradeAccepted,
    TradeCancelled,
    TradeClosed,
    TradeCountered,
    TradeDeclined,
    TradeOffered,
)
from engines.catan_fishermen.evolve.hands import pay, receive, show
from engines.catan_fishermen.evolve.phases import Changes, close_offer
from engines.catan_fishermen.state import Answer, Reply, State, Terms


def bank_traded(state: State, event: BankTraded) -> None:
    pay(state, event.seat, event.give)
    receive(state, event.seat, event.take)


def trade_offered(state: State, event: TradeOffered) -> None:
    close_offer(state)
    state.offer = Terms(event.give, event.take)
    state.offers_made += 1
    state.answers_made = (0,) * state.seats
    show(state, event.seat, event.give)


def trade_countered(state: State, event: TradeCountered) -> None:
    answer(state, event.seat, Reply(Answer.COUNTERED, Terms(event.give, event.take)))
    show(state, event.seat, event.give)


def trade_accepted(state: State, event: TradeAccepted) -> None:
    assert state.offer is not None
    answer(state, event.seat, Reply(Answer.ACCEPTED))
    show(state, event.seat, state.offer.take)


def trade_declined(state: State, event: TradeDeclined) -> None:
    answer(state, event.seat, Reply(Answer.DECLINED))


def answer(state: State, seat: int, reply: Reply) -> None:
    """In place of the seat's earlier one."""
    state.replies[seat] = reply
    made = state.answers_made
    state.answers_made = (*made[:seat], made[seat] + 1, *made[seat + 1 :])


def trade_cancelled(state: State, event: TradeCancelled) -> None:
    if event.seat == state.seat:
        close_offer(state)
    else:
        state.replies[event.seat] = None


def trade_closed(state: State, event: TradeClosed) -> None:
    pay(state, event.seat, event.give)
    pay(state, event.partner, event.take)
    receive(state, event.seat, event.take)
    receive(state, event.partner, event.give)
    close_offer(state)


CHANGES: Changes = {
    BankTraded: bank_traded,
    TradeOffered: trade_offered,
    TradeCountered: trade_countered,
    TradeAccepted: trade_accepted,
    TradeDeclined: trade_declined,
    TradeCancelled: trade_cancelled,
    TradeClosed: trade_closed,
}
