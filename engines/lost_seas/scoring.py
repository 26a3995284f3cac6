"""What lines are worth, and who wins."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache

from engines.core.outcome import Outcome, Score, Standing
from engines.lost_seas.board import LINES, OFFSET, SIZE, Line
from engines.lost_seas.catalog import INDEX, Demand, Element, Pattern
from engines.lost_seas.state import EMPTY, State

Counts = Sequence[int]
"""How often each element lies in a line, in the order of ELEMENTS."""


@lru_cache(maxsize=1024)
def shown(elements: tuple[Element, ...]) -> tuple[tuple[int, int], ...]:
    """Each element drawn on a demand, by number, and how often it is drawn."""
    return tuple((INDEX[element], times) for element, times in Counter(elements).items())


def exact(demand: Demand, counts: Counts) -> int:
    """LS-16."""
    for element, times in shown(demand.elements):
        if counts[element] != times:
            return 0
    return demand.points


def exact_any(demand: Demand, counts: Counts) -> int:
    """LS-17."""
    return demand.points if demand.number in counts else 0


def total(demand: Demand, counts: Counts) -> int:
    """LS-18."""
    return demand.points if sum(counts) == demand.number else 0


def different(demand: Demand, counts: Counts) -> int:
    """LS-19."""
    return demand.points if sum(map(bool, counts)) == demand.number else 0


def per_set(demand: Demand, counts: Counts) -> int:
    """LS-20."""
    return demand.points * min(counts[element] // times for element, times in shown(demand.elements))


def absent(demand: Demand, counts: Counts) -> int:
    """LS-21."""
    for element, _ in shown(demand.elements):
        if counts[element]:
            return 0
    return demand.points


def majority(demand: Demand, counts: Counts) -> int:
    """LS-22."""
    return majority_or_tie(demand, counts) if counts.count(max(counts)) == 1 else 0


def majority_or_tie(demand: Demand, counts: Counts) -> int:
    """LS-22 with `majority_ties`: others may be as many."""
    most = max(counts)
    return demand.points if most > 0 and counts[INDEX[demand.elements[0]]] == most else 0


WORTH: dict[Pattern, Callable[[Demand, Counts], int]] = {
    Pattern.EXACT: exact,
    Pattern.EXACT_ANY: exact_any,
    Pattern.TOTAL: total,
    Pattern.DIFFERENT: different,
    Pattern.PER_SET: per_set,
    Pattern.ABSENT: absent,
    Pattern.MAJORITY: majority,
}


def worth(demand: Demand, counts: Counts, *, ties: bool) -> int:
    """What a line with these counts earns; 0 where the demand is not met (LS-15)."""
    if ties and demand.pattern is Pattern.MAJORITY:
        return majority_or_tie(demand, counts)
    return WORTH[demand.pattern](demand, counts)


def line_points(state: State, seat: int, line: int) -> int:
    """What the line earns as it lies: LS-15, LS-26."""
    counts = state.line_counts(seat, line)
    if state.options.young_explorers:
        return max(counts)
    demand = state.laid[seat * LINES + line]
    if demand == EMPTY:
        return 0
    return worth(state.catalog.demands[demand], counts, ties=state.options.majority_ties)


def points(state: State, seat: int) -> tuple[int, ...]:
    """What each of the seat's eight lines earns."""
    return tuple(line_points(state, seat, line) for line in range(LINES))


def result(state: State) -> Outcome:
    """The ranking by the maps as they lie: LS-23, LS-26.

    Points decide; with expeditions then the number of those met, then the one worth the most. Equals share a place.
    """
    lines = [points(state, seat) for seat in range(state.seats)]
    ties = () if state.options.young_explorers else ("expeditions_met", "best_expedition")
    keys = [(sum(one), sum(map(bool, one)), max(one))[: 1 + len(ties)] for one in lines]
    ranking = sorted(range(state.seats), key=lambda seat: keys[seat], reverse=True)
    places = {seat: 1 + sum(key > keys[seat] for key in keys) for seat in ranking}
    return Outcome(
        ranking=tuple(Standing(seat, places[seat], keys[seat][0], scores(lines[seat])) for seat in ranking),
        tie_breaks=tuple(name for depth, name in enumerate(ties, 1) if decides(keys, depth)),
    )


def scores(lines: tuple[int, ...]) -> tuple[Score, ...]:
    """The points of one seat by direction."""
    return tuple(Score(line.value, sum(lines[OFFSET[line] : OFFSET[line] + SIZE])) for line in Line)


def decides(keys: list[tuple[int, ...]], depth: int) -> bool:
    """Whether two seats equal up to this depth of the comparison differ in it."""
    distinct = {key[: depth + 1] for key in keys}
    return len(distinct) > len({key[:depth] for key in distinct})


def outcome(state: State) -> Outcome | None:
    """The result, once it stands."""
    return state.outcome
