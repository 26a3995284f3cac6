"""The players that every game has: `random`, `random-open`, and the game's own `greedy`."""

from collections.abc import Callable, Sequence
from typing import Any

from engines.core import games
from engines.core.chance import Chance
from engines.core.engine import AnyEngine, Family

Look = Callable[[], Any]
"""The seat's view, computed only for players that look at it."""

Player = Callable[[Look, Sequence[Any], Sequence[Family[Any]], Chance], Any]
"""(view, legal moves, open families, chance): the move."""


class UnknownPlayer(LookupError):  # noqa: N818 - says what is wrong
    """The game has no player of that name."""


def names(game: str) -> tuple[str, ...]:
    return ("random", "random-open", *games.policies(game))


def seated(game: str) -> tuple[str, ...]:
    """The players that take a seat over the public API, the game's own first.

    They play what is listed: a client is told the names of families only, so `random-open` is for simulations.
    """
    return (*games.policies(game), "random")


def player(game: str, name: str) -> Player:
    """Raises UnknownGame, UnknownPlayer."""
    if name == "random":
        return uniform
    if name == "random-open":
        return uniform_open
    if name not in games.policies(game):
        raise UnknownPlayer(f"{game} has no player {name!r}; there are: {', '.join(names(game))}")
    choose = games.policy(game)
    return lambda view, legal, _families, chance: choose(view(), legal, chance)


def uniform(_view: Look, legal: Sequence[Any], _families: Sequence[Family[Any]], chance: Chance) -> Any:
    """Any legal move, each equally likely."""
    return legal[chance.draw("move", len(legal))]


def uniform_open(_view: Look, legal: Sequence[Any], families: Sequence[Family[Any]], chance: Chance) -> Any:
    """A legal move, or with the chance of one of them a sample of an open family."""
    choice = chance.draw("move", len(legal) + len(families))
    return legal[choice] if choice < len(legal) else families[choice - len(legal)].sample(chance)


def seat_players(engine: AnyEngine, bots: Sequence[str], seats: int) -> tuple[Player, ...]:
    """One player a seat; a list shorter than the seats goes round."""
    return tuple(player(engine.name, bots[seat % len(bots)]) for seat in range(seats))
