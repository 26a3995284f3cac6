"""The players that every game has: `random`, `random-open`, and the game's own `greedy`."""

from collections.abc import Callable, Sequence
from typing import Any

from engines.core import games
from engines.core.chance import Chance
from engines.core.engine import AnyEngine, Family

Look = Callable[[], Any]
"""The seat's view, computed only for players that look at it."""

Open = Callable[[], Sequence[Family[Any]]]
"""The seat's open families, computed only for players that ask."""

Player = Callable[[Look, Sequence[Any], Open, Chance], Any]
"""(view, legal moves, open families, chance): the move; None passes, for a seat that may move but owes nothing."""


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
    return lambda look, legal, _open, chance: choose(look(), legal, chance)


def uniform(_look: Look, legal: Sequence[Any], _open: Open, chance: Chance) -> Any:
    """Any legal move, each equally likely; None where none is listed."""
    return legal[chance.draw("move", len(legal))] if legal else None


def uniform_open(_look: Look, legal: Sequence[Any], open_: Open, chance: Chance) -> Any:
    """A legal move, or with the chance of one of them a sample of an open family."""
    families = open_()
    choice = chance.draw("move", len(legal) + len(families))
    return legal[choice] if choice < len(legal) else families[choice - len(legal)].sample(chance)


def seat_players(engine: AnyEngine, bots: Sequence[str], seats: int) -> tuple[Player, ...]:
    """One player a seat; a list shorter than the seats goes round."""
    return tuple(player(engine.name, bots[seat % len(bots)]) for seat in range(seats))
