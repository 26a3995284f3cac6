"""What may be asked of a match. A command is judged by `deciding`, against the fold of the whole log."""

from functools import cached_property
from typing import Any

from msgspec import Struct

from services.eventlog import canonical, hashes
from services.eventlog.lifecycle import LogAfterEnd
from services.eventlog.outages import Outage
from services.eventlog.terms import Terms


class BotSeat(Struct, frozen=True):
    """A seat that the creator gives to a bot: its player, and the name that others are shown."""

    seat: int
    player: str
    name: str


class Create(Struct, frozen=True):
    """`options` is the game's Options struct, `edition` the hash of the bytes given beside the command."""

    game: str
    options: Any
    seats: int
    edition: str
    auto_start: bool = True
    log_after_end: LogAfterEnd = LogAfterEnd.OPEN
    own_seat: int | None = None
    name: str = ""
    bots: tuple[BotSeat, ...] = ()
    terms: Terms | None = None


class Claim(Struct, frozen=True):
    """`seat` None takes the first open one."""

    seat: int | None = None
    name: str = ""
    bot: bool = False
    invitation: str | None = None
    until: int | None = None


class Start(Struct, frozen=True):
    pass


class Leave(Struct, frozen=True):
    """Before the start the seat is released, after it resigned."""

    seat: int


class Withdraw(Struct, frozen=True):
    """The seat is released; refused once the match has started."""

    seat: int


class Submit(Struct, frozen=True):
    """`move` is the game's Move struct; `decision` and `expected_version` guard against acting on an old view."""

    seat: int
    move: Any
    decision: int | None = None
    expected_version: int | None = None


class Abort(Struct, frozen=True):
    """For admins; `why` is told to the players."""

    why: str


class Quarantine(Struct, frozen=True):
    """For admins: until it is released the match takes no other commands than theirs."""

    why: str


class Release(Struct, frozen=True):
    """For admins."""

    why: str


class Expire(Struct, frozen=True):
    """What time alone has brought about, of a match that stands at `version`: the host knows what, and of `outages`."""

    version: int
    outages: tuple[Outage, ...] = ()


Operation = Abort | Quarantine | Release
Command = Create | Claim | Start | Leave | Withdraw | Submit | Expire | Operation


class Order(Struct, frozen=True, dict=True):
    """A command as it reaches a match: who asks (authenticated), under which request id, with which standing."""

    player: str
    request_id: str
    command: Command
    admin: bool = False

    @cached_property
    def key(self) -> bytes:
        return hashes.request_key(self.player, self.request_id)

    @cached_property
    def digest(self) -> bytes:
        """8 bytes that tell this command's body from any other's (log_format, req_digest)."""
        command = self.command
        if isinstance(command, Submit):
            body = _body("submit", command.move, command.decision, command.expected_version)
        elif isinstance(command, Expire):
            body = _body("expire", None, None, command.version)
        else:
            body = _body(type(command).__name__.lower(), command)
        return hashes.request_digest(canonical.encode(body))

    @property
    def seat(self) -> int | None:
        """The seat that the command names, if it names one."""
        return self.command.seat if isinstance(self.command, Claim | Leave | Withdraw | Submit) else None


def _body(kind: str, move: object, decision: int | None = None, expected: int | None = None) -> dict[str, object]:
    return {"kind": kind, "move": move, "decision": decision, "expected_version": expected}
