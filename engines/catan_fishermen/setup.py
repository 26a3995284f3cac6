"""How a match begins: the board, as the option asks."""

from functools import lru_cache
from itertools import combinations
from typing import TypeVar

from engines.catan_fishermen.board import EDGES, EMPTY, HEXES, VERTICES
from engines.catan_fishermen.catalog import (
    CARDS,
    HARBOUR_COUNTS,
    KINDS,
    TERRAIN_COUNTS,
    TERRAINS,
    Beginner,
    Catalog,
    Terrain,
)
from engines.catan_fishermen.events import BoardLaid, Event, GroundsLaid, HarbourPlace, LandHex
from engines.catan_fishermen.fish import FACES
from engines.catan_fishermen.state import DECK, Board, Options, State
from engines.core.draft import Draft
from engines.core.errors import IllegalOptions

Kind = TypeVar("Kind")

LEAST_SEATS, MOST_SEATS = 2, 4
LEAST_POINTS, MOST_POINTS = 3, 22
"""Two settlements are there from the start; with all pieces, both cards and the five cards a player has 22."""

HIGH = (6, 6, 8, 8)
"""The tokens that lie apart on a random board (CA-5)."""


def initial(catalog: Catalog, options: Options, seats: int, rules: int) -> State:
    """The table before the board is laid; raises IllegalOptions."""
    if not LEAST_SEATS <= seats <= MOST_SEATS:
        raise IllegalOptions("CA-4", f"there are pieces for 3 or 4 players, unofficially for 2, not for {seats}")
    if options.shuffle_frame and options.board is Board.BEGINNER:
        raise IllegalOptions("CA-5", "the frame of the beginner's board lies as printed")
    if not LEAST_POINTS <= options.victory_points <= MOST_POINTS:
        raise IllegalOptions("CA-22", f"a match goes to {LEAST_POINTS} to {MOST_POINTS} points")
    state = State(
        catalog=catalog,
        rules=rules,
        options=options,
        seats=seats,
        terrain=bytearray([TERRAINS.index(Terrain.DESERT)] * HEXES),
        numbers=bytearray(HEXES),
        frame=bytearray(),
        harbour_edges=bytearray(),
        harbour_kinds=bytearray(),
        bank=bytearray([CARDS] * KINDS),
        hands=bytearray(KINDS * seats),
        unknown=bytearray(KINDS * seats * (seats + 1)),
        pile=bytearray(DECK),
        developments=bytearray(KINDS * seats),
        fresh=bytearray(KINDS),
        most_hidden=[0] * seats,
        knights=bytearray(seats),
        roads=bytearray([EMPTY] * EDGES),
        buildings=bytearray([EMPTY] * VERTICES),
        discards=bytearray(seats),
        replies=[None] * seats,
    )
    if state.form:
        state.fish = (0,) * (FACES * seats)
        state.fish_supply = state.form.supply(catalog.fishermen)
        state.fish_spent = (0,) * FACES
    state.rederive()
    return state


def setup(draft: Draft[State, Event]) -> None:
    """CA-5, CA-5a; with fish CA-31 and CA-50."""
    catalog, options, form = draft.state.catalog, draft.state.options, draft.state.form
    lake = form is not None and form.lake
    frame = shuffled(draft, "frame", catalog.pieces) if options.shuffle_frame else catalog.pieces
    layout = printed(catalog, lake=lake) if options.board is Board.BEGINNER else dealt(draft, catalog, lake=lake)
    edges = catalog.board.harbour_edges(frame)
    draft.emit(
        BoardLaid(
            hexes=tuple(LandHex(*laid) for laid in zip(layout.terrain, layout.numbers, strict=True)),
            frame=frame,
            harbours=tuple(HarbourPlace(*harbour) for harbour in zip(edges, layout.harbours, strict=True)),
            robber=None if lake else layout.terrain.index(Terrain.DESERT),
        )
    )
    if form is not None:
        draft.emit(GroundsLaid(shuffled(draft, "ground", catalog.fishermen.grounds)))


def printed(catalog: Catalog, *, lake: bool) -> Beginner:
    """The beginner's layout, the lake where the desert was: CA-50."""
    layout = catalog.beginner
    if not lake:
        return layout
    terrain = tuple(Terrain.LAKE if kind is Terrain.DESERT else kind for kind in layout.terrain)
    return Beginner(terrain, layout.numbers, layout.harbours)


def dealt(draft: Draft[State, Event], catalog: Catalog, *, lake: bool) -> Beginner:
    """A layout drawn: the hexes, the lake before them, then their tokens, then the harbours."""
    terrain = around_lake(draft, catalog) if lake else shuffled(draft, "hex", counted(TERRAIN_COUNTS))
    bare = terrain.index(Terrain.LAKE if lake else Terrain.DESERT)
    if draft.state.options.board is Board.RANDOM:
        numbers = tokens_apart(draft, catalog, bare)
    else:
        numbers = tokens_in_spiral(catalog, draft.draw("corner", len(catalog.spirals)), bare)
    return Beginner(terrain, numbers, shuffled(draft, "harbour", counted(HARBOUR_COUNTS)))


def around_lake(draft: Draft[State, Event], catalog: Catalog) -> tuple[Terrain, ...]:
    """The lake on an inner hex, the rest of the land around it: CA-50."""
    inner = catalog.fishermen.lake_hexes
    at = inner[draft.draw("lake", len(inner))]
    land = shuffled(draft, "hex", tuple(kind for kind in counted(TERRAIN_COUNTS) if kind is not Terrain.DESERT))
    return (*land[:at], Terrain.LAKE, *land[at:])


def tokens_in_spiral(catalog: Catalog, corner: int, bare: int) -> tuple[int, ...]:
    """The lettered tokens from this corner inwards, the bare hex left out."""
    spiral = [at for at in catalog.spirals[corner] if at != bare]
    tokens = dict(zip(spiral, catalog.letters, strict=True))
    return tuple(tokens.get(at, 0) for at in range(HEXES))


def tokens_apart(draft: Draft[State, Event], catalog: Catalog, bare: int) -> tuple[int, ...]:
    """Every arrangement in which no two neighbours bear a 6 or an 8, each equally likely."""
    quartets = places_apart(catalog, bare)
    high = quartets[draft.draw("high_tokens", len(quartets))]
    low = [at for at in range(HEXES) if at != bare and at not in high]
    tokens = dict(zip(high, shuffled(draft, "token", HIGH), strict=True))
    rest = tuple(number for number in catalog.letters if number not in HIGH)
    tokens |= dict(zip(low, shuffled(draft, "token", rest), strict=True))
    return tuple(tokens.get(at, 0) for at in range(HEXES))


@lru_cache(maxsize=64)
def places_apart(catalog: Catalog, bare: int) -> tuple[tuple[int, ...], ...]:
    """All sets of four hexes of which no two are neighbours."""
    neighbours = catalog.board.hex_neighbours
    land = [at for at in range(HEXES) if at != bare]
    return tuple(
        four
        for four in combinations(land, len(HIGH))
        if not any(other in neighbours[one] for one, other in combinations(four, 2))
    )


def counted(counts: dict[Kind, int]) -> tuple[Kind, ...]:
    """Each kind as often as it is there."""
    return tuple(kind for kind, count in counts.items() for _ in range(count))


def shuffled(draft: Draft[State, Event], label: str, items: tuple[Kind, ...]) -> tuple[Kind, ...]:
    """The items in an order in which each is equally likely; the last one needs no draw."""
    left = list(items)
    order = []
    while len(left) > 1:
        order.append(left.pop(draft.draw(label, len(left))))
    return (*order, *left)
