"""A greedy player: makes the move after which its lines promise the most, and returns what the next seat would like.

It sees what a client sees: a view and the legal moves.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from engines.core.chance import Chance
from engines.lost_seas.board import CELLS, LINES_OF, SIZE
from engines.lost_seas.catalog import INDEX, Demand, Expedition, Pattern, Side, Tile
from engines.lost_seas.moves import ChooseSides, Move, ReturnTile, TakeTile
from engines.lost_seas.scoring import Counts, shown, worth
from engines.lost_seas.state import KINDS
from engines.lost_seas.view import LineView, Player, View

KEEP = 0.8
"""How likely a tile spares one element."""
GROW = 0.7
"""How likely an element more is found for a cell that waits for it."""
FEW = 0.6
"""How likely a tile brings no new kind to a line of few."""


def choose(view: View, legal: Sequence[Move], chance: Chance) -> Move:
    """The move valued the most; equals are drawn between."""
    assert view.viewer is not None, "a spectator has no moves"
    if isinstance(legal[0], ChooseSides):
        return choose_sides(view.players[view.viewer], legal[0])
    value = value_of_return(view) if isinstance(legal[0], ReturnTile) else value_of_taking(view, view.viewer)
    values = [value(move) for move in legal]
    best = max(values)
    equals = [move for move, reached in zip(legal, values, strict=True) if reached == best]
    return equals[chance.draw("equals", len(equals))]


def value_of_taking(view: View, seat: int) -> Callable[[Any], float]:
    """What a move that takes a tile adds to the promise of its two lines."""
    gains = gains_by_tile(view, seat)

    def value(move: TakeTile) -> float:
        column, row = LINES_OF[move.cell]
        return gains[move.tile][column] + gains[move.tile][row]

    return value


def value_of_return(view: View) -> Callable[[Any], float]:
    """What the next seat to take a tile is denied; of two seats the one that ends a round begins the next."""
    following = view.turn_order[1]
    gains = gains_by_tile(view, following)
    sign = -1 if following == view.viewer else 1
    held = {placed.cell for placed in view.players[following].placed}
    crossings = [LINES_OF[cell] for cell in range(CELLS) if cell not in held]

    def value(move: ReturnTile) -> float:
        gain = gains[move.tile]
        return sign * max((gain[column] + gain[row] for column, row in crossings), default=0.0)

    return value


def choose_sides(player: Player, first: ChooseSides) -> ChooseSides:
    """The side of each expedition that promises more on an empty line, laid as dealt."""
    return ChooseSides(tuple(map(better_side, player.choosing)), first.order)


def better_side(expedition: Expedition) -> Side:
    empty = (0,) * KINDS
    return Side.EASY if promise(expedition.easy, empty, SIZE) >= promise(expedition.hard, empty, SIZE) else Side.HARD


class Outlook(NamedTuple):
    """A line as it lies, or as it might."""

    line: LineView
    ties: bool
    counts: list[int]
    room: int

    def with_tile(self, tile: Tile) -> "Outlook":
        counts = self.counts[:]
        for element in tile.elements:
            counts[INDEX[element]] += 1
        return Outlook(self.line, self.ties, counts, self.room - 1)

    def promise(self) -> float:
        """The points to hope for; of young explorers those it has, and a little for what may still grow."""
        if self.line.laid is None:
            return max(self.counts) + sum(count * count for count in self.counts) / 100
        demand = self.line.laid.demand
        return promise(demand, self.counts, self.room) if self.room else worth(demand, self.counts, ties=self.ties)

    def gain(self, tile: Tile) -> float:
        """What the line would promise more with the tile; a full one nothing."""
        return self.with_tile(tile).promise() - self.promise() if self.room else 0.0


def gains_by_tile(view: View, seat: int) -> dict[str, list[float]]:
    """For each face-up tile the gain of each of the seat's eight lines."""
    player = view.players[seat]
    lines = [Outlook(line, view.options.majority_ties, [0] * KINDS, SIZE) for line in player.lines]
    for placed in player.placed:
        for number in LINES_OF[placed.cell]:
            lines[number] = lines[number].with_tile(placed.tile)
    return {tile.id: [line.gain(tile) for line in lines] for tile in view.face_up}


def promise(demand: Demand, counts: Counts, room: int) -> float:
    return demand.points * LIKELY[demand.pattern](demand, counts, room)


# The guesses below are rough on purpose: near 1 when the demand is all but met, 0 when it can't be met any more.


def likely_exact(demand: Demand, counts: Counts, room: int) -> float:
    chance = 1.0
    for element, times in shown(demand.elements):
        chance *= reach(times - counts[element], room)
    return chance


def likely_exact_any(demand: Demand, counts: Counts, room: int) -> float:
    return max(reach(demand.number - count, room) for count in counts)


def reach(missing: int, room: int) -> float:
    """Whether so many of one element, and no more, come into so many cells."""
    if not 0 <= missing <= 2 * room:
        return 0.0
    return KEEP**room if missing == 0 else math.pow(GROW, max(missing - room / 2, 0.5))


def likely_total(demand: Demand, counts: Counts, room: int) -> float:
    missing = demand.number - sum(counts)
    if not room <= missing <= 3 * room:
        return 0.0
    return 1 - abs(missing / room - 2) / 2


def likely_different(demand: Demand, counts: Counts, room: int) -> float:
    missing = demand.number - sum(map(bool, counts))
    if not 0 <= missing <= 3 * room:
        return 0.0
    if missing == 0:
        return 1.0 if demand.number == KINDS else FEW**room
    return math.pow(GROW, missing / (2 * room))


def likely_per_set(demand: Demand, counts: Counts, room: int) -> float:
    """How many sets to hope for: leftovers count in part."""
    parts = [(counts[element] + room / 2) / times for element, times in shown(demand.elements)]
    return 0.8 * min(parts) + 0.2 * sum(parts) / len(parts)


def likely_absent(demand: Demand, counts: Counts, room: int) -> float:
    if any(counts[element] for element, _ in shown(demand.elements)):
        return 0.0
    return (1 - 0.1 * len(demand.elements)) ** room


def likely_majority(demand: Demand, counts: Counts, room: int) -> float:
    own = counts[INDEX[demand.elements[0]]]
    lead = own - max(count for element, count in enumerate(counts) if element != INDEX[demand.elements[0]])
    return min(max(0.5 + lead / (2 + room), 0.0), 1.0)


LIKELY: dict[Pattern, Callable[[Demand, Counts, int], float]] = {
    Pattern.EXACT: likely_exact,
    Pattern.EXACT_ANY: likely_exact_any,
    Pattern.TOTAL: likely_total,
    Pattern.DIFFERENT: likely_different,
    Pattern.PER_SET: likely_per_set,
    Pattern.ABSENT: likely_absent,
    Pattern.MAJORITY: likely_majority,
}
