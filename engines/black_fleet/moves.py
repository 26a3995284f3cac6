"""What a player may ask for."""

from engines.black_fleet.catalog.kinds import ShipKind
from engines.black_fleet.state import Ship
from engines.core.shapes import Tagged


class DeployMerchant(Tagged, frozen=True):
    """Put one's merchant on a free space next to a port, and load there (BF-9, BF-22)."""

    space: str
    port: str


class DeployPirate(Tagged, frozen=True):
    """Put one's pirate in a deep sea (BF-26), with a card on a free lair."""

    space: str


class PlayMovement(Tagged, frozen=True):
    """Play one of one's movement cards (BF-12)."""

    card: str


class Sail(Tagged, frozen=True):
    """Sail along a path, or, where only its end is named, along a shortest one (BF-13 to BF-17)."""

    ship: Ship
    path: tuple[str, ...]


class Attack(Tagged, frozen=True):
    """BF-18, BF-23."""

    ship: Ship
    target: Ship


class Sell(Tagged, frozen=True):
    """Sell the whole cargo to a port beside the merchant, and load there (BF-19, BF-20)."""

    port: str


class Load(Tagged, frozen=True):
    """Load with an empty merchant (BF-45)."""

    port: str


class Bury(Tagged, frozen=True):
    """Bury the treasure on the pirate's beach (BF-24)."""


class PlayFortune(Tagged, frozen=True):
    """Play a fortune card (BF-29), with just the choices that it asks for.

    `ship` is the ship that it is for or that it moves, `target` the other ship, `rows` two rows of the movement card,
    `path` a way, or its end alone.
    """

    card: str
    ship: Ship | None = None
    target: Ship | None = None
    rows: tuple[ShipKind, ...] = ()
    port: str | None = None
    path: tuple[str, ...] = ()


class UseDevelopment(Tagged, frozen=True):
    """Use a development that is turned up (BF-37), with just the choices that it asks for, as `PlayFortune`."""

    card: str
    ship: Ship | None = None
    target: Ship | None = None
    rows: tuple[ShipKind, ...] = ()
    port: str | None = None
    path: tuple[str, ...] = ()


class EndSailing(Tagged, frozen=True):
    """Go on to the draw (BF-11)."""


class Discard(Tagged, frozen=True):
    """Discard a fortune card that is owed (BF-32, BF-33)."""

    card: str


class Buy(Tagged, frozen=True):
    """Buy a development or one's victory card, which ends the turn (BF-35, BF-36)."""

    card: str


class EndTurn(Tagged, frozen=True):
    """End the turn without buying."""


Move = (
    DeployMerchant
    | DeployPirate
    | PlayMovement
    | Sail
    | Attack
    | Sell
    | Load
    | Bury
    | PlayFortune
    | UseDevelopment
    | EndSailing
    | Discard
    | Buy
    | EndTurn
)
