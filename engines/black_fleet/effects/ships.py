"""What a ship may do now, by its powers: sail, attack, sell, load, bury; and what comes of it."""

from functools import lru_cache
from typing import NamedTuple

from engines.black_fleet.board import BY_LAIRS, COLOURS, OVER_ISLANDS, PLAIN, Board
from engines.black_fleet.catalog.kinds import AttackBonus, Loot, ShipKind, Window
from engines.black_fleet.effects.powers import Licence, Powers, Slots, powers
from engines.black_fleet.events import CargoSold, ShipAttacked
from engines.black_fleet.state import (
    ACTIONS,
    ATTACK,
    BURY,
    CARGO,
    EMPTY,
    FIRST_NAVY,
    FIRST_PIRATE,
    FLEETS,
    MERCHANT,
    PIRATE,
    PURPLE,
    ROLES,
    ROW,
    SELL,
    SHIPS,
    YELLOW,
    State,
)
from engines.core.errors import IllegalMove

ATTACKS_WHAT = {MERCHANT: "BF-19", PIRATE: "BF-23"}
"""The rule that says what a ship of the role may do; that of the navy is BF-18."""


class Turn(NamedTuple):
    """The active player's turn: the table, the powers of the player's ships, the roles under command.

    `fleet` are the ships by role; `hostile` are the places that they do not pass, and deep seas with ships in them:
    BF-12, BF-14, BF-18a, BF-46.
    """

    state: State
    board: Board
    powers: Powers
    fleet: tuple[int, ...]
    roles: tuple[int, ...]
    hostile: int


NAMED = ((MERCHANT, PIRATE, YELLOW), (MERCHANT, PIRATE, PURPLE))


def turn_of(state: State) -> Turn:
    catalog, ships, fleet = state.catalog, state.ships, FLEETS[state.seat]
    power = powers(state)
    roles = tuple(ROLES) if power.both_navies else NAMED[catalog.navies[state.order]]
    friends = 0
    for role in roles:
        friends |= 1 << ships[fleet[role]]
    # Enemies may share a deep sea with a friend.
    return Turn(state, catalog.board, power, fleet, roles, state.occupied & ~(friends & catalog.board.sea))


def steps_left(turn: Turn, role: int) -> int:
    """BF-13, BF-48."""
    state = turn.state
    values = state.values() if state.swaps or state.shifts else state.catalog.values[state.order]
    return values[ROW[role]] + turn.powers.spaces[role] - state.sailed[role]


def step_kind(turn: Turn, role: int) -> int:
    """Over what the role's ship sails."""
    kind = OVER_ISLANDS if turn.powers.crossing >> role & 1 else PLAIN
    return kind + BY_LAIRS if role == PIRATE and turn.powers.lairs else kind


def closed_to(turn: Turn, role: int) -> int:
    """The places that the role's ship does not pass."""
    return 0 if turn.powers.passing >> role & 1 else turn.hostile


def can_act(turn: Turn, role: int, action: int) -> bool:
    """Whether a slot is left for such an action: BF-16, BF-49."""
    start = len(ACTIONS) * role
    done = turn.state.actions[start : start + len(ACTIONS)]
    if not any(done):
        return True
    done[action] += 1
    return fits(bytes(done), turn.powers.slots[role])


@lru_cache(maxsize=1 << 10)
def fits(done: bytes, slots: Slots) -> bool:
    """Whether the actions done, so many of each kind, can be matched to slots.

    Its own slot and those for a different kind hold actions of as many kinds; what is more goes to slots for any kind.
    """
    counts = list(done)
    counts[BURY] -= min(counts[BURY], slots.bury)
    repeated = sum(count - 1 for count in counts if count)
    return repeated <= slots.any and sum(counts) - slots.any <= 1 + slots.different


def slot_objection(turn: Turn, role: int, action: int) -> IllegalMove | None:
    if can_act(turn, role, action):
        return None
    start = len(ACTIONS) * role
    done = turn.state.actions[start : start + len(ACTIONS)]
    if turn.powers.slots[role] != Slots(0, 0, 0):
        return IllegalMove("BF-49", "no slot is left for another such action of the ship")
    if {action, done.index(1)} == {ATTACK, BURY}:
        return IllegalMove("BF-25", "a pirate does not attack and bury in one turn")
    return IllegalMove("BF-16", "a ship does one action a turn")


def kind_of(ship: int) -> ShipKind:
    if ship >= FIRST_NAVY:
        return ShipKind.NAVY
    return ShipKind.PIRATE if ship >= FIRST_PIRATE else ShipKind.MERCHANT


def targets(turn: Turn, role: int, licence: Licence | None = None) -> list[int]:
    """The ships that the role may attack now; with a licence of a card's, of every kind."""
    state, powers_ = turn.state, turn.powers
    ships = state.ships
    within = turn.board.near[powers_.ranges[role]][ships[turn.fleet[role]]]
    if not within & turn.hostile or not can_act(turn, role, ATTACK):
        return NOTHING
    found = []
    for kind, first in KINDS:
        if licence is None and (role, kind) not in powers_.licences:
            continue
        if first == 0 and role == PIRATE and not powers_.loaded and state.treasures[state.seat] != EMPTY:
            continue
        for other in range(state.seats):
            place = ships[first + other]
            if place != EMPTY and within >> place & 1 and other != state.seat and (first or state.cargo[other]):
                found.append(first + other)
    return found


NOTHING: list[int] = []
KINDS = ((ShipKind.MERCHANT, 0), (ShipKind.PIRATE, FIRST_PIRATE))


def attack_objection(turn: Turn, role: int, target: int, licence: Licence | None = None) -> IllegalMove | None:
    """Why the role may not attack the ship now; a licence of a card's stands for what its kind may attack."""
    if objection := target_objection(turn, target) or slot_objection(turn, role, ATTACK):
        return objection
    kind = kind_of(target)
    if licence is None and (role, kind) not in turn.powers.licences:
        return IllegalMove(ATTACKS_WHAT.get(role, "BF-18"), f"such a ship does not attack a {kind}")
    if kind is ShipKind.MERCHANT and (objection := robbery_objection(turn, role, target)):
        return objection
    reach = turn.powers.ranges[role]
    if turn.board.near[reach][turn.state.place_of(role)] >> turn.state.ships[target] & 1:
        return None
    return IllegalMove("BF-18a" if reach == 1 else "BF-47", f"the target is not within {reach} of the attacker")


def target_objection(turn: Turn, target: int) -> IllegalMove | None:
    if target >= FIRST_NAVY:
        return IllegalMove("BF-18a", "nobody attacks a navy ship")
    if target % FIRST_PIRATE == turn.state.seat:
        return IllegalMove("BF-27", "nobody attacks their own ships")
    if turn.state.ships[target] == EMPTY:
        return IllegalMove("BF-18a", "this ship is not on the board")
    return None


def robbery_objection(turn: Turn, role: int, target: int) -> IllegalMove | None:
    """Why the role may not attack the merchant, wherever it is."""
    state = turn.state
    if role == PIRATE and not turn.powers.loaded and state.treasures[state.seat] != EMPTY:
        return IllegalMove("BF-23", "a pirate with treasure aboard does not attack a merchant")
    if not state.cargo[target]:
        return IllegalMove("BF-45", "an empty merchant is no target")
    return None


def attack(turn: Turn, role: int, target: int, licence: Licence | None = None) -> ShipAttacked:
    """BF-18, BF-23, BF-47: what comes of an attack that is legal."""
    state, seat, kind = turn.state, turn.state.seat, kind_of(target)
    doubloons, loot = licence or turn.powers.licences[role, kind]
    if kind is ShipKind.MERCHANT:
        cube, sunk = state.colours[target], state.cargo[target] == 1
    else:
        cube, sunk = state.treasures[target - FIRST_PIRATE], True
    aboard = loot is Loot.ABOARD and role == PIRATE and state.treasures[seat] == EMPTY and cube != EMPTY
    return ShipAttacked(
        seat=seat,
        ship=SHIPS[turn.fleet[role]],
        target=SHIPS[target],
        doubloons=doubloons + turn.powers.prizes.get((role, kind), 0),
        taken=aboard,
        sunk=sunk,
        spent=spent_by_attack(state, role, kind),
        cube=None if cube == EMPTY else COLOURS[cube],
    )


def spent_by_attack(state: State, role: int, kind: ShipKind) -> tuple[str, ...]:
    """The cards played for this attack; a bonus for another kind of target waits on."""
    found = []
    for number, chosen in zip(state.in_force[::2], state.in_force[1::2], strict=True):
        card = state.catalog.fortune[number]
        waits = all(isinstance(effect, AttackBonus) and effect.target is not kind for effect in card.effects)
        if card.when is Window.ATTACK and chosen == role and not waits:
            found.append(card.id)
    return tuple(found)


def spent_by_sale(state: State) -> tuple[str, ...]:
    cards = [state.catalog.fortune[number] for number in state.in_force[::2]]
    return tuple(card.id for card in cards if card.when is Window.SALE)


def sale_objection(turn: Turn, port: str, *, listed: bool = True) -> IllegalMove | None:
    """Why the merchant may not sell there; not `listed`: to a port that does not buy its colour."""
    state, board = turn.state, turn.board
    number = board.port_numbers.get(port, EMPTY)
    if number not in board.ports_at[state.place_of(MERCHANT)]:
        return IllegalMove("BF-19", "the merchant is not next to this port")
    if not state.cargo[state.seat]:
        return IllegalMove("BF-19", "there is nothing aboard to sell")
    if objection := slot_objection(turn, MERCHANT, SELL):
        return objection
    colour = state.colours[state.seat]
    if listed and not board.prices[number][colour]:
        return IllegalMove("BF-19", f"the port does not buy {COLOURS[colour]}")
    if not listed and (board.prices[number][colour] or board.goods[number] == colour):
        return IllegalMove("BF-29", "the card is for a colour that the port neither buys nor supplies")
    return None


def sale(turn: Turn, port: str, price: int | None = None) -> CargoSold:
    """BF-19, BF-20: what comes of a sale that is legal, at the port's price unless another is given."""
    state, board, power = turn.state, turn.board, turn.powers
    number, colour, cubes = board.port_numbers[port], state.colours[state.seat], state.cargo[state.seat]
    earned = cubes * ((price or board.prices[number][colour]) + power.per_cube)
    earned += sum(doubloons for doubloons, least in power.flats if cubes >= least)
    return CargoSold(
        seat=state.seat,
        port=port,
        colour=COLOURS[colour],
        cubes=cubes,
        doubloons=earned,
        loaded=min(CARGO, state.supply[board.goods[number]]),
        spent=spent_by_sale(state),
    )
