"""Who holds the longest road, what points there are, and who wins."""

from engines.catan_fishermen.catalog import KINDS, VICTORY_POINT
from engines.catan_fishermen.state import CARD_POINTS, NOBODY, State
from engines.core.outcome import Outcome, Score, Standing

LEAST_ROAD, LEAST_ARMY = 5, 3


def points(state: State, seat: int) -> int:
    """All of the seat's points, hidden ones included: CA-22."""
    return state.points[seat] + state.developments[seat * KINDS + VICTORY_POINT]


def has_won(state: State, seat: int) -> bool:
    """Whether the points suffice, were it the seat's turn: CA-22, CA-42."""
    return points(state, seat) >= state.needed(seat)


def longest_road_holder(state: State) -> int:
    """Whose card the longest road is by the roads as they lie, or NOBODY: CA-20."""
    most = max(state.road_lengths)
    if most < LEAST_ROAD:
        return NOBODY
    if state.longest_road != NOBODY and state.road_lengths[state.longest_road] == most:
        return state.longest_road
    return state.road_lengths.index(most) if state.road_lengths.count(most) == 1 else NOBODY


def takes_army(state: State, seat: int) -> bool:
    """Whether the seat has the largest army now and had not before: CA-21."""
    knights = state.knights[seat]
    if seat == state.largest_army or knights < LEAST_ARMY:
        return False
    return state.largest_army == NOBODY or knights > state.knights[state.largest_army]


def scores(state: State, seat: int) -> tuple[Score, ...]:
    """The seat's points by where they come from."""
    settlements = state.towns[seat].bit_count()
    return (
        Score("settlements", settlements),
        Score("cities", 2 * (state.homes[seat].bit_count() - settlements)),
        Score("longest_road", CARD_POINTS * (state.longest_road == seat)),
        Score("largest_army", CARD_POINTS * (state.largest_army == seat)),
        Score("victory_point_cards", state.developments[seat * KINDS + VICTORY_POINT]),
    )


def result(state: State, winner: int) -> Outcome:
    """The winner first, the others by all their points; equals share a place: CA-22."""
    losers = [seat for seat in range(state.seats) if seat != winner]
    totals = {seat: points(state, seat) for seat in range(state.seats)}
    places = {seat: 2 + sum(totals[other] > totals[seat] for other in losers) for seat in losers} | {winner: 1}
    ranking = sorted(places, key=lambda seat: (places[seat], seat))
    return Outcome(tuple(Standing(seat, places[seat], totals[seat], scores(state, seat)) for seat in ranking))


def outcome(state: State) -> Outcome | None:
    """The result, once it stands."""
    return state.outcome
