"""What a player may ask for."""

from engines.core.shapes import Tagged
from engines.lost_seas.catalog import Side


class ChooseSides(Tagged, frozen=True):
    """The sides of the four expeditions dealt, in the order dealt (LS-3, LS-4).

    With `arrange_expeditions` `order` names the four as they are to lie; without it, it is empty.
    """

    sides: tuple[Side, ...]
    order: tuple[str, ...] = ()


class TakeTile(Tagged, frozen=True):
    """Take a face-up tile and place it on an empty cell of one's own map (LS-11)."""

    tile: str
    cell: int


class ReturnTile(Tagged, frozen=True):
    """Return a face-up tile to the box (LS-9, LS-10)."""

    tile: str


Move = ChooseSides | TakeTile | ReturnTile
