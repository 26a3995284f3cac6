"""The robber, and what a 7 costs."""

from collections.abc import Sequence

from engines.catan_fishermen.board import HEXES
from engines.catan_fishermen.catalog import KINDS, Cards
from engines.catan_fishermen.moves import Discard, MoveRobber
from engines.catan_fishermen.policy.goals import outlook
from engines.catan_fishermen.policy.outlook import lacking
from engines.catan_fishermen.policy.preferring import preferred
from engines.catan_fishermen.policy.table import Table
from engines.core.chance import Chance

MENACE = 1.3
"""How much worse an opponent is with each point more."""
OWN = 2.0
"""An own pip blocked against the leader's."""
CARD, USEFUL = 2.0, 3.0
"""What a stolen card is worth in pips, and more if it is of use."""


def discard(table: Table) -> Discard:
    """What the plan does not need, of what there is most; then of the plan what comes in fastest again."""
    prospect = outlook(table)
    goal = prospect.favourite(table.hand)
    kept = goal.price if goal else (0,) * KINDS
    left = list(table.hand)

    def spare(resource: int) -> tuple[bool, int, int]:
        over = left[resource] - kept[resource]
        return left[resource] > 0, max(over, 0), prospect.pips[resource]

    for _ in range(table.player.due):
        left[max(range(KINDS), key=spare)] -= 1
    return Discard(Cards(*(had - has for had, has in zip(table.hand, left, strict=True))))


def move_robber(table: Table, legal: Sequence[MoveRobber], chance: Chance) -> MoveRobber:
    """Where it hurts the strongest most, and robs a useful card."""
    goal = outlook(table).favourite(table.hand)
    lacks = lacking(table.hand, goal.price) if goal else (0,) * KINDS
    harmed = harm(table)
    return preferred(legal, [harmed[move.hex] + loot(table, move.victim, lacks) for move in legal], chance)


def harm(table: Table) -> list[float]:
    """The pips that the robber would block at each hex, by whose they are."""
    harmed = [0.0] * HEXES
    for player in table.view.players:
        weight = -OWN if player.seat == table.seat else menace(table, player.seat)
        for places, count in ((player.settlements, 1), (player.cities, 2)):
            for vertex in places:
                for at, _, pips in table.land.yields[vertex]:
                    harmed[at] += weight * count * pips
    return harmed


def menace(table: Table, seat: int) -> float:
    leader = max(player.points for player in table.others)
    return MENACE ** (table.view.players[seat].points - leader)


def loot(table: Table, victim: int | None, lacks: Sequence[int]) -> float:
    """The worth of a card drawn from the victim's hand."""
    if victim is None:
        return 0.0
    robbed = table.view.players[victim]
    useful = sum(held for held, lack in zip(robbed.known.counts(), lacks, strict=True) if lack)
    return menace(table, victim) * CARD + USEFUL * useful / robbed.cards
