"""Pig: roll a die as often as you dare and keep the sum; a 1 takes the turn's points."""

from collections.abc import Iterator
from typing import ClassVar

import msgspec

from engines.core.draft import Draft
from engines.core.errors import IllegalMove, IllegalOptions, InvalidEdition
from engines.core.outcome import Outcome, Score, Standing
from engines.core.shapes import GameOptions, GameState, Plain, Tagged
from engines.core.words import Teller


class Options(GameOptions, frozen=True):
    defined_by: ClassVar[dict[str, str]] = {"goal": "PG-1"}

    goal: int = 30


class Catalog(Plain, frozen=True):
    """The edition: the die's faces."""

    game: str
    name: str
    faces: int


class Roll(Tagged, frozen=True):
    pass


class Hold(Tagged, frozen=True):
    pass


Move = Roll | Hold


class TurnBegun(Tagged, frozen=True):
    seat: int
    turn: int


class Rolled(Tagged, frozen=True):
    """The number is in the event: nobody has to roll again to know what happened."""

    seat: int
    number: int


class Held(Tagged, frozen=True):
    seat: int
    points: int


class GameWon(Tagged, frozen=True):
    outcome: Outcome


Event = TurnBegun | Rolled | Held | GameWon


class State(GameState, kw_only=True):
    goal: int
    points: list[int]
    seat: int = 0
    turn: int = 0
    kept: int = 0
    outcome: Outcome | None = None

    def copy(self) -> "State":
        return msgspec.structs.replace(self, points=list(self.points))


class View(Plain, frozen=True):
    viewer: int | None = None
    points: tuple[int, ...] = ()
    seat: int = 0
    turn: int = 0
    kept: int = 0
    outcome: Outcome | None = None


def catalog(data: bytes) -> Catalog:
    try:
        edition = msgspec.json.decode(data, type=Catalog)
    except msgspec.DecodeError as error:
        raise InvalidEdition(f"not an edition of Pig: {error}") from error
    if not 2 <= edition.faces <= 100:
        raise InvalidEdition("a die has 2 to 100 faces")
    return edition


def initial(edition: Catalog, options: Options, seats: int, rules: int) -> State:
    if not 10 <= options.goal <= 100:
        raise IllegalOptions("PG-1", "the goal is 10 to 100 points")
    return State(catalog=edition, rules=rules, goal=options.goal, points=[0] * seats)


def setup(draft: Draft[State, Event]) -> None:
    draft.emit(TurnBegun(0, 1))


def decide(draft: Draft[State, Event], seat: int, move: Move) -> None:
    """Moves ask, events tell: a refusal comes before the first draw or event."""
    state = draft.state
    if seat not in to_act(state):
        raise IllegalMove("PG-2", "another player's turn")
    if isinstance(move, Roll):
        number = 1 + draft.draw("die", state.catalog.faces)
        draft.emit(Rolled(seat, number))
        if number > 1:
            return
    elif state.kept == 0:
        raise IllegalMove("PG-4", "nothing to hold yet")
    else:
        draft.emit(Held(seat, state.kept))
        if state.points[seat] >= state.goal:
            draft.emit(GameWon(result(state)))
            return
    draft.emit(TurnBegun((seat + 1) % len(state.points), state.turn + 1))


def evolve(state: State, event: Event) -> None:
    """Writes down and judges nothing: the newest code folds every log ever written."""
    match event:
        case TurnBegun(seat=seat, turn=turn):
            state.seat, state.turn, state.kept = seat, turn, 0
        case Rolled(number=number):
            state.kept = 0 if number == 1 else state.kept + number
        case Held(seat=seat, points=points):
            state.points[seat] += points
            state.kept = 0
        case GameWon(outcome=won):
            state.outcome = won


def result(state: State) -> Outcome:
    order = sorted(range(len(state.points)), key=lambda seat: (-state.points[seat], seat))
    places = {seat: 1 + sum(other > state.points[seat] for other in state.points) for seat in order}
    return Outcome(
        tuple(
            Standing(seat, places[seat], state.points[seat], (Score("points", state.points[seat]),)) for seat in order
        )
    )


def to_act(state: State) -> tuple[int, ...]:
    return (state.seat,) if state.turn and state.outcome is None else ()


def legal_moves(state: State, seat: int) -> Iterator[Move]:
    if seat in to_act(state):
        if state.kept:
            yield Hold()
        yield Roll()


def autopilot(state: State, seat: int) -> Move:
    return next(legal_moves(state, seat))


def view(state: State, seat: int | None) -> View:
    """Built up field by field: a secret added to the state later shows nowhere by itself."""
    return View(seat, tuple(state.points), state.seat, state.turn, state.kept, state.outcome)


def outcome(state: State) -> Outcome | None:
    return state.outcome


tell = Teller()
