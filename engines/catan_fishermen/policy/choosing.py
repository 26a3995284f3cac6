"""A greedy player: strives for what its cards give most hope of, and hinders who leads.

It sees what a client sees: a view and the legal moves.
"""

from collections.abc import Callable, Sequence
from typing import Any

from engines.catan_fishermen.moves import Move, Roll
from engines.catan_fishermen.policy import cards, fishing, placing, robbing, trading, turn
from engines.catan_fishermen.policy.goals import outlook
from engines.catan_fishermen.policy.table import Table
from engines.catan_fishermen.state import Phase
from engines.catan_fishermen.view import View
from engines.core.chance import Chance


def choose(view: View, legal: Sequence[Move], chance: Chance) -> Move | None:
    """The move, or None where a seat that owes nothing has nothing to say."""
    assert view.viewer is not None, "a spectator has no moves"
    if len(legal) == 1 and view.viewer in view.owed and view.phase is not Phase.TRADING_AND_BUILDING:
        return legal[0]
    table = Table(view, view.viewer)
    if view.viewer not in view.owed:
        return trading.answer(table, legal, chance)
    return CHOICES[view.phase](table, legal, chance)


CHOICES: dict[Phase, Callable[[Table, Any, Chance], Move]] = {
    Phase.PLACING_SETTLEMENT: placing.place_settlement,
    Phase.PLACING_ROAD: placing.place_road,
    Phase.ROLLING: lambda table, legal, _: (
        fishing.pass_boot(table, legal) or cards.before_the_roll(table, legal) or Roll()
    ),
    Phase.DISCARDING: lambda table, _legal, _chance: robbing.discard(table),
    Phase.CHOOSING_FISH: lambda _table, legal, _chance: fishing.put_back(legal),
    Phase.MOVING_ROBBER: robbing.move_robber,
    Phase.BUILDING_FREE_ROADS: lambda table, legal, _: cards.free_road(outlook(table), legal),
    Phase.TRADING_AND_BUILDING: lambda table, legal, _: turn.take_turn(table, legal),
}
