"""Writes events into the state."""

from collections.abc import Callable
from typing import Any

from engines.south_seas.board import ORIGIN, WIDTH
from engines.south_seas.catalog import WARES
from engines.south_seas.events import (
    Event,
    FeatureEvaluated,
    FishCovered,
    GameEnded,
    IslanderPlaced,
    IslanderRetrieved,
    IslanderSkipped,
    MarketCompleted,
    NoTileLeft,
    ShipLoaded,
    ShipsTurnedUp,
    ShipTaken,
    StartTileLaid,
    TileDiscarded,
    TileDrawn,
    TilePlaced,
    TurnBegun,
)
from engines.south_seas.state import (
    CHOOSING_SHIP,
    DELIVERING,
    DRAWING,
    IN_SUPPLY,
    ISLANDERS,
    KINDS_OF_WARES,
    MOVING_ISLANDER,
    NOBODY,
    NONE,
    OVER,
    PLACING_TILE,
    State,
)


def evolve(state: State, event: Event) -> None:
    EVOLVE[type(event)](state, event)


def start_tile_laid(state: State, event: StartTileLaid) -> None:
    lay(state, state.catalog.tile_numbers[event.tile], ORIGIN, 0)


def ships_turned_up(state: State, event: ShipsTurnedUp) -> None:
    for name in event.ships:
        ship = state.catalog.ship_numbers[name]
        state.supply.remove(ship)
        state.display.append(ship)


def turn_begun(state: State, event: TurnBegun) -> None:
    state.turn = event.turn
    state.seat = event.seat
    state.placed = False
    state.phase = DRAWING


def tile_drawn(state: State, event: TileDrawn) -> None:
    tile = state.catalog.tile_numbers[event.tile]
    state.pile.remove(tile)
    state.drawn = tile
    if event.fits:
        state.phase = PLACING_TILE


def tile_discarded(state: State, event: TileDiscarded) -> None:
    state.discards.append(state.catalog.tile_numbers[event.tile])
    state.drawn = NONE


def no_tile_left(state: State, event: NoTileLeft) -> None:  # noqa: ARG001 - it is the turn of its seat
    state.phase = MOVING_ISLANDER


def tile_placed(state: State, event: TilePlaced) -> None:
    lay(state, state.drawn, ORIGIN + WIDTH * event.y + event.x, event.rotation)
    state.drawn = NONE
    state.placed = True
    state.phase = MOVING_ISLANDER


def lay(state: State, tile: int, cell: int, rotation: int) -> None:
    state.tiles.append(tile)
    state.cells.append(cell)
    state.rotations.append(rotation)
    state.board.lay(state.catalog.shapes[tile][rotation], cell)


def islander_placed(state: State, event: IslanderPlaced) -> None:
    node = node_of(state, event.x, event.y, event.feature)
    state.islanders[state.islanders.index(IN_SUPPLY, event.seat * ISLANDERS)] = node
    state.board.settle(node, event.seat)
    state.phase = DELIVERING


def islander_retrieved(state: State, event: IslanderRetrieved) -> None:
    send_home(state, event.seat, node_of(state, event.x, event.y, event.feature))
    state.phase = DELIVERING


def islander_skipped(state: State, event: IslanderSkipped) -> None:  # noqa: ARG001 - it is the turn of its seat
    state.phase = DELIVERING


def feature_evaluated(state: State, event: FeatureEvaluated) -> None:
    ware = WARES.index(event.ware)
    for gain in event.gains:
        state.wares[gain.seat * KINDS_OF_WARES + ware] += gain.count
    for one in event.returned:
        send_home(state, one.seat, node_of(state, one.x, one.y, one.feature))


def fish_covered(state: State, event: FishCovered) -> None:
    group = 2 * node_of(state, event.x, event.y, event.feature) + event.double
    state.covered.append(group)
    state.board.cover(group)


def market_completed(state: State, event: MarketCompleted) -> None:
    send_home(state, event.seat, node_of(state, event.x, event.y, event.feature))
    if event.earns:
        state.chooser = event.seat
        state.phase = CHOOSING_SHIP


def ship_taken(state: State, event: ShipTaken) -> None:
    take_ship(state, event.seat, event.ship)
    state.chooser = NOBODY
    state.phase = DELIVERING


def ship_loaded(state: State, event: ShipLoaded) -> None:
    take_ship(state, event.seat, event.ship)
    start = event.seat * KINDS_OF_WARES
    for place, count in enumerate(event.paid.counts(), start):
        state.wares[place] -= count


def take_ship(state: State, seat: int, name: str) -> None:
    ship = state.catalog.ship_numbers[name]
    state.display.remove(ship)
    state.owners[ship] = seat


def game_ended(state: State, event: GameEnded) -> None:
    state.phase = OVER
    state.outcome = event.outcome


def node_of(state: State, x: int, y: int, feature: str) -> int:
    """The node of a feature of the tile at x, y."""
    board, cell = state.board, ORIGIN + WIDTH * y + x
    return board.node(cell, state.catalog.feature_numbers[state.tiles[board.at[cell]]][feature])


def send_home(state: State, seat: int, node: int) -> None:
    state.islanders[state.islanders.index(node)] = IN_SUPPLY
    state.board.unsettle(node, seat)


EVOLVE: dict[type[Event], Callable[[State, Any], None]] = {
    StartTileLaid: start_tile_laid,
    ShipsTurnedUp: ships_turned_up,
    TurnBegun: turn_begun,
    TileDrawn: tile_drawn,
    TileDiscarded: tile_discarded,
    NoTileLeft: no_tile_left,
    TilePlaced: tile_placed,
    IslanderPlaced: islander_placed,
    IslanderRetrieved: islander_retrieved,
    IslanderSkipped: islander_skipped,
    FeatureEvaluated: feature_evaluated,
    FishCovered: fish_covered,
    MarketCompleted: market_completed,
    ShipTaken: ship_taken,
    ShipLoaded: ship_loaded,
    GameEnded: game_ended,
}
