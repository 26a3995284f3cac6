"""Whose turn it is, who owes a move, and which moves there are."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice, permutations, product

from engines.core.chance import Chance
from engines.core.engine import Family
from engines.lost_seas.board import CELLS, SIZE
from engines.lost_seas.catalog import SIDES, Catalog, Side
from engines.lost_seas.moves import ChooseSides, Move, ReturnTile, TakeTile
from engines.lost_seas.state import EMPTY, Duty, Phase, State

MOST_LISTED = 200
ALL_SIDES = tuple(product(SIDES, repeat=SIZE))
ALL_ORDERS = tuple(permutations(range(SIZE)))
PLAIN_CHOICES = tuple(ChooseSides(sides) for sides in ALL_SIDES)


@lru_cache(maxsize=16)
def take_tiles(catalog: Catalog) -> tuple[tuple[TakeTile, ...], ...]:
    """The one object of each move, by tile and cell: a match lists thousands of them."""
    return tuple(tuple(TakeTile(tile.id, cell) for cell in range(CELLS)) for tile in catalog.tiles)


def turns(state: State) -> int:
    """A turn is what one seat does in a round; nobody's has begun while sides are chosen."""
    if state.round == 0:
        return 0
    steps = state.steps()
    offset, _ = steps[min(state.step, len(steps) - 1)]
    return (state.round - 1) * state.seats + offset + 1


def to_act(state: State) -> tuple[int, ...]:
    if state.phase is Phase.PLAYING:
        owed = state.owed()
        return () if owed is None else (owed[0],)
    return tuple(filter(state.owes_sides, range(state.seats)))


def may_act(state: State) -> tuple[int, ...]:  # noqa: ARG001 - nobody moves unasked in this game
    return ()


def legal_moves(state: State, seat: int) -> Iterator[Move]:
    """Tiles in the order in which they lie, each over the empty cells from 0 to 15; sides easy before hard."""
    if state.phase is Phase.PLAYING:
        owed = state.owed()
        if owed is None or owed[0] != seat:
            return iter(())
        return takings(state, seat) if owed[1] is Duty.TAKE_TILE else returns(state)
    if not (0 <= seat < state.seats and state.owes_sides(seat)):
        return iter(())
    if state.options.arrange_expeditions:
        return islice(ArrangedSides(state, seat).members(), MOST_LISTED)
    return iter(PLAIN_CHOICES)


def takings(state: State, seat: int) -> Iterator[Move]:
    table = take_tiles(state.catalog)
    map_ = state.maps[seat * CELLS : seat * CELLS + CELLS]
    cells = [cell for cell, tile in enumerate(map_) if tile == EMPTY]
    return iter([row[cell] for row in [table[tile] for tile in dict.fromkeys(state.face_up)] for cell in cells])


def returns(state: State) -> Iterator[Move]:
    return iter([ReturnTile(state.catalog.tiles[tile].id) for tile in dict.fromkeys(state.face_up)])


class ArrangedSides:
    """The choices with `arrange_expeditions`: 16 ways to turn the four expeditions, 24 orders to lay them in."""

    name = "arranged_sides"

    def __init__(self, state: State, seat: int) -> None:
        self.dealt = tuple(state.catalog.expeditions[number].id for number in state.dealt_to(seat))

    def members(self) -> Iterator[ChooseSides]:
        """All of them: as dealt and easy first."""
        for order in ALL_ORDERS:
            for sides in ALL_SIDES:
                yield self.member(sides, order)

    def member(self, sides: tuple[Side, ...], order: tuple[int, ...]) -> ChooseSides:
        return ChooseSides(sides, tuple(self.dealt[place] for place in order))

    def contains(self, move: Move) -> bool:
        return isinstance(move, ChooseSides) and len(move.sides) == SIZE and sorted(move.order) == sorted(self.dealt)

    def sample(self, chance: Chance) -> Move:
        sides = ALL_SIDES[chance.draw("sides", len(ALL_SIDES))]
        return self.member(sides, ALL_ORDERS[chance.draw("order", len(ALL_ORDERS))])


def families(state: State, seat: int) -> tuple[Family[Move], ...]:
    """One, while the seat owes sides and may arrange them (LS-4)."""
    if state.options.arrange_expeditions and 0 <= seat < state.seats and state.owes_sides(seat):
        return (ArrangedSides(state, seat),)
    return ()


def autopilot(state: State, seat: int) -> Move:
    """The first legal move: the easy sides as dealt, the tile that has lain longest on the first empty cell."""
    return next(legal_moves(state, seat))
