"""What the platform knows of a match, folded from its log: seats, status, requests and whose decision stands."""

from collections.abc import Callable
from enum import StrEnum
from typing import Any

from msgspec import Struct, field

from engines.core.outcome import Outcome
from services.eventlog import clocks, requests
from services.eventlog.clocks import SeatClock
from services.eventlog.entries import PLATFORM, Body, Cursor, Header
from services.eventlog.lifecycle import (
    Aborted,
    BotSeated,
    Created,
    Expired,
    Finished,
    LogAfterEnd,
    Quarantined,
    Released,
    Resigned,
    SeatClaimed,
    SeatReleased,
    SecretRevealed,
    Started,
    TimeCompensated,
    TimedOut,
)
from services.eventlog.terms import USUAL, Terms


class Status(StrEnum):
    OPEN = "open"
    RUNNING = "running"
    FINISHED = "finished"
    ABORTED = "aborted"
    EXPIRED = "expired"


OVER = frozenset({Status.FINISHED, Status.ABORTED, Status.EXPIRED})


class Seat(Struct):
    """`player` is None while the seat is open. A vacant one was left by its player after the start, or `out_of_time`.

    A `stand_in` plays a vacant seat, else autopilot does. Before the start the seat is held `until` then.
    """

    player: str | None = None
    name: str = ""
    bot: bool = False
    vacant: bool = False
    until: int | None = None
    out_of_time: bool = False
    stand_in: str | None = None

    @property
    def players(self) -> set[str]:
        """Whose seat it is, and who stands in."""
        return {player for player in (self.player, self.stand_in) if player is not None}

    @property
    def played_by(self) -> str | None:
        """Who may move for the seat; None where autopilot does, or nobody holds it."""
        return self.stand_in if self.vacant else self.player


class Match(Struct):
    """Platform facts at `version`. `id` is the log's; another `created.match` marks an import.

    `decisions` names, per seat, the version that a stale move would have missed: of the latest entry after which the
    seat entered `to_act`, or of the last entry of its own latest command, whichever is greater. `quarantine` stands
    while operators keep the match out of service: no clock runs then.

    There are `clocks` where the terms have one: what outages took, up to `compensated`, was given back. `born` is the
    first entry's time. `used` are the invitations that seats were claimed with, `guests` those who gave up a seat of a
    private match before its start.
    """

    id: str
    created: Created
    seats: list[Seat]
    decisions: list[int]
    version: int = 0
    hash: bytes = b""
    at: int = 0
    born: int = 0
    status: Status = Status.OPEN
    owing: tuple[int, ...] = ()
    left: list[int] = field(default_factory=list)
    outcome: Outcome | None = None
    secret: str | None = None
    actor: str = ""
    acting: int | None = None
    requests: dict[str, bytearray] = field(default_factory=dict)
    quarantine: Quarantined | None = None
    clocks: list[SeatClock] = field(default_factory=list)
    compensated: int = 0
    used: list[str] = field(default_factory=list)
    guests: list[str] = field(default_factory=list)

    @property
    def cursor(self) -> Cursor:
        return Cursor(self.version, self.hash[:8].hex())

    @property
    def imported(self) -> bool:
        return self.id != self.created.match

    @property
    def terms(self) -> Terms:
        return self.created.terms or USUAL

    @property
    def over(self) -> bool:
        return self.status in OVER

    @property
    def opened(self) -> bool:
        """Whether everybody may read the whole log."""
        return self.secret is not None and self.created.log_after_end is LogAfterEnd.OPEN

    def reserved_for(self, seat: int) -> str:
        """Who alone may claim the seat; "" for anyone."""
        reserved = self.terms.reserved
        return reserved[seat] if seat < len(reserved) else ""

    def holds(self, player: str, seat: int) -> bool:
        """Whether the player may move for the seat."""
        return self.seats[seat].played_by == player


def new_match(match_id: str, created: Created) -> Match:
    seats = range(created.seats)
    match = Match(match_id, created, [Seat() for _ in seats], [0] * created.seats)
    if match.terms.clock is not None:
        match.clocks = [SeatClock(clocks.whole(match.terms.clock)) for _ in seats]
    return match


def note(match: Match, header: Header, body: Body[Any], owing: tuple[int, ...]) -> None:
    """Folds one entry into the facts; `owing` is the game's `to_act` after it."""
    apply = EVOLVE.get(type(body.payload))
    if body.req is not None:
        _note_request(match, header, body)
    elif match.actor:
        requests.extend(match.requests, match.actor, header.version)
    if apply is not None:
        apply(match, body.payload)
    if match.over:
        owing = ()
    for seat in owing:
        if seat not in match.owing:
            match.decisions[seat] = header.version
    if match.acting is not None:
        match.decisions[match.acting] = header.version
    if match.clocks:
        _pass_time(match, header, body, owing)
    match.owing = owing
    match.version = header.version
    match.at = header.at
    match.born = match.born or header.at


def _pass_time(match: Match, header: Header, body: Body[Any], owing: tuple[int, ...]) -> None:
    assert match.terms.clock is not None
    decided = None if body.req is None or header.type.startswith(PLATFORM) else header.seat
    served = match.quarantine is None
    played = [seat for seat in owing if served and match.seats[seat].played_by is not None]
    clocks.pass_on(match.clocks, match.terms.clock, header.at, played, decided)


def _note_request(match: Match, header: Header, body: Body[Any]) -> None:
    assert body.req is not None
    assert body.req_digest is not None
    match.actor = _actor(match, header, body.payload)
    match.acting = header.seat
    handled = requests.Handled(bytes.fromhex(body.req_digest), header.version, header.version, header.seat)
    requests.remember(match.requests, match.actor, bytes.fromhex(body.req), handled)


def _actor(match: Match, header: Header, event: object) -> str:
    """Whose request it was; the clock's commands have no acting seat."""
    if header.seat is not None and not header.type.startswith(PLATFORM):
        return match.seats[header.seat].played_by or match.created.creator
    of_clock = isinstance(event, SeatReleased) and header.seat is None
    if of_clock or isinstance(event, TimedOut | TimeCompensated | Expired):
        return requests.CLOCK
    if isinstance(event, SeatClaimed | SeatReleased):
        return event.player
    if isinstance(event, Quarantined | Released | Aborted) and event.by:
        return event.by
    if header.seat is None:
        return match.created.creator
    return match.seats[header.seat].played_by or match.created.creator


def _created(match: Match, event: Created) -> None:
    match.created = event


def _seat_claimed(match: Match, event: SeatClaimed) -> None:
    match.seats[event.seat] = Seat(event.player, event.name, event.bot, until=event.until)
    if event.invitation is not None:
        match.used.append(event.invitation)


def _seat_released(match: Match, event: SeatReleased) -> None:
    match.seats[event.seat] = Seat()
    if match.terms.private and event.player not in match.guests:
        match.guests.append(event.player)


def _started(match: Match, _event: Started) -> None:
    match.status = Status.RUNNING


def _resigned(match: Match, event: Resigned) -> None:
    _vacate(match, event.seat)


def _vacate(match: Match, number: int) -> None:
    """Whoever played the seat does not any more; it left when it was vacated first."""
    seat = match.seats[number]
    if not seat.vacant:
        seat.vacant = True
        match.left.append(number)
    seat.stand_in = None


def _timed_out(match: Match, event: TimedOut) -> None:
    seat = match.seats[event.seat]
    seat.out_of_time = seat.out_of_time or not seat.vacant
    _vacate(match, event.seat)
    match.clocks[event.seat] = SeatClock(0)


def _bot_seated(match: Match, event: BotSeated) -> None:
    assert match.terms.clock is not None
    match.seats[event.seat].stand_in = event.player
    match.clocks[event.seat] = SeatClock(clocks.whole(match.terms.clock))


def _time_compensated(match: Match, event: TimeCompensated) -> None:
    clocks.compensate(match.clocks, max(event.since, match.compensated), event.until)
    match.compensated = max(match.compensated, event.until)


def _finished(match: Match, event: Finished) -> None:
    match.status = Status.FINISHED
    match.outcome = event.outcome


def _aborted(match: Match, _event: Aborted) -> None:
    match.status = Status.ABORTED


def _quarantined(match: Match, event: Quarantined) -> None:
    match.quarantine = event


def _released(match: Match, _event: Released) -> None:
    match.quarantine = None


def _expired(match: Match, _event: Expired) -> None:
    match.status = Status.EXPIRED


def _secret_revealed(match: Match, event: SecretRevealed) -> None:
    match.secret = event.secret


EVOLVE: dict[type, Callable[[Match, Any], None]] = {
    Created: _created,
    SeatClaimed: _seat_claimed,
    SeatReleased: _seat_released,
    Started: _started,
    Resigned: _resigned,
    Finished: _finished,
    Aborted: _aborted,
    SecretRevealed: _secret_revealed,
    Quarantined: _quarantined,
    Released: _released,
    TimedOut: _timed_out,
    BotSeated: _bot_seated,
    TimeCompensated: _time_compensated,
    Expired: _expired,
}
