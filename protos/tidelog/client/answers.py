"""What the client's calls answer: plain values."""

from typing import Any

from msgspec import Struct

from tidelog.client.refused import Refused
from tidelog.client.terms import Delay, Terms


class Receipt(Struct, frozen=True):
    """What became of a command: its entries are those from `first_version` to `last_version`."""

    match_id: str
    cursor: str
    first_version: int
    last_version: int
    duplicate: bool


class Seat(Struct, frozen=True):
    """`player` is empty while the seat is free. A vacant one was left after the start: `stand_in` plays it, if any."""

    seat: int
    player: str
    name: str
    bot: bool
    vacant: bool
    stand_in: str = ""


class SeatClock(Struct, frozen=True):
    """`left_ms` at the time of the entry at the answer's cursor; `deadline_ms` is None while the clock stands."""

    seat: int
    left_ms: int
    deadline_ms: int | None


class Standing(Struct, frozen=True):
    seat: int
    place: int
    points: int
    scores: dict[str, int]


class Match(Struct, frozen=True):
    """The platform's facts at `cursor`. `status`: open, running, finished (with a ranking), aborted or expired."""

    match_id: str
    game: str
    status: str
    seats: tuple[Seat, ...]
    cursor: str
    version: int
    rules: int
    edition: str
    creator: str
    auto_start: bool
    imported: bool
    created_at_ms: int
    changed_at_ms: int
    ranking: tuple[Standing, ...]
    tie_breaks: tuple[str, ...]
    terms: Terms


class Turn(Struct, frozen=True):
    """A seat that has something to decide; the match waits for it if `owed`."""

    seat: int
    decision: int
    owed: bool


class MatchDetails(Struct, frozen=True):
    """`delay` says by how much the caller is kept behind the match: all here is as of its cursor."""

    match: Match
    options: Any
    turns: tuple[Turn, ...]
    clocks: tuple[SeatClock, ...] = ()
    delay: Delay | None = None


class LegalMoves(Struct, frozen=True):
    """`families` names those with more moves than are listed."""

    moves: tuple[Any, ...]
    families: tuple[str, ...]


class Situation(Struct, frozen=True):
    """A match as one audience finds it at `cursor`: what was asked to be included; the rest is None."""

    cursor: str
    view: Any = None
    legal: LegalMoves | None = None
    decision: int | None = None
    clocks: tuple[SeatClock, ...] = ()


class View(Struct, frozen=True):
    """`delay` as in MatchDetails."""

    cursor: str
    version: int
    view: Any
    delay: Delay | None = None


class Scored(Struct, frozen=True):
    """How a match stood after the entry of this version: how many turns had begun, and `scores` by seat.

    `goes_on`: the entry's command goes on behind it. `scores` is empty where the game counts nothing on its way.
    """

    version: int
    turn: int
    scores: tuple[int, ...]
    goes_on: bool


class Accepted(Struct, frozen=True):
    """A move that stands in the log."""

    receipt: Receipt
    situation: Situation | None


class Entry(Struct, frozen=True):
    """One entry as its audience is told it; `situation` stands after the last of a command, if asked for.

    `sentence`, if asked for, is what a Wording says.
    """

    cursor: str
    version: int
    at_ms: int
    seat: int | None
    type: str
    event: Any
    situation: Situation | None
    sentence: dict[str, Any] | None = None


class CaughtUp(Struct, frozen=True):
    """What follows is live, or comes so much late; after a broken connection it comes again."""

    cursor: str
    situation: Situation | None
    delay: Delay | None = None


class Checkpoint(Struct, frozen=True):
    cursor: str


class End(Struct, frozen=True):
    """Nothing more will be told: the match is over, or `refused` says why."""

    cursor: str
    refused: Refused | None


Update = Entry | CaughtUp | Checkpoint | End


class StoredEntry(Struct, frozen=True):
    """The log's own bytes: `body` for an audience that may see all, else the redacted `payload`."""

    cursor: str
    header: bytes
    leaf: bytes
    body: bytes | None
    payload: bytes | None


class Game(Struct, frozen=True):
    """`unofficial_seats` are numbers of seats that can be played though the printed rules do not foresee them."""

    name: str
    title: str
    least_seats: int
    most_seats: int
    unofficial_seats: tuple[int, ...] = ()


class GameDetails(Struct, frozen=True):
    """`editions` maps names to hashes; the schemas are JSON Schema, decoded."""

    game: Game
    rules: tuple[int, ...]
    editions: dict[str, str]
    default_edition: str
    policies: tuple[str, ...]
    schemas: dict[str, Any]
    proto_package: str


class Messages(Struct, frozen=True):
    """A game's texts in `language`, by key; `languages` are all that there are."""

    language: str
    languages: tuple[str, ...]
    texts: dict[str, str]


class Guest(Struct, frozen=True):
    """`token` is the guest: keep it to come back as the same player until `expires_at_ms`."""

    token: str
    player: str
    expires_at_ms: int
