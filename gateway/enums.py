"""Numbers of enums in requests: proto3 lets any through, and one that we do not know may mean anything."""

from collections.abc import Callable
from functools import cache
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from services.common.refusals import Reason, Refused

Check = Callable[[Any, str], None]
"""Of a message at a path."""


def check_enums(request: Message) -> None:
    """Whether every enum in the message, however deep, holds a number of its own. Raises Refused(MALFORMED)."""
    for check in _checks(request.DESCRIPTOR):
        check(request, "$")


@cache
def _checks(message: Descriptor) -> tuple[Check, ...]:
    """Compiled once a type; those without enums have none."""
    found = (_check(field) for field in message.fields)
    return tuple(check for check in found if check is not None)


def _check(field: FieldDescriptor) -> Check | None:
    if field.enum_type is not None:
        known = frozenset(field.enum_type.values_by_number)
        return (_each if field.is_repeated else _one)(field.name, known, field.enum_type.name)
    if field.message_type is not None and _checks(field.message_type):
        return (_all_inside if field.is_repeated else _inside)(field.name, _checks(field.message_type))
    return None


def _one(name: str, known: frozenset[int], kind: str) -> Check:
    def check(message: Any, path: str) -> None:
        number = getattr(message, name)
        if number not in known:
            raise _unknown(number, kind, f"{path}.{name}")

    return check


def _each(name: str, known: frozenset[int], kind: str) -> Check:
    def check(message: Any, path: str) -> None:
        for place, number in enumerate(getattr(message, name)):
            if number not in known:
                raise _unknown(number, kind, f"{path}.{name}[{place}]")

    return check


def _inside(name: str, checks: tuple[Check, ...]) -> Check:
    def check(message: Any, path: str) -> None:
        if message.HasField(name):
            for inner in checks:
                inner(getattr(message, name), f"{path}.{name}")

    return check


def _all_inside(name: str, checks: tuple[Check, ...]) -> Check:
    def check(message: Any, path: str) -> None:
        for place, item in enumerate(getattr(message, name)):
            for inner in checks:
                inner(item, f"{path}.{name}[{place}]")

    return check


def _unknown(number: int, kind: str, place: str) -> Refused:
    return Refused(Reason.MALFORMED, f"{number} is no value of {kind} - at `{place}`")
