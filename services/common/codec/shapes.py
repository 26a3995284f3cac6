"""What the structs of options, moves, events and views are made of: the portable types, and nothing else."""

from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin

import msgspec
from msgspec import Raw, Struct

PLAIN: tuple[type, ...] = (bool, int, str)


class NotPortable(TypeError):  # noqa: N818 - says what the type is
    """A type that has no one form in every language."""


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a struct. `kind` is bool, int, str, Raw, a StrEnum or a Struct; `many` a tuple of it."""

    name: str
    kind: Any
    many: bool
    nullable: bool
    required: bool
    default: Any

    @property
    def is_enum(self) -> bool:
        return issubclass(self.kind, StrEnum)

    @property
    def is_struct(self) -> bool:
        return issubclass(self.kind, Struct)


@cache
def fields(struct: type[Struct]) -> tuple[Field, ...]:
    """The fields in their order; raises NotPortable."""
    return tuple(_field(struct, info) for info in msgspec.structs.fields(struct))


def _field(struct: type[Struct], info: msgspec.structs.FieldInfo) -> Field:
    where = f"{struct.__name__}.{info.name}"
    kind, nullable = _without_none(info.type, where)
    many = get_origin(kind) is tuple
    if many:
        kind = _item(kind, where)
    if not isinstance(kind, type) or not (kind in (*PLAIN, Raw) or issubclass(kind, (StrEnum, Struct))):
        raise NotPortable(f"{where} is {info.type}, which is no portable type")
    default = None if info.required else _default(info)
    if nullable and (many or info.required or default is not None):
        raise NotPortable(f"{where} may be None, so it is no tuple and None is its default")
    if many and default not in (None, ()):
        raise NotPortable(f"{where} has a default that an empty list can't be told from")
    return Field(info.name, kind, many, nullable, info.required, default)


def _without_none(kind: Any, where: str) -> tuple[Any, bool]:
    if get_origin(kind) not in (Union, UnionType):
        return kind, False
    others = [member for member in get_args(kind) if member is not NoneType]
    if len(others) != 1:
        raise NotPortable(f"{where} is a union of several types")
    return others[0], True


def _item(kind: Any, where: str) -> Any:
    match get_args(kind):
        case (item, end) if end is Ellipsis and get_origin(item) is None:
            return item
    raise NotPortable(f"{where} is {kind}; a tuple is of one type, of any length and of no tuples")


def _default(info: msgspec.structs.FieldInfo) -> Any:
    if info.default is not msgspec.NODEFAULT:
        return info.default
    return info.default_factory()


def members(root: Any) -> dict[str, type[Struct]] | None:
    """Tag -> struct of a tagged union, in its order; None for a root that is one plain struct."""
    structs = get_args(root) if get_origin(root) in (Union, UnionType) else (root,)
    tags = {struct.__struct_config__.tag: struct for struct in structs}
    return None if None in tags else tags
