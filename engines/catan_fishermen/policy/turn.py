"""The own turn after the roll: close a trade, play a card, build, trade for it, or save."""

from collections.abc import Sequence
from typing import NamedTuple

from engines.catan_fishermen.catalog import KINDS, RESOURCES
from engines.catan_fishermen.moves import EndTurn, Move, TradeBank
from engines.catan_fishermen.policy import cards, fishing, trading
from engines.catan_fishermen.policy.goals import outlook
from engines.catan_fishermen.policy.outlook import Counts, Goal, Outlook
from engines.catan_fishermen.policy.table import Table
from engines.catan_fishermen.state import MOST_KEPT


class Purchase(NamedTuple):
    """A goal's next move, the trades with the bank before it, and what the turn is worth with it."""

    goal: Goal
    trades: tuple[TradeBank, ...]
    value: float


def take_turn(table: Table, legal: Sequence[Move]) -> Move:
    prospect = outlook(table)
    move = (
        fishing.pass_boot(table, legal)
        or trading.closing(table, prospect, legal)
        or cards.after_the_roll(table, prospect, legal)
        or fishing.spend(table, prospect, legal)
    )
    if move:
        return move
    purchase = best_purchase(table, prospect)
    if purchase and not purchase.trades:
        return purchase.goal.move
    wanted = purchase.goal if purchase else prospect.favourite(table.hand)
    if wanted is None:
        return EndTurn()
    offer = trading.offer(table, prospect, wanted)
    if offer:
        return offer
    return purchase.trades[0] if purchase else thinned(table, wanted, legal)


def best_purchase(table: Table, prospect: Outlook) -> Purchase | None:
    """What to build now, or None to save."""
    best: Purchase | None = None
    least = prospect.worth(table.hand)
    for goal in prospect.goals:
        bought = exchanged(table, goal.step)
        if bought is None:
            continue
        hand, trades = bought
        value = prospect.after(hand, goal)
        if value >= least and (best is None or value > best.value):
            best = Purchase(goal, trades, value)
    return best


def exchanged(table: Table, price: Counts) -> tuple[Counts, tuple[TradeBank, ...]] | None:
    """The hand that pays the price, and the bank trades that make it; None where there is no way."""
    hand = list(table.hand)
    rates, bank = table.rates, table.view.bank.counts()
    trades: list[TradeBank] = []
    for take in range(KINDS):
        lack = price[take] - hand[take]
        if lack > bank[take]:
            return None
        for _ in range(lack):
            spare = [(hand[give] - price[give]) // rates[give] for give in range(KINDS)]
            give = max(range(KINDS), key=lambda kind: (spare[kind] > 0, hand[kind] - price[kind] - rates[kind]))
            if spare[give] <= 0:
                return None
            hand[give] -= rates[give]
            hand[take] += 1
            trades.append(TradeBank(RESOURCES[give], RESOURCES[take]))
    return tuple(hand), tuple(trades)


def thinned(table: Table, goal: Goal, legal: Sequence[Move]) -> Move:
    """With too many cards a trade with the bank towards the goal, else the end of the turn."""
    if sum(table.hand) <= MOST_KEPT:
        return EndTurn()
    return next((move for move in legal if isinstance(move, TradeBank) and helps(table, goal, move)), EndTurn())


def helps(table: Table, goal: Goal, trade: TradeBank) -> bool:
    """Whether the goal lacks what is taken and spares what is given."""
    give, take = RESOURCES.index(trade.give), RESOURCES.index(trade.take)
    return table.hand[take] < goal.price[take] and table.hand[give] - table.rates[give] >= goal.price[give]
