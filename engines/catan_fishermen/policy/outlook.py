"""How soon cards suffice, and what that is worth: goals, and the hope that a hand gives of them."""

import math
from dataclasses import dataclass
from functools import lru_cache
from operator import sub
from typing import NamedTuple

from engines.catan_fishermen.moves import BuyDevelopment, Move
from engines.catan_fishermen.state import MOST_KEPT

Counts = tuple[int, ...]
"""So many cards of each resource."""

PATIENCE = 0.9
"""What a point is worth a round later."""
NEARER = 1.15
"""A site one road nearer is the surer."""
NEVER = 60.0
"""So many rounds nobody waits."""
ROLLS = 36
RISK = 0.12
"""What a card that a 7 would take is worth to its owner, times how likely that is."""


class Goal(NamedTuple):
    """Something to build: the next move towards it and that move's price, the price of all, and what it is worth."""

    move: Move
    step: Counts
    price: Counts
    value: float

    @property
    def at_once(self) -> bool:
        """Whether the next move is the last."""
        return self.step == self.price


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a seat may strive for, and how its cards come in."""

    goals: tuple[Goal, ...]
    pips: Counts
    rates: Counts
    seats: int

    def rounds(self, hand: Counts, price: Counts) -> float:
        return rounds(less(hand, price), self.pips, self.rates, self.seats)

    def hope(self, hand: Counts, goal: Goal) -> float:
        return goal.value * math.pow(PATIENCE, self.rounds(hand, goal.price))

    def favourite(self, hand: Counts) -> Goal | None:
        """The goal that the hand gives most hope of."""
        return max(self.goals, key=lambda goal: self.hope(hand, goal), default=None)

    def worth(self, hand: Counts) -> float:
        """What the hand is good for: its favourite goal, and what may be had after it."""
        held = sum(hand)
        danger = RISK * (held // 2) if held > MOST_KEPT else 0.0
        if not self.goals:
            return -danger
        hopes = [self.hope(hand, goal) for goal in self.goals]
        best = max(hopes)
        first = self.goals[hopes.index(best)]
        left = less(hand, first.price)
        second = max((self.hope(left, goal) for goal in self.goals if goal is not first), default=0.0)
        return best + second - danger

    def after(self, hand: Counts, goal: Goal) -> float:
        """What the goal's next move is worth, and then the hand that is left."""
        left = less(hand, goal.step)
        if isinstance(goal.move, BuyDevelopment):
            return goal.value + self.worth(left)
        others = tuple(other for other in self.goals if other is not goal)
        if goal.at_once:
            return goal.value + self.striving_for(others).worth(left)
        nearer = Goal(goal.move, goal.step, less(goal.price, goal.step), goal.value * NEARER)
        return self.striving_for((nearer, *others)).worth(left)

    def striving_for(self, goals: tuple[Goal, ...]) -> "Outlook":
        return Outlook(goals, self.pips, self.rates, self.seats)


def less(cards: Counts, paid: Counts) -> Counts:
    return tuple(map(sub, cards, paid))


def lacking(hand: Counts, price: Counts) -> Counts:
    return tuple(max(due - held, 0) for due, held in zip(price, hand, strict=True))


@lru_cache(maxsize=1 << 16)
def rounds(spare: Counts, pips: tuple[float, ...], rates: Counts, seats: int) -> float:
    """How many rounds until no card lacks, spare ones traded; `spare` is the hand less the price.

    The lack shrinks by pieces of straight lines, the later ones flatter: steps along its tangents never go too far.
    """
    time = 0.0
    while True:
        lack = pace = 0.0
        for held, dots, rate in zip(spare, pips, rates, strict=True):
            gain = dots * seats / ROLLS
            left = held + gain * time
            if left < 0:
                lack += left
                pace += gain
            else:
                lack += left / rate
                pace += gain / rate
        if lack > -1e-9:
            return time
        if pace * (NEVER - time) <= -lack:
            return NEVER
        time -= lack / pace
