"""What ships are worth to a player who can load them."""

from engines.south_seas.catalog import Sail, Ship
from engines.south_seas.moves import ChooseShip, Deliver
from engines.south_seas.view import View

SPENT = 0.45
"""What a ware is worth that stays in hand."""
SCARCE = 0.1
"""How much more one is worth that another ship asks for."""


def value_of_delivery(view: View, seat: int, move: Deliver) -> float:
    """The points of the ship, less what its wares are worth otherwise."""
    hand = view.players[seat].wares
    spent = sum(
        count * (SPENT + SCARCE * wanted(view, number, move.ship)) - 0.01 * count * held
        for number, (count, held) in enumerate(zip(move.payment.counts(), hand.counts(), strict=True))
    )
    return points_of(view, move.ship) - spent


def wanted(view: View, ware: int, but: str) -> int:
    """How many face-up ships ask for the ware, that one apart."""
    return sum(ship.id != but and ship.sail is Sail.SPECIFIC and ship.wares.counts()[ware] > 0 for ship in view.ships)


def value_of_choice(view: View, move: ChooseShip) -> float:
    """Of ships of the same points the one that asks for most is taken without paying."""
    ship = next(ship for ship in view.ships if ship.id == move.ship)
    return asked(ship)


def asked(ship: Ship) -> int:
    return ship.number or ship.wares.total()


def points_of(view: View, name: str) -> int:
    return next(ship.points for ship in view.ships if ship.id == name)
