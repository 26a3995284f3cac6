"""Writes events into the state."""

from collections.abc import Callable
from typing import Any

from engines.lost_seas.board import CELLS, LINES, OFFSET, SIZE
from engines.lost_seas.catalog import SIDES
from engines.lost_seas.events import (
    Event,
    ExpeditionsDealt,
    FirstPlayerSet,
    GameEnded,
    LaidLine,
    RoundBegun,
    SidesChosen,
    SidesRevealed,
    TileReturned,
    TilesTurnedUp,
    TileTaken,
)
from engines.lost_seas.state import CHOOSING, EMPTY, Phase, State


def evolve(state: State, event: Event) -> None:
    EVOLVE[type(event)](state, event)


def first_player_set(state: State, event: FirstPlayerSet) -> None:
    state.first = event.seat


def expeditions_dealt(state: State, event: ExpeditionsDealt) -> None:
    state.phase = CHOOSING[event.line]
    start = event.seat * SIZE
    for place, name in enumerate(event.expeditions, start):
        number = state.catalog.expedition_numbers[name]
        state.box.remove(number)
        state.dealt[place] = number


def sides_chosen(state: State, event: SidesChosen) -> None:
    assert event.laid is not None, "a redacted event is told, never folded"
    lay(state, event.seat * LINES + OFFSET[event.line], event.laid)


def sides_revealed(state: State, event: SidesRevealed) -> None:
    for seat, laid in enumerate(event.laid):
        lay(state, seat * LINES + OFFSET[event.line], laid)
    state.dealt[:] = bytes([EMPTY]) * len(state.dealt)


def lay(state: State, start: int, laid: LaidLine) -> None:
    for place, one in enumerate(laid.expeditions, start):
        state.laid[place] = 2 * state.catalog.expedition_numbers[one.expedition] + SIDES.index(one.side)


def round_begun(state: State, event: RoundBegun) -> None:
    state.phase = Phase.PLAYING
    state.round = event.round
    state.first = event.first_seat
    state.step = 0


def tiles_turned_up(state: State, event: TilesTurnedUp) -> None:
    for name in event.tiles:
        tile = state.catalog.tile_numbers[name]
        state.pile.remove(tile)
        state.face_up.append(tile)


def tile_taken(state: State, event: TileTaken) -> None:
    tile = state.catalog.tile_numbers[event.tile]
    state.face_up.remove(tile)
    state.maps[event.seat * CELLS + event.cell] = tile
    state.count(event.seat, event.cell, tile)
    state.step += 1


def tile_returned(state: State, event: TileReturned) -> None:
    tile = state.catalog.tile_numbers[event.tile]
    state.face_up.remove(tile)
    state.discards.append(tile)
    state.step += 1


def game_ended(state: State, event: GameEnded) -> None:
    state.phase = Phase.OVER
    state.outcome = event.outcome


EVOLVE: dict[type[Event], Callable[[State, Any], None]] = {
    FirstPlayerSet: first_player_set,
    ExpeditionsDealt: expeditions_dealt,
    SidesChosen: sides_chosen,
    SidesRevealed: sides_revealed,
    RoundBegun: round_begun,
    TilesTurnedUp: tiles_turned_up,
    TileTaken: tile_taken,
    TileReturned: tile_returned,
    GameEnded: game_ended,
}
