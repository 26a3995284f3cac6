"""Cards on their way between bank and hands, and what onlookers can tell of each hand (CA-24)."""

from functools import lru_cache

from engines.catan_fishermen.catalog import KINDS, Cards
from engines.catan_fishermen.state import State


def receive(state: State, seat: int, cards: Cards) -> None:
    """Cards of the bank."""
    hands, bank, start = state.hands, state.bank, seat * KINDS
    for resource, count in listed(cards):
        bank[resource] -= count
        hands[start + resource] += count


def pay(state: State, seat: int, cards: Cards) -> None:
    """Cards to the bank, in sight of all."""
    for resource, count in listed(cards):
        state.bank[resource] += count
        lose(state, seat, resource, count)


@lru_cache(maxsize=1 << 12)
def listed(cards: Cards) -> list[tuple[int, int]]:
    """(resource, how many) of those that there are."""
    return [(resource, count) for resource, count in enumerate(cards.counts()) if count]


def lose(state: State, seat: int, resource: int, count: int) -> None:
    """So many cards leave the hand in sight of all: no onlooker is in doubt about more than are left."""
    at = seat * KINDS + resource
    state.hands[at] -= count
    left = state.hands[at]
    width = state.seats + 1
    start = at * width
    if max(state.unknown[start : start + width]) > left:
        for place in range(start, start + width):
            state.unknown[place] = min(state.unknown[place], left)


def show(state: State, seat: int, cards: Cards) -> None:
    """The seat has proved to all that it holds these cards."""
    width = state.seats + 1
    for resource, count in enumerate(cards.counts()):
        at = seat * KINDS + resource
        for place in range(at * width, at * width + width):
            state.unknown[place] = min(state.unknown[place], state.hands[at] - count)


def steal(state: State, robber: int, victim: int, resource: int) -> None:
    """One card that only the two concerned are told of."""
    hands, unknown, onlookers = state.hands, state.unknown, state.seats + 1
    elsewhere = [onlooker for onlooker in range(onlookers) if onlooker not in (robber, victim)]
    for kind in range(KINDS):
        held = hands[victim * KINDS + kind]
        if held:
            start = (victim * KINDS + kind) * onlookers
            doubt(unknown, [start + onlooker for onlooker in elsewhere], held, lost=kind == resource)
    taken, kept = victim * KINDS + resource, robber * KINDS + resource
    hands[taken] -= 1
    hands[kept] += 1
    known_to_robber = taken * onlookers + robber
    unknown[known_to_robber] = min(unknown[known_to_robber], hands[taken])
    for onlooker in elsewhere:
        unknown[kept * onlookers + onlooker] += 1


def doubt(unknown: bytearray, places: list[int], held: int, *, lost: bool) -> None:
    """Of whatever an onlooker knew of, one card fewer may be there; `lost`: it was this resource that went."""
    for place in places:
        unknown[place] += (unknown[place] < held) - lost
