"""What the platform makes of a game's outcome when seats were left."""

from collections.abc import Sequence

from msgspec.structs import replace

from engines.core.outcome import Outcome, Standing


def ranked(outcome: Outcome, left: Sequence[int]) -> Outcome:
    """The outcome with the seats in `left` (in the order of leaving) last: who left first is placed last of all."""
    if not left:
        return outcome
    stayed = [standing for standing in outcome.ranking if standing.seat not in left]
    places = [standing.place for standing in stayed]
    ranking = [replace(standing, place=1 + sum(place < standing.place for place in places)) for standing in stayed]
    by_seat = {standing.seat: standing for standing in outcome.ranking}
    for seat in reversed(left):
        ranking.append(replace(by_seat[seat], place=len(ranking) + 1))
    return replace(outcome, ranking=tuple(ranking))


def forfeited(seats: int, left: Sequence[int]) -> Outcome:
    """The outcome where play stops because of those who left: no points were scored."""
    return ranked(Outcome(tuple(Standing(seat, 1, 0, ()) for seat in range(seats))), left)
