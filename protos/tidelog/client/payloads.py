"""Payloads as plain objects: what JSON decodes to, or messages of the game's own schema."""

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import msgspec
from google.protobuf import descriptor_pool, message_factory
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import Message

from tidelog.v1.payload_pb2 import Payload

_URL = "type.googleapis.com/"


def to_payload(value: object) -> Payload:
    """A message becomes the typed form; JSON text stays as it is; anything else is written as JSON."""
    if isinstance(value, Message):
        name = value.DESCRIPTOR.full_name
        return Payload(typed=AnyMessage(type_url=_URL + name, value=value.SerializeToString()))
    if isinstance(value, str):
        return Payload(json=value)
    return Payload(json=(value if isinstance(value, bytes) else msgspec.json.encode(value)).decode())


def from_payload(payload: Payload) -> Any:
    """The decoded JSON, the message, or None for an empty payload.

    A message of a schema that is not imported and not found by its name stays a google.protobuf.Any.
    """
    match payload.WhichOneof("form"):
        case "json":
            return msgspec.json.decode(payload.json)
        case "typed":
            return _message(payload.typed)
        case _:
            return None


def from_payloads(payloads: Sequence[Payload]) -> tuple[Any, ...]:
    """All of them; JSON is decoded in one piece."""
    texts = [payload.json for payload in payloads]
    if all(texts):
        return tuple(msgspec.json.decode(f"[{','.join(texts)}]"))
    return tuple(map(from_payload, payloads))


def _message(packed: AnyMessage) -> Message:
    name = packed.type_url.rpartition("/")[2]
    pool = descriptor_pool.Default()
    try:
        descriptor = pool.FindMessageTypeByName(name)
    except KeyError:
        if not _import_schema(name):
            return packed
        descriptor = pool.FindMessageTypeByName(name)
    kind = message_factory.GetMessageClass(descriptor)
    return kind.FromString(packed.value)


def _import_schema(name: str) -> bool:
    """Whether `tidelog.games.<game>.v1.<Message>` names a schema that is installed; if so it is imported."""
    match name.split("."):
        case ["tidelog", "games", game, "v1", _]:
            try:
                import_module(f"tidelog.games.{game}.v1.{game}_pb2")
            except ModuleNotFoundError:
                return False
            return True
        case _:
            return False
