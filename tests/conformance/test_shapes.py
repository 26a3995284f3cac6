"""Laws of shapes: every game's types fit one codec, and their JSON the profile of the log."""

import json
import re
from enum import EnumType, StrEnum
from types import NoneType, UnionType
from typing import get_args, get_origin

import msgspec
import pytest

from engines.core import games
from engines.core.engine import Engine
from engines.core.shapes import GameOptions, GameState, Plain, Tagged, snake_case
from tests.conformance.record import encode_json, members, profile, stored_names, variants
from tests.rules import table

NAMES = games.names()
ROOTS = ("Options", "Move", "Event", "View")
WORD = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
SCALARS = (bool, int, str)


def check_struct(kind, seen):
    """Every field of the struct, and of those below it, is of a portable type."""
    if kind in seen:
        return
    seen.add(kind)
    assert kind.__struct_config__.frozen, kind
    assert kind.__struct_config__.forbid_unknown_fields, kind
    for field in msgspec.structs.fields(kind):
        where = f"{kind.__name__}.{field.name}"
        assert WORD.fullmatch(field.encode_name), where
        assert field.encode_name == field.name != "kind", where
        check(field.type, where, seen, field.default)


def check(kind, where, seen, default=msgspec.NODEFAULT):
    if isinstance(kind, UnionType):
        one, none = sorted(get_args(kind), key=lambda arg: arg is NoneType)
        assert none is NoneType, where
        assert default is None, f"{where} has no default None"
        kind = one
        assert get_origin(kind) is not tuple, f"{where} is an optional list: it can't be told from an empty one"
    if get_origin(kind) is tuple:
        item, rest = get_args(kind)
        assert rest is Ellipsis, where
        assert get_origin(item) is not tuple, where
        assert not isinstance(item, UnionType), where
        kind = item
    if kind in SCALARS:
        return
    if isinstance(kind, EnumType):
        assert issubclass(kind, StrEnum), where
        assert all(WORD.fullmatch(member.value) for member in kind), where
        return
    assert isinstance(kind, type), where
    assert issubclass(kind, Plain), where
    check_struct(kind, seen)


@pytest.mark.parametrize("root", ROOTS)
@pytest.mark.parametrize("game", NAMES)
def test_types_are_portable(game, root):
    seen = set()
    for kind in members(getattr(games.engine(game), root)):
        assert issubclass(kind, Plain if root in {"Options", "View"} else Tagged)
        check_struct(kind, seen)


@pytest.mark.parametrize("game", NAMES)
def test_names_of_structs_are_unique_and_tags_follow_from_them(game):
    engine = games.engine(game)
    seen = set()
    for root in ROOTS:
        for kind in members(getattr(engine, root)):
            check_struct(kind, seen)
    assert len({kind.__name__ for kind in seen}) == len(seen)
    for kind in [*members(engine.Move), *members(engine.Event)]:
        assert kind.__struct_config__.tag == snake_case(kind.__name__)


@pytest.mark.parametrize("game", NAMES)
def test_every_option_has_a_default(game):
    for field in msgspec.structs.fields(games.engine(game).Options):
        assert field.default is not msgspec.NODEFAULT


@pytest.mark.parametrize("game", NAMES)
def test_every_option_is_defined_by_a_rule(game):
    options = games.engine(game).Options
    assert issubclass(options, GameOptions)
    assert set(options.defined_by) == set(options.__struct_fields__)
    assert set(options.defined_by.values()) <= set(table(game))


@pytest.mark.parametrize("game", NAMES)
def test_the_tables_hold_every_kind(game):
    engine = games.engine(game)
    package = games.package(game)
    assert set(package.decide.DECIDE) == set(members(engine.Move))
    assert set(package.evolve.EVOLVE) == set(members(engine.Event))


@pytest.mark.parametrize("game", NAMES)
def test_the_record_says_what_the_game_is(game):
    engine = games.engine(game)
    assert isinstance(engine, Engine)
    assert engine.name == game
    assert engine.title
    assert 1 <= engine.seats[0] <= engine.seats[1]
    assert sorted(set(engine.unofficial_seats)) == list(engine.unofficial_seats)
    assert set(engine.unofficial_seats) < set(range(engine.seats[0], engine.seats[1] + 1))
    assert sorted(set(engine.rules)) == list(engine.rules)
    assert issubclass(engine.State, GameState)
    assert set(engine.State.derived) <= set(engine.State.__struct_fields__) - {"catalog"}
    assert {"rules"} <= set(stored_names(engine.State))
    assert engine.edition in games.editions(game)


def walk(value):
    assert not isinstance(value, float)
    if isinstance(value, dict):
        for key, below in value.items():
            assert WORD.fullmatch(key)
            walk(below)
    elif isinstance(value, list):
        for below in value:
            walk(below)
    elif isinstance(value, int):
        assert abs(value) < 2**53


def test_json_fits_the_profile(matches):
    for played in matches:
        engine = played.engine
        for step in played.sample:
            state = step.after
            texts = [engine.view(state, audience) for audience in played.audiences]
            texts += [emitted.event for emitted in step.emitted]
            texts += [step.move] if step.move is not None else []
            for one in texts:
                data = encode_json(one)
                walk(json.loads(data))
                if one in texts[: len(played.audiences)]:
                    assert msgspec.json.decode(data, type=engine.View) == one


@pytest.mark.parametrize("game", NAMES)
def test_the_modes_of_a_game_are_variants_of_it(game):
    assert set(profile(game).MODES) <= set(variants(game))
