"""What to do next, by the phase. It sees what a client sees: a view and the legal moves."""

from collections.abc import Callable, Sequence
from functools import partial

from engines.black_fleet.catalog.kinds import ShipKind
from engines.black_fleet.moves import (
    Attack,
    Bury,
    Buy,
    DeployMerchant,
    DeployPirate,
    EndSailing,
    EndTurn,
    Load,
    Move,
    Sail,
    Sell,
)
from engines.black_fleet.policy import cards
from engines.black_fleet.policy.table import Table, kind_of, port_value
from engines.black_fleet.state import Phase, Ship
from engines.black_fleet.view import View
from engines.core.chance import Chance

END_SAILING: Move = EndSailing()
LEAST_GAIN = 0.001
"""What a sail has to promise."""
NEARLY = 0.25
"""What a place to begin may be worth less than the best: who always began alike would be met there."""


def choose(view: View, legal: Sequence[Move], chance: Chance) -> Move:
    """It knows what it wants, but for where to begin among places that are nearly alike."""
    assert view.viewer is not None, "a spectator has no moves"
    table = Table(view, view.viewer)
    if view.phase is Phase.PLACING_MERCHANTS:
        return place(table, legal, chance)
    return DUTIES[view.phase](table, legal)


def place(table: Table, legal: Sequence[Move], chance: Chance) -> Move:
    worths = [deployed(table, move) for move in legal]
    good = [move for move, worth in zip(legal, worths, strict=True) if worth > max(worths) - NEARLY]
    return good[chance.draw("place", len(good))]


def deploy(table: Table, legal: Sequence[Move]) -> Move:
    """The merchant at the port that promises most, the pirate where merchants are near."""
    return best(legal, partial(deployed, table))


def best(moves: Sequence[Move], worth: Callable[[Move], float]) -> Move:
    """The first of those that are worth most."""
    chosen, most = moves[0], worth(moves[0])
    for move in moves[1:]:
        if (found := worth(move)) > most:
            chosen, most = move, found
    return chosen


def deployed(table: Table, move: Move) -> float:
    if isinstance(move, DeployMerchant):
        worth = port_value(table, move.port, table.sea.ports[move.port].goods)
        return worth - 0.1 * table.worth(move.space, 0, {one.space: 1.0 for one in table.pirates})
    assert isinstance(move, DeployPirate)
    return table.worth(move.space, 0, table.earnings(table.pirate))


def sail(table: Table, legal: Sequence[Move]) -> Move:
    """What earns at once, first by cards that add to it; then the sail that lets a ship earn; then cards for that."""
    card = cards.play(table, legal)
    if card is not None:
        return card
    earning: list[Move] = [move for move in legal if isinstance(move, Attack | Sell | Bury | Load)]
    if earning:
        return best(earning, partial(earned, table))
    voyages = (voyage(table, ship, legal) for ship in in_order(table))
    return next((move for move in voyages if move is not None), END_SAILING)


def earned(table: Table, move: Move) -> float:
    match move:
        case Attack():
            return 3.0 + (kind_of(move.target) is ShipKind.MERCHANT) * (4 - table.ships[move.target].cubes)
        case Sell():
            return 2.0 * table.ships[table.merchant].cubes
        case Bury():
            return float(table.sea.beaches[table.ships[table.pirate].space])
        case _:
            return 1.0


def in_order(table: Table) -> list[Ship]:
    """The ship in mid-move first; the merchant before pirate and navy."""
    return sorted(table.commands, key=lambda ship: (not table.commands[ship].moving, kind_of(ship) is ShipKind.NAVY))


def voyage(table: Table, ship: Ship, legal: Sequence[Move]) -> Move | None:
    """The sail to the space where the ship can hope for most, if that is more than it can where it is."""
    command, space = table.commands[ship], table.space(ship)
    ends: list[Move] = [move for move in legal if isinstance(move, Sail) and move.ship is ship]
    if not ends:
        return None
    earnings = table.earnings(ship, acted=command.spent)
    chosen = best(ends, lambda move: prospect(table, ship, end_of(move), earnings))
    gained = prospect(table, ship, end_of(chosen), earnings) - prospect(table, ship, space, earnings)
    return chosen if gained > LEAST_GAIN else None


def end_of(move: Move) -> str:
    assert isinstance(move, Sail)
    return move.path[-1]


def prospect(table: Table, ship: Ship, space: str, earnings: dict[str, float]) -> float:
    """What the ship can hope for from the space on, less what it has to fear there."""
    danger = 0.0
    if kind_of(ship) is ShipKind.PIRATE:
        danger = sum(
            table.sea.steps(one.space, [space]) <= 2 for one in table.ships.values() if one.ship in cards.NAVY_SHIPS
        )
    elif kind_of(ship) is ShipKind.MERCHANT:
        danger = sum(table.sea.steps(one.space, [space]) <= 2 for one in table.pirates if not one.cubes)
    elif not earnings:
        # A navy ship with nothing to do keeps away from the own pirate.
        own = table.space(table.pirate)
        return min(4, table.sea.steps(space, [own]))
    return table.worth(space, 0, earnings) - 0.1 * danger


def buy(table: Table, legal: Sequence[Move]) -> Move:  # noqa: ARG001 - what can be paid is listed
    """The victory card, else the cheapest development that can be paid: they come in that order."""
    bought = [move for move in legal if isinstance(move, Buy)]
    return bought[0] if bought else EndTurn()


DUTIES: dict[Phase, Callable[[Table, Sequence[Move]], Move]] = {
    Phase.DEPLOYING: deploy,
    Phase.PLAYING_MOVEMENT: cards.movement,
    Phase.SAILING: sail,
    Phase.DISCARDING: cards.discard,
    Phase.BUYING: buy,
}
