"""Fish: which token to put back, what to spend tokens for, and who is given the boot."""

from collections.abc import Callable, Sequence

from engines.catan_fishermen.catalog import KINDS, RESOURCES, ROAD
from engines.catan_fishermen.fish import PRICES, Benefit
from engines.catan_fishermen.moves import BuyDevelopment, KeepFish, Move, PassBoot, SpendFish
from engines.catan_fishermen.policy.cards import roads_wanted
from engines.catan_fishermen.policy.outlook import Counts, Outlook
from engines.catan_fishermen.policy.table import Table

FISH_VALUE = 0.06
"""What a fish kept is worth, in points."""
PIP_VALUE = 0.04
"""What an own pip freed of the robber is worth."""


def put_back(legal: Sequence[KeepFish]) -> KeepFish:
    """The token with the fewest fish."""
    return min(legal, key=lambda move: move.back)


def pass_boot(table: Table, legal: Sequence[Move]) -> PassBoot | None:
    """To whoever has most points."""
    receivers = [move for move in legal if isinstance(move, PassBoot)]
    return max(receivers, key=lambda move: table.view.players[move.seat].points, default=None)


def spend(table: Table, prospect: Outlook, legal: Sequence[Move]) -> SpendFish | None:
    """What gains more than the fish are worth, if anything does."""
    spendings = [move for move in legal if isinstance(move, SpendFish)]
    if not spendings:
        return None
    gains = [GAINS[move.benefit](table, prospect, move) - FISH_VALUE * cost(move) for move in spendings]
    best = max(gains)
    return spendings[gains.index(best)] if best > 0 else None


def cost(move: SpendFish) -> int:
    """Fish of open piles are paid exactly."""
    return max(move.tokens.total(), PRICES[move.benefit])


def gain(table: Table, prospect: Outlook, more: Counts) -> float:
    """What so many cards more add to the worth of the hand."""
    hand = tuple(map(int.__add__, table.hand, more))
    return prospect.worth(hand) - prospect.worth(table.hand)


def freed(table: Table, prospect: Outlook, move: SpendFish) -> float:  # noqa: ARG001 - all are asked alike
    return PIP_VALUE * (sum(table.pips(robbed=False)) - sum(table.pips(robbed=True)))


def stolen(table: Table, prospect: Outlook, move: SpendFish) -> float:
    """On average over what the victim is known to hold, and as if the rest were of all kinds."""
    assert move.victim is not None
    victim = table.view.players[move.victim]
    unknown = (victim.cards - victim.known.total()) / KINDS
    likely = [(known + unknown) / victim.cards for known in victim.known.counts()]
    return sum(part * gain(table, prospect, one_of(kind)) for kind, part in enumerate(likely) if part)


def taken(table: Table, prospect: Outlook, move: SpendFish) -> float:
    assert move.resource is not None
    return gain(table, prospect, one_of(RESOURCES.index(move.resource)))


def one_of(kind: int) -> Counts:
    return tuple(int(other == kind) for other in range(KINDS))


def road(table: Table, prospect: Outlook, move: SpendFish) -> float:  # noqa: ARG001 - all are asked alike
    """As if its price were given."""
    return gain(table, prospect, ROAD.counts()) if roads_wanted(prospect) else 0.0


def development(table: Table, prospect: Outlook, move: SpendFish) -> float:  # noqa: ARG001 - all are asked alike
    return max((goal.value for goal in prospect.goals if isinstance(goal.move, BuyDevelopment)), default=0.0)


GAINS: dict[Benefit, Callable[[Table, Outlook, SpendFish], float]] = {
    Benefit.ROBBER: freed,
    Benefit.STEAL: stolen,
    Benefit.RESOURCE: taken,
    Benefit.ROAD: road,
    Benefit.DEVELOPMENT: development,
}
