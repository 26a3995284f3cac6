"""Whether the structs of a root and the messages of a schema say the same, field by field."""

from collections.abc import Iterator
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.descriptor_pb2 import DescriptorProto
from msgspec import Raw, Struct

from services.common.codec.schema import enum_of, message_of, prefix
from services.common.codec.shapes import Field, fields, members

OPTIONS = "Options"
"""The name of every game's options, whose fields may all be absent, wherever they stand."""

_INTEGERS = (FieldDescriptor.TYPE_INT32, FieldDescriptor.TYPE_INT64)
_ZERO: dict[Any, object] = {bool: False, int: 0, str: ""}


class SchemaMismatch(Exception):  # noqa: N818 - says what is wrong
    """A game's structs and its schema differ; the message names every place."""

    def __init__(self, what: str, found: list[str]) -> None:
        super().__init__(f"{what}: {'; '.join(found)}")


def differences(root: Any, descriptor: Descriptor) -> list[str]:
    """Every place where they differ, in words."""
    kinds = members(root)
    if kinds is None:
        return list(_struct(root, descriptor))
    return list(_union(kinds, descriptor))


def _union(kinds: dict[str, type[Struct]], descriptor: Descriptor) -> Iterator[str]:
    if len(descriptor.oneofs) != 1 or len(descriptor.oneofs[0].fields) != len(descriptor.fields):
        yield f"{descriptor.full_name} is not one oneof"
    yield from _names(descriptor, list(kinds))
    for tag, struct in kinds.items():
        proto = descriptor.fields_by_name.get(tag)
        if proto is None:
            continue
        if proto.message_type is None:
            yield f"{proto.full_name} is no message"
        else:
            yield from _struct(struct, proto.message_type)


def _names(descriptor: Descriptor, expected: list[str]) -> Iterator[str]:
    found = [proto.name for proto in descriptor.fields]
    for name in expected:
        if name not in found:
            yield f"{descriptor.full_name} has no {name}"
    for name in found:
        if name not in expected:
            yield f"{descriptor.full_name}.{name} is in the schema alone"


def _struct(struct: type[Struct], descriptor: Descriptor) -> Iterator[str]:
    if descriptor.name != struct.__name__:
        yield f"{descriptor.full_name} stands for the struct {struct.__name__}"
    yield from _names(descriptor, [field.name for field in fields(struct)])
    labels = _labels(descriptor)
    an_option = struct.__name__ == OPTIONS
    for field in fields(struct):
        proto = descriptor.fields_by_name.get(field.name)
        if proto is None:
            continue
        if proto.is_repeated != field.many:
            yield f"{proto.full_name}: a tuple is repeated, and nothing else is"
        yield from _presence(field, proto, optional=labels[field.name], an_option=an_option)
        yield from _kind(field, proto)


def _labels(descriptor: Descriptor) -> dict[str, bool]:
    """Whether each field is written `optional`."""
    written = DescriptorProto()
    descriptor.CopyToProto(written)
    return {field.name: field.proto3_optional for field in written.field}


def _presence(field: Field, proto: FieldDescriptor, *, optional: bool, an_option: bool) -> Iterator[str]:
    if field.many:
        return
    unlike_zero = not field.required and not field.is_struct and field.default != _ZERO.get(field.kind)
    if optional != (field.nullable or unlike_zero or an_option):
        yield f"{proto.full_name}: `optional` goes with None, with options, and with a default unlike proto3's"
    if an_option and field.required:
        yield f"{proto.full_name}: an option has a default"


def _kind(field: Field, proto: FieldDescriptor) -> Iterator[str]:
    if field.is_struct:
        matches = proto.message_type is not None
    elif field.is_enum:
        matches = proto.enum_type is not None
    elif field.kind is Raw:
        matches = proto.message_type is not None and proto.message_type.full_name == "tidelog.v1.Payload"
    else:
        matches = {bool: proto.type == FieldDescriptor.TYPE_BOOL, str: proto.type == FieldDescriptor.TYPE_STRING}.get(
            field.kind, proto.type in _INTEGERS
        )
    if not matches:
        yield f"{proto.full_name} is not of the struct's type, {field.kind.__name__}"
    elif field.is_struct:
        yield from _struct(field.kind, message_of(proto))
    elif field.is_enum:
        yield from _values(field, proto)


def _values(field: Field, proto: FieldDescriptor) -> Iterator[str]:
    start, enum = prefix(field.kind), enum_of(proto)
    expected = [f"{start}UNSPECIFIED", *(start + value.upper() for value in field.kind)]
    found = [value.name for value in enum.values]
    if enum.name != field.kind.__name__:
        yield f"{proto.full_name}: {enum.full_name} stands for {field.kind.__name__}"
    if sorted(expected) != sorted(found):
        yield f"{enum.full_name} has {', '.join(found)}, the struct {', '.join(expected)}"
    elif enum.values_by_number[0].name != expected[0]:
        yield f"{enum.full_name}: zero is {expected[0]}"
