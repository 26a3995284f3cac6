"""How a match ended."""

from engines.core.shapes import Plain


class Score(Plain, frozen=True):
    category: str
    points: int


class Standing(Plain, frozen=True):
    """One seat's result. Places begin at 1; seats that share one have the same place. `scores` add up to `points`."""

    seat: int
    place: int
    points: int
    scores: tuple[Score, ...]


class Outcome(Plain, frozen=True):
    """`ranking` is ordered by place, then seat; `tie_breaks` names those that decided a place, in the order used."""

    ranking: tuple[Standing, ...]
    tie_breaks: tuple[str, ...] = ()
