"""From structs to messages, compiled once a type: each function gives the keyword arguments of a message."""

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from msgspec import Raw, Struct

from services.common.codec.schema import message_of, numbers
from services.common.codec.shapes import Field, fields

Write = Callable[[Any], dict[str, Any]]
_Convert = Callable[[Any], Any]


def struct_writer(struct: type[Struct], descriptor: Descriptor) -> Write:
    """Every field is written, defaults too; None leaves its field absent."""
    described = [(field, descriptor.fields_by_name[field.name]) for field in fields(struct)]
    names = tuple(field.name for field, _ in described)
    if not names:
        return lambda value: {}  # noqa: ARG005 - nothing to write
    values = _values(names)
    conversions = [
        (field.name, convert) for field, proto in described if (convert := _conversion(field, proto)) is not None
    ]

    def write(value: Any) -> dict[str, Any]:
        found = dict(zip(names, values(value), strict=True))
        for name, convert in conversions:
            if found[name] is not None:
                found[name] = convert(found[name])
        return found

    return write


def union_writer(members: Mapping[str, type[Struct]], descriptor: Descriptor) -> Write:
    """One keyword, the tag, with the member's own arguments."""
    writers = {
        struct: (tag, struct_writer(struct, message_of(descriptor.fields_by_name[tag])))
        for tag, struct in members.items()
    }

    def write(value: Any) -> dict[str, Any]:
        tag, inner = writers[type(value)]
        return {tag: inner(value)}

    return write


def _values(names: tuple[str, ...]) -> Callable[[Any], tuple[Any, ...]]:
    get = attrgetter(*names)
    return (lambda value: (get(value),)) if len(names) == 1 else get


def _conversion(field: Field, proto: FieldDescriptor) -> _Convert | None:
    convert = _single(field, proto)
    if convert is None or not field.many:
        return convert
    return lambda items: [convert(item) for item in items]


def _single(field: Field, proto: FieldDescriptor) -> _Convert | None:
    if field.is_struct:
        return struct_writer(field.kind, message_of(proto))
    if field.is_enum:
        return numbers(field.kind, proto).__getitem__
    if field.kind is Raw:
        return lambda raw: {"json": bytes(raw).decode()}
    return None
