"""What lasting effects come to: those of the developments turned up, and of the fortune cards in force."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

from engines.black_fleet.board import bits, mask
from engines.black_fleet.catalog import Catalog
from engines.black_fleet.catalog.kinds import (
    AllowAttack,
    AttackBonus,
    AttackRange,
    AttackWhileLoaded,
    BuryBonus,
    ControlSecondNavy,
    Crew,
    CrossIslands,
    DrawFortune,
    Effect,
    ExtraAction,
    Instant,
    Loot,
    MoveBonus,
    PassEnemies,
    SaleBonus,
    ShipKind,
    UseLairs,
    crew_of,
)
from engines.black_fleet.state import EMPTY, MERCHANT, PIRATE, PURPLE, ROLES, YELLOW, State

CREWS: dict[Crew, tuple[int, ...]] = {
    Crew.MERCHANT: (MERCHANT,),
    Crew.PIRATE: (PIRATE,),
    Crew.OWN: (MERCHANT, PIRATE),
    Crew.NAVY: (YELLOW, PURPLE),
    Crew.FLEET: tuple(ROLES),
}
PRIZE = 2
"""BF-18, BF-23: what an attack earns."""


class Licence(NamedTuple):
    """An attack of one role on one kind of ship."""

    doubloons: int
    loot: Loot


class Slots(NamedTuple):
    """Beside a ship's own one: BF-49."""

    any: int
    bury: int
    different: int


class Powers(NamedTuple):
    """What the active player's ships can do beyond the movement card; masks have one bit a role."""

    spaces: tuple[int, ...]
    """To sail more, by role."""
    crossing: int
    passing: int
    ranges: tuple[int, ...]
    slots: tuple[Slots, ...]
    licences: dict[tuple[int, ShipKind], Licence]
    prizes: dict[tuple[int, ShipKind], int]
    """What an attack earns more."""
    loaded: bool
    """Whether the pirate attacks merchants with treasure aboard."""
    per_cube: int
    flats: tuple[tuple[int, int], ...]
    """(doubloons, least cubes) for a sale."""
    burial: int
    both_navies: bool
    lairs: bool
    draws: int


def powers(state: State) -> Powers:
    """The active player's."""
    return powers_of(state.catalog, state.standing[state.seat], bytes(state.in_force))


def powers_with(state: State, card: int, role: int) -> Powers:
    """As if this fortune card were in force too."""
    return powers_of(state.catalog, state.standing[state.seat], bytes((*state.in_force, card, role)))


@lru_cache(maxsize=1 << 14)
def powers_of(catalog: Catalog, standing: int, in_force: bytes) -> Powers:
    tally = Tally()
    lasting = [(effect, EMPTY) for number in bits(standing) for effect in catalog.developments[number].effects]
    pairs = zip(in_force[::2], in_force[1::2], strict=True)
    lasting += [(effect, role) for card, role in pairs for effect in catalog.fortune[card].effects]
    for effect, chosen in lasting:
        if not isinstance(effect, Instant):
            STANDING[type(effect)](tally, effect, roles_of(effect, chosen))
    return tally.sums()


def roles_of(effect: Effect, chosen: int) -> tuple[int, ...]:
    """The roles that the effect is for; none where it does not say so."""
    crew = crew_of(effect)
    return () if crew is None else CREWS.get(crew, (chosen,))


class Tally:
    """Lasting effects, added up one by one."""

    def __init__(self) -> None:
        self.spaces = [0] * len(ROLES)
        self.crossing = self.passing = 0
        self.ranges = [1] * len(ROLES)
        self.slots = [Slots(0, 0, 0)] * len(ROLES)
        self.licences = {
            (PIRATE, ShipKind.MERCHANT): Licence(PRIZE, Loot.ABOARD),
            (YELLOW, ShipKind.PIRATE): Licence(PRIZE, Loot.PORT),
            (PURPLE, ShipKind.PIRATE): Licence(PRIZE, Loot.PORT),
        }
        self.prizes: dict[tuple[int, ShipKind], int] = {}
        self.loaded = self.both_navies = self.lairs = False
        self.per_cube = self.burial = self.draws = 0
        self.flats: list[tuple[int, int]] = []

    def sums(self) -> Powers:
        return Powers(
            spaces=tuple(self.spaces),
            crossing=self.crossing,
            passing=self.passing,
            ranges=tuple(self.ranges),
            slots=tuple(self.slots),
            licences=self.licences,
            prizes=self.prizes,
            loaded=self.loaded,
            per_cube=self.per_cube,
            flats=tuple(self.flats),
            burial=self.burial,
            both_navies=self.both_navies,
            lairs=self.lairs,
            draws=self.draws,
        )


def move_bonus(tally: Tally, effect: MoveBonus, roles: tuple[int, ...]) -> None:
    for role in roles:
        tally.spaces[role] += effect.spaces


def cross_islands(tally: Tally, effect: CrossIslands, roles: tuple[int, ...]) -> None:  # noqa: ARG001 - as all of these
    tally.crossing |= mask(roles)


def pass_enemies(tally: Tally, effect: PassEnemies, roles: tuple[int, ...]) -> None:  # noqa: ARG001
    tally.passing |= mask(roles)


def extra_action(tally: Tally, effect: ExtraAction, roles: tuple[int, ...]) -> None:
    name = effect.slot.value
    for role in roles:
        slots = tally.slots[role]
        tally.slots[role] = slots._replace(**{name: getattr(slots, name) + 1})


def attack_range(tally: Tally, effect: AttackRange, roles: tuple[int, ...]) -> None:
    """Ranges do not add up: BF-47."""
    for role in roles:
        tally.ranges[role] = effect.spaces


def allow_attack(tally: Tally, effect: AllowAttack, roles: tuple[int, ...]) -> None:
    """The better of two licences for the same attack counts."""
    for role in roles:
        known = tally.licences.get((role, effect.target))
        if known is None or known.doubloons < effect.doubloons:
            tally.licences[role, effect.target] = Licence(effect.doubloons, effect.loot)


def attack_while_loaded(tally: Tally, effect: AttackWhileLoaded, roles: tuple[int, ...]) -> None:  # noqa: ARG001
    tally.loaded = True


def attack_bonus(tally: Tally, effect: AttackBonus, roles: tuple[int, ...]) -> None:
    for role in roles:
        key = role, effect.target
        tally.prizes[key] = tally.prizes.get(key, 0) + effect.doubloons


def sale_bonus(tally: Tally, effect: SaleBonus, roles: tuple[int, ...]) -> None:  # noqa: ARG001
    tally.per_cube += effect.per_cube
    if effect.flat:
        tally.flats.append((effect.flat, effect.least_cubes))


def bury_bonus(tally: Tally, effect: BuryBonus, roles: tuple[int, ...]) -> None:  # noqa: ARG001
    tally.burial += effect.doubloons


def control_second_navy(tally: Tally, effect: ControlSecondNavy, roles: tuple[int, ...]) -> None:  # noqa: ARG001
    tally.both_navies = True


def use_lairs(tally: Tally, effect: UseLairs, roles: tuple[int, ...]) -> None:  # noqa: ARG001
    tally.lairs = True


def draw_fortune(tally: Tally, effect: DrawFortune, roles: tuple[int, ...]) -> None:  # noqa: ARG001
    tally.draws += effect.cards


STANDING: dict[type[Effect], Callable[[Tally, Any, tuple[int, ...]], None]] = {
    MoveBonus: move_bonus,
    CrossIslands: cross_islands,
    PassEnemies: pass_enemies,
    ExtraAction: extra_action,
    AttackRange: attack_range,
    AllowAttack: allow_attack,
    AttackWhileLoaded: attack_while_loaded,
    AttackBonus: attack_bonus,
    SaleBonus: sale_bonus,
    BuryBonus: bury_bonus,
    ControlSecondNavy: control_second_navy,
    UseLairs: use_lairs,
    DrawFortune: draw_fortune,
}
