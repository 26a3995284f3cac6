"""The dice, what a 7 brings, and the end of a turn: CA-8 to CA-12."""

from engines.catan_fishermen.board import HEXES, mask
from engines.catan_fishermen.cards import holds, kind_at
from engines.catan_fishermen.catalog import RESOURCES, Cards
from engines.catan_fishermen.decide.fishing import pay_fish
from engines.catan_fishermen.decide.guards import CatanDraft, Decisions, end_if_won, out_of_turn, require_building
from engines.catan_fishermen.events import CardsDiscarded, CardStolen, DiceRolled, Due, RobberMoved, TurnBegun
from engines.catan_fishermen.moves import Discard, EndTurn, MoveRobber, Roll
from engines.catan_fishermen.state import MOST_KEPT, ROLLING, SEVEN, Gain, Payout, Phase, State
from engines.core.errors import IllegalMove

SIDES = 6


def roll(draft: CatanDraft, seat: int, move: Roll) -> None:  # noqa: ARG001 - a roll has no choices
    state = draft.state
    if state.phase is not ROLLING or state.seat != seat:
        raise out_of_turn(state, seat)
    first, second = divmod(draft.draw("dice", SIDES * SIDES), SIDES)
    number = first + second + 2
    if number == SEVEN:
        sizes = [sum(state.hand(other)) for other in range(state.seats)]
        due = tuple([Due(other, size // 2) for other, size in enumerate(sizes) if size > MOST_KEPT])
        draft.emit(DiceRolled(seat, first + 1, second + 1, (), due))
    else:
        draft.emit(DiceRolled(seat, first + 1, second + 1, served(state, state.payouts[number])))
        owed = state.catches[number]
        if owed:
            pay_fish(draft, owed)


def served(state: State, payout: Payout) -> tuple[Gain, ...]:
    """What the bank can pay of it: CA-10."""
    gains, needed = payout
    for resource, count in needed:
        if count > state.bank[resource]:
            gains = short_served(gains, resource, state.bank[resource])
    return gains


def short_served(gains: tuple[Gain, ...], resource: int, left: int) -> tuple[Gain, ...]:
    """A sole player owed the resource takes what is left, several get none of it."""
    counts = {gain.seat: list(gain.cards.counts()) for gain in gains}
    owed = [seat for seat, cards in counts.items() if cards[resource]]
    for seat in owed:
        counts[seat][resource] = left if len(owed) == 1 else 0
    return tuple(Gain(seat, Cards(*cards)) for seat, cards in counts.items() if any(cards))


def discard(draft: CatanDraft, seat: int, move: Discard) -> None:
    state = draft.state
    due = state.discards[seat]
    if not due:
        raise IllegalMove("CA-11", "there is nothing to discard")
    if min(move.cards.counts()) < 0:
        raise IllegalMove("CA-11", "a discard has no negative numbers of cards")
    if move.cards.total() != due:
        raise IllegalMove("CA-11", f"{due} cards are to be discarded, not {move.cards.total()}")
    if not holds(state, seat, move.cards):
        raise IllegalMove("CA-11", "only cards in the hand are discarded")
    draft.emit(CardsDiscarded(seat, move.cards))


def move_robber(draft: CatanDraft, seat: int, move: MoveRobber) -> None:
    state = draft.state
    if state.phase is not Phase.MOVING_ROBBER:
        raise IllegalMove("CA-12", "the robber moves after a 7 and by a knight")
    if seat != state.seat:
        raise out_of_turn(state, seat)
    if not 0 <= move.hex < HEXES:
        raise IllegalMove("CA-12", f"the land hexes are 0 to {HEXES - 1}")
    if move.hex == state.robber:
        raise IllegalMove("CA-12", "the robber moves to another hex")
    victims = state.at_hexes[move.hex] & robbable_by(state, seat)
    if move.victim is None and victims:
        raise IllegalMove("CA-12", "an opponent with cards is there: one is to be robbed")
    if move.victim is not None and not (0 <= move.victim < state.seats and victims >> move.victim & 1):
        raise IllegalMove("CA-12", "only an opponent there who has cards can be robbed")
    draft.emit(RobberMoved(seat, move.hex, move.victim))
    if move.victim is not None:
        steal(draft, seat, move.victim)


def robbable_by(state: State, seat: int) -> int:
    """The opponents with cards, one bit a seat."""
    return mask([other for other in range(state.seats) if other != seat and any(state.hand(other))])


def steal(draft: CatanDraft, seat: int, victim: int) -> None:
    """One card of the victim's, each equally likely: CA-12."""
    hand = draft.state.hand(victim)
    draft.emit(CardStolen(seat, victim, RESOURCES[kind_at(hand, draft.draw("stolen", sum(hand)))]))


def end_turn(draft: CatanDraft, seat: int, move: EndTurn) -> None:  # noqa: ARG001 - it has no choices
    state = draft.state
    require_building(state, seat)
    draft.emit(TurnBegun((seat + 1) % state.seats, state.turn + 1))
    end_if_won(draft)


DECISIONS: Decisions = {Roll: roll, Discard: discard, MoveRobber: move_robber, EndTurn: end_turn}
