"""A game's options from values that people wrote."""

import re
from enum import StrEnum
from typing import Any

import msgspec

from engines.core.engine import AnyEngine
from engines.core.errors import IllegalOptions

_PROBLEM = re.compile(r"(?P<problem>.*) - at `\$\.(?P<name>\w+)`")


def read_options(engine: AnyEngine, values: dict[str, object]) -> Any:
    """The engine's Options with these values.

    Raises IllegalOptions, by the rule of the option, for a value that it does not have, and msgspec.ValidationError
    for the name of no option.
    """
    try:
        return msgspec.convert(values, engine.Options)
    except msgspec.ValidationError as error:
        found = _PROBLEM.fullmatch(str(error))
        if found is None:
            raise
        name = found["name"]
        kind = next(field.type for field in msgspec.structs.fields(engine.Options) if field.name == name)
        known = f"one of {', '.join(kind)}, not {values[name]!r}" if _is_choice(kind) else found["problem"]
        raise IllegalOptions(engine.Options.defined_by[name], f"{name}: {known}") from error


def _is_choice(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, StrEnum)
