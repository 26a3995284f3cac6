"""What has happened, for ever: no field is renamed, retyped or reused."""

from engines.black_fleet.board import Colour
from engines.black_fleet.catalog.kinds import ShipKind
from engines.black_fleet.state import Cause, Deck, Ship
from engines.core.outcome import Outcome
from engines.core.shapes import Plain, Tagged


class FirstPlayerSet(Tagged, frozen=True):
    """BF-8. The first player was drawn if the event records a draw."""

    seat: int


class DealtDevelopments(Plain, frozen=True):
    """One of each price, cheapest first."""

    cards: tuple[str, ...]


class DevelopmentsDealt(Tagged, frozen=True):
    """BF-4; told to the seat alone."""

    seat: int
    dealt: DealtDevelopments | None = None


class MovementDrawn(Tagged, frozen=True):
    """BF-7, BF-32; the card is told to the seat alone."""

    seat: int
    card: str | None = None


class FortuneDrawn(Tagged, frozen=True):
    """BF-7, BF-32; the card is told to the seat alone."""

    seat: int
    card: str | None = None


class PileRefilled(Tagged, frozen=True):
    """BF-34: the discards are a pile again."""

    deck: Deck


class PlacingBegun(Tagged, frozen=True):
    """BF-9: merchants are placed, by the first player first."""


class MerchantDeployed(Tagged, frozen=True):
    """BF-9, BF-22: with so many cubes of the port's."""

    seat: int
    space: str
    port: str
    cubes: int


class PirateDeployed(Tagged, frozen=True):
    """BF-26."""

    seat: int
    space: str


class TurnBegun(Tagged, frozen=True):
    """BF-8. Turns count from 1."""

    seat: int
    turn: int


class MovementPlayed(Tagged, frozen=True):
    """BF-12."""

    seat: int
    card: str


class ShipSailed(Tagged, frozen=True):
    """BF-13: along the whole path."""

    seat: int
    ship: Ship
    path: tuple[str, ...]


class MoveEnded(Tagged, frozen=True):
    """BF-17: a card has ended the ship's move."""

    seat: int
    ship: Ship


class ShipAttacked(Tagged, frozen=True):
    """BF-18, BF-23, BF-47. `cube`: what the target lost, if anything; `taken`: it is aboard the attacker now.

    `sunk`: the target returned to its owner. `spent` are the cards whose effect this attack used up.
    """

    seat: int
    ship: Ship
    target: Ship
    doubloons: int
    taken: bool
    sunk: bool
    spent: tuple[str, ...]
    cube: Colour | None = None


class CargoSold(Tagged, frozen=True):
    """BF-19, BF-20: so many cubes for so many doubloons in all, then so many loaded."""

    seat: int
    port: str
    colour: Colour
    cubes: int
    doubloons: int
    loaded: int
    spent: tuple[str, ...]


class CargoLoaded(Tagged, frozen=True):
    """BF-45."""

    seat: int
    port: str
    cubes: int


class TreasureBuried(Tagged, frozen=True):
    """BF-24."""

    seat: int
    colour: Colour
    doubloons: int


class FortunePlayed(Tagged, frozen=True):
    """BF-29. What comes of it at once, follows; `ship` is the one that its lasting effect is for."""

    seat: int
    card: str
    ship: Ship | None = None


class DevelopmentUsed(Tagged, frozen=True):
    """BF-37. What comes of it follows."""

    seat: int
    card: str


class ValuesSwapped(Tagged, frozen=True):
    """BF-48: of two rows of the movement card."""

    seat: int
    one: ShipKind
    other: ShipKind


class ValueShifted(Tagged, frozen=True):
    """BF-48: 1 from one row of the movement card to another."""

    seat: int
    source: ShipKind
    target: ShipKind


class ShipsSwapped(Tagged, frozen=True):
    """Two ships have changed places; nothing else of them has."""

    seat: int
    one: Ship
    other: Ship


class ShipDisplaced(Tagged, frozen=True):
    """A card has moved another player's ship along the path."""

    seat: int
    ship: Ship
    path: tuple[str, ...]


class Taking(Plain, frozen=True):
    seat: int
    doubloons: int


class DoubloonsTaken(Tagged, frozen=True):
    """From other players."""

    seat: int
    takings: tuple[Taking, ...]


class DoubloonsGained(Tagged, frozen=True):
    """By a card alone."""

    seat: int
    doubloons: int


class SailingEnded(Tagged, frozen=True):
    """BF-11: the draw follows."""

    seat: int


class DiscardDemanded(Tagged, frozen=True):
    """BF-32, BF-33: so many fortune cards of the seat's choice."""

    seat: int
    cards: int
    cause: Cause


class FortuneDiscarded(Tagged, frozen=True):
    """BF-32, BF-33."""

    seat: int
    card: str


class DevelopmentBought(Tagged, frozen=True):
    """BF-35."""

    seat: int
    card: str
    price: int


class VictoryCardBought(Tagged, frozen=True):
    """BF-36."""

    seat: int
    price: int


class GameEnded(Tagged, frozen=True):
    """BF-38, BF-39. Holds the result as it stood."""

    outcome: Outcome


Event = (
    FirstPlayerSet
    | DevelopmentsDealt
    | MovementDrawn
    | FortuneDrawn
    | PileRefilled
    | PlacingBegun
    | MerchantDeployed
    | PirateDeployed
    | TurnBegun
    | MovementPlayed
    | ShipSailed
    | MoveEnded
    | ShipAttacked
    | CargoSold
    | CargoLoaded
    | TreasureBuried
    | FortunePlayed
    | DevelopmentUsed
    | ValuesSwapped
    | ValueShifted
    | ShipsSwapped
    | ShipDisplaced
    | DoubloonsTaken
    | DoubloonsGained
    | SailingEnded
    | DiscardDemanded
    | FortuneDiscarded
    | DevelopmentBought
    | VictoryCardBought
    | GameEnded
)
