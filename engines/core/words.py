"""The log in words: an event as the key of a sentence and its arguments, for catalogues in any language.

An argument is a number, a text that needs no translation (the id of a space), a `Place` at the table (shown as the name
of who sits there), a Sentence of its own (the name of a thing, or a phrase), or a tuple of those, shown as a list.
"""

import re
from collections.abc import Callable, Collection, Mapping
from enum import StrEnum
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct

from engines.core.shapes import snake_case


class Place(Struct, frozen=True):
    """A seat that is named in a sentence."""

    seat: int


class Sentence(Struct, frozen=True, omit_defaults=True):
    """`key` stands in the catalogues `messages/<language>.json`, whose texts take the arguments by name.

    `text` is shown where no catalogue has the key: what a component is called in an edition of somebody else's.
    """

    key: str
    args: dict[str, Any] = {}
    text: str = ""


Tell: TypeAlias = Callable[[Any, Any], Sentence]
"""(catalog, event as its audience is told it): what it says. What is hidden is None there, and so never said."""

Special: TypeAlias = "Callable[[Telling, Any], Any]"


class Teller:
    """Makes sentences from the fields of events, by their names and types alone: a Tell.

    The key is the event's kind and, each after a dot, the names of those of its fields that may be empty (None, False,
    no items, no cards) and are not: `card_stolen` and `card_stolen.card` are two sentences. Of the fields, `places` are
    seats, `things` names of the board or edition, and those in `untold` are left out. A choice (StrEnum) is
    `<its type>.<its value>`; `counts` are structs of numbers, shown as a list of `<type>.<field>` for those above 0;
    another struct is a phrase `<its type>` with its fields. `special` tells values of single types in their own way.
    `prefix` stands before the keys of events, and of nothing else.
    """

    __slots__ = ("counts", "places", "prefix", "special", "things", "untold")

    def __init__(
        self,
        *,
        prefix: str = "",
        places: Collection[str] = ("seat",),
        things: Mapping[str, Special] | None = None,
        counts: Collection[type[Struct]] = (),
        untold: Collection[str] = (),
        special: Mapping[type, Special] | None = None,
    ) -> None:
        self.prefix = prefix
        self.places = frozenset(places)
        self.things = {**_OF_EVERY_GAME, **(things or {})}
        self.counts = tuple(counts)
        self.untold = frozenset(untold)
        self.special = dict(special or {})

    def __call__(self, catalog: Any, event: Struct) -> Sentence:
        said: Sentence = Telling(self, catalog).told("", event)
        return Sentence(self.prefix + said.key, said.args, said.text)


class Telling:
    """The telling of one event; `catalog` is what its match is played with."""

    __slots__ = ("_by", "catalog")

    def __init__(self, by: Teller, catalog: Any) -> None:
        self._by = by
        self.catalog = catalog

    def told(self, name: str, value: Any) -> Any:
        """A value of a field of that name as an argument; None and truths are none, and stay."""
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, tuple):
            return tuple(self.told(name, item) for item in value)
        own = self._by.things.get(name) if isinstance(value, str) else None
        own = own or self._by.special.get(type(value))
        return self._plain(name, value) if own is None else own(self, value)

    def _plain(self, name: str, value: Any) -> Any:
        if isinstance(value, StrEnum):
            return name_of(snake_case(type(value).__name__), value)
        if isinstance(value, int):
            return Place(value) if name in self._by.places else value
        if isinstance(value, str):
            return value
        return _counted(value) if isinstance(value, self._by.counts) else self.phrase(value)

    def phrase(self, value: Struct, **more: Any) -> Sentence:
        """The sentence of a struct by its fields; `more` are arguments beside, or in place of a field's."""
        key, args = [snake_case(type(value).__name__)], {}
        for field in msgspec.structs.fields(type(value)):
            name = field.name
            if name in self._by.untold:
                continue
            found = getattr(value, name)
            shown = self.told(name, found)
            if _may_be_empty(field, self._by.counts):
                if shown is None or shown is False or shown == ():
                    continue
                key.append(name)
            if shown is not True:
                args[name] = shown
        return Sentence(".".join(key), args | more)


def name_of(of: str, value: str) -> Sentence:
    """The name of a thing of the game."""
    return Sentence(f"{of}.{value}")


def titled(of: str, text: str) -> Sentence:
    """The name of a thing that its edition calls `text`: a catalogue has it under these words."""
    words = re.findall(r"[a-z0-9]+", text.lower().replace("'", ""))
    return Sentence(f"{of}.{'_'.join(words)}", text=text)


def _counted(counts: Struct) -> tuple[Sentence, ...]:
    of = snake_case(type(counts).__name__)
    found = ((name, getattr(counts, name)) for name in counts.__struct_fields__)
    return tuple(Sentence(f"{of}.{name}", {"count": count}) for name, count in found if count)


_OF_EVERY_GAME: dict[str, Special] = {
    "category": lambda _, value: name_of("category", value),
    "tie_breaks": lambda _, value: name_of("tie_break", value),
}
"""The names in an Outcome."""


def _may_be_empty(field: msgspec.structs.FieldInfo, counts: tuple[type[Struct], ...]) -> bool:
    kind = field.type
    return kind is bool or field.default is None or kind in counts or getattr(kind, "__origin__", None) is tuple
