"""The shapes that moves, events, views and states take, so that one codec serves every game."""

import re
from typing import Any, ClassVar, Self

from msgspec import Struct


def snake_case(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


class Tagged(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag=snake_case):
    """A member of a tagged union (a move, an event): its tag is its name in snake_case, for ever."""


class Plain(Struct, frozen=True, forbid_unknown_fields=True):
    """A struct that stands inside others, or a root that is no union (options, a view)."""


class GameOptions(Plain, frozen=True):
    """What every game's options have: `defined_by` names the rule of each."""

    defined_by: ClassVar[dict[str, str]] = {}


class GameState(Struct, kw_only=True):
    """What every game's state has. It is mutable, owned by its draft, and written by `evolve` alone.

    `catalog` is shared and never serialised. Fields named in `derived` are caches: not serialised,
    and always equal to what `rederive` computes from the others.
    """

    derived: ClassVar[tuple[str, ...]] = ()

    catalog: Any
    rules: int

    def copy(self) -> Self:
        """An independent state; the catalog is shared."""
        raise NotImplementedError

    def rederive(self) -> None:
        """Set every derived field from the stored ones."""
