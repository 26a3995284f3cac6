"""Judges moves: every guard first, then the events."""

from collections.abc import Callable
from typing import Any

from engines.core.draft import Draft
from engines.core.errors import IllegalMove
from engines.lost_seas.board import CELLS, LINES, OFFSET, SIZE, Line
from engines.lost_seas.catalog import SIDES
from engines.lost_seas.events import (
    Event,
    GameEnded,
    LaidExpedition,
    LaidLine,
    SidesChosen,
    SidesRevealed,
    TileReturned,
    TileTaken,
)
from engines.lost_seas.moves import ChooseSides, Move, ReturnTile, TakeTile
from engines.lost_seas.scoring import result
from engines.lost_seas.setup import begin_round, deal, turn_up
from engines.lost_seas.state import EMPTY, LINE_CHOSEN, ROUNDS, Duty, Phase, State

ORDER_OF_A_ROUND = {2: "LS-10", 3: "LS-9", 4: "LS-8"}


def decide(draft: Draft[State, Event], seat: int, move: Move) -> None:
    state = draft.state
    if not 0 <= seat < state.seats:
        raise IllegalMove("LS-1", f"seat {seat} is not in this match")
    if state.phase is Phase.OVER:
        rule = "LS-27" if state.options.young_explorers else "LS-14"
        raise IllegalMove(rule, "every map is full: the match is over")
    DECIDE[type(move)](draft, seat, move)


def choose_sides(draft: Draft[State, Event], seat: int, move: ChooseSides) -> None:
    state = draft.state
    if state.options.young_explorers:
        raise IllegalMove("LS-25", "young explorers play without expeditions")
    line = LINE_CHOSEN.get(state.phase)
    if line is None:
        raise IllegalMove("LS-5", "the sides of all expeditions are fixed")
    if not state.owes_sides(seat):
        raise IllegalMove("LS-5", "the sides of these four are chosen; the others are still choosing")
    draft.emit(SidesChosen(seat, line, as_laid(state, seat, move)))
    if not any(map(state.owes_sides, range(state.seats))):
        end_choice(draft, line)


def as_laid(state: State, seat: int, move: ChooseSides) -> LaidLine:
    """The seat's four expeditions with their sides, in the order of the lines: LS-3, LS-4."""
    dealt = [state.catalog.expeditions[number].id for number in state.dealt_to(seat)]
    if len(move.sides) != SIZE:
        raise IllegalMove("LS-3", f"one side for each of the four expeditions, not {len(move.sides)}")
    if not state.options.arrange_expeditions and move.order:
        raise IllegalMove("LS-3", "the expeditions lie in the order received")
    if state.options.arrange_expeditions and sorted(move.order) != sorted(dealt):
        raise IllegalMove("LS-4", "the order names each of the four expeditions dealt once")
    sides = dict(zip(dealt, move.sides, strict=True))
    return LaidLine(tuple(LaidExpedition(name, sides[name]) for name in move.order or dealt))


def end_choice(draft: Draft[State, Event], line: Line) -> None:
    """All have chosen: LS-5; then the second deal (LS-4) or the first round (LS-6)."""
    state = draft.state
    draft.emit(SidesRevealed(line, tuple(laid_line(state, seat, line) for seat in range(state.seats))))
    if line is Line.COLUMNS:
        deal(draft, Line.ROWS)
    else:
        begin_round(draft, state.first)


def laid_line(state: State, seat: int, line: Line) -> LaidLine:
    start = seat * LINES + OFFSET[line]
    return LaidLine(
        tuple(
            LaidExpedition(state.catalog.expeditions[demand // 2].id, SIDES[demand % 2])
            for demand in state.laid[start : start + SIZE]
        )
    )


def take_tile(draft: Draft[State, Event], seat: int, move: TakeTile) -> None:
    state = draft.state
    require_turn(state, seat, Duty.TAKE_TILE)
    if state.catalog.tile_numbers.get(move.tile, EMPTY) not in state.face_up:
        raise IllegalMove("LS-11", "no such tile lies face up")
    if not 0 <= move.cell < CELLS:
        raise IllegalMove("LS-11", "a map has the cells 0 to 15")
    if state.maps[seat * CELLS + move.cell] != EMPTY:
        raise IllegalMove("LS-11", f"cell {move.cell} holds a tile, and it never moves again")
    draft.emit(TileTaken(seat, move.tile, move.cell))
    if state.options.young_explorers:
        turn_up(draft, 1)
    end_step(draft)


def return_tile(draft: Draft[State, Event], seat: int, move: ReturnTile) -> None:
    state = draft.state
    if state.options.young_explorers:
        raise IllegalMove("LS-25", "young explorers return no tile to the box")
    require_turn(state, seat, Duty.RETURN_TILE)
    if state.catalog.tile_numbers.get(move.tile, EMPTY) not in state.face_up:
        raise IllegalMove(ORDER_OF_A_ROUND[state.seats], "only a tile that lies face up returns to the box")
    draft.emit(TileReturned(seat, move.tile))
    end_step(draft)


def require_turn(state: State, seat: int, duty: Duty) -> None:
    """Raises IllegalMove unless the seat owes just this."""
    owed = state.owed()
    if owed is None:
        raise IllegalMove("LS-6", "no tile lies face up before all sides are chosen")
    if owed[0] != seat:
        rule = "LS-27" if state.options.young_explorers else "LS-12"
        raise IllegalMove(rule, f"it is the turn of seat {owed[0]}")
    if owed[1] is not duty:
        wanted = "return a tile to the box" if owed[1] is Duty.RETURN_TILE else "take a tile"
        raise IllegalMove(ORDER_OF_A_ROUND[state.seats], f"the turn is to {wanted}")


def end_step(draft: Draft[State, Event]) -> None:
    """After the last step of a round the next one begins (LS-12); after the last round the match ends (LS-14)."""
    state = draft.state
    steps = state.steps()
    if state.step < len(steps):
        return
    if state.round == ROUNDS:
        draft.emit(GameEnded(result(state)))
    elif state.options.young_explorers:
        begin_round(draft, state.first)
    else:
        begin_round(draft, (state.first + steps[-1][0]) % state.seats)


DECIDE: dict[type[Move], Callable[[Draft[State, Event], int, Any], None]] = {
    ChooseSides: choose_sides,
    TakeTile: take_tile,
    ReturnTile: return_tile,
}
