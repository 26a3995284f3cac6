"""What a seat or a spectator may see, built up field by field; enough to draw the table without knowing the rules."""

from functools import lru_cache

from engines.core.chance import Chance
from engines.core.outcome import Outcome
from engines.core.shapes import Plain
from engines.lost_seas.board import CELLS, DIRECTION_OF, LINES, OFFSET, SIZE, Line
from engines.lost_seas.catalog import SIDES, Catalog, Demand, Expedition, Side, Tile
from engines.lost_seas.events import Event, SidesChosen
from engines.lost_seas.legal import ALL_ORDERS, to_act
from engines.lost_seas.scoring import line_points
from engines.lost_seas.state import EMPTY, LINE_CHOSEN, Duty, Options, Phase, State


class Owed(Plain, frozen=True):
    seat: int
    duty: Duty


class LaidDemand(Plain, frozen=True):
    """The side of an expedition that its line has to meet."""

    expedition: str
    side: Side
    demand: Demand


class LineView(Plain, frozen=True):
    """Line `index` (0 to 3) of its direction: what it asks, once the viewer may know, and its points as it lies."""

    line: Line
    index: int
    points: int
    laid: LaidDemand | None = None


class PlacedTile(Plain, frozen=True):
    cell: int
    tile: Tile


class Player(Plain, frozen=True):
    """A seat: `choosing` holds the expeditions whose sides it chooses in this phase, `chosen` whether it has."""

    seat: int
    points: int
    choosing: tuple[Expedition, ...]
    chosen: bool
    placed: tuple[PlacedTile, ...]
    lines: tuple[LineView, ...]


class View(Plain, frozen=True):
    """`pile` and `box` count tiles and expeditions that nobody has seen yet; tiles lie in the order turned up.

    `turn_order` is that of the round, of the first one before it begins. `viewer` is the seat whose view this is,
    None for a spectator's.
    """

    options: Options
    phase: Phase
    round: int
    turn_order: tuple[int, ...]
    owed: tuple[Owed, ...]
    face_up: tuple[Tile, ...]
    pile: int
    box: int
    discards: tuple[Tile, ...]
    players: tuple[Player, ...]
    viewer: int | None = None
    outcome: Outcome | None = None


def view(state: State, seat: int | None) -> View:
    tiles = state.catalog.tiles
    return View(
        options=state.options,
        phase=state.phase,
        round=state.round,
        turn_order=tuple([(state.first + offset) % state.seats for offset in range(state.seats)]),
        owed=duties(state),
        face_up=tuple(tiles[tile] for tile in state.face_up),
        pile=len(state.pile),
        box=len(state.box),
        discards=tuple(tiles[tile] for tile in state.discards),
        players=tuple(player(state, other, viewer=seat) for other in range(state.seats)),
        viewer=seat,
        outcome=state.outcome,
    )


def scores(view: View) -> tuple[int, ...]:
    return tuple([player.points for player in view.players])


def duties(state: State) -> tuple[Owed, ...]:
    owed = state.owed()
    if owed is not None:
        return (Owed(*owed),)
    return tuple(Owed(seat, Duty.CHOOSE_SIDES) for seat in to_act(state))


@lru_cache(maxsize=16)
def placings(catalog: Catalog) -> tuple[tuple[PlacedTile, ...], ...]:
    """The one object of each tile on each cell: views name hundreds of them."""
    return tuple(tuple(PlacedTile(cell, tile) for cell in range(CELLS)) for tile in catalog.tiles)


@lru_cache(maxsize=16)
def layings(catalog: Catalog) -> tuple[LaidDemand, ...]:
    """The one object of each side of each expedition."""
    return tuple(
        LaidDemand(expedition.id, side, getattr(expedition, side))
        for expedition in catalog.expeditions
        for side in SIDES
    )


def player(state: State, seat: int, *, viewer: int | None) -> Player:
    expeditions = state.catalog.expeditions
    placing = placings(state.catalog)
    choosing = LINE_CHOSEN.get(state.phase)
    lines = line_views(state, seat, secret=choosing if viewer != seat else None)
    map_ = state.maps[seat * CELLS : seat * CELLS + CELLS]
    return Player(
        seat=seat,
        points=sum([line.points for line in lines]),
        choosing=tuple([expeditions[number] for number in state.dealt_to(seat) if number != EMPTY]),
        chosen=choosing is not None and state.has_laid(seat, choosing),
        placed=tuple([placing[tile][cell] for cell, tile in enumerate(map_) if tile != EMPTY]),
        lines=tuple(lines),
    )


def line_views(state: State, seat: int, *, secret: Line | None) -> list[LineView]:
    """The seat's eight lines; those of a secret direction show neither demand nor points (LS-5)."""
    laying = layings(state.catalog)
    views = []
    for line in range(LINES):
        direction = DIRECTION_OF[line]
        if direction is secret:
            views.append(LineView(direction, line % SIZE, 0))
            continue
        demand = state.laid[seat * LINES + line]
        laid = None if demand == EMPTY else laying[demand]
        views.append(LineView(direction, line % SIZE, line_points(state, seat, line), laid))
    return views


def redact(event: Event, seat: int | None) -> Event:
    if isinstance(event, SidesChosen) and event.seat != seat:
        return SidesChosen(event.seat, event.line)
    return event


def determinize(state: State, seat: int | None, chance: Chance) -> State:
    """The secret choices of others drawn anew; box and pile have no order to redraw."""
    twin = state.copy()
    line = LINE_CHOSEN.get(state.phase)
    if line is None:
        return twin
    for other in range(state.seats):
        if other == seat or not state.has_laid(other, line):
            continue
        dealt = state.dealt_to(other)
        order = ALL_ORDERS[chance.draw("order", len(ALL_ORDERS)) if state.options.arrange_expeditions else 0]
        start = other * LINES + OFFSET[line]
        twin.laid[start : start + SIZE] = bytes(2 * dealt[place] + chance.draw("side", 2) for place in order)
    return twin
