"""Laws of shapes: every game's types fit one codec, and their JSON the profile of the log."""

import json
import re
from enum import EnumType, StrEnum
from types import NoneType, UnionType
from typing import Any, get_args, get_origin

import msgspec

from engines.core import games
from engines.core.engine import Engine
from engines.core.shapes import GameOptions, GameState, Plain, Tagged, snake_case
from services.cli.laws.profiles import profile
from services.cli.laws.record import Matches, encode_json, members, stored_names, variants
from services.common.codec import GameCodec

ROOTS = ("Options", "Move", "Event", "View")
WORD = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
SCALARS = (bool, int, str)


def check_struct(kind: Any, seen: set[Any]) -> None:
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


def check(kind: Any, where: str, seen: set[Any], default: Any = msgspec.NODEFAULT) -> None:
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


def rule_ids(game: str) -> set[str]:
    """The rules that RULES.md has in its table."""
    return set(games.rules(game))


def types_are_portable(game: str) -> None:
    for root in ROOTS:
        seen: set[Any] = set()
        for kind in members(getattr(games.engine(game), root)):
            assert issubclass(kind, Plain if root in {"Options", "View"} else Tagged)
            check_struct(kind, seen)


def names_of_structs_are_unique_and_tags_follow_from_them(game: str) -> None:
    engine = games.engine(game)
    seen: set[Any] = set()
    for root in ROOTS:
        for kind in members(getattr(engine, root)):
            check_struct(kind, seen)
    assert len({kind.__name__ for kind in seen}) == len(seen)
    for kind in [*members(engine.Move), *members(engine.Event)]:
        assert kind.__struct_config__.tag == snake_case(kind.__name__)


def one_codec_serves_its_types(game: str) -> None:
    """With a schema of its own, if it names one, the same fields stand in both."""
    GameCodec.of(game)


def every_option_has_a_default(game: str) -> None:
    for field in msgspec.structs.fields(games.engine(game).Options):
        assert field.default is not msgspec.NODEFAULT


def every_option_is_defined_by_a_rule(game: str) -> None:
    options = games.engine(game).Options
    assert issubclass(options, GameOptions)
    assert set(options.defined_by) == set(options.__struct_fields__)
    assert set(options.defined_by.values()) <= rule_ids(game)


def the_record_says_what_the_game_is(game: str) -> None:
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


def walk(value: Any) -> None:
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


def json_fits_the_profile(matches: Matches) -> None:
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


def the_modes_of_a_game_are_variants_of_it(game: str) -> None:
    assert set(profile(game).modes) <= set(variants(game))
