"""Finds the games: the folders beside this one, and those of the entry-point group `tidelog.games`.

With a game's catalog this is the only place of the engines that reads files.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from hashlib import sha256
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any

import msgspec

from engines.core.chance import Chance
from engines.core.engine import AnyEngine

GROUP = "tidelog.games"
RULE_ID = re.compile(r"[A-Z]{2,}-\d+(\.\d+)?[a-z]?")

Choose = Callable[[Any, Sequence[Any], Chance], Any]
"""(view, legal moves, chance): a player that sees what a client sees; its move may belong to an open family.

None, for a seat that may move but owes nothing, lets the opportunity pass.
"""


class UnknownGame(LookupError):  # noqa: N818 - says what is wrong
    """No game of that name is installed."""

    def __init__(self, name: str) -> None:
        super().__init__(f"no game is called {name!r}; there are: {', '.join(names())}")


class NameTaken(ValueError):  # noqa: N818 - says what is wrong
    """Another game is called so."""

    def __init__(self, name: str) -> None:
        super().__init__(f"another game is called {name!r}: {_packages()[name]}")


class UnknownEdition(LookupError):  # noqa: N818 - says what is wrong
    """The game has no edition of that name."""


@cache
def _packages() -> dict[str, str]:
    """Name of each game -> the package that holds it; a game of ours can't be replaced from outside."""
    here = Path(__file__).parent.parent
    found = {point.name: point.value for point in entry_points(group=GROUP)}
    found |= {
        folder.name: f"engines.{folder.name}"
        for folder in here.iterdir()
        if folder.name != "core" and (folder / "__init__.py").is_file()
    }
    return dict(sorted(found.items()))


def add(package_name: str) -> str:
    """Makes the game of a package known to this process; its name.

    Raises NameTaken; AttributeError where it has no `ENGINE`; and what its import raises.
    """
    name: str = import_module(package_name).ENGINE.name
    if _packages().setdefault(name, package_name) != package_name:
        raise NameTaken(name)
    return name


def names() -> tuple[str, ...]:
    return tuple(_packages())


def holds(module: str) -> bool:
    """Whether the module is of a game, or of what all games share."""
    return f"{module}.".startswith(("engines.", *(f"{package}." for package in _packages().values())))


def package(name: str) -> ModuleType:
    """The game's package; raises UnknownGame."""
    path = _packages().get(name)
    if path is None:
        raise UnknownGame(name)
    return import_module(path)


@cache
def engine(name: str) -> AnyEngine:
    """The game's engine; raises UnknownGame."""
    found: AnyEngine = package(name).ENGINE
    return found


def policies(name: str) -> tuple[str, ...]:
    """The names that `policy` takes beside the built-in `random` and `random-open` of the callers."""
    engine(name)
    return ("greedy",)


def policy(name: str) -> Choose:
    """The game's greedy player; raises UnknownGame."""
    engine(name)
    choose: Choose = import_module(f"{_packages()[name]}.policy").choose
    return choose


def folder(name: str) -> Path:
    file = package(name).__file__
    assert file is not None
    return Path(file).parent


def rules_text(name: str) -> str:
    """RULES.md of the game."""
    return (folder(name) / "RULES.md").read_text()


@cache
def rules(name: str) -> Mapping[str, tuple[str, ...]]:
    """The table of RULES.md in its order: by rule id our words, where in the rulebook, and what else a row holds."""
    rows = [
        [cell.strip() for cell in line.strip().strip("|").split("|")]
        for line in rules_text(name).splitlines()
        if line.startswith("|")
    ]
    return MappingProxyType({rule: tuple(cells) for rule, *cells in rows if RULE_ID.fullmatch(rule)})


@cache
def editions(name: str) -> tuple[str, ...]:
    """The names of the editions that come with the game."""
    return tuple(sorted(path.stem for path in (folder(name) / "editions").glob("*.json")))


@cache
def edition(name: str, title: str | None = None) -> bytes:
    """The bytes of one edition, the game's default without a title; raises UnknownGame, UnknownEdition."""
    title = title or engine(name).edition
    if title not in editions(name):
        raise UnknownEdition(f"{name} has no edition {title!r}; there are: {', '.join(editions(name))}")
    return (folder(name) / "editions" / f"{title}.json").read_bytes()


def languages(name: str) -> tuple[str, ...]:
    """The languages that the game's log is told in; none for a game without words."""
    return tuple(sorted(path.stem for path in (folder(name) / "messages").glob("*.json")))


@cache
def messages(name: str, language: str) -> dict[str, str]:
    """The game's catalogue in that language, empty where it has none; raises UnknownGame."""
    if language not in languages(name):
        return {}
    data = (folder(name) / "messages" / f"{language}.json").read_bytes()
    return msgspec.json.decode(data, type=dict[str, str])


def installed_edition(wanted: str) -> bytes | None:
    """The edition of that hash, if it comes with a game."""
    every = (edition(name, title) for name in names() for title in editions(name))
    return next((data for data in every if edition_hash(data) == wanted), None)


def edition_hash(data: bytes) -> str:
    """The name of an edition's bytes: SHA-256 in hex."""
    return sha256(data).hexdigest()
