"""Which matches and entries a WatchLog is asked to tell."""

import re
from hashlib import sha256

import msgspec
from msgspec import Struct

from services.common.refusals import Reason, Refused
from services.eventlog.entries import BrokenLog, Entry, header_of
from services.eventlog.match import Match
from tidelog.v1 import logs_pb2

MOST = 200
_TYPE = re.compile(r"[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*")


class LogFilter(Struct, frozen=True):
    """What is set must all hold."""

    game: str = ""
    types: frozenset[str] = frozenset()
    matches: frozenset[str] = frozenset()
    players: frozenset[str] = frozenset()

    @classmethod
    def of(cls, asked: logs_pb2.LogFilter) -> "LogFilter":
        """Raises Refused; whether its game is served here, the caller has asked."""
        for name in ("types", "matches", "players"):
            values = getattr(asked, name)
            if len(values) > MOST:
                raise Refused(Reason.TOO_LARGE, f"a filter names at most {MOST} - at `$.filter.{name}`")
            if not all(values):
                raise Refused(Reason.MALFORMED, f"an empty text fits nothing - at `$.filter.{name}`")
        for place, kind in enumerate(asked.types):
            if not _TYPE.fullmatch(kind):
                message = f"{kind[:40]!r} is no type; one looks like match.started - at `$.filter.types[{place}]`"
                raise Refused(Reason.MALFORMED, message)
        return cls(asked.game, frozenset(asked.types), frozenset(asked.matches), frozenset(asked.players))

    @property
    def digest(self) -> bytes:
        """What tells the filter from every other."""
        parts = (self.game, *(sorted(each) for each in (self.types, self.matches, self.players)))
        return sha256(msgspec.msgpack.encode(parts)).digest()

    def names(self, match_id: str) -> bool:
        return not self.matches or match_id in self.matches

    def takes(self, entry: Entry) -> bool:
        if not self.types:
            return True
        try:
            return header_of(entry).type in self.types
        except BrokenLog:
            return False

    def passes(self, facts: Match) -> bool:
        """Whether one of the players sits in the match."""
        return not self.players or any(seat.player in self.players for seat in facts.seats)
