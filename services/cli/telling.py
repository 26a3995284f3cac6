"""Entries of an export in words, in the language of whoever reads."""

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from engines.core import games
from engines.core.words import Sentence
from services.cli.errors import UsageError
from services.eventlog import words
from services.eventlog.entries import PLATFORM
from services.eventlog.lifecycle import Lifecycle

if TYPE_CHECKING:
    from tidelog.client import Wording

VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")
"""The first one that is set names the language."""


def chosen(language: str, game: str, environment: Mapping[str, str] = os.environ) -> str:
    """The language asked for, else that of the environment if there is one. Raises UsageError, UnknownGame."""
    there = words.languages_of(game)
    if language and language not in there:
        raise UsageError(f"languages of {game} are {', '.join(there)}, not {language!r}")
    ours = next((environment[name] for name in VARIABLES if environment.get(name)), "")[:2]
    return language or (ours if ours in there else words.FALLBACK)


def wording(game: str, language: str) -> "Wording":
    """Knows who sits where from the entries it says."""
    from tidelog.client.wording import Wording

    return Wording(language, {each: words.catalogue(game, each) for each in (language, words.FALLBACK)})


class Storyteller:
    """The sentences of one log; `edition` is what its match is played with."""

    def __init__(self, game: str, edition: bytes) -> None:
        self._engine = games.engine(game)
        self._catalog = self._engine.catalog(edition)

    def told(self, event: Any) -> Sentence:
        return words.sentence(self._engine, self._catalog, event)

    def read(self, kind: str, payload: bytes) -> Sentence:
        """The sentence of a redacted payload's bytes, whose entry is of that type."""
        root: Any = Lifecycle if kind.startswith(PLATFORM) else self._engine.Event
        return self.told(msgspec.json.decode(payload, type=root))
