"""A game of three offers, made for tests: seat 0 owes them, and the others may answer each as often as they like."""

from collections.abc import Iterator
from copy import copy

from engines.core.engine import Engine
from engines.core.errors import IllegalMove
from engines.core.outcome import Outcome, Standing
from engines.core.shapes import GameOptions, GameState, Plain, Tagged

OFFERS = 3


class Options(GameOptions, frozen=True):
    pass


class Offer(Tagged, frozen=True):
    pass


class Answer(Tagged, frozen=True):
    accepted: bool


class Offered(Tagged, frozen=True):
    worth: int


class Answered(Tagged, frozen=True):
    seat: int
    accepted: bool


class View(Plain, frozen=True):
    offers: int
    answers: tuple[str, ...]
    viewer: int | None = None


class State(GameState, kw_only=True):
    seats: int
    offers: int = 0
    answers: list[str]

    def copy(self) -> "State":
        twin = copy(self)
        twin.answers = self.answers[:]
        return twin

    def rederive(self) -> None:
        pass


def decide(draft, seat, move):
    if isinstance(move, Offer):
        if seat != 0 or draft.state.offers == OFFERS:
            raise IllegalMove("HA-1", "seat 0 makes three offers")
        draft.emit(Offered(draft.draw("worth", 6)))
    elif seat in may_act(draft.state):
        draft.emit(Answered(seat, move.accepted))
    else:
        raise IllegalMove("HA-2", "there is nothing to answer")


def evolve(state, event):
    if isinstance(event, Offered):
        state.offers += 1
        state.answers[:] = [""] * state.seats
    else:
        state.answers[event.seat] = "yes" if event.accepted else "no"


def to_act(state) -> tuple[int, ...]:
    return () if state.offers == OFFERS else (0,)


def may_act(state) -> tuple[int, ...]:
    return tuple(range(1, state.seats)) if 0 < state.offers < OFFERS else ()


def legal_moves(state, seat) -> Iterator[Offer | Answer]:
    if seat in to_act(state):
        return iter([Offer()])
    return iter([Answer(True), Answer(False)] if seat in may_act(state) else [])


def outcome(state) -> Outcome | None:
    if state.offers < OFFERS:
        return None
    return Outcome(tuple(Standing(seat, 1, 0, ()) for seat in range(state.seats)))


ENGINE = Engine(
    name="haggling",
    title="Haggling",
    seats=(2, 4),
    rules=(1,),
    state_format=1,
    Options=Options,
    Move=Offer | Answer,
    Event=Offered | Answered,
    State=State,
    View=View,
    catalog=lambda data: data,
    initial=lambda catalog, _options, seats, rules: State(
        catalog=catalog, rules=rules, seats=seats, answers=[""] * seats
    ),
    setup=lambda draft: draft.emit(Answered(0, accepted=True)),
    decide=decide,
    evolve=evolve,
    to_act=to_act,
    may_act=may_act,
    legal_moves=legal_moves,
    families=lambda _state, _seat: (),
    autopilot=lambda state, seat: next(legal_moves(state, seat)),
    view=lambda state, seat: View(state.offers, tuple(state.answers), seat),
    redact=lambda event, _seat: event,
    determinize=lambda state, _seat, _chance: state.copy(),
    turns=lambda state: state.offers,
    outcome=outcome,
)
