"""Moves that are nearly right: every field of a move changed a little."""

from enum import Enum

import msgspec


def mutants(move, words):
    """The move with one field changed; `words` are texts that occur as ids."""
    for name in move.__struct_fields__:
        for value in changed(getattr(move, name), words):
            yield msgspec.structs.replace(move, **{name: value})


def changed(value, words):
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, value - 1, -1, 2**53 - 1, -(2**53 - 1)]
    if isinstance(value, Enum):
        return [other for other in type(value) if other is not value]
    if isinstance(value, str):
        return ["", "nowhere", *words]
    if isinstance(value, tuple):
        return [(), value[1:], value[::-1], value + value[:1], tuple(words[: len(value)])] if value else [tuple(words)]
    return []


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
