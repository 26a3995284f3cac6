"""Cards counted by kind: which one is drawn, and what a hand has."""

from collections.abc import Iterable, Sequence
from functools import cache

from engines.catan_fishermen.catalog import KINDS, Cards
from engines.catan_fishermen.state import State
from engines.core.chance import Chance


def kind_at(counts: Sequence[int], place: int) -> int:
    """The kind of the card at this place, the cards laid out kind by kind."""
    for kind, count in enumerate(counts):
        place -= count
        if place < 0:
            return kind
    raise AssertionError(place)


def drawn(chance: Chance, counts: Iterable[int], number: int) -> tuple[int, ...]:
    """So many cards of these, each equally likely."""
    left = list(counts)
    taken = [0] * len(left)
    for _ in range(number):
        kind = kind_at(left, chance.draw("card", sum(left)))
        left[kind] -= 1
        taken[kind] += 1
    return tuple(taken)


@cache
def alike(resource: int, count: int) -> Cards:
    """So many cards of one kind."""
    return Cards(*[count if kind == resource else 0 for kind in range(KINDS)])


def holds(state: State, seat: int, cards: Cards) -> bool:
    """Whether the hand has all these cards."""
    start = seat * KINDS
    hands = state.hands
    return (
        cards.brick <= hands[start]
        and cards.lumber <= hands[start + 1]
        and cards.wool <= hands[start + 2]
        and cards.grain <= hands[start + 3]
        and cards.ore <= hands[start + 4]
    )
