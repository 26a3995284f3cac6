"""Matches of every kind as rows of the read model: a lobby with a past, the same for the same seed."""

import random
import sqlite3
from collections.abc import Iterator

import msgspec

from gateway.projections import folding, listing, quick
from gateway.projections.database import SCHEMA
from services.eventlog import hashes
from services.eventlog.lifecycle import Created
from services.eventlog.match import Match, Seat, Status, new_match
from services.eventlog.terms import Terms

NOON = 1_700_000_000_000
PLAYERS = [f"tidelog|p{number}" for number in range(40)]
BOT = "tidelog|bot:random"
GAMES = ("catan_fishermen", "lost_seas", "south_seas")
OPTIONS = {
    "catan_fishermen": [
        {"fishermen": kind, "victory_points": points} for kind in ("none", "box") for points in (10, 12)
    ],
    "lost_seas": [{"young_explorers": young} for young in (False, True)],
    "south_seas": [{}],
}


class Population:
    """`matches` are all facts by id, with the time of their creation."""

    def __init__(self, connection: sqlite3.Connection, seed: int = 8) -> None:
        self.connection = connection
        self.matches: dict[str, tuple[Match, int]] = {}
        self._random = random.Random(seed)

    def grow(self, count: int) -> "Population":
        self.connection.execute("BEGIN")
        for _ in range(count):
            facts, created_at = self._match(len(self.matches))
            put(self.connection, facts, created_at)
            self.matches[facts.id] = facts, created_at
        self.connection.execute("COMMIT")
        return self

    def _match(self, number: int) -> tuple[Match, int]:
        dice = self._random
        game = dice.choice(GAMES)
        seats = dice.randint(2, 4)
        created = Created(
            match=f"M{number}",
            game=game,
            rules=1,
            edition="e",
            options=msgspec.Raw(msgspec.json.encode(dice.choice(OPTIONS[game]))),
            seats=seats,
            creator=dice.choice(PLAYERS),
            commitment="",
            terms=Terms(
                private=dice.random() < 0.2,
                reserved=tuple(dice.choice(("", dice.choice(PLAYERS))) for _ in range(seats)),
            ),
        )
        facts = new_match(f"M{number}" if dice.random() < 0.95 else f"I{number}", created)
        facts.status = dice.choices(list(Status), (2, 4, 9, 2, 1))[0]
        taken = dice.randrange(seats) if facts.status is Status.OPEN else seats
        for seat in range(taken):
            facts.seats[seat] = Seat(dice.choice([*PLAYERS, BOT, BOT, BOT]))
        created_at = NOON + number // 3  # some at the same moment
        facts.at = created_at + dice.randrange(500)
        facts.version = dice.randint(1, 300)
        return facts, created_at


def put(connection: sqlite3.Connection, facts: Match, created_at: int) -> None:
    """As `folding` keeps a match."""
    head = (facts.id, facts.version, facts.hash, hashes.shard(facts.id), facts.created.game, facts.status)
    connection.execute(folding.KEPT, (*head, created_at, facts.at, facts.imported, msgspec.json.encode(facts)))
    held = [(seat.player, facts.id, number) for number, seat in enumerate(facts.seats) if seat.player is not None]
    connection.executemany("INSERT OR REPLACE INTO seats VALUES (?, ?, ?)", held)
    listing.keep(connection, facts, created_at)
    quick.keep(connection, facts)


def memory() -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.executescript(SCHEMA)
    yield connection
    connection.close()


def steps(connection, work):
    """How many instructions of SQLite's machine the work takes, in tens."""
    counted = 0

    def count():
        nonlocal counted
        counted += 1

    connection.set_progress_handler(count, 10)
    work()
    connection.set_progress_handler(None, 0)
    return counted
