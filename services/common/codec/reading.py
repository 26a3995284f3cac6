"""From messages to structs, compiled once a type: a closure for each field that needs more than its value.

Strict where proto3 is lenient: a required message must be there, a number must name a value of its enum, one member of
a oneof must be set, integers stay within 2^53. An absent optional field takes the struct's default.
"""

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from msgspec import Raw, Struct

from services.common.codec.problems import Malformed
from services.common.codec.schema import enum_of, message_of, numbers
from services.common.codec.shapes import Field, fields

LARGEST = 2**53 - 1

Read = Callable[[Any], Any]
_Step = Callable[[Any, list[Any]], None]


def struct_reader(struct: type[Struct], descriptor: Descriptor) -> Read:
    """A function from the message to the struct; it raises Malformed."""
    described = [(field, descriptor.fields_by_name[field.name]) for field in fields(struct)]
    if not described:
        return lambda message: struct()  # noqa: ARG005 - nothing to read
    values = _values([field.name for field, _ in described])
    steps = [step for index, (field, proto) in enumerate(described) if (step := _step(field, proto, index)) is not None]

    def read(message: Any) -> Any:
        found = values(message)
        for step in steps:
            step(message, found)
        return struct(*found)

    return read


def union_reader(members: Mapping[str, type[Struct]], descriptor: Descriptor) -> Read:
    """A function from the message with the oneof to the struct that is set in it; it raises Malformed."""
    oneof = descriptor.oneofs[0].name
    readers = {
        tag: struct_reader(struct, message_of(descriptor.fields_by_name[tag])) for tag, struct in members.items()
    }

    def read(message: Any) -> Any:
        tag = message.WhichOneof(oneof)
        if tag is None:
            raise Malformed(f"one of {', '.join(readers)} must be set")
        try:
            return readers[tag](getattr(message, tag))
        except Malformed as problem:
            raise problem.inside(tag) from None

    return read


def _values(names: list[str]) -> Callable[[Any], list[Any]]:
    get = attrgetter(*names)
    return (lambda message: [get(message)]) if len(names) == 1 else (lambda message: list(get(message)))


def _step(field: Field, proto: FieldDescriptor, index: int) -> _Step | None:
    """What turns the value at `index` into the struct's; None where it is that already."""
    convert = _list(field, proto) if field.many else _single(field, proto)
    if proto.has_presence:
        return _present(field, index, convert)
    return None if convert is None else _plain(field.name, index, convert)


def _plain(name: str, index: int, convert: Read) -> _Step:
    def step(message: Any, values: list[Any]) -> None:  # noqa: ARG001 - the value is taken already
        try:
            values[index] = convert(values[index])
        except Malformed as problem:
            raise problem.inside(name) from None

    return step


def _present(field: Field, index: int, convert: Read | None) -> _Step:
    name, default, required = field.name, field.default, field.required

    def step(message: Any, values: list[Any]) -> None:
        if not message.HasField(name):
            if required:
                raise Malformed("must be set", name)
            values[index] = default
        elif convert is not None:
            try:
                values[index] = convert(values[index])
            except Malformed as problem:
                raise problem.inside(name) from None

    return step


def _single(field: Field, proto: FieldDescriptor) -> Read | None:
    if field.is_struct:
        return struct_reader(field.kind, message_of(proto))
    if field.is_enum:
        return _enum(field, proto)
    if field.kind is Raw:
        return _raw
    if field.kind is int and proto.cpp_type == FieldDescriptor.CPPTYPE_INT64:
        return _within
    return None


def _raw(payload: Any) -> Raw:
    if payload.WhichOneof("form") != "json":
        raise Malformed("only JSON is read here")
    return Raw(payload.json.encode())


def _within(number: int) -> int:
    if not -LARGEST <= number <= LARGEST:
        raise Malformed(f"{number} is beyond 2^53")
    return number


def _enum(field: Field, proto: FieldDescriptor) -> Read:
    name = enum_of(proto).name
    known = {number: value for value, number in numbers(field.kind, proto).items()}

    def read(number: int) -> Any:
        value = known.get(number)
        if value is None:
            raise Malformed(f"{number} is no value of {name}")
        return value

    return read


def _list(field: Field, proto: FieldDescriptor) -> Read:
    convert = _single(field, proto)
    if convert is None:
        return tuple

    def read(items: Any) -> tuple[Any, ...]:
        try:
            return tuple(map(convert, items))
        except Malformed:
            _find(convert, items)
            raise

    return read


def _find(convert: Read, items: Any) -> None:
    """Raises the first problem among the items, with its place."""
    for place, item in enumerate(items):
        try:
            convert(item)
        except Malformed as problem:
            raise problem.inside(f"[{place}]") from None
