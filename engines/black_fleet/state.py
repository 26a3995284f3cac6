"""The table of one match. Ships, places, cards and colours stand as numbers; 255 marks an empty place."""

from copy import copy
from enum import StrEnum
from typing import ClassVar, Self

from msgspec import field

from engines.black_fleet.catalog import Catalog
from engines.core.outcome import Outcome
from engines.core.shapes import GameOptions, GameState

EMPTY = 255
MOST_SEATS = 4
CARGO = 3
"""BF-6: what a merchant carries; a pirate carries one cube."""
RANKS = 4
"""BF-4: developments of a player, one of each price."""


class Ship(StrEnum):
    """All ships there are: a merchant and a pirate of each seat, two of the navy (BF-2)."""

    MERCHANT_0 = "merchant_0"
    MERCHANT_1 = "merchant_1"
    MERCHANT_2 = "merchant_2"
    MERCHANT_3 = "merchant_3"
    PIRATE_0 = "pirate_0"
    PIRATE_1 = "pirate_1"
    PIRATE_2 = "pirate_2"
    PIRATE_3 = "pirate_3"
    NAVY_YELLOW = "navy_yellow"
    NAVY_PURPLE = "navy_purple"


SHIPS = tuple(Ship)
NUMBER = {ship: number for number, ship in enumerate(SHIPS)}
FIRST_PIRATE, FIRST_NAVY = MOST_SEATS, 2 * MOST_SEATS

MERCHANT, PIRATE, YELLOW, PURPLE = ROLES = range(4)
"""The ships that a player may command in a turn: the own merchant and pirate, and those of the navy."""
ROW = (2, 1, 0, 0)
"""Each role's row of a movement card."""

ATTACK, SELL, LOAD, BURY = ACTIONS = range(4)
"""BF-49: the kinds of actions."""


FLEETS = tuple((seat, FIRST_PIRATE + seat, FIRST_NAVY, FIRST_NAVY + 1) for seat in range(MOST_SEATS))
"""The ships that a seat commands, by role."""


def role_of(seat: int, ship: int) -> int:
    """The ship's role in a turn of the seat; EMPTY for those of other players."""
    if ship >= FIRST_NAVY:
        return YELLOW + ship - FIRST_NAVY
    if ship % MOST_SEATS != seat:
        return EMPTY
    return PIRATE if ship >= FIRST_PIRATE else MERCHANT


class FirstPlayer(StrEnum):
    """BF-8."""

    SEAT_0 = "seat_0"
    SEAT_1 = "seat_1"
    SEAT_2 = "seat_2"
    SEAT_3 = "seat_3"
    DRAWN = "drawn"


class Options(GameOptions, frozen=True):
    """BF-8, and BF-5: no victory card named is 10 for all, one is for all, else one for each seat."""

    defined_by: ClassVar[dict[str, str]] = {"first_player": "BF-8", "victory_card": "BF-5"}

    first_player: FirstPlayer = FirstPlayer.DRAWN
    victory_card: tuple[int, ...] = ()


class Phase(StrEnum):
    """What the active seat owes."""

    SETTING_UP = "setting_up"
    PLACING_MERCHANTS = "placing_merchants"
    DEPLOYING = "deploying"
    PLAYING_MOVEMENT = "playing_movement"
    SAILING = "sailing"
    DISCARDING = "discarding"
    BUYING = "buying"
    OVER = "over"


SAILING = Phase.SAILING
"""Attributes of an enum are slow to look up, and every move asks for this one."""


class Deck(StrEnum):
    MOVEMENT = "movement"
    FORTUNE = "fortune"


class Cause(StrEnum):
    """Why fortune cards are to be discarded: the movement card's symbol (BF-32), or too many in hand (BF-33)."""

    SYMBOL = "symbol"
    HAND_LIMIT = "hand_limit"


class State(GameState, kw_only=True):
    """Piles have no order before a card is drawn; hands lie in the order drawn.

    The fields from `order` on are those of the turn.
    """

    derived: ClassVar[tuple[str, ...]] = ("occupied", "standing")

    catalog: Catalog
    options: Options
    seats: int
    phase: Phase = Phase.SETTING_UP
    first: int = 0
    seat: int = 0
    """The active one."""
    turn: int = 0
    ships: bytearray
    """The place of each ship."""
    cargo: bytearray
    """How many cubes each merchant carries."""
    colours: bytearray
    """Of which colour (BF-43)."""
    treasures: bytearray
    """The cube of each pirate."""
    supply: bytearray
    """What lies at the ports, by colour."""
    doubloons: list[int]
    movement_pile: bytearray
    movement_discards: bytearray
    movement_hands: list[bytearray]
    movement_kept: bytearray
    """How many cards of each hand were there when the pile was last made of the discards: they are not of that pile."""
    fortune_pile: bytearray
    fortune_discards: bytearray
    fortune_hands: list[bytearray]
    fortune_kept: bytearray
    box: bytearray
    """Developments not dealt, ascending."""
    developments: bytearray
    """4 a seat, by price."""
    bought: bytearray
    """Which of them each seat has turned up, one bit each."""
    victory: bytearray
    """Each seat's victory card."""
    victors: bytearray
    """1 for each seat that has bought it."""

    order: int = EMPTY
    """The movement card in play."""
    swaps: bytearray
    """Pairs of rows whose values have changed places: BF-48."""
    shifts: bytearray
    """Pairs of rows: 1 went from the one to the other."""
    sailed: bytearray
    """Steps, by role."""
    moving: int = EMPTY
    """The role in mid-move: BF-17."""
    over: int = 0
    """The roles whose move is over, one bit each."""
    stirred: bool = False
    """Whether a ship has sailed or acted."""
    actions: bytearray
    """How often each role has done each kind of action."""
    in_force: bytearray
    """Pairs: a fortune card played this turn that lasts, the role chosen for it."""
    used: int = 0
    """Developments used, one bit each."""
    robbed: bool = False
    sank: bool = False
    pirate_robbed: bool = False
    due: int = 0
    """How many fortune cards are to be discarded."""
    cause: Cause | None = None
    outcome: Outcome | None = None

    occupied: int = 0
    """The places where ships are, one bit each."""
    standing: list[int] = field(default_factory=list)
    """The developments that each seat has turned up, one bit each."""

    def copy(self) -> Self:
        twin = copy(self)
        twin.ships = self.ships[:]
        twin.cargo = self.cargo[:]
        twin.colours = self.colours[:]
        twin.treasures = self.treasures[:]
        twin.supply = self.supply[:]
        twin.doubloons = self.doubloons[:]
        twin.movement_pile = self.movement_pile[:]
        twin.movement_discards = self.movement_discards[:]
        twin.movement_hands = [hand[:] for hand in self.movement_hands]
        twin.movement_kept = self.movement_kept[:]
        twin.fortune_pile = self.fortune_pile[:]
        twin.fortune_discards = self.fortune_discards[:]
        twin.fortune_hands = [hand[:] for hand in self.fortune_hands]
        twin.fortune_kept = self.fortune_kept[:]
        twin.box = self.box[:]
        twin.developments = self.developments[:]
        twin.bought = self.bought[:]
        twin.victory = self.victory[:]
        twin.victors = self.victors[:]
        twin.swaps = self.swaps[:]
        twin.shifts = self.shifts[:]
        twin.sailed = self.sailed[:]
        twin.actions = self.actions[:]
        twin.in_force = self.in_force[:]
        twin.standing = self.standing[:]
        return twin

    def rederive(self) -> None:
        self.occupied = 0
        for place in self.ships:
            if place != EMPTY:
                self.occupied |= 1 << place
        self.standing = [self.turned_up(seat) for seat in range(self.seats)]

    def turned_up(self, seat: int) -> int:
        """The developments that the seat has bought, one bit each."""
        found = 0
        for rank in range(RANKS):
            if self.bought[seat] >> rank & 1:
                found |= 1 << self.developments[RANKS * seat + rank]
        return found

    def place_of(self, role: int) -> int:
        """Where the active seat's ship of the role is."""
        return self.ships[FLEETS[self.seat][role]]

    def values(self) -> list[int]:
        """The movement card's, by row: as printed, then exchanged, then shifted (BF-48)."""
        return shifted(self.catalog.values[self.order], self.swaps, self.shifts)


def shifted(printed: tuple[int, ...], swaps: bytearray, shifts: bytearray) -> list[int]:
    """Values after these exchanges, then these shifts; below 0 where a shift takes what is not there."""
    values = list(printed)
    for one, other in zip(swaps[::2], swaps[1::2], strict=True):
        values[one], values[other] = values[other], values[one]
    for source, target in zip(shifts[::2], shifts[1::2], strict=True):
        values[source] -= 1
        values[target] += 1
    return values
