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


class CompensationReason(StrEnum):
    """`outage`: the platform could not be sure to take the seats' moves."""

    OUTAGE = "outage"


class ExpiryReason(StrEnum):
    """`unstarted`: it waited for its start too long. `idle`: nobody has moved for 90 days, and no clock ran."""

    UNSTARTED = "unstarted"
    IDLE = "idle"


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
    """By its player; without an acting seat, by the clock: it was held until a time that has come."""

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


class TimedOut(Tagged, frozen=True):
    """The seat's clock ran out on the decision that stands; it is vacant from here on, and ranks last.

    By the match's absence policy the match ends with it, a bot is seated next, or autopilot plays the seat. It happens
    twice where that bot's time runs out too: autopilot plays from there on.
    """

    seat: int
    decision: int


class BotSeated(Tagged, frozen=True):
    """The platform's `player` stands in for the vacant seat to the end, with a clock as at the beginning."""

    seat: int
    player: str


class TimeCompensated(Tagged, frozen=True):
    """Every clock that runs gets back what it ran between the two times (ms since 1970), each moment at most once."""

    since: int
    until: int
    reason: CompensationReason


class Expired(Tagged, frozen=True):
    """The match ended without a result because nobody went on with it."""

    reason: ExpiryReason


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
    | TimedOut
    | BotSeated
    | TimeCompensated
    | Expired
)
