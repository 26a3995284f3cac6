"""The end of a turn: the draw, what is discarded, one card bought, and the end of the game (BF-32 to BF-38)."""

from engines.black_fleet.catalog.kinds import Symbol
from engines.black_fleet.decide.guards import Decisions, Table, require_phase
from engines.black_fleet.effects.powers import powers
from engines.black_fleet.events import (
    DevelopmentBought,
    DiscardDemanded,
    FortuneDiscarded,
    GameEnded,
    SailingEnded,
    TurnBegun,
    VictoryCardBought,
)
from engines.black_fleet.moves import Buy, Discard, EndSailing, EndTurn
from engines.black_fleet.scoring import result
from engines.black_fleet.setup import draw_fortune, draw_movement
from engines.black_fleet.state import EMPTY, RANKS, Cause, Phase
from engines.core.errors import IllegalMove

HAND_LIMIT = 3
"""BF-33."""
DRAWS = {Symbol.NONE: 0, Symbol.DISCARD: 0, Symbol.DRAW_1: 1, Symbol.DRAW_2: 2}


def end_sailing(draft: Table, seat: int, move: EndSailing) -> None:  # noqa: ARG001 - it has no choices
    """BF-32."""
    state = draft.state
    require_phase(state, seat, Phase.SAILING)
    symbol = state.catalog.movement[state.order].symbol
    draft.emit(SailingEnded(seat))
    draw_movement(draft, seat)
    if symbol is Symbol.DISCARD and state.fortune_hands[seat]:
        draft.emit(DiscardDemanded(seat, 1, Cause.SYMBOL))
        return
    end_draw(draft, seat)


def end_draw(draft: Table, seat: int) -> None:
    """The fortune cards drawn, then the limit of the hand: BF-32, BF-33."""
    state = draft.state
    drawn = DRAWS[state.catalog.movement[state.order].symbol] or powers(state).draws
    draw_fortune(draft, seat, drawn)
    excess = len(state.fortune_hands[seat]) - HAND_LIMIT
    if excess > 0:
        draft.emit(DiscardDemanded(seat, excess, Cause.HAND_LIMIT))


def discard(draft: Table, seat: int, move: Discard) -> None:
    state = draft.state
    if state.phase is not Phase.DISCARDING or state.seat != seat:
        raise IllegalMove("BF-32", "the seat has no fortune card to discard")
    number, cause = state.catalog.fortune_numbers.get(move.card, EMPTY), state.cause
    if number not in state.fortune_hands[seat]:
        rule = "BF-32" if cause is Cause.SYMBOL else "BF-33"
        raise IllegalMove(rule, "only a fortune card of the hand is discarded")
    draft.emit(FortuneDiscarded(seat, move.card))
    if cause is Cause.SYMBOL:
        end_draw(draft, seat)


def buy(draft: Table, seat: int, move: Buy) -> None:
    state, catalog = draft.state, draft.state.catalog
    if state.seat != seat:
        raise IllegalMove("BF-35", "one card is bought at the end of one's own turn, and that ends it")
    require_phase(state, seat, Phase.BUYING)
    victory = catalog.victory[state.victory[seat]]
    if move.card == victory.id:
        if state.bought[seat].bit_count() < RANKS:
            raise IllegalMove("BF-36", "the victory card is bought after all four developments")
        require_doubloons(draft, seat, victory.price)
        draft.emit(VictoryCardBought(seat, victory.price))
    else:
        number = catalog.development_numbers.get(move.card, EMPTY)
        if number not in state.developments[RANKS * seat : RANKS * seat + RANKS] or number == EMPTY:
            raise IllegalMove("BF-35", "this card does not lie before the player")
        if state.standing[seat] >> number & 1:
            raise IllegalMove("BF-35", "this development is bought already")
        require_doubloons(draft, seat, catalog.developments[number].price)
        draft.emit(DevelopmentBought(seat, move.card, catalog.developments[number].price))
    finish_turn(draft, seat)


def require_doubloons(draft: Table, seat: int, price: int) -> None:
    if draft.state.doubloons[seat] < price:
        raise IllegalMove("BF-35", f"the card costs {price} doubloons")


def end_turn(draft: Table, seat: int, move: EndTurn) -> None:  # noqa: ARG001 - it has no choices
    require_phase(draft.state, seat, Phase.BUYING)
    finish_turn(draft, seat)


def finish_turn(draft: Table, seat: int) -> None:
    """Clockwise; once a victory card is bought, the round's last turn ends the game: BF-38."""
    state = draft.state
    following = (seat + 1) % state.seats
    if following == state.first and any(state.victors):
        draft.emit(GameEnded(result(state)))
    else:
        draft.emit(TurnBegun(following, state.turn + 1))


TABLE: Decisions = {EndSailing: end_sailing, Discard: discard, Buy: buy, EndTurn: end_turn}
