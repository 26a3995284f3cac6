"""Development cards: when which is played."""

from collections.abc import Sequence
from operator import attrgetter, itemgetter

from engines.catan_fishermen.catalog import RESOURCES
from engines.catan_fishermen.moves import (
    BuildRoad,
    Move,
    PlayKnight,
    PlayMonopoly,
    PlayRoadBuilding,
    PlayYearOfPlenty,
)
from engines.catan_fishermen.policy.goals import knights_held, knights_to_army
from engines.catan_fishermen.policy.outlook import Goal, Outlook, lacking
from engines.catan_fishermen.policy.table import Table

LEAST, MANY = 2, 4
"""So many cards a monopoly brings at least; so many are welcome whatever they are for."""
CARD_VALUE = 0.25


def before_the_roll(table: Table, legal: Sequence[Move]) -> Move | None:
    """A knight against the robber, or for the army; others wait for what the roll brings."""
    if PlayKnight() not in legal:
        return None
    blocked = table.pips(robbed=True) != table.pips(robbed=False)
    if blocked or wins_army(table) or not other_card(legal):
        return PlayKnight()
    return None


def wins_army(table: Table) -> bool:
    return table.view.largest_army != table.seat and knights_to_army(table) + knights_held(table) == 1


def other_card(legal: Sequence[Move]) -> bool:
    return any(isinstance(move, (PlayRoadBuilding, PlayYearOfPlenty, PlayMonopoly)) for move in legal)


def after_the_roll(table: Table, prospect: Outlook, legal: Sequence[Move]) -> Move | None:
    """A card that completes something."""
    if table.view.development_played:
        return None
    if PlayKnight() in legal and wins_army(table):
        return PlayKnight()
    completing = [*plenties(table, prospect, legal), *monopolies(table, prospect, legal)]
    if completing:
        return max(completing, key=itemgetter(0))[1]
    return PlayRoadBuilding() if PlayRoadBuilding() in legal and roads_wanted(prospect) else None


def plenties(table: Table, prospect: Outlook, legal: Sequence[Move]) -> list[tuple[float, Move]]:
    """For each goal that lacks no more than two cards, what it is worth and the first pair that completes it."""
    pairs = [move for move in legal if isinstance(move, PlayYearOfPlenty)]
    found: list[tuple[float, Move]] = []
    for goal in prospect.goals if pairs else ():
        lacks = lacking(table.hand, goal.price)
        fitting = [move for move in pairs if not any(lacking(move.cards.counts(), lacks))]
        if any(lacks) and fitting:
            found.append((goal.value, fitting[0]))
    return found


def monopolies(table: Table, prospect: Outlook, legal: Sequence[Move]) -> list[tuple[float, Move]]:
    """Of what others are known to hold: for each goal that it completes, or if they are many."""
    found: list[tuple[float, Move]] = []
    for move in legal:
        if not isinstance(move, PlayMonopoly):
            continue
        kind = RESOURCES.index(move.resource)
        loot = sum(player.known.counts()[kind] for player in table.others)
        if loot >= MANY:
            found.append((loot * CARD_VALUE, move))
        for goal in prospect.goals:
            lacks = lacking(table.hand, goal.price)
            if LEAST <= sum(lacks) == lacks[kind] <= loot:
                found.append((goal.value, move))
    return found


def roads_wanted(prospect: Outlook) -> list[Goal]:
    """The goals that begin with a road."""
    return [goal for goal in prospect.goals if isinstance(goal.move, BuildRoad)]


def free_road(prospect: Outlook, legal: Sequence[Move]) -> Move:
    """The first road of the goal that is worth most."""
    return max(roads_wanted(prospect), key=attrgetter("value")).move if roads_wanted(prospect) else legal[0]
