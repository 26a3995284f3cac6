"""What the laws need to know of a game beside its engine: the module `profile` of its package, if it has one."""

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from msgspec import Struct

from engines.core import games


class Profile(Struct, frozen=True):
    """`variants` are options that are worth a look together; each one alone is found by the laws.

    `modes` are the variants that differ in how the game is played: they are looked at in full. `telling` are events
    that tell secrets: in states that a seat can't tell apart they may differ. `pieces` counts what a match neither
    makes nor loses. `autopilots_end` is False for a game that nobody wins who does not try. `open` is how often a
    random move is a sample of an open family; `matches` are how many of a mode are played in short and long forms.
    """

    variants: dict[str, Any] = {}
    modes: tuple[str, ...] = ("plain",)
    telling: tuple[type, ...] = ()
    most_decisions: int = 20_000
    autopilots_end: bool = True
    open: float = 0.5
    matches: tuple[int, int] = (20, 500)
    pieces: Callable[[Any], Any] | None = None


def profile(game: str) -> Profile:
    module = module_of(game)
    names = [] if module is None else [name for name in Profile.__struct_fields__ if hasattr(module, _spelt(name))]
    given: dict[str, Any] = {name: getattr(module, _spelt(name)) for name in names}
    return Profile(**given)


def module_of(game: str) -> ModuleType | None:
    place = f"{games.package(game).__name__}.profile"
    return import_module(place) if find_spec(place) else None


def _spelt(name: str) -> str:
    """A constant's name in capitals, a function's as it is."""
    return name if name == "pieces" else name.upper()
