"""Moves too many to list, known by a test and by samples: discards, trades proposed, fish spent."""

from engines.catan_fishermen.cards import drawn
from engines.catan_fishermen.catalog import CARDS, Cards
from engines.catan_fishermen.decide import decide
from engines.catan_fishermen.decide.trading import MOST_ANSWERS, MOST_OFFERS
from engines.catan_fishermen.fish import Fish
from engines.catan_fishermen.legal.fishing import spendings
from engines.catan_fishermen.legal.listing import discard_of
from engines.catan_fishermen.moves import CounterOffer, Discard, Move, OfferTrade, SpendFish
from engines.catan_fishermen.state import TRADING_AND_BUILDING, Phase, State
from engines.core.chance import Chance
from engines.core.draft import refusal
from engines.core.engine import Family


class Discards:
    """The halves of the hand that a seat has to discard (CA-11)."""

    name = "discards"

    def __init__(self, state: State, seat: int) -> None:
        self.state, self.seat = state, seat

    def contains(self, move: Move) -> bool:
        return isinstance(move, Discard) and refusal(decide, self.state, self.seat, move) is None

    def sample(self, chance: Chance) -> Move:
        return discard_of(drawn(chance, self.state.hand(self.seat), self.state.discards[self.seat]))


class Proposals:
    """The trades that a seat can propose (CA-17): any cards of its hand for any others."""

    def __init__(self, name: str, kind: type[OfferTrade | CounterOffer], state: State, seat: int) -> None:
        self.name, self.kind = name, kind
        self.state, self.seat = state, seat

    def contains(self, move: Move) -> bool:
        return isinstance(move, self.kind) and refusal(decide, self.state, self.seat, move) is None

    def sample(self, chance: Chance) -> Move:
        """Mostly of few cards."""
        while True:
            move = self.proposal(chance)
            if self.contains(move):
                return move

    def proposal(self, chance: Chance) -> Move:
        """Some of the hand for some cards of other kinds."""
        hand = self.state.hand(self.seat)
        given = drawn(chance, hand, few(chance, sum(hand)))
        others = [0 if count else CARDS for count in given]
        number = few(chance, sum(others)) if any(others) else 0
        return self.kind(Cards(*given), Cards(*drawn(chance, others, number)))


def few(chance: Chance, most: int) -> int:
    """A number from 1 to `most`, small ones more often."""
    count = 1
    while count < most and chance.draw("more", 2):
        count += 1
    return count


class Spendings:
    """The ways to spend fish tokens (CA-35): also more of them than the price needs."""

    name = "spendings"

    def __init__(self, state: State, seat: int) -> None:
        self.state, self.seat = state, seat

    def contains(self, move: Move) -> bool:
        return isinstance(move, SpendFish) and refusal(decide, self.state, self.seat, move) is None

    def sample(self, chance: Chance) -> Move:
        """A listed one, and of the tokens left to the seat some."""
        listed = spendings(self.state, self.seat)
        plain = listed[chance.draw("spending", len(listed))]
        held = self.state.tokens(self.seat)
        more = [chance.draw("more", held[at] - count + 1) for at, count in enumerate(plain.tokens.counts())]
        tokens = [count + more[at] for at, count in enumerate(plain.tokens.counts())]
        return SpendFish(plain.benefit, Fish(*tokens), plain.victim, plain.resource)


def families(state: State, seat: int) -> tuple[Family[Move], ...]:
    """Discards while owed; in one's own turn offers and fish; counter-offers while an offer may be answered."""
    if state.phase is Phase.DISCARDING:
        return (Discards(state, seat),) if seat in state.owing else ()
    if state.phase is not TRADING_AND_BUILDING or not 0 <= seat < state.seats:
        return ()
    if seat == state.seat:
        return (*offers(state, seat), *payments(state, seat))
    if state.offer is None or state.answers_made[seat] >= MOST_ANSWERS or not any(state.hand(seat)):
        return ()
    return (Proposals("counter_offers", CounterOffer, state, seat),)


def offers(state: State, seat: int) -> tuple[Family[Move], ...]:
    if state.offers_made >= MOST_OFFERS or not any(state.hand(seat)):
        return ()
    return (Proposals("offers", OfferTrade, state, seat),)


def payments(state: State, seat: int) -> tuple[Family[Move], ...]:
    """None of open piles: they are paid exactly (CA-62)."""
    form = state.form
    if form is None or form.open_piles or not spendings(state, seat):
        return ()
    return (Spendings(state, seat),)
