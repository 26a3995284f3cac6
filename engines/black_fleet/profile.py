"""What the laws (`tidelog check-game`) need to know of Black Fleet."""

from collections import Counter
from typing import Any

from engines.black_fleet.events import (
    DevelopmentsDealt,
    FortuneDrawn,
    MovementDrawn,
)
from engines.black_fleet.state import EMPTY, FirstPlayer, Options, State

VARIANTS = {
    "long": Options(victory_card=(20,)),
    "handicap": Options(first_player=FirstPlayer.SEAT_1, victory_card=(10, 20, 10)),
}
"""Options that are worth a look together; each one alone is found by the laws."""

MODES = ("plain",)
"""The variants that differ in how the game is played: they are looked at in full."""

TELLING = (DevelopmentsDealt, FortuneDrawn, MovementDrawn)
"""Events that tell secrets: in states that a seat can't tell apart they may differ."""

MOST_DECISIONS = 20000

MATCHES = (3, 50)

AUTOPILOTS_END = False
"""Nobody wins who earns nothing."""


def pieces(state: State) -> Any:
    """Cubes and cards, wherever they are: the same throughout a match."""
    cubes = Counter(dict(enumerate(state.supply)))
    for colour, count in zip(state.colours, state.cargo, strict=True):
        cubes[colour] += count
    cubes.update(state.treasures)
    del cubes[EMPTY]
    movement = Counter(state.movement_pile) + Counter(state.movement_discards)
    fortune = Counter(state.fortune_pile) + Counter(state.fortune_discards)
    for hand in state.movement_hands:
        movement.update(hand)
    for hand in state.fortune_hands:
        fortune.update(hand)
    developments = sorted([*state.box, *(card for card in state.developments if card != EMPTY)])
    return cubes, movement, fortune, developments
