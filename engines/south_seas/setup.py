"""How a match begins, and the draws from the pile and the supply of ships."""

from engines.core.draft import Draft
from engines.core.errors import IllegalOptions
from engines.south_seas.catalog import SHIPS, Catalog
from engines.south_seas.events import (
    Event,
    Misfit,
    NoTileLeft,
    ShipsTurnedUp,
    StartTileLaid,
    TileDiscarded,
    TileDrawn,
    TurnBegun,
)
from engines.south_seas.state import (
    FACE_UP,
    IN_SUPPLY,
    ISLANDERS,
    KINDS_OF_WARES,
    LEAST_SEATS,
    MOST_SEATS,
    NONE,
    FirstPlayer,
    Options,
    State,
)

SEAT_NAMED = tuple(FirstPlayer)


def initial(catalog: Catalog, options: Options, seats: int, rules: int) -> State:
    """The empty table; raises IllegalOptions."""
    if not LEAST_SEATS <= seats <= MOST_SEATS:
        raise IllegalOptions("SS-1", f"{LEAST_SEATS} to {MOST_SEATS} play, not {seats}")
    if options.first_player in SEAT_NAMED[seats:]:
        raise IllegalOptions("SS-4", f"{options.first_player} is not among {seats} seats")
    return State(
        catalog=catalog,
        rules=rules,
        options=options,
        seats=seats,
        pile=bytearray(catalog.pile),
        tiles=bytearray(),
        cells=[],
        rotations=bytearray(),
        discards=bytearray(),
        islanders=[IN_SUPPLY] * ISLANDERS * seats,
        covered=[],
        wares=[0] * KINDS_OF_WARES * seats,
        supply=bytearray(range(SHIPS)),
        display=bytearray(),
        owners=bytearray([NONE] * SHIPS),
    )


def setup(draft: Draft[State, Event]) -> None:
    """SS-2 to SS-4, then the first turn."""
    state = draft.state
    draft.emit(StartTileLaid(state.catalog.tiles[state.catalog.start].id))
    turn_up(draft)
    begin_turn(draft, SEAT_NAMED.index(state.options.first_player))


def turn_up(draft: Draft[State, Event]) -> None:
    """Ships until four lie face up, each equally likely, or the supply is used up: SS-3, SS-20, SS-25."""
    state = draft.state
    supply = state.supply[:]
    ships = state.catalog.ships
    count = min(FACE_UP - len(state.display), len(supply))
    if count:
        draft.emit(ShipsTurnedUp(tuple([ships[supply.pop(draft.draw("ship", len(supply)))].id for _ in range(count)])))


def begin_turn(draft: Draft[State, Event], seat: int) -> None:
    """The seat draws until it has a tile that fits: SS-5, SS-6."""
    state = draft.state
    draft.emit(TurnBegun(seat, state.turn + 1))
    while state.pile:
        drawn = state.pile[draft.draw("tile", len(state.pile))]
        name = state.catalog.tiles[drawn].id
        fits = can_be_placed(state, drawn)
        draft.emit(TileDrawn(seat, name, fits))
        if fits:
            return
        draft.emit(TileDiscarded(seat, name, Misfit.FITS_NOWHERE))
    draft.emit(NoTileLeft(seat))


def can_be_placed(state: State, tile: int) -> bool:
    """Whether the tile fits on some cell in some rotation: SS-6."""
    fits = state.catalog.fits[tile]
    return any(fits[pattern] for pattern in state.board.frontier.values())
