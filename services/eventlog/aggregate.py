"""A match as its log folds: the platform's facts beside the game's state."""

from collections.abc import Iterable
from typing import Any

import msgspec

from engines.core import games
from engines.core.engine import AnyEngine
from engines.core.errors import InvalidEdition, RuleError
from services.common import faults
from services.eventlog import canonical
from services.eventlog.entries import PLATFORM, Body, BrokenLog, Cursor, Entry, body_of, header_of
from services.eventlog.lifecycle import Created, Lifecycle, LogAfterEnd, SecretRevealed
from services.eventlog.match import Match, new_match, note


class Aggregate:
    """The fold of one match's log up to `facts.version`. The state is the game's, before any game event at first."""

    __slots__ = ("catalog", "engine", "facts", "state")

    def __init__(self, engine: AnyEngine, catalog: object, facts: Match, state: Any) -> None:
        self.engine = engine
        self.catalog = catalog
        self.facts = facts
        self.state = state

    @classmethod
    def born(cls, match_id: str, created: Created, edition: bytes) -> "Aggregate":
        """The match before its first entry. Raises UnknownGame, InvalidEdition, IllegalOptions, msgspec.DecodeError."""
        engine = games.engine(created.game)
        catalog, options = engine.catalog(edition), msgspec.json.decode(created.options, type=engine.Options)
        state = engine.initial(catalog, options, created.seats, created.rules)
        return cls(engine, catalog, new_match(match_id, created), state)

    @classmethod
    def recorded(cls, match_id: str, created: Created, edition: bytes) -> "Aggregate":
        """The same for a match whose log exists: BrokenLog where it names what this code can't serve."""
        try:
            return cls.born(match_id, created, edition)
        except (games.UnknownGame, InvalidEdition, RuleError, *canonical.UNDECODABLE) as error:
            raise BrokenLog(1, str(error)) from error

    @property
    def cursor(self) -> Cursor:
        return self.facts.cursor

    def apply(self, entry: Entry) -> Body[Any]:
        """Folds the entry that follows; its body, decoded. Raises BrokenLog and is worth nothing after it."""
        header = header_of(entry)
        if entry.version != self.facts.version + 1 or header.version != entry.version:
            raise BrokenLog(entry.version, f"it does not follow version {self.facts.version}")
        body = body_of(self.engine, header, entry.body)
        try:
            if header.type.startswith(PLATFORM):
                note(self.facts, header, body, self.facts.owing)
            else:
                self.engine.evolve(self.state, body.payload)
                note(self.facts, header, body, self.engine.to_act(self.state))
        except Exception as error:  # a fold is total on recorded events; whatever it raises, the entry is at fault
            raise BrokenLog(entry.version, f"it does not fold: {faults.place(error)}") from error
        self.facts.hash = entry.hash
        return body

    def apply_all(self, entries: Iterable[Entry]) -> "Aggregate":
        for entry in entries:
            self.apply(entry)
        return self


def created_of(entry: Entry) -> Created:
    """What version 1 of a log says of its match. Raises BrokenLog."""
    payload = body_of(None, header_of(entry), entry.body).payload if _is_first(entry) else None
    if not isinstance(payload, Created):
        raise BrokenLog(entry.version, "a log begins with match.created")
    return payload


def _is_first(entry: Entry) -> bool:
    return entry.version == 1 and header_of(entry).type == f"{PLATFORM}created"


def told(engine: AnyEngine, facts: Match, event: Any, seat: int | None, *, admin: bool = False) -> Any:
    """The event as the seat (None: a spectator) is told it; the whole of it once the log is open."""
    if isinstance(event, SecretRevealed):
        closed = facts.created.log_after_end is LogAfterEnd.CLOSED
        return SecretRevealed() if closed and not admin else event
    if isinstance(event, Lifecycle) or facts.opened:
        return event
    return engine.redact(event, seat)
