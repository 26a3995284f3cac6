"""Moves that are nearly right: every field of a move changed a little."""

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from typing import Any

import msgspec
from msgspec import Struct


def mutants(move: Any, words: Sequence[str]) -> Iterator[Any]:
    """The move, or a struct in it, with one field changed; `words` are texts that occur as ids. Not all of them fit."""
    for name in move.__struct_fields__:
        for value in changed(getattr(move, name), words):
            yield msgspec.structs.replace(move, **{name: value})


def changed(value: Any, words: Sequence[str]) -> list[Any]:
    """Other values for a field; None among them, for those that are optional."""
    return [0, *words] if value is None else [*others_than(value, words), None]


def others_than(value: Any, words: Sequence[str]) -> list[Any]:
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, value - 1, -1, 2**53 - 1, -(2**53 - 1)]
    if isinstance(value, Enum):
        return [other for other in type(value) if other is not value]
    if isinstance(value, str):
        return ["", "nowhere", *words]
    if isinstance(value, Struct):
        return list(mutants(value, words))
    return changed_tuple(value, words)


def changed_tuple(value: tuple[Any, ...], words: Sequence[str]) -> list[Any]:
    if not value:
        return [tuple(words)]
    first, *others = value
    firsts = [(other, *others) for other in changed(first, words)]
    return [(), value[1:], value[::-1], value + value[:1], tuple(words[: len(value)]), *firsts]


def fits(move: Any) -> bool:
    """Whether the move's fields have their types: others never come past the codec."""
    try:
        return bool(msgspec.convert(msgspec.to_builtins(move), type(move)) == move)
    except msgspec.ValidationError:
        return False


def words_of(moves: Iterable[Any]) -> list[str]:
    """Every text that stands in the moves."""
    found: dict[str, None] = {}
    for move in moves:
        for name in move.__struct_fields__:
            value = getattr(move, name)
            for one in value if isinstance(value, tuple) else (value,):
                if isinstance(one, str) and not isinstance(one, Enum):
                    found[one] = None
    return list(found)
