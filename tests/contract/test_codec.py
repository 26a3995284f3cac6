"""One codec for every game found, and for the platform's events: both forms say the same, and accept the same."""

import random
from enum import StrEnum

import msgspec
import pytest
from google.protobuf.any_pb2 import Any

from engines.core import games
from engines.core.shapes import Plain, Tagged
from services.common.codec import GameCodec, MatchEventCodec, Root, encode
from services.common.codec.games import schema
from services.common.codec.parity import differences
from services.common.codec.roots import RootCodec
from services.common.codec.shapes import NotPortable, fields, members
from services.common.refusals import Reason, Refused
from services.eventlog.lifecycle import Created, Lifecycle, Started
from tidelog.v1.lifecycle_pb2 import MatchEvent
from tidelog.v1.payload_pb2 import PAYLOAD_FORM_JSON, PAYLOAD_FORM_TYPED, PAYLOAD_FORM_UNSPECIFIED, Payload

TYPED = [game for game in games.names() if schema(game)]
OPTIONS = msgspec.Raw(b"{}")


def random_value(chance: random.Random, kind):
    """A value of a portable type: every field by chance absent, empty, at its bounds or anything."""
    if kind is bool:
        return chance.random() < 0.5
    if kind is int:
        return chance.choice([0, 1, -1, 15, 2**31 - 1, -(2**31), chance.randrange(1000)])
    if kind is str:
        return chance.choice(["", "a", "LS01", 'quote"\\', "\u00e9\U0001f600", "\x00\n"])
    if kind is msgspec.Raw:
        return OPTIONS
    if issubclass(kind, StrEnum):
        return chance.choice(list(kind))
    return kind(**{field.name: random_field(chance, field) for field in fields(kind)})


def random_field(chance: random.Random, field):
    if field.nullable and chance.random() < 0.4:
        return None
    if field.many:
        return tuple(random_value(chance, field.kind) for _ in range(chance.randrange(4)))
    return random_value(chance, field.kind)


def roots():
    for game in games.names():
        engine = games.engine(game)
        for root in Root:
            yield pytest.param(getattr(engine, root), getattr(schema(game), root, None), id=f"{game}-{root.lower()}")
    yield pytest.param(Lifecycle, MatchEvent, id="lifecycle")


@pytest.mark.parametrize(("root", "message"), list(roots()))
def test_the_schema_says_what_the_structs_say(root, message):
    if message is not None:
        assert differences(root, message.DESCRIPTOR) == []


@pytest.mark.parametrize(("root", "message"), list(roots()))
def test_every_value_survives_every_form(root, message):
    codec = RootCodec("value", root, message)
    chance = random.Random(7)
    for kind in (members(root) or {"": root}).values():
        for _ in range(100):
            value = random_value(chance, kind)
            assert encode(codec.from_json(encode(value))) == encode(value)
            if message is not None:
                assert encode(codec.from_bytes(codec.to_message(value).SerializeToString())) == encode(value)


@pytest.mark.parametrize("game", TYPED)
@pytest.mark.parametrize("root", Root)
def test_a_payload_reads_the_same_in_both_forms(game, root):
    codec = GameCodec.of(game)
    kind = getattr(games.engine(game), root)
    chance = random.Random(11)
    for struct in (members(kind) or {"": kind}).values():
        value = random_value(chance, struct)
        for form in (PAYLOAD_FORM_JSON, PAYLOAD_FORM_TYPED):
            payload = codec.payload(root, encode(value), form)
            assert payload == codec.payload_of(root, value, form)
            assert codec.read(root, payload) == value


@pytest.mark.parametrize("game", TYPED)
def test_options_left_out_take_the_defaults(game):
    codec, defaults = GameCodec.of(game), games.engine(game).Options()
    empty = Any(type_url=f"type.googleapis.com/{codec.proto_package}.Options")
    for payload in (Payload(), Payload(json="{}"), Payload(typed=empty)):
        assert codec.options(payload) == defaults


def test_a_game_that_is_not_installed_is_refused():
    with pytest.raises(Refused) as caught:
        GameCodec.of("no_such_game")
    assert caught.value.reason is Reason.UNKNOWN_GAME


def test_the_json_form_holds_the_logs_own_bytes():
    data = encode(Started())
    assert MatchEventCodec(Lifecycle).payload(data, PAYLOAD_FORM_UNSPECIFIED).json.encode() == data


@pytest.mark.parametrize("game", TYPED)
def test_a_typed_creation_has_typed_options(game):
    options = games.engine(game).Options()
    created = Created("m", game, 1, "e", msgspec.Raw(encode(options)), 2, "me", "c")
    payload = MatchEventCodec(Lifecycle).payload(encode(created), PAYLOAD_FORM_TYPED)
    event = MatchEvent.FromString(payload.typed.value)
    assert payload.typed.type_url == "type.googleapis.com/tidelog.v1.MatchEvent"
    assert GameCodec.of(game).options(event.created.options) == options
    assert event.created.options.WhichOneof("form") == "typed"


def test_a_creation_of_a_game_that_is_not_installed_keeps_its_options_as_json():
    created = Created("m", "no_such_game", 1, "e", OPTIONS, 2, "me", "c")
    payload = MatchEventCodec(Lifecycle).payload(encode(created), PAYLOAD_FORM_TYPED)
    assert MatchEvent.FromString(payload.typed.value).created.options.json == "{}"


class Odd(Tagged, frozen=True):
    pair: tuple[int, str] = (0, "")


class Loose(Plain, frozen=True):
    count: int | None = 3


class Mixed(Plain, frozen=True):
    value: int | str = 0


class Real(Plain, frozen=True):
    share: float = 0.0


class Listed(Plain, frozen=True):
    names: tuple[str, ...] = ("a",)


class Nested(Plain, frozen=True):
    rows: tuple[tuple[int, ...], ...] = ()


@pytest.mark.parametrize("struct", [Odd, Loose, Mixed, Real, Listed, Nested])
def test_a_type_without_one_form_in_every_language_is_named(struct):
    with pytest.raises(NotPortable, match=struct.__name__):
        fields(struct)
