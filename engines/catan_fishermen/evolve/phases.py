"""What several kinds of events do to the course of the match."""

from collections.abc import Callable
from typing import Any

from engines.catan_fishermen.board import EMPTY
from engines.catan_fishermen.events import Event
from engines.catan_fishermen.fish import catches
from engines.catan_fishermen.state import CARD_POINTS, NOBODY, ROLLING, TRADING_AND_BUILDING, State

Changes = dict[type[Event], Callable[[State, Any], None]]


def resume(state: State) -> None:
    """The turn goes on where a development card or a 7 had interrupted it."""
    state.phase = TRADING_AND_BUILDING if state.rolled else ROLLING


def cap_hidden(state: State) -> None:
    """The active seat has not won with the points that it may hide (CA-22)."""
    missed = state.needed(state.seat) - 1 - state.points[state.seat]
    state.most_hidden[state.seat] = min(state.most_hidden[state.seat], missed)


def place_robber(state: State, place: int) -> None:
    """What he leaves pays again, what he enters pays no more."""
    left, state.robber = state.robber, place
    for at in (left, place):
        if at != EMPTY:
            number = state.numbers[at]
            state.payouts[number] = state.payout(number)
    if state.waters:
        catch_anew(state)


def catch_anew(state: State) -> None:
    """What the numbers pay in fish from now on."""
    state.catches = catches(state.waters, state.buildings, state.robber, state.seats)


def pass_points(state: State, former: int, holder: int) -> None:
    """Those of a card that goes from one seat to another, or NOBODY."""
    if former != NOBODY:
        state.points[former] -= CARD_POINTS
    if holder != NOBODY:
        state.points[holder] += CARD_POINTS


def close_offer(state: State) -> None:
    state.offer = None
    state.replies = [None] * state.seats
