"""What a card can do: the closed set of effects."""

from enum import StrEnum
from functools import lru_cache
from typing import get_args

from engines.core.shapes import Tagged


class ShipKind(StrEnum):
    """Of ships, and of the rows of a movement card."""

    NAVY = "navy"
    PIRATE = "pirate"
    MERCHANT = "merchant"


ROWS = tuple(ShipKind)


class Symbol(StrEnum):
    """BF-12: the fourth line of a movement card."""

    NONE = "none"
    DISCARD = "discard"
    DRAW_1 = "draw1"
    DRAW_2 = "draw2"


class Window(StrEnum):
    """BF-29a: when a card can be played."""

    FIRST = "first"
    SHIP = "ship"
    BETWEEN = "between"
    ANY = "any"
    ATTACK = "attack"
    SALE = "sale"


class Crew(StrEnum):
    """Whom an effect is for, of the ships under the player's command.

    `own` are merchant and pirate, `navy` every navy ship, `fleet` all; of the last three one is chosen in play.
    """

    MERCHANT = "merchant"
    PIRATE = "pirate"
    OWN = "own"
    NAVY = "navy"
    FLEET = "fleet"
    ONE_OWN = "one_own"
    ONE_NAVY = "one_navy"
    ONE = "one"


CHOSEN = (Crew.ONE_OWN, Crew.ONE_NAVY, Crew.ONE)


class Slot(StrEnum):
    """BF-49: what an added slot takes; `different`: another kind of action than the ship's own slot."""

    ANY = "any"
    BURY = "bury"
    DIFFERENT = "different"


class Loot(StrEnum):
    """Where a cube goes: to its port, or aboard the attacker if that is empty."""

    PORT = "port"
    ABOARD = "aboard"


class Deed(StrEnum):
    """What the player's ships did this turn: took or removed a merchant's cube, sank a pirate."""

    ROBBED = "robbed"
    SANK = "sank"


class MoveBonus(Tagged, frozen=True):
    """They sail so many spaces more."""

    ships: Crew
    spaces: int


class CrossIslands(Tagged, frozen=True):
    ships: Crew


class PassEnemies(Tagged, frozen=True):
    ships: Crew


class ExtraAction(Tagged, frozen=True):
    ships: Crew
    slot: Slot


class AttackRange(Tagged, frozen=True):
    ships: Crew
    spaces: int


class AllowAttack(Tagged, frozen=True):
    """An attack on another kind of ship. A pirate sinks; a merchant loses a cube, and sinks with its last."""

    ships: Crew
    target: ShipKind
    doubloons: int
    loot: Loot


class AttackWhileLoaded(Tagged, frozen=True):
    """The pirate attacks merchants with treasure aboard; the cube goes to its port."""


class AttackBonus(Tagged, frozen=True):
    ships: Crew
    target: ShipKind
    doubloons: int


class SaleBonus(Tagged, frozen=True):
    """So much a cube, and so much for a sale of at least so many cubes."""

    per_cube: int = 0
    flat: int = 0
    least_cubes: int = 1


class BuryBonus(Tagged, frozen=True):
    doubloons: int


class ControlSecondNavy(Tagged, frozen=True):
    """The navy ship that the movement card does not name obeys too, with the same value."""


class UseLairs(Tagged, frozen=True):
    """The pirate is placed on a free lair as in a deep sea, and sails from lair to lair in one step."""


class DrawFortune(Tagged, frozen=True):
    """So many fortune cards more where the movement card gives none."""

    cards: int


class SwapValues(Tagged, frozen=True):
    """Two printed values change places."""


class ShiftValue(Tagged, frozen=True):
    """1 goes from one value to another."""


class SwapAdjacentShips(Tagged, frozen=True):
    """Two ships of anyone's, side by side, change places."""


class SwapOwnShips(Tagged, frozen=True):
    """The merchant and the pirate change places."""


class MoveEnemy(Tagged, frozen=True):
    """An opponent's merchant or pirate is moved over so many free spaces at most."""

    spaces: int


class SellUnlisted(Tagged, frozen=True):
    """The merchant sells at once, to a port that does not buy its colour."""

    price: int


class AttackNow(Tagged, frozen=True):
    """As `AllowAttack`, but the attack happens at once."""

    ships: Crew
    target: ShipKind
    doubloons: int
    loot: Loot


class TakeDoubloons(Tagged, frozen=True):
    """From each opponent who has so many, or what there is."""

    doubloons: int


class GainDoubloons(Tagged, frozen=True):
    """After all these deeds of the turn."""

    after: tuple[Deed, ...]
    doubloons: int


Standing = (
    MoveBonus
    | CrossIslands
    | PassEnemies
    | ExtraAction
    | AttackRange
    | AllowAttack
    | AttackWhileLoaded
    | AttackBonus
    | SaleBonus
    | BuryBonus
    | ControlSecondNavy
    | UseLairs
    | DrawFortune
)
"""Effects that last: of a fortune card for a turn at most, of a development for good."""

Instant = (
    SwapValues
    | ShiftValue
    | SwapAdjacentShips
    | SwapOwnShips
    | MoveEnemy
    | SellUnlisted
    | AttackNow
    | TakeDoubloons
    | GainDoubloons
)
"""Effects that happen as the card is played or used."""

Effect = Standing | Instant


class EffectKind(StrEnum):
    """The kinds of effects, as viewers are told them."""

    MOVE_BONUS = "move_bonus"
    CROSS_ISLANDS = "cross_islands"
    PASS_ENEMIES = "pass_enemies"  # noqa: S105 - no password
    EXTRA_ACTION = "extra_action"
    ATTACK_RANGE = "attack_range"
    ALLOW_ATTACK = "allow_attack"
    ATTACK_WHILE_LOADED = "attack_while_loaded"
    ATTACK_BONUS = "attack_bonus"
    SALE_BONUS = "sale_bonus"
    BURY_BONUS = "bury_bonus"
    CONTROL_SECOND_NAVY = "control_second_navy"
    USE_LAIRS = "use_lairs"
    DRAW_FORTUNE = "draw_fortune"
    SWAP_VALUES = "swap_values"
    SHIFT_VALUE = "shift_value"
    SWAP_ADJACENT_SHIPS = "swap_adjacent_ships"
    SWAP_OWN_SHIPS = "swap_own_ships"
    MOVE_ENEMY = "move_enemy"
    SELL_UNLISTED = "sell_unlisted"
    ATTACK_NOW = "attack_now"
    TAKE_DOUBLOONS = "take_doubloons"
    GAIN_DOUBLOONS = "gain_doubloons"


KINDS: dict[type[Effect], EffectKind] = {
    kind: EffectKind(str(kind.__struct_config__.tag)) for kind in get_args(Standing) + get_args(Instant)
}


def amount_of(effect: Effect) -> int:
    """Its spaces, doubloons, cards or price; 1 where it has none."""
    amounts = (getattr(effect, name, 0) for name in ("spaces", "doubloons", "cards", "price", "per_cube", "flat"))
    return next(filter(None, amounts), 1)


def crew_of(effect: Effect) -> Crew | None:
    """Whom the effect is for, where it says so."""
    crew: Crew | None = getattr(effect, "ships", None)
    return crew


def asks_ship(effect: Effect) -> bool:
    """Whether one of the player's ships is chosen for it."""
    return crew_of(effect) in CHOSEN


@lru_cache(maxsize=512)
def arguments(effect: Effect) -> tuple[str, ...]:
    """What the player says with the card, as fields of the move."""
    chosen = ("ship",) if asks_ship(effect) else ()
    match effect:
        case SwapValues() | ShiftValue():
            return ("rows",)
        case SwapAdjacentShips():
            return ("ship", "target")
        case MoveEnemy():
            return ("ship", "path")
        case SellUnlisted():
            return ("port",)
        case AttackNow():
            return (*chosen, "target")
        case _:
            return chosen
