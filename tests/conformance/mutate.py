"""Moves that are nearly right: every field of a move changed a little."""

from enum import Enum

import msgspec
from msgspec import Struct


def mutants(move, words):
    """The move, or a struct in it, with one field changed; `words` are texts that occur as ids. Not all of them fit."""
    for name in move.__struct_fields__:
        for value in changed(getattr(move, name), words):
            yield msgspec.structs.replace(move, **{name: value})


def changed(value, words):
    """Other values for a field; None among them, for those that are optional."""
    return [0, *words] if value is None else [*others_than(value, words), None]


def others_than(value, words):
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


def changed_tuple(value, words):
    if not value:
        return [tuple(words)]
    first, *others = value
    firsts = [(other, *others) for other in changed(first, words)]
    return [(), value[1:], value[::-1], value + value[:1], tuple(words[: len(value)]), *firsts]


def fits(move):
    """Whether the move's fields have their types: others never come past the codec."""
    try:
        return msgspec.convert(msgspec.to_builtins(move), type(move)) == move
    except msgspec.ValidationError:
        return False


def words_of(moves):
    """Every text that stands in the moves."""
    found = {}
    for move in moves:
        for name in move.__struct_fields__:
            value = getattr(move, name)
            for one in value if isinstance(value, tuple) else (value,):
                if isinstance(one, str) and not isinstance(one, Enum):
                    found[one] = None
    return list(found)
