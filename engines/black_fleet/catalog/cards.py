"""The components of one edition: its chart, and its cards with what they do; read from its JSON, checked on load."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import msgspec

from engines.black_fleet.board import NAVIES, Board, Chart, Navy, compiled, mask, require
from engines.black_fleet.catalog.kinds import (
    CHOSEN,
    AllowAttack,
    AttackBonus,
    AttackNow,
    AttackRange,
    Crew,
    Effect,
    ExtraAction,
    GainDoubloons,
    Instant,
    MoveBonus,
    SaleBonus,
    ShipKind,
    Slot,
    Symbol,
    Window,
    arguments,
    asks_ship,
    crew_of,
)
from engines.core.errors import InvalidEdition
from engines.core.shapes import Plain

MOVEMENT_CARDS = FORTUNE_CARDS = 44
CUBES = 13
DEVELOPMENT_PRICES = (5, 8, 11, 14)
DEVELOPMENTS_A_PRICE = 6
VICTORY_CARDS = {10: 4, 20: 4}
MOST_VALUE = 9
MOST = 99
"""Of anything an effect counts: sums stay within what a log can hold."""


class MovementCard(Plain, frozen=True):
    """BF-12."""

    id: str
    navy: Navy
    navy_value: int
    pirate_value: int
    merchant_value: int
    symbol: Symbol
    copies: int


class FortuneRow(Plain, frozen=True):
    id: str
    name: str
    text: str
    when: Window
    copies: int
    effects: tuple[Effect, ...]


class DevelopmentRow(Plain, frozen=True):
    """`when` stands where some effect is used once a turn; the others last."""

    id: str
    name: str
    text: str
    price: int
    effects: tuple[Effect, ...]
    when: Window | None = None


class VictoryCard(Plain, frozen=True):
    id: str
    price: int
    copies: int


class Edition(Plain, frozen=True):
    """The file. `official` and `own` say where its content comes from."""

    game: str
    name: str
    official: tuple[str, ...]
    own: tuple[str, ...]
    cubes: int
    chart: Chart
    movement: tuple[MovementCard, ...]
    fortune: tuple[FortuneRow, ...]
    developments: tuple[DevelopmentRow, ...]
    victory: tuple[VictoryCard, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Catalog:
    """An edition ready for play: cards stand as numbers, their places here."""

    cubes: int
    chart: Chart
    board: Board
    movement: tuple[MovementCard, ...]
    fortune: tuple[FortuneRow, ...]
    developments: tuple[DevelopmentRow, ...]
    victory: tuple[VictoryCard, ...]
    movement_numbers: dict[str, int]
    fortune_numbers: dict[str, int]
    development_numbers: dict[str, int]
    movement_pile: bytes
    """Every physical card."""
    fortune_pile: bytes
    lasting: tuple[bool, ...]
    """Whether some effect of the fortune card lasts."""
    steady: tuple[bool, ...]
    """Whether it does nothing at once, and can be played whatever has been robbed or can be attacked or sold."""
    sure: tuple[bool, ...]
    """Whether it adds something whatever is in force."""
    ranks: tuple[tuple[int, ...], ...]
    """The developments of each price, cheapest first."""
    usable: int
    """The developments that are used once a turn, one bit each."""
    values: tuple[tuple[int, ...], ...]
    """Of each movement card, by row."""
    navies: tuple[int, ...]
    """The navy ship that each movement card names."""


@lru_cache(maxsize=16)
def load(data: bytes) -> Catalog:
    """The catalog of an edition's bytes; raises InvalidEdition."""
    try:
        edition = msgspec.json.decode(data, type=Edition)
    except msgspec.DecodeError as error:
        raise InvalidEdition(f"not an edition of Black Fleet: {error}") from error
    _check(edition)
    return Catalog(
        cubes=edition.cubes,
        chart=edition.chart,
        board=compiled(edition.chart),
        movement=edition.movement,
        fortune=edition.fortune,
        developments=edition.developments,
        victory=edition.victory,
        movement_numbers={card.id: number for number, card in enumerate(edition.movement)},
        fortune_numbers={card.id: number for number, card in enumerate(edition.fortune)},
        development_numbers={card.id: number for number, card in enumerate(edition.developments)},
        movement_pile=_pile(edition.movement),
        fortune_pile=_pile(edition.fortune),
        lasting=tuple(not all(isinstance(effect, Instant) for effect in card.effects) for card in edition.fortune),
        steady=tuple(map(_is_steady, edition.fortune)),
        sure=tuple(
            any(isinstance(effect, MoveBonus | ExtraAction) for effect in card.effects) for card in edition.fortune
        ),
        ranks=tuple(
            tuple(number for number, card in enumerate(edition.developments) if card.price == price)
            for price in DEVELOPMENT_PRICES
        ),
        usable=mask(number for number, card in enumerate(edition.developments) if card.when is not None),
        values=tuple((card.navy_value, card.pirate_value, card.merchant_value) for card in edition.movement),
        navies=tuple(NAVIES.index(card.navy) for card in edition.movement),
    )


def _pile(cards: Sequence[MovementCard | FortuneRow]) -> bytes:
    return bytes(number for number, card in enumerate(cards) for _ in range(card.copies))


def _is_steady(card: FortuneRow) -> bool:
    needs_robbery = any(isinstance(effect, ExtraAction) and effect.slot is Slot.BURY for effect in card.effects)
    waits = card.when in (Window.ATTACK, Window.SALE)
    return not (waits or needs_robbery or any(isinstance(effect, Instant) for effect in card.effects))


def _check(edition: Edition) -> None:
    """BF-2, and that each card's effects fit it."""
    require(edition.game == "black_fleet", f"the edition is of {edition.game!r}, not of 'black_fleet'")
    require(edition.cubes == CUBES, f"{edition.cubes} cubes of a colour, not {CUBES}")
    cards: list[Sequence[MovementCard | FortuneRow | VictoryCard]] = [
        edition.movement,
        edition.fortune,
        edition.victory,
    ]
    for row in [row for rows in cards for row in rows]:
        require(row.copies >= 1, f"{row.id} has {row.copies} copies")
    count = sum(card.copies for card in edition.movement)
    require(count == MOVEMENT_CARDS, f"{count} movement cards, not {MOVEMENT_CARDS}")
    count = sum(card.copies for card in edition.fortune)
    require(count == FORTUNE_CARDS, f"{count} fortune cards, not {FORTUNE_CARDS}")
    for price in DEVELOPMENT_PRICES:
        count = sum(card.price == price for card in edition.developments)
        require(count == DEVELOPMENTS_A_PRICE, f"{count} developments cost {price}, not {DEVELOPMENTS_A_PRICE}")
    count = len(edition.developments)
    require(count == DEVELOPMENTS_A_PRICE * len(DEVELOPMENT_PRICES), f"{count} developments, not 24")
    require(
        {card.price: card.copies for card in edition.victory} == VICTORY_CARDS, "not 4 victory cards of 10 and of 20"
    )
    ids = [row.id for rows in (*cards, edition.developments) for row in rows]
    for name, times in Counter(ids).items():
        require(times == 1, f"the id {name} is used {times} times")
    for card in edition.movement:
        values = card.navy_value, card.pirate_value, card.merchant_value
        require(
            all(0 <= value <= MOST_VALUE for value in values), f"{card.id} has a value that is not 0 to {MOST_VALUE}"
        )
    for fortune in edition.fortune:
        _check_fortune(fortune)
    for development in edition.developments:
        _check_development(development)


def _check_fortune(card: FortuneRow) -> None:
    require(bool(card.effects), f"{card.id} does nothing")
    for effect in card.effects:
        _check_effect(card.id, effect)
        require(not arguments(effect) or _asks_alike(card, effect), f"{card.id}: its first effect asks the choices")
    lasting: tuple[type, ...] = {Window.ATTACK: (AttackRange, AttackBonus), Window.SALE: (SaleBonus,)}.get(
        card.when, ()
    )
    if lasting:
        require(all(isinstance(effect, lasting) for effect in card.effects), f"{card.id} is not for `{card.when}`")
        crews = [effect.ships for effect in card.effects if isinstance(effect, AttackRange | AttackBonus)]
        require(all(crew in CHOSEN for crew in crews), f"{card.id} is for one attack, so for one ship")


def _asks_alike(card: FortuneRow, effect: Effect) -> bool:
    """Whether the effect asks nothing that the card's first does not: it lasts for the same ship."""
    first = card.effects[0]
    return effect is first or (crew_of(effect) is crew_of(first) and not isinstance(effect, Instant))


def _check_development(card: DevelopmentRow) -> None:
    require(bool(card.effects), f"{card.id} does nothing")
    used = [effect for effect in card.effects if isinstance(effect, Instant)]
    require(bool(used) == (card.when is not None), f"{card.id}: `when` goes with effects that are used")
    require(card.when not in (Window.ATTACK, Window.SALE), f"{card.id}: a development is not used up by an action")
    for effect in card.effects:
        _check_effect(card.id, effect)
        require(not asks_ship(effect), f"{card.id} lasts, and nobody chooses a ship of it")
        require(not isinstance(effect, Instant) or effect is used[0], f"{card.id} is used for one thing")


def _check_effect(name: str, effect: Effect) -> None:
    for field in ("spaces", "doubloons", "cards", "price", "least_cubes"):
        require(1 <= getattr(effect, field, 1) <= MOST, f"{name}: `{field}` is 1 to {MOST}")
    match effect:
        case AttackRange():
            require(effect.spaces == 2, f"{name}: a range is 2")
        case AllowAttack() | AttackBonus() | AttackNow():
            require(effect.target is not ShipKind.NAVY, f"{name}: navy ships are not attacked")
        case SaleBonus():
            both = effect.per_cube, effect.flat
            require(min(both) >= 0 and max(both) <= MOST, f"{name}: a bonus is 0 to {MOST}")
            require(effect.per_cube + effect.flat >= 1, f"{name}: a bonus of nothing")
        case GainDoubloons():
            require(len(set(effect.after)) == len(effect.after), f"{name} asks for a deed twice")
        case _:
            pass
    if isinstance(effect, AttackNow):
        require(effect.ships in (Crew.MERCHANT, Crew.PIRATE, *CHOSEN), f"{name}: one ship attacks")
