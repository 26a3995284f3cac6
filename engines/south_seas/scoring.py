"""What features pay, and who wins."""

from engines.core.outcome import Outcome, Score, Standing
from engines.south_seas.board import crews, owners
from engines.south_seas.catalog import PAID_IN, WARES, Terrain
from engines.south_seas.events import Cause, FeatureEvaluated, Gain, Standpoint
from engines.south_seas.state import IN_SUPPLY, ISLANDERS, OVER, State

WARES_A_POINT = 3
"""SS-29."""


def terrain_of(state: State, node: int) -> Terrain:
    tile, feature = state.board.part(node)
    return state.catalog.tiles[state.tiles[tile]].features[feature].terrain


def evaluation(state: State, node: int, cause: Cause) -> FeatureEvaluated:
    """What the occupied feature pays, and who goes home: SS-12, SS-13, SS-22."""
    board = state.board
    root = board.root(node)
    occupants, symbols = board.occupants[root], board.symbols[root]
    x, y, name = state.place(node)
    return FeatureEvaluated(
        cause=cause,
        x=x,
        y=y,
        feature=name,
        ware=WARES[PAID_IN[terrain_of(state, node)]],
        gains=tuple([Gain(seat, symbols) for seat in owners(occupants)]) if symbols else (),
        returned=standing_on(state, root),
    )


def standing_on(state: State, root: int) -> tuple[Standpoint, ...]:
    """The islanders of the feature, seat by seat."""
    board = state.board
    left = sum(crews(board.occupants[root]))
    found = []
    for place, node in enumerate(state.islanders):
        if not left:
            break
        if node != IN_SUPPLY and board.root(node) == root:
            found.append(Standpoint(place // ISLANDERS, *state.place(node)))
            left -= 1
    return tuple(found)


def ship_points(state: State, seat: int) -> int:
    return sum([ship.points for ship, owner in zip(state.catalog.ships, state.owners, strict=True) if owner == seat])


def points(state: State, seat: int) -> int:
    """What the seat would have if the match ended now, without a final evaluation: SS-29."""
    return ship_points(state, seat) + sum(state.wares_of(seat)) // WARES_A_POINT


def result(state: State) -> Outcome:
    """The ranking: SS-29. Equals share a place."""
    scores = [
        (Score("ships", ship_points(state, seat)), Score("wares", sum(state.wares_of(seat)) // WARES_A_POINT))
        for seat in range(state.seats)
    ]
    totals = [sum(one.points for one in score) for score in scores]
    ranking = sorted(range(state.seats), key=totals.__getitem__, reverse=True)
    return Outcome(
        tuple(
            Standing(seat, 1 + sum(total > totals[seat] for total in totals), totals[seat], scores[seat])
            for seat in ranking
        )
    )


def is_last_turn(state: State) -> bool:
    """Whether the match ends with this turn: SS-27."""
    return not state.pile or not (state.display or state.supply)


def scores_are_told(state: State, seat: int, viewer: int | None) -> bool:
    """SS-32: whose ships the viewer is shown."""
    return not state.options.hidden_scores or seat == viewer or state.phase is OVER


def outcome(state: State) -> Outcome | None:
    """The result, once it stands."""
    return state.outcome
