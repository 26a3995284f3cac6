"""What a schema calls the things that structs are made of."""

from enum import StrEnum

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor

from engines.core.shapes import snake_case


def prefix(enum: type[StrEnum]) -> str:
    """What the names of the enum's values begin with in a schema."""
    return snake_case(enum.__name__).upper() + "_"


def message_of(proto: FieldDescriptor) -> Descriptor:
    assert proto.message_type is not None, f"{proto.full_name} is no message"
    return proto.message_type


def enum_of(proto: FieldDescriptor) -> EnumDescriptor:
    assert proto.enum_type is not None, f"{proto.full_name} is no enum"
    return proto.enum_type


def numbers(enum: type[StrEnum], proto: FieldDescriptor) -> dict[StrEnum, int]:
    """Each value of the enum -> its number."""
    start = prefix(enum)
    return {value: enum_of(proto).values_by_name[start + value.upper()].number for value in enum}
