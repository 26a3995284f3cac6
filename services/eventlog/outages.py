"""When the platform was away: known from the beats that a gateway's clock makes engine hosts leave in the store."""

from msgspec import Struct

BEAT_EVERY_S = 2.0
OUTAGE_MS = 5000
"""So long without a beat of a game is an outage of it: nobody could be sure to get a move through."""

REMEMBERED = 1000
"""Outages of a game that the store keeps, the latest; no clock runs for as long as those take."""


class Outage(Struct, frozen=True, array_like=True):
    """From the last beat before to the first one after, in store time (ms since 1970)."""

    since: int
    until: int


class Beats(Struct, frozen=True):
    """`last` is 0 before the first one. What is not in `outages` by `last` + OUTAGE_MS was no outage by then."""

    last: int = 0
    outages: tuple[Outage, ...] = ()

    def known_at(self, at: int) -> bool:
        """Whether no outage can have ended by then that is not among these."""
        return at <= self.last + OUTAGE_MS

    def with_beat(self, at: int) -> "Beats":
        """Those after a beat at that time; one that comes late changes nothing."""
        if at <= self.last:
            return self
        missed = self.last and at > self.last + OUTAGE_MS
        outages = (*self.outages, Outage(self.last, at)) if missed else self.outages
        return Beats(at, outages[-REMEMBERED:])
