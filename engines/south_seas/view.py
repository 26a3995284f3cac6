"""What a seat or a spectator may see, built up field by field; enough to draw the table without knowing the rules."""

from functools import lru_cache

from engines.core.chance import Chance
from engines.core.outcome import Outcome
from engines.core.shapes import Plain
from engines.south_seas.board import crews, owners, position
from engines.south_seas.catalog import Ship, Terrain, Tile, Wares
from engines.south_seas.decide.evaluating import best_ships
from engines.south_seas.decide.loading import payments
from engines.south_seas.decide.placing import free_features
from engines.south_seas.events import Event, Standpoint
from engines.south_seas.legal import to_act
from engines.south_seas.scoring import WARES_A_POINT, points, scores_are_told, terrain_of
from engines.south_seas.state import (
    CHOOSING_SHIP,
    DELIVERING,
    ISLANDERS,
    MOVING_ISLANDER,
    NONE,
    PLACING_TILE,
    Options,
    Phase,
    State,
)


class PlacedTile(Plain, frozen=True):
    """A tile at x (to the east) and y (to the south), turned clockwise `rotation` times.

    `regions` says for each of its features, in their order, the number of the region that it is a part of.
    """

    x: int
    y: int
    rotation: int
    tile: Tile
    regions: tuple[int, ...]


class Crew(Plain, frozen=True):
    seat: int
    islanders: int


class Region(Plain, frozen=True):
    """A bridge, island or sea as far as it reaches, or a market.

    `number` is that of its first feature, all features counted in the order placed: it stays while the region grows.
    `pays` is how many wares it would pay, covered fish left out, to each of its `owners`. `gaps` counts the sides of a
    bridge or island and the half-edges of a sea that face empty cells, and the empty cells round a market.
    """

    number: int
    terrain: Terrain
    complete: bool
    gaps: int
    pays: int
    crews: tuple[Crew, ...]
    owners: tuple[int, ...]


class CoveredFish(Plain, frozen=True):
    """A boat token on fish of the tile at x, y: on a group of two, or on a single one."""

    x: int
    y: int
    feature: str
    double: bool


class Spot(Plain, frozen=True):
    """A cell where the tile drawn may be placed, and how often it may be turned for it."""

    x: int
    y: int
    rotations: tuple[int, ...]


class Player(Plain, frozen=True):
    """A seat. `loaded` counts its ships; `ships` and `points` are left out where `hidden_scores` hides them.

    `points` are those if the match ended now, without a final evaluation.
    """

    seat: int
    islanders_left: int
    wares: Wares
    loaded: int
    ships: tuple[Ship, ...]
    points: int | None = None


class View(Plain, frozen=True):
    """Tiles stand in the order placed, the start tile first. `pile` and `supply` count tiles and ships not seen yet.

    `spots` are for the tile drawn, `free` names the features of the tile placed last on which the active seat may place
    an islander, `offered` the face-up ships that whoever owes a move may take now. `viewer` is the seat whose view this
    is, None for a spectator's.
    """

    options: Options
    phase: Phase
    turn: int
    active: int
    owed: tuple[int, ...]
    tiles: tuple[PlacedTile, ...]
    regions: tuple[Region, ...]
    islanders: tuple[Standpoint, ...]
    covered: tuple[CoveredFish, ...]
    spots: tuple[Spot, ...]
    free: tuple[str, ...]
    pile: int
    discards: tuple[Tile, ...]
    ships: tuple[Ship, ...]
    supply: int
    players: tuple[Player, ...]
    offered: tuple[str, ...] = ()
    drawn: Tile | None = None
    viewer: int | None = None
    outcome: Outcome | None = None


def view(state: State, seat: int | None) -> View:
    tiles = state.catalog.tiles
    placed, regions = sea(state)
    return View(
        options=state.options,
        phase=state.phase,
        turn=state.turn,
        active=state.seat,
        owed=to_act(state),
        tiles=placed,
        regions=regions,
        islanders=islanders(state),
        covered=tuple([CoveredFish(*state.place(group // 2), bool(group % 2)) for group in state.covered]),
        spots=spots(state),
        free=free(state),
        pile=len(state.pile),
        discards=tuple([tiles[tile] for tile in state.discards]),
        ships=tuple([state.catalog.ships[ship] for ship in state.display]),
        supply=len(state.supply),
        players=tuple([player(state, other, viewer=seat) for other in range(state.seats)]),
        offered=offered(state),
        drawn=None if state.drawn == NONE else tiles[state.drawn],
        viewer=seat,
        outcome=state.outcome,
    )


def sea(state: State) -> tuple[tuple[PlacedTile, ...], tuple[Region, ...]]:
    """All tiles and all regions, in the order placed."""
    board, rows = state.board, state.catalog.tiles
    root_of = board.root
    firsts: dict[int, int] = {}
    placed = []
    for number, tile in enumerate(state.tiles):
        x, y = position(state.cells[number])
        regions = tuple([firsts.setdefault(root_of(node), node) for node in board.nodes(number)])
        placed.append(PlacedTile(x, y, state.rotations[number], rows[tile], regions))
    return tuple(placed), tuple(
        [
            region(first, terrain_of(state, first), board.gaps[root], board.symbols[root], board.occupants[root])
            for root, first in firsts.items()
        ]
    )


def scores(view: View) -> tuple[int, ...]:
    """Of ships that are hidden nothing counts."""
    return tuple(
        [player.wares.total() // WARES_A_POINT if player.points is None else player.points for player in view.players]
    )


@lru_cache(maxsize=1 << 14)
def region(number: int, terrain: Terrain, gaps: int, pays: int, occupants: int) -> Region:
    """Regions that look alike are one object: views name hundreds of them."""
    crew = tuple(Crew(seat, count) for seat, count in enumerate(crews(occupants)) if count)
    return Region(number, terrain, gaps == 0, gaps, pays, crew, owners(occupants))


def islanders(state: State) -> tuple[Standpoint, ...]:
    """Those on the board, seat by seat."""
    return tuple([Standpoint(seat, *state.place(node)) for seat in range(state.seats) for node in state.on_board(seat)])


def spots(state: State) -> tuple[Spot, ...]:
    if state.phase is not PLACING_TILE:
        return ()
    fits, frontier = state.catalog.fits[state.drawn], state.board.frontier
    return tuple([Spot(*position(cell), rotations) for cell in sorted(frontier) if (rotations := fits[frontier[cell]])])


def free(state: State) -> tuple[str, ...]:
    if state.phase is not MOVING_ISLANDER:
        return ()
    return tuple([state.place(node)[2] for node in free_features(state, state.seat)])


def offered(state: State) -> tuple[str, ...]:
    if state.phase is CHOOSING_SHIP:
        ships = best_ships(state)
    elif state.phase is DELIVERING:
        ships = [ship for ship in state.display if payments(state, ship, state.seat)]
    else:
        return ()
    return tuple([state.catalog.ships[ship].id for ship in ships])


def player(state: State, seat: int, *, viewer: int | None) -> Player:
    told = scores_are_told(state, seat, viewer)
    own = [ship for ship, owner in zip(state.catalog.ships, state.owners, strict=True) if owner == seat]
    return Player(
        seat=seat,
        islanders_left=ISLANDERS - len(state.on_board(seat)),
        wares=Wares(*state.wares_of(seat)),
        loaded=len(own),
        ships=tuple(own) if told else (),
        points=points(state, seat) if told else None,
    )


def redact(event: Event, seat: int | None) -> Event:  # noqa: ARG001 - everyone is told everything
    return event


def determinize(state: State, seat: int | None, chance: Chance) -> State:
    """With `hidden_scores`, who of the others has which ship dealt anew; piles have no order to redraw."""
    twin = state.copy()
    hidden = [
        ship for ship, owner in enumerate(state.owners) if owner != NONE and not scores_are_told(state, owner, seat)
    ]
    owners = [state.owners[ship] for ship in hidden]
    for ship in hidden:
        twin.owners[ship] = owners.pop(chance.draw("owner", len(owners)))
    return twin
