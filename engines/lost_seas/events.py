"""What has happened, for ever: no field is renamed, retyped or reused."""

from engines.core.outcome import Outcome
from engines.core.shapes import Plain, Tagged
from engines.lost_seas.board import Line
from engines.lost_seas.catalog import Side


class LaidExpedition(Plain, frozen=True):
    expedition: str
    side: Side


class LaidLine(Plain, frozen=True):
    """A seat's four expeditions over its columns, or beside its rows, in the order of the lines."""

    expeditions: tuple[LaidExpedition, ...]


class FirstPlayerSet(Tagged, frozen=True):
    """LS-7. The first player was drawn if the event records a draw."""

    seat: int


class ExpeditionsDealt(Tagged, frozen=True):
    """LS-3, LS-4."""

    seat: int
    line: Line
    expeditions: tuple[str, ...]


class SidesChosen(Tagged, frozen=True):
    """LS-5: that a seat has chosen is public; what it chose is told to that seat alone until the phase ends."""

    seat: int
    line: Line
    laid: LaidLine | None = None


class SidesRevealed(Tagged, frozen=True):
    """LS-5. One line for each seat, in the order of the seats."""

    line: Line
    laid: tuple[LaidLine, ...]


class RoundBegun(Tagged, frozen=True):
    """LS-12, LS-27. Rounds count from 1."""

    round: int
    first_seat: int


class TilesTurnedUp(Tagged, frozen=True):
    """LS-6, LS-12, LS-25."""

    tiles: tuple[str, ...]


class TileTaken(Tagged, frozen=True):
    """LS-11."""

    seat: int
    tile: str
    cell: int


class TileReturned(Tagged, frozen=True):
    """LS-9, LS-10, LS-13."""

    seat: int
    tile: str


class GameEnded(Tagged, frozen=True):
    """LS-14, LS-27. Holds the result as it was scored."""

    outcome: Outcome


Event = (
    FirstPlayerSet
    | ExpeditionsDealt
    | SidesChosen
    | SidesRevealed
    | RoundBegun
    | TilesTurnedUp
    | TileTaken
    | TileReturned
    | GameEnded
)
