"""What several kinds of events do to the course of the match."""

from collections.abc import Callable
from typing import Any

from engines.catan_fishermen.events import Event
from engines.catan_fishermen.state import CARD_POINTS, NOBODY, ROLLING, TRADING_AND_BUILDING, State

Changes = dict[type[Event], Callable[[State, Any], None]]


def resume(state: State) -> None:
    """The turn goes on where a development card or a 7 had interrupted it."""
    state.phase = TRADING_AND_BUILDING if state.rolled else ROLLING


def pass_points(state: State, former: int, holder: int) -> None:
    """Those of a card that goes from one seat to another, or NOBODY."""
    if former != NOBODY:
        state.points[former] -= CARD_POINTS
    if holder != NOBODY:
        state.points[holder] += CARD_POINTS


def close_offer(state: State) -> None:
    state.offer = None
    state.replies = [None] * state.seats
