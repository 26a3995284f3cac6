"""The platform's own events, `match.<tag>`: who sits where, how a match begins and ends. Kept for ever."""

from enum import StrEnum

from msgspec import Raw

from engines.core.outcome import Outcome
from engines.core.shapes import Tagged
from services.eventlog.terms import Terms


class LogAfterEnd(StrEnum):
    """Who may read the opened log once the match is over."""

    OPEN = "open"
    CLOSED = "closed"


class AbortReason(StrEnum):
    ALL_LEFT = "all_left"
    ADMIN = "admin"


class Created(Tagged, frozen=True):
    """Always version 1.

    `edition` is the hash of its bytes, `options` the game's Options in canonical JSON, `commitment` is
    H(commit, match, secret) in hex. A log stored under another id than `match` is an import.
    """

    match: str
    game: str
    rules: int
    edition: str
    options: Raw
    seats: int
    creator: str
    commitment: str
    auto_start: bool = True
    log_after_end: LogAfterEnd = LogAfterEnd.OPEN
    terms: Terms | None = None


class SeatClaimed(Tagged, frozen=True):
    """`player` is `<issuer>|<sub>`; `name` is what others are shown; a `bot` is no person.

    `invitation` is the one that was used for it; before the start the seat is held `until` then, in ms since 1970.
    """

    seat: int
    player: str
    name: str = ""
    bot: bool = False
    invitation: str | None = None
    until: int | None = None


class SeatReleased(Tagged, frozen=True):
    seat: int
    player: str


class Started(Tagged, frozen=True):
    """The game's first events follow in the same command."""


class Resigned(Tagged, frozen=True):
    """The seat is vacant from here on: autopilot plays it to the end, and it ranks last."""

    seat: int


class Finished(Tagged, frozen=True):
    """`outcome` is the game's, with vacant seats ranked last in the order of leaving."""

    outcome: Outcome


class Aborted(Tagged, frozen=True):
    """`by` is the operator who ended it and `why` their words to the players; both empty for other reasons."""

    reason: AbortReason
    by: str = ""
    why: str = ""


class Quarantined(Tagged, frozen=True):
    """An operator took the match out of service; `why` is told to the players."""

    by: str
    why: str


class Released(Tagged, frozen=True):
    """An operator put the match back into service."""

    by: str
    why: str


class SecretRevealed(Tagged, frozen=True):
    """The last entry of a match: its secret, 32 bytes in hex; None where the log stays closed."""

    secret: str | None = None


Lifecycle = (
    Created
    | SeatClaimed
    | SeatReleased
    | Started
    | Resigned
    | Finished
    | Aborted
    | SecretRevealed
    | Quarantined
    | Released
)
