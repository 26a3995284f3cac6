"""Requests of every public rpc, filled at random with what may stand in them."""

import random
from collections.abc import Sequence
from functools import cache
from itertools import islice
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from engines.core import games
from services.cli.laws.record import play
from services.common.codec import GameCodec, Root, encode
from tidelog.v1 import admin_pb2, engine_pb2, games_pb2, identity_pb2, matches_pb2
from tidelog.v1.matches_pb2 import CreateMatchRequest
from tidelog.v1.payload_pb2 import PAYLOAD_FORM_TYPED, Payload

PUBLIC = tuple(
    service
    for file in (admin_pb2, matches_pb2, games_pb2, identity_pb2)
    for service in file.DESCRIPTOR.services_by_name.values()
)
RPCS = tuple(method for service in PUBLIC for method in service.methods)
ENGINE = engine_pb2.DESCRIPTOR.services_by_name["EngineService"]
COMMANDS = 40
"""Of a match of each game: the moves and events that mutations begin from."""

NUMBERS = (0, 1, 2, 3, 5, -1, 200, 201, 2**31 - 1, -(2**31))
TEXTS = (
    *("", "x", "0-0", "1-0123456789abcdef", "99-0123456789abcdef", "1-0123456789ABCDEF", "-", "house", "greedy", "bot"),
    *("MATCH", "A" * 24, "é" * 64, "y" * 65, "z" * 300, "0" * 64, "a|b", "'; --", "{s00}:", "\x00", "../..", "*"),
    *games.names(),
)


@cache
def moves(game: str) -> tuple[Any, ...]:
    return tuple(command.move for command, _ in islice(play(game, "plain", 1), 1, COMMANDS))


@cache
def events(game: str) -> tuple[Any, ...]:
    return tuple(event for command, _ in islice(play(game, "plain", 1), COMMANDS) for event in command.events())


@cache
def payloads(game: str) -> tuple[Payload, ...]:
    codec = GameCodec.of(game)
    found = [Payload(json=encode(move).decode()) for move in moves(game)]
    found.append(Payload(json=encode(games.engine(game).Options()).decode()))
    if codec.is_typed:
        found += [codec.payload_of(Root.MOVE, move, PAYLOAD_FORM_TYPED) for move in moves(game)]
    return tuple(found)


def filled(descriptor: Descriptor, rng: random.Random, texts: Sequence[str] = TEXTS) -> Any:
    """A message with most of its fields set."""
    if descriptor.full_name == Payload.DESCRIPTOR.full_name and rng.random() < 0.8:
        return rng.choice(payloads(rng.choice(games.names())))
    found: Message = GetMessageClass(descriptor)()
    for field in descriptor.fields:
        if rng.random() < 0.7:
            _fill(found, field, rng, texts)
    return found


def _fill(message: Any, field: FieldDescriptor, rng: random.Random, texts: Sequence[str]) -> None:
    if field.is_repeated:
        values = [_value(field, rng, texts) for _ in range(rng.randrange(4))]
        getattr(message, field.name).extend(values)
    elif field.message_type is not None:
        getattr(message, field.name).CopyFrom(_value(field, rng, texts))
    else:
        setattr(message, field.name, _value(field, rng, texts))


def _value(field: FieldDescriptor, rng: random.Random, texts: Sequence[str]) -> Any:
    if field.message_type is not None:
        return filled(field.message_type, rng, texts)
    if field.enum_type is not None:
        return rng.choice([*field.enum_type.values_by_number, 99, -1])
    if field.cpp_type == FieldDescriptor.CPPTYPE_BOOL:
        return rng.random() < 0.5
    if field.type == FieldDescriptor.TYPE_BYTES:
        return rng.randbytes(rng.randrange(40))
    if field.cpp_type == FieldDescriptor.CPPTYPE_STRING:
        return rng.choice(texts)
    unsigned = field.cpp_type in (FieldDescriptor.CPPTYPE_UINT32, FieldDescriptor.CPPTYPE_UINT64)
    return abs(rng.choice(NUMBERS)) if unsigned else rng.choice(NUMBERS)


def corpus(descriptor: Descriptor, count: int = 60, seed: int = 1, texts: Sequence[str] = TEXTS) -> list[bytes]:
    """Messages of the type, serialised; sound ones among them."""
    rng = random.Random(seed)
    if descriptor.full_name == CreateMatchRequest.DESCRIPTOR.full_name:
        sound = [
            CreateMatchRequest(request_id="1", game=name, seats=games.engine(name).seats[0]) for name in games.names()
        ]
        return [*(request.SerializeToString() for request in sound), *_corpus(descriptor, count, rng, texts)]
    return _corpus(descriptor, count, rng, texts)


def _corpus(descriptor: Descriptor, count: int, rng: random.Random, texts: Sequence[str]) -> list[bytes]:
    return [filled(descriptor, rng, texts).SerializeToString() for _ in range(count)]
