"""Integers of JSON are held to what the other form can say, so that both forms accept the same values."""

from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from msgspec import Struct

from services.common.codec.problems import Malformed
from services.common.codec.reading import LARGEST
from services.common.codec.shapes import Field, fields, members

Check = Callable[[Any], None]


def checker(root: Any, descriptor: Descriptor | None) -> Check | None:
    """A function that raises Malformed for an integer out of range; None where the root holds no integers.

    Without a schema the range is that of JSON, 2^53 on either side of zero.
    """
    kinds = members(root)
    if kinds is None:
        return _struct(root, descriptor)
    checks = {
        struct: check
        for tag, struct in kinds.items()
        if (check := _struct(struct, _described(descriptor, tag))) is not None
    }
    if not checks:
        return None

    def check_union(value: Any) -> None:
        check = checks.get(type(value))
        if check is not None:
            check(value)

    return check_union


def _described(descriptor: Descriptor | None, tag: str) -> Descriptor | None:
    return descriptor.fields_by_name[tag].message_type if descriptor else None


def _struct(struct: type[Struct], descriptor: Descriptor | None) -> Check | None:
    checks = list(_checks(struct, descriptor))
    if not checks:
        return None

    def check_struct(value: Any) -> None:
        for name, get, check in checks:
            inner = get(value)
            if inner is not None:
                _within(name, check, inner)

    return check_struct


def _checks(struct: type[Struct], descriptor: Descriptor | None) -> Iterator[tuple[str, Callable[[Any], Any], Check]]:
    for field in fields(struct):
        check = _field(field, descriptor.fields_by_name[field.name] if descriptor else None)
        if check is not None:
            yield field.name, attrgetter(field.name), check


def _within(name: str, check: Check, value: Any) -> None:
    try:
        check(value)
    except Malformed as problem:
        raise problem.inside(name) from None


def _field(field: Field, proto: FieldDescriptor | None) -> Check | None:
    if field.is_struct:
        check = _struct(field.kind, proto.message_type if proto else None)
    elif field.kind is int:
        narrow = proto is not None and proto.cpp_type == FieldDescriptor.CPPTYPE_INT32
        check = _narrow if narrow else _wide
    else:
        return None
    return _each(check) if field.many and check is not None else check


def _each(check: Check) -> Check:
    def check_each(values: Any) -> None:
        for place, value in enumerate(values):
            _within(f"[{place}]", check, value)

    return check_each


def _narrow(number: int) -> None:
    if not -(2**31) <= number < 2**31:
        raise Malformed(f"{number} is beyond 32 bits")


def _wide(number: int) -> None:
    if not -LARGEST <= number <= LARGEST:
        raise Malformed(f"{number} is beyond 2^53")
