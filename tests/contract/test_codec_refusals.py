"""What a caller may send wrongly, in either form, is refused with the place of what is wrong."""

import pytest
from google.protobuf.any_pb2 import Any

from engines.core import games
from engines.core.shapes import Plain
from services.common.codec import GameCodec, Root
from services.common.codec.parity import SchemaMismatch, differences
from services.common.codec.reading import LARGEST
from services.common.codec.roots import RootCodec
from services.common.refusals import Reason, Refused
from tidelog.games.lost_seas.v1 import lost_seas_pb2
from tidelog.v1.lifecycle_pb2 import MatchEvent, SeatClaimed
from tidelog.v1.payload_pb2 import PAYLOAD_FORM_TYPED, Payload

CODEC = GameCodec.of("lost_seas")
PREFIX = "type.googleapis.com/tidelog.games.lost_seas.v1."
Move = lost_seas_pb2.Move


def typed(message, name: str = "Move") -> Payload:
    return Payload(typed=Any(type_url=PREFIX + name, value=message.SerializeToString()))


def raw(value: bytes) -> Payload:
    return Payload(typed=Any(type_url=PREFIX + "Move", value=value))


def unknown_field(field: bytes) -> bytes:
    inner = lost_seas_pb2.TakeTile(tile="LS01").SerializeToString() + field
    return bytes([0x12, len(inner)]) + inner


BAD = {
    "an empty payload": (Payload(), "neither `json` nor `typed` is set"),
    "no json": (Payload(json="{"), "truncated"),
    "something after the end": (Payload(json='{"kind":"return_tile","tile":"a"}x'), "trailing"),
    "no kind": (Payload(json='{"tile":"a"}'), "required field `kind`"),
    "an unknown kind": (Payload(json='{"kind":"swim"}'), "`$.kind`"),
    "a missing field": (Payload(json='{"kind":"take_tile","tile":"a"}'), "required field `cell`"),
    "a wrong type": (Payload(json='{"kind":"take_tile","tile":"a","cell":"1"}'), "`$.cell`"),
    "a float": (Payload(json='{"kind":"take_tile","tile":"a","cell":1.5}'), "`$.cell`"),
    "an unknown field": (Payload(json='{"kind":"return_tile","tile":"a","x":1}'), "unknown field `x`"),
    "an unknown value": (Payload(json='{"kind":"choose_sides","sides":["easy","odd"]}'), "`$.sides[1]`"),
    "a lone surrogate": (Payload(json='{"kind":"return_tile","tile":"\\udc00"}'), "surrogate"),
    "an integer over 32 bits": (Payload(json='{"kind":"take_tile","tile":"a","cell":2147483648}'), "`$.cell`"),
    "a key named twice": (Payload(json='{"kind":"return_tile","tile":"a","tile":"b"}'), "names `tile` twice"),
    "a kind named twice": (Payload(json='{"kind":"return_tile","tile":"a","kind":"return_tile"}'), "`kind` twice"),
    "a key in two spellings": (
        Payload(json='{"kind":"return_tile","tile":"a","til\\u0065":"b"}'),
        "names `tile` twice",
    ),
    "a whole float": (Payload(json='{"kind":"take_tile","tile":"a","cell":1.0}'), "`$.cell`"),
    "no number": (Payload(json='{"kind":"take_tile","tile":"a","cell":NaN}'), "move"),
    "deep nesting": (Payload(json='{"kind":"choose_sides","sides":' + "[" * 5000), "move"),
    "another type": (typed(lost_seas_pb2.Options(), "Options"), "`$.typed`"),
    "no type": (Payload(typed=Any(value=b"")), "`$.typed`"),
    "nothing set": (typed(Move()), "one of choose_sides, take_tile, return_tile must be set"),
    "no value of an enum": (typed(Move(choose_sides={"sides": [1, 0]})), "`$.choose_sides.sides[1]`"),
    "an unknown number": (typed(Move(choose_sides={"sides": [1, 2, 9]})), "`$.choose_sides.sides[2]`"),
    "bytes that are no message": (raw(b"\xff\xff"), "move"),
    "bytes that are no text": (raw(b"\x1a\x03\x0a\x01\xff"), "move"),
    "an unknown oneof": (raw(b"\x7a\x00"), "does not have"),
    "an unknown field inside": (raw(unknown_field(b"\x78\x01")), "does not have"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_malformed_move_is_refused(name):
    payload, problem = BAD[name]
    with pytest.raises(Refused) as caught:
        CODEC.move(payload)
    assert caught.value.reason is Reason.MALFORMED
    assert problem in caught.value.message


def test_options_name_no_key_twice():
    twice = '{"young_explorers":true,"young_explorers":false}'
    with pytest.raises(Refused, match="names `young_explorers` twice") as caught:
        CODEC.options(Payload(json=twice))
    assert caught.value.reason is Reason.MALFORMED


def test_a_value_that_looks_like_a_key_is_no_key():
    move = CODEC.move(Payload(json='{"tile": "\\"tile\\":", "kind": "return_tile"}'))
    assert move.tile == '"tile":'


def test_zeros_written_out_are_no_unknown_fields():
    """Other languages may write a field that is zero."""
    assert CODEC.move(raw(unknown_field(b"\x10\x00"))).cell == 0


def test_a_message_that_is_missing_is_not_an_empty_one():
    with pytest.raises(Refused, match=r"must be set - at `\$\.game_ended\.outcome`"):
        CODEC.read(Root.EVENT, typed(lost_seas_pb2.Event(game_ended={}), "Event"))


class SeatClaimedTwice(Plain, frozen=True):
    seat: int


class Wide(Plain, frozen=True):
    number: int


def test_without_a_schema_integers_stay_within_2_to_the_53():
    codec = RootCodec("wide", Wide, None)
    assert codec.from_json(f'{{"number":{LARGEST}}}').number == LARGEST
    with pytest.raises(Refused, match=r"beyond 2\^53 - at `\$\.number`"):
        codec.from_json(f'{{"number":{-LARGEST - 1}}}')


def test_a_game_without_a_schema_works_with_json_alone():
    codec = GameCodec("lost_seas", None)
    assert codec.move(Payload(json='{"kind":"return_tile","tile":"a"}')).tile == "a"
    for refused in (lambda: codec.move(typed(Move())), lambda: codec.require(PAYLOAD_FORM_TYPED)):
        with pytest.raises(Refused) as caught:
            refused()
        assert caught.value.reason is Reason.MALFORMED


def test_structs_that_differ_from_their_schema_are_not_served():
    with pytest.raises(SchemaMismatch, match="SeatClaimedTwice"):
        RootCodec("claim", SeatClaimedTwice, SeatClaimed)


def test_every_difference_is_named():
    engine = games.engine("lost_seas")
    found = differences(engine.Move, MatchEvent.DESCRIPTOR)
    assert "tidelog.v1.MatchEvent has no take_tile" in found
    assert "tidelog.v1.MatchEvent.created is in the schema alone" in found
