"""What the platform knows of a match, folded from its log: seats, status, requests and whose decision stands."""

from collections.abc import Callable
from enum import StrEnum
from typing import Any

from msgspec import Struct, field

from engines.core.outcome import Outcome
from services.eventlog import requests
from services.eventlog.entries import Body, Cursor, Header
from services.eventlog.lifecycle import (
    Aborted,
    Created,
    Finished,
    LogAfterEnd,
    Quarantined,
    Released,
    Resigned,
    SeatClaimed,
    SeatReleased,
    SecretRevealed,
    Started,
)
from services.eventlog.terms import USUAL, Terms


class Status(StrEnum):
    OPEN = "open"
    RUNNING = "running"
    FINISHED = "finished"
    ABORTED = "aborted"


OVER = frozenset({Status.FINISHED, Status.ABORTED})


class Seat(Struct):
    """`player` is None while the seat is open; a vacant one was left by its player after the start."""

    player: str | None = None
    name: str = ""
    bot: bool = False
    vacant: bool = False


class Match(Struct):
    """Platform facts at `version`. `id` is the log's; another `created.match` marks an import.

    `decisions` names, per seat, the version that a stale move would have missed: of the latest entry after which the
    seat entered `to_act`, or of the last entry of its own latest command, whichever is greater. `quarantine` stands
    while operators keep the match out of service.
    """

    id: str
    created: Created
    seats: list[Seat]
    decisions: list[int]
    version: int = 0
    hash: bytes = b""
    at: int = 0
    status: Status = Status.OPEN
    owing: tuple[int, ...] = ()
    left: list[int] = field(default_factory=list)
    outcome: Outcome | None = None
    secret: str | None = None
    actor: str = ""
    acting: int | None = None
    requests: dict[str, bytearray] = field(default_factory=dict)
    quarantine: Quarantined | None = None

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

    def holds(self, player: str, seat: int) -> bool:
        """Whether the seat is the player's, and not left by them."""
        held = self.seats[seat]
        return held.player == player and not held.vacant


def new_match(match_id: str, created: Created) -> Match:
    return Match(match_id, created, [Seat() for _ in range(created.seats)], [0] * created.seats)


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
    match.owing = owing
    match.version = header.version
    match.at = header.at


def _note_request(match: Match, header: Header, body: Body[Any]) -> None:
    assert body.req is not None
    assert body.req_digest is not None
    match.actor = _actor(match, header, body.payload)
    match.acting = header.seat
    handled = requests.Handled(bytes.fromhex(body.req_digest), header.version, header.version, header.seat)
    requests.remember(match.requests, match.actor, bytes.fromhex(body.req), handled)


def _actor(match: Match, header: Header, event: object) -> str:
    if isinstance(event, SeatClaimed | SeatReleased):
        return event.player
    if isinstance(event, Quarantined | Released | Aborted) and event.by:
        return event.by
    if header.seat is None:
        return match.created.creator
    return match.seats[header.seat].player or match.created.creator


def _created(match: Match, event: Created) -> None:
    match.created = event


def _seat_claimed(match: Match, event: SeatClaimed) -> None:
    match.seats[event.seat] = Seat(event.player, event.name, event.bot)


def _seat_released(match: Match, event: SeatReleased) -> None:
    match.seats[event.seat] = Seat()


def _started(match: Match, _event: Started) -> None:
    match.status = Status.RUNNING


def _resigned(match: Match, event: Resigned) -> None:
    match.seats[event.seat].vacant = True
    match.left.append(event.seat)


def _finished(match: Match, event: Finished) -> None:
    match.status = Status.FINISHED
    match.outcome = event.outcome


def _aborted(match: Match, _event: Aborted) -> None:
    match.status = Status.ABORTED


def _quarantined(match: Match, event: Quarantined) -> None:
    match.quarantine = event


def _released(match: Match, _event: Released) -> None:
    match.quarantine = None


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
}
