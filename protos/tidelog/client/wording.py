"""Sentences as texts: catalogues hold ICU messages of `{name}` and `{name, plural, one {# tile} other {# tiles}}`."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

FALLBACK = "en"
_SITS_DOWN = "match.seat_claimed"

Catalogue = Mapping[str, str]

_ARGUMENT = re.compile(r"\{(\w+)(?:, plural,((?: ?\w+ \{[^{}]*\})+) ?)?\}")
_FORM = re.compile(r"(\w+) \{([^{}]*)\}")


class Wording:
    """Puts the sentences of one match into words of the language, where that has none into English, else its key.

    `catalogues` are those of the match's game by language, `names` those who sit at its table by seat; who sits down
    while it is told is known from then on.
    """

    def __init__(
        self, language: str, catalogues: Mapping[str, Catalogue], names: Mapping[int, str] | None = None
    ) -> None:
        wanted = dict.fromkeys((language, FALLBACK))
        self._catalogues = [(each, catalogues[each]) for each in wanted if each in catalogues]
        self._names = dict(names or {})

    def say(self, sentence: Mapping[str, Any]) -> str:
        """A sentence as the API tells it: `key`, and where there are any `args` and `text`."""
        key: str = sentence["key"]
        args = sentence.get("args", {})
        if key.startswith(_SITS_DOWN) and "name" in args:
            self._names[args["number"]] = args["name"]
        for language, catalogue in self._catalogues:
            if key in catalogue:
                return self._filled(language, catalogue[key], args)
        called: str = sentence.get("text", "")
        return called or key

    def _filled(self, language: str, text: str, args: Mapping[str, Any]) -> str:
        def shown(found: re.Match[str]) -> str:
            name, forms = found.groups()
            if name not in args:
                return found[0]
            if forms is None:
                return self._shown(args[name])
            texts: dict[str, str] = dict(_FORM.findall(forms))
            return texts.get(_category(language)(args[name]), texts["other"]).replace("#", str(args[name]))

        return _ARGUMENT.sub(shown, text)

    def _shown(self, value: Any) -> str:
        if isinstance(value, list | tuple):
            return ", ".join(map(self._shown, value))
        if not isinstance(value, Mapping):
            return str(value)
        if "seat" not in value:
            return self.say(value)
        seat: int = value["seat"]
        return self._names.get(seat) or self.say({"key": "place", "args": {"number": seat}})


@cache
def _category(language: str) -> Any:
    """The plural category of a number in the language (CLDR)."""
    from babel import Locale

    return Locale.parse(language, sep="-").plural_form
