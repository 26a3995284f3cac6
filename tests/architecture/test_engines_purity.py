"""What the engines may import, and in which order a game's files build on each other."""

import ast
import sys
from pathlib import Path

import pytest

import engines
from engines.core import games

HOUSE = Path(engines.__file__).parent
PURE = {
    "__future__", "abc", "array", "bisect", "collections", "copy", "dataclasses", "enum", "fractions", "functools",
    "hashlib", "heapq", "hmac", "itertools", "math", "operator", "re", "struct", "types", "typing",
}  # fmt: skip
READERS = {"importlib", "pathlib"}
"""For engines/core/games.py alone: it finds and reads what is installed."""

ORDER = (
    {"catalog", "board"},
    {"state", "cards", "fish"},
    {"moves", "events"},
    {"scoring", "evolve", "words"},
    {"setup", "effects"},
    {"decide", "legal", "view"},
    {"policy", "profile", "__init__"},
)
"""A file may import from its own row, but for `view` and `policy`, and from those before it."""

FILES = sorted(path for path in HOUSE.glob("**/*.py") if path != HOUSE / "__init__.py")


def imports(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def room(path):
    return path.relative_to(HOUSE).parts[0]


def name_of(path):
    return str(path.relative_to(HOUSE))


def names_used(path):
    tree = ast.parse(path.read_text())
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} | {
        node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)
    }


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_only_pure_modules_and_the_own_room_are_imported(path):
    allowed = PURE | {"msgspec"} | (READERS if path == HOUSE / "core" / "games.py" else set())
    own = {"core"} if room(path) == "core" else {"core", room(path)}
    for name in imports(path):
        parts = name.split(".")
        if parts[0] == "engines":
            assert parts[1] in own, f"{path} imports {name}"
        else:
            assert parts[0] in allowed, f"{path} imports {name}"


def test_the_allow_list_is_of_the_standard_library():
    assert sys.stdlib_module_names >= PURE | READERS


def layer(name):
    return next(index for index, names in enumerate(ORDER) if name in names)


def layers_of(path):
    """The first folder or file below the game: a package such as decide/ counts as its name."""
    return path.relative_to(HOUSE).parts[1].removesuffix(".py")


@pytest.mark.parametrize("path", [path for path in FILES if room(path) != "core"], ids=name_of)
def test_the_files_of_a_game_build_on_each_other_in_one_order(path):
    own = layers_of(path)
    for name in imports(path):
        parts = name.split(".")
        if parts[:2] != ["engines", room(path)] or parts[2] == own:
            continue
        assert layer(parts[2]) <= layer(own), f"{path} imports {name}"
        assert parts[2] != "policy", f"{path} imports the policy"


@pytest.mark.parametrize("game", games.names())
def test_evolve_knows_neither_the_deciding_nor_chance(game):
    for path in [*(HOUSE / game).glob("evolve.py"), *(HOUSE / game).glob("evolve/*.py")]:
        for name in imports(path):
            assert not {"decide", "chance", "effects", "draft"} & set(name.split(".")), f"{path} imports {name}"


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_only_the_finder_of_games_and_catalogs_read_files(path):
    if path.name in {"games.py", "catalog.py"}:
        return
    assert not {"open", "read_text", "read_bytes", "Path"} & names_used(path)


@pytest.mark.parametrize("path", [path for path in FILES if room(path) != "core"], ids=name_of)
def test_no_game_makes_luck_of_its_own(path):
    assert not {"MatchChance", "SeededChance"} & (names_used(path) | {name.split(".")[-1] for name in imports(path)})


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_files_are_short(path):
    lines = len(path.read_text().splitlines())
    assert lines <= (33 if path.name == "__init__.py" else 400)
