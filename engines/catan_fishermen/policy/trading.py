"""Trade among players: what to offer, what to answer, what to close."""

from collections.abc import Sequence
from operator import itemgetter

from engines.catan_fishermen.cards import alike
from engines.catan_fishermen.catalog import KINDS, Cards
from engines.catan_fishermen.decide.trading import MOST_OFFERS
from engines.catan_fishermen.moves import (
    AcceptTrade,
    ConfirmTrade,
    CounterOffer,
    DeclineTrade,
    Move,
    OfferTrade,
)
from engines.catan_fishermen.policy.goals import outlook
from engines.catan_fishermen.policy.outlook import Counts, Goal, Outlook
from engines.catan_fishermen.policy.table import Table
from engines.catan_fishermen.view import Player
from engines.core.chance import Chance

OFFERS_A_TURN = 2
TRIED = 4
"""So many proposals are thought through."""
NEAR_VICTORY = 2
"""Nobody trades with who lacks so few points."""
WORTHWHILE = 0.05
"""The least gain of a trade, in points."""
SHARE = 1.0
"""The least gain for each point that the partner gains."""
SOONER = 0.2
"""An offer brings a goal so many rounds nearer at least."""


def offer(table: Table, prospect: Outlook, goal: Goal) -> OfferTrade | None:
    """For a card that the goal lacks one or two that it does not need, if somebody may agree; a few times a turn."""
    made = MOST_OFFERS - table.view.offers_left
    if made >= OFFERS_A_TURN:
        return None
    proposals = sorted(proposed(table, prospect, goal), key=itemgetter(0), reverse=True)
    untried = proposals[made if table.view.offer else 0 :][:TRIED]
    if not untried:
        return None
    partners = [Side(table.of(other.seat)) for other in table.others if not near_victory(table, other.seat)]
    for _, give, take in untried:
        own = gain(table, prospect, give, take)
        if own >= WORTHWHILE and any(partner.may_agree(take, give, own) for partner in partners):
            return OfferTrade(give, take)
    return None


def proposed(table: Table, prospect: Outlook, goal: Goal) -> list[tuple[float, Cards, Cards]]:
    """By how many rounds the goal comes sooner, for what is given and taken."""
    hand = table.hand
    now = prospect.rounds(hand, goal.price)
    found = []
    for take in range(KINDS):
        if hand[take] >= goal.price[take] or not any(may_hold(player, take) for player in table.others):
            continue
        for give in range(KINDS):
            for count in range(1, min(hand[give] - goal.price[give], prospect.rates[give] - 1, 2) + 1):
                sooner = now - prospect.rounds(swapped(hand, alike(give, count), alike(take, 1)), goal.price)
                if sooner >= SOONER:
                    found.append((sooner, alike(give, count), alike(take, 1)))
    return found


def may_hold(player: Player, resource: int) -> bool:
    return player.known.counts()[resource] > 0 or player.cards > player.known.total()


def swapped(hand: Sequence[int], give: Cards, take: Cards) -> Counts:
    return tuple(map(lambda held, out, into: held - out + into, hand, give.counts(), take.counts()))


def gain(table: Table, prospect: Outlook, give: Cards, take: Cards) -> float:
    """What the exchange adds to the worth of the seat's hand."""
    return prospect.worth(swapped(table.hand, give, take)) - prospect.worth(table.hand)


def near_victory(table: Table, seat: int) -> bool:
    player = table.view.players[seat]
    return player.points >= player.needed - NEAR_VICTORY


def closing(table: Table, prospect: Outlook, legal: Sequence[Move]) -> ConfirmTrade | None:
    """The answer that gains most; of equals the one of the weakest."""
    if table.view.offer is None:
        return None
    closable = [
        (gain(table, prospect, move.give, move.take), -table.view.players[move.partner].points, move.partner, move)
        for move in legal
        if isinstance(move, ConfirmTrade) and not near_victory(table, move.partner)
    ]
    if not closable:
        return None
    value, _, _, best = max(closable)
    return best if value >= WORTHWHILE else None


def answer(table: Table, legal: Sequence[Move], chance: Chance) -> Move | None:
    """Accepts what helps enough beside what it helps the active player; sometimes asks for something else."""
    offered = table.view.offer
    if offered is None or any(reply.seat == table.seat for reply in offered.replies):
        return None
    accept = next((move for move in legal if isinstance(move, AcceptTrade)), None)
    if accept is None or near_victory(table, table.view.active):
        return DeclineTrade()
    own, active = Side(table), Side(table.of(table.view.active))
    if fair(own.gain(offered.take, offered.give), active.gain(offered.give, offered.take)):
        return accept
    counters = own.counters(offered.take, active) if chance.draw("counter", 2) else []
    return max(counters, key=itemgetter(0))[1] if counters else DeclineTrade()


class Side:
    """A seat as a party to a trade, which it judges by the cards that the viewer can tell."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.prospect = outlook(table)

    def gain(self, give: Cards, take: Cards) -> float:
        return gain(self.table, self.prospect, give, take)

    def may_agree(self, give: Cards, take: Cards, other: float) -> bool:
        """Whether the seat may hold the cards, and gains enough beside what the other does."""
        held = all(may_hold(self.table.player, kind) for kind, count in enumerate(give.counts()) if count)
        return held and fair(self.gain(give, take), other)

    def counters(self, give: Cards, other: "Side") -> list[tuple[float, CounterOffer]]:
        """For what the other wants a card that it is known to hold, where both gain by that."""
        found = []
        for kind, held in enumerate(other.table.hand):
            if not held or give.counts()[kind]:
                continue
            take = alike(kind, 1)
            own, beyond = self.gain(give, take), other.gain(take, give)
            if beyond >= WORTHWHILE and fair(own, beyond):
                found.append((own, CounterOffer(give, take)))
        return found


def fair(own: float, other: float) -> bool:
    return own >= max(WORTHWHILE, SHARE * other)
