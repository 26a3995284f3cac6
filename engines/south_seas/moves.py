"""What a player may ask for."""

from engines.core.shapes import Tagged
from engines.south_seas.catalog import Wares


class PlaceTile(Tagged, frozen=True):
    """The tile drawn, turned clockwise `rotation` times; x grows to the east, y to the south (SS-5)."""

    x: int
    y: int
    rotation: int


class PlaceIslander(Tagged, frozen=True):
    """On a feature of the tile just placed (SS-7)."""

    feature: str


class RetrieveIslander(Tagged, frozen=True):
    """One's own, from the feature of the tile at x, y on which it was placed (SS-10)."""

    x: int
    y: int
    feature: str


class ChooseShip(Tagged, frozen=True):
    """One of those worth most, for a market (SS-20)."""

    ship: str


class Deliver(Tagged, frozen=True):
    """To a ship that lies face up; `payment` is what its sail asks for (SS-25, SS-26)."""

    ship: str
    payment: Wares


class Skip(Tagged, frozen=True):
    """Neither place nor retrieve an islander (SS-11), or deliver nothing (SS-25)."""


Move = PlaceTile | PlaceIslander | RetrieveIslander | ChooseShip | Deliver | Skip
