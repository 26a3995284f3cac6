"""Which of the legal moves is made."""

from collections.abc import Callable, Sequence
from typing import Any

from engines.core.chance import Chance
from engines.south_seas.moves import ChooseShip, Deliver, Move, PlaceIslander, PlaceTile, RetrieveIslander, Skip
from engines.south_seas.policy.outlook import Outlook
from engines.south_seas.policy.shipping import value_of_choice, value_of_delivery
from engines.south_seas.view import View


def choose(view: View, legal: Sequence[Move], chance: Chance) -> Move:
    """The move valued the most; equals are drawn between."""
    assert view.viewer is not None, "a spectator has no moves"
    value = valued(view, view.viewer)
    values = [value(move) for move in legal]
    best = max(values)
    equals = [move for move, reached in zip(legal, values, strict=True) if reached == best]
    return equals[chance.draw("equals", len(equals))]


def valued(view: View, seat: int) -> Callable[[Any], float]:
    """What each move of the duty at hand is worth, in points."""
    outlook = Outlook(view, seat)
    by_kind: dict[type[Move], Callable[[Any], float]] = {
        PlaceTile: outlook.of_tile,
        PlaceIslander: outlook.of_islander,
        RetrieveIslander: outlook.of_retrieval,
        ChooseShip: lambda move: value_of_choice(view, move),
        Deliver: lambda move: value_of_delivery(view, seat, move),
        Skip: lambda _: 0.0,
    }
    return lambda move: by_kind[type(move)](move)
