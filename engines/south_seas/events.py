"""What has happened, for ever: no field is renamed, retyped or reused."""

from enum import StrEnum

from engines.core.outcome import Outcome
from engines.core.shapes import Plain, Tagged
from engines.south_seas.catalog import Ware, Wares


class Misfit(StrEnum):
    """Why a tile leaves the game (SS-6)."""

    FITS_NOWHERE = "fits_nowhere"


class Cause(StrEnum):
    """Why a feature is evaluated: SS-14 to SS-16, SS-17, SS-28."""

    COMPLETED = "completed"
    BOAT = "boat"
    END = "end"


class Gain(Plain, frozen=True):
    seat: int
    count: int


class Standpoint(Plain, frozen=True):
    """An islander, and the feature of the tile at x, y on which it was placed."""

    seat: int
    x: int
    y: int
    feature: str


class StartTileLaid(Tagged, frozen=True):
    """SS-2. At x 0, y 0, not turned."""

    tile: str


class ShipsTurnedUp(Tagged, frozen=True):
    """SS-3, SS-20, SS-25."""

    ships: tuple[str, ...]


class TurnBegun(Tagged, frozen=True):
    """SS-4. Turns count from 1."""

    seat: int
    turn: int


class TileDrawn(Tagged, frozen=True):
    """SS-5, SS-6: `fits` says whether it can be placed."""

    seat: int
    tile: str
    fits: bool


class TileDiscarded(Tagged, frozen=True):
    """SS-6: the tile drawn leaves the game."""

    seat: int
    tile: str
    reason: Misfit


class NoTileLeft(Tagged, frozen=True):
    """SS-6: nothing is placed in this turn."""

    seat: int


class TilePlaced(Tagged, frozen=True):
    """SS-5."""

    seat: int
    tile: str
    x: int
    y: int
    rotation: int


class IslanderPlaced(Tagged, frozen=True):
    """SS-7."""

    seat: int
    x: int
    y: int
    feature: str


class IslanderRetrieved(Tagged, frozen=True):
    """SS-10."""

    seat: int
    x: int
    y: int
    feature: str


class IslanderSkipped(Tagged, frozen=True):
    """SS-11: by choice, or because there is none."""

    seat: int


class FeatureEvaluated(Tagged, frozen=True):
    """SS-12, SS-13, SS-22. One with islanders on it: what it pays, and those who go home.

    It reaches to `feature` of the tile at x, y.
    """

    cause: Cause
    x: int
    y: int
    feature: str
    ware: Ware
    gains: tuple[Gain, ...]
    returned: tuple[Standpoint, ...]


class FishCovered(Tagged, frozen=True):
    """SS-18. A group of two, or a single fish."""

    x: int
    y: int
    feature: str
    double: bool


class MarketCompleted(Tagged, frozen=True):
    """SS-20. The merchant goes home; `earns`: takes a ship, for one lies face up."""

    seat: int
    x: int
    y: int
    feature: str
    earns: bool


class ShipTaken(Tagged, frozen=True):
    """SS-20: for a market, without delivery."""

    seat: int
    ship: str


class ShipLoaded(Tagged, frozen=True):
    """SS-25."""

    seat: int
    ship: str
    paid: Wares


class GameEnded(Tagged, frozen=True):
    """SS-27, SS-29. Holds the result as it was scored."""

    outcome: Outcome


Event = (
    StartTileLaid
    | ShipsTurnedUp
    | TurnBegun
    | TileDrawn
    | TileDiscarded
    | NoTileLeft
    | TilePlaced
    | IslanderPlaced
    | IslanderRetrieved
    | IslanderSkipped
    | FeatureEvaluated
    | FishCovered
    | MarketCompleted
    | ShipTaken
    | ShipLoaded
    | GameEnded
)
