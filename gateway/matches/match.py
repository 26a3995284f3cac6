"""A live match: its fold at the newest version known here, and those who are told what happens."""

import asyncio
from collections.abc import Sequence
from typing import Any

from gateway.callers.rights import is_kept_behind
from gateway.matches import news
from gateway.matches.onlooker import Onlooker
from gateway.matches.situation import Audience, situation
from gateway.matches.telling import Telling
from services.common.refusals import Reason, Refused
from services.eventlog import hashes
from services.eventlog.aggregate import Aggregate
from services.eventlog.entries import Cursor, Entry, header_of
from services.eventlog.lifecycle import Lifecycle, SeatReleased, SecretRevealed
from services.eventlog.terms import Delay, DelayUnit

_GOES_ON = b'"req":null,"req_digest":null}'
"""How the body of every entry of a command but its first ends."""

_LAST = f'"type":"match.{SecretRevealed.__struct_config__.tag}"'.encode()
"""In the header of a log's last entry."""


def is_last(entry: Entry) -> bool:
    """Whether a log ends with it for good."""
    return _LAST in entry.header


def closes(entries: Sequence[Entry], place: int) -> bool:
    """Whether the entry there ends its command, or these entries."""
    return place + 1 == len(entries) or not entries[place + 1].body.endswith(_GOES_ON)


def whole_commands(entries: list[Entry]) -> list[Entry]:
    """Without the last command, which may go on; all of a page that is no longer than one command may be."""
    last = next(place for place in reversed(range(len(entries))) if not place or closes(entries, place - 1))
    return entries[:last] or entries


class LiveMatch:
    """`broken` says why the log can't be folded beyond the version here; None for a sound one.

    `beyond` is the hash of the entry at fault then. `missed` says that the log holds more than is known here. `delay`
    is set where it is not the match as it is. Where spectators wait for the end of a turn, `turn_began` is the version
    with which the turn under way did, 0 before the first; None while it is not known.
    """

    __slots__ = (
        "_audiences",
        "_listeners",
        "_situations",
        "_turns",
        "aggregate",
        "beyond",
        "broken",
        "delay",
        "id",
        "missed",
        "repairing",
        "turn_began",
    )

    def __init__(self, aggregate: Aggregate, broken: Refused | None = None, beyond: bytes = b"") -> None:
        self.id = aggregate.facts.id
        self.aggregate = aggregate
        self.broken = broken
        self.beyond = beyond
        self.missed = False
        self.repairing = False
        self._audiences: dict[Audience, dict[Onlooker, None]] = {}
        self._situations: dict[Audience, bytes] = {}
        self._listeners: set[asyncio.Event] = set()
        self.delay: Delay | None = None
        self.turn_began: int | None = None
        terms = aggregate.facts.terms
        by_turns = terms.spectator_delay is not None and terms.spectator_delay.unit is DelayUnit.TURN
        self._turns = aggregate.engine.turns(aggregate.state) if by_turns else None

    @property
    def version(self) -> int:
        return self.aggregate.facts.version

    @property
    def cursor(self) -> Cursor:
        return self.aggregate.cursor

    @property
    def watched(self) -> bool:
        return bool(self._audiences or self._listeners)

    def take(self, entries: Sequence[Entry], *, of_log: bool = False) -> bool:
        """Folds and tells the entries that follow, whole commands, and passes over those known.

        False where one does not follow: an entry is missing, or the log is another. Those that were read from the log
        behind the version here (`of_log`) are its own, also where it is not chained. Raises BrokenLog.
        """
        facts = self.aggregate.facts
        version, ends = facts.version, bool(entries) and is_last(entries[-1])
        for place, entry in enumerate(entries):
            if entry.version < facts.version:
                continue
            if entry.version == facts.version:
                if entry.hash != facts.hash:
                    return False
                continue
            if not of_log and not self._follows(entry):
                return False
            event = self._fold(entry, closes=closes(entries, place))
            if facts.terms.spectator_delay is not None and isinstance(event, Lifecycle) and not ends:
                self._turn_out_spectators()
        if facts.version > version:
            self._stir()
        return True

    def situation(self, who: Audience) -> bytes:
        """A serialised Situation at the version here, made once for all who ask; a broken match takes no moves."""
        if self.broken is not None:
            who = who._replace(legal=False)
        if who.sentence:
            who = who._replace(sentence=False)
        found = self._situations.get(who)
        if found is None:
            found = self._situations[who] = situation(self.aggregate, who)
        return found

    def admit(self, onlooker: Onlooker) -> None:
        """From here on the onlooker, who has been told everything up to the version here, is told what follows."""
        onlooker.live = self
        self._audiences.setdefault(onlooker.who, {})[onlooker] = None

    def dismiss(self, onlooker: Onlooker) -> None:
        onlookers = self._audiences.get(onlooker.who)
        if onlookers is not None:
            onlookers.pop(onlooker, None)
            if not onlookers:
                del self._audiences[onlooker.who]

    def end_all(self, why: Refused) -> None:
        for onlooker in self._onlookers():
            onlooker.end(Refused(why.reason, why.message, version=why.version, cursor=why.cursor))
        self._stir()

    def listen(self, stir: asyncio.Event) -> None:
        """The event is set whenever there is news, or will be none any more; the match is kept up with."""
        self._listeners.add(stir)

    def ignore(self, stir: asyncio.Event) -> None:
        self._listeners.discard(stir)

    def _stir(self) -> None:
        for stir in self._listeners:
            stir.set()

    def _follows(self, entry: Entry) -> bool:
        return (
            entry.version == self.version + 1
            and hashes.entry(self.aggregate.facts.hash, entry.header, entry.leaf) == entry.hash
        )

    def _fold(self, entry: Entry, *, closes: bool) -> Any:
        body = self.aggregate.apply(entry)
        self._situations.clear()
        if self._turns is not None:
            turns = self.aggregate.engine.turns(self.aggregate.state)
            if turns != self._turns:
                self._turns, self.turn_began = turns, entry.version
        if self._audiences:
            self._tell(entry, body.payload, closes=closes)
        return body.payload

    def _tell(self, entry: Entry, event: Any, *, closes: bool) -> None:
        telling = Telling(self.aggregate, entry, header_of(entry), event)
        for who, onlookers in tuple(self._audiences.items()):
            found = self.situation(who) if closes and who.wants_situations else b""
            piece = news.entry(self.id, who.seat, telling.cursor, telling.to(who), found)
            for onlooker in tuple(onlookers):
                onlooker.tell(piece)
        if isinstance(event, SeatReleased):
            self._turn_out(event.seat)
        if isinstance(event, SecretRevealed):
            for onlooker in self._onlookers():
                onlooker.end()

    def _turn_out(self, seat: int) -> None:
        """A seat given up may be another's next, whose secrets are not for the one who held it."""
        for onlooker in self._onlookers():
            if onlooker.who.seat == seat and not onlooker.caller.admin:
                onlooker.end(Refused(Reason.NOT_YOUR_SEAT, f"seat {seat} is not yours any more"))

    def _turn_out_spectators(self) -> None:
        """Who has no seat any more is told the rest with the spectators' delay."""
        for onlooker in self._onlookers():
            if is_kept_behind(self.aggregate.facts, onlooker.caller):
                onlooker.end(Refused(Reason.NOT_YOUR_SEAT, "you hold no seat any more; spectators are told later"))

    def _onlookers(self) -> list[Onlooker]:
        return [onlooker for onlookers in self._audiences.values() for onlooker in onlookers]
