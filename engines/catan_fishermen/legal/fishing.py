"""What a seat may do with fish tokens and with the boot."""

from collections.abc import Callable

from engines.catan_fishermen.board import bits
from engines.catan_fishermen.catalog import RESOURCES, Resource
from engines.catan_fishermen.decide.building import can_lay_road
from engines.catan_fishermen.decide.fishing import to_put_back
from engines.catan_fishermen.decide.turns import robbable_by
from engines.catan_fishermen.fish import PRICES, Benefit, Fish, payments
from engines.catan_fishermen.moves import KeepFish, Move, PassBoot, SpendFish
from engines.catan_fishermen.state import State

Choice = tuple[int | None, Resource | None]
"""Whom to rob, what to take."""

NO_CHOICE: Choice = (None, None)
IN_FULL = (Fish(),)
"""CA-62: no tokens are named."""


def spendings(state: State, seat: int) -> list[SpendFish]:
    """CA-34: each benefit that can be paid, with just the tokens that it needs."""
    held = state.tokens(seat)
    if not any(held):
        return []
    assert state.form is not None
    moves: list[SpendFish] = []
    for benefit, price in PRICES.items():
        ways = (IN_FULL if held[0] >= price else ()) if state.form.open_piles else payments(price, *held)
        if not ways:
            break
        choices = CHOICES[benefit](state, seat)
        moves += [SpendFish(benefit, tokens, *choice) for choice in choices for tokens in ways]
    return moves


def once(possible: object) -> list[Choice]:
    return [NO_CHOICE] if possible else []


CHOICES: dict[Benefit, Callable[[State, int], list[Choice]]] = {
    Benefit.ROBBER: lambda state, _: once(state.robber != state.home()),
    Benefit.STEAL: lambda state, seat: [(victim, None) for victim in bits(robbable_by(state, seat))],
    Benefit.RESOURCE: lambda state, _: [
        (None, resource) for resource, left in zip(RESOURCES, state.bank, strict=True) if left
    ],
    Benefit.ROAD: lambda state, seat: once(can_lay_road(state, seat)),
    Benefit.DEVELOPMENT: lambda state, _: once(any(state.pile)),
}
"""In how many ways each benefit can be had now."""


def boot_passes(state: State, seat: int) -> list[Move]:
    """CA-41."""
    if seat != state.boot:
        return []
    points = state.points
    return [PassBoot(other) for other in range(state.seats) if other != seat and points[other] >= points[seat]]


def kept(state: State, seat: int) -> list[Move]:  # noqa: ARG001 - it is the chooser's
    """CA-37, the token seen first."""
    return [KeepFish(face) for face in to_put_back(state)]
