"""Ratings of players by game, folded from the results in an order that the logs alone decide.

The order is that of the finishing entries' times, then of match ids. A match that comes late, because the feed of its
shard was slower, has those behind it folded again. So all gateways, and every rebuild, have the same numbers. They are
kept as SQLite's REAL, which is the double itself, and compared bit by bit. Each is rounded to six decimals when it is
made: two machines whose exponential functions differ in the last bit agree all the same, or differ by 0.000001. Another
release of openskill may have other numbers: MODEL.version goes up with it.
"""

from collections.abc import Iterable, Sequence
from sqlite3 import Connection

import msgspec
from msgspec import Struct
from openskill.models import PlackettLuce

from gateway.projections.model import Kept, ReadModel
from gateway.projections.players import counts, singles
from services.eventlog.match import Match, Status

SCHEMA = """
CREATE TABLE rated (
  game TEXT NOT NULL, at INTEGER NOT NULL, match TEXT NOT NULL, sides BLOB NOT NULL, PRIMARY KEY (game, at, match)
) WITHOUT ROWID;
CREATE UNIQUE INDEX rated_match ON rated (match);
CREATE TABLE rating_changes (
  game TEXT NOT NULL, player TEXT NOT NULL, at INTEGER NOT NULL, match TEXT NOT NULL, name TEXT NOT NULL,
  mu_before REAL NOT NULL, sigma_before REAL NOT NULL, mu REAL NOT NULL, sigma REAL NOT NULL, matches INTEGER NOT NULL,
  PRIMARY KEY (game, player, at, match)
) WITHOUT ROWID;
CREATE INDEX rating_changes_match ON rating_changes (match, player);
CREATE TABLE ratings (
  game TEXT NOT NULL, player TEXT NOT NULL, name TEXT NOT NULL, mu REAL NOT NULL, sigma REAL NOT NULL,
  ordinal REAL NOT NULL, matches INTEGER NOT NULL, PRIMARY KEY (game, player)
) WITHOUT ROWID;
CREATE INDEX ratings_ordinal ON ratings (game, ordinal DESC, player, matches);
CREATE INDEX ratings_player ON ratings (player);
CREATE TABLE unrated (game TEXT PRIMARY KEY, at INTEGER NOT NULL, match TEXT NOT NULL) WITHOUT ROWID
"""
TABLES = ("rated", "rating_changes", "ratings", "unrated")

MOST_SIDES = 5
SLICE = 200
"""Matches folded in one transaction."""

DIGITS = 6
CAUTION = 3
"""How many sigmas below mu the ordinal is: a player is that good almost for sure."""

MODEL_OF_SKILL = PlackettLuce()

Point = tuple[int, str]
"""Time and match: where in the order."""


class Side(Struct, frozen=True, array_like=True):
    player: str
    name: str
    place: int


class Rating(Struct, frozen=True):
    mu: float
    sigma: float
    matches: int


NEW = Rating(round(MODEL_OF_SKILL.mu, DIGITS), round(MODEL_OF_SKILL.sigma, DIGITS), 0)

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(tuple[Side, ...]).decode


def sides(facts: Match) -> tuple[Side, ...] | None:
    """By seat; None for a match that is not rated: too many seats, a player in two of them, or of no account."""
    if facts.status is not Status.FINISHED or facts.outcome is None or not counts(facts):
        return None
    standings = {standing.seat: standing.place for standing in facts.outcome.ranking}
    found = singles(facts)
    if not 2 <= len(found) == len(facts.seats) <= MOST_SIDES:
        return None
    return tuple(Side(player, facts.seats[seat].name, standings[seat]) for player, seat in found.items())


def ordinal(mu: float, sigma: float) -> float:
    return round(mu - CAUTION * sigma, DIGITS)


def keep(connection: Connection, kept: Sequence[Kept]) -> None:
    """Notes results, and from where on they are to be folded."""
    for each in kept:
        found = sides(each.facts)
        encoded = None if found is None else _encode(found)
        known = connection.execute("SELECT sides FROM rated WHERE match = ?", (each.facts.id,)).fetchone()
        if (None if known is None else known[0]) == encoded:
            continue
        forget(connection, (each.facts.id,))
        if encoded is not None:
            row = (each.facts.created.game, each.facts.at, each.facts.id)
            connection.execute("INSERT INTO rated VALUES (?, ?, ?, ?)", (*row, encoded))
            _fold_from(connection, *row)


def forget(connection: Connection, matches: Sequence[str]) -> None:
    for match in matches:
        row = connection.execute("SELECT game, at FROM rated WHERE match = ?", (match,)).fetchone()
        if row is None:
            continue
        players = connection.execute("SELECT player FROM rating_changes WHERE match = ?", (match,)).fetchall()
        connection.execute("DELETE FROM rated WHERE match = ?", (match,))
        connection.execute("DELETE FROM rating_changes WHERE match = ?", (match,))
        _show(connection, row[0], [player for (player,) in players])
        _fold_from(connection, row[0], row[1], match)


def catch_up(connection: Connection) -> bool:
    """Folds a slice of one game's results."""
    found = connection.execute("SELECT game, at, match FROM unrated ORDER BY game LIMIT 1").fetchone()
    if found is None:
        return False
    game, *point = found
    rows = connection.execute(
        "SELECT at, match, sides FROM rated WHERE game = ? AND (at, match) >= (?, ?) ORDER BY at, match LIMIT ?",
        (game, *point, SLICE + 1),
    ).fetchall()
    _fold(connection, game, rows[:SLICE])
    if len(rows) > SLICE:
        at, match, _ = rows[SLICE]
        connection.execute("INSERT OR REPLACE INTO unrated VALUES (?, ?, ?)", (game, at, match))
    else:
        connection.execute("DELETE FROM unrated WHERE game = ?", (game,))
    (left,) = connection.execute("SELECT count(*) FROM unrated").fetchone()
    return bool(left)


MODEL = ReadModel(name="ratings", version=1, schema=SCHEMA, tables=TABLES, keep=keep, forget=forget, catch_up=catch_up)


def _fold_from(connection: Connection, game: str, at: int, match: str) -> None:
    connection.execute(
        "INSERT INTO unrated VALUES (?, ?, ?) ON CONFLICT (game) DO UPDATE SET at = excluded.at, match = excluded.match"
        " WHERE (excluded.at, excluded.match) < (at, match)",
        (game, at, match),
    )


def _fold(connection: Connection, game: str, rows: Iterable[tuple[int, str, bytes]]) -> None:
    known: dict[str, Rating] = {}
    changes: list[tuple[object, ...]] = []
    for at, match, encoded in rows:
        found = _decode(encoded)
        before = [known.get(side.player) or _before(connection, game, side.player, (at, match)) for side in found]
        for side, old, new in zip(found, before, rated(before, [side.place for side in found]), strict=True):
            known[side.player] = new
            row = (game, side.player, at, match, side.name)
            changes.append((*row, old.mu, old.sigma, new.mu, new.sigma, new.matches))
    connection.executemany("INSERT OR REPLACE INTO rating_changes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", changes)
    _show(connection, game, known)


def rated(before: Sequence[Rating], places: Sequence[int]) -> list[Rating]:
    """The ratings after a match, in the order given, which is that of the seats: sums of doubles depend on it."""
    teams = [[MODEL_OF_SKILL.rating(mu=rating.mu, sigma=rating.sigma)] for rating in before]
    after = MODEL_OF_SKILL.rate(teams, ranks=[float(place) for place in places])
    return [
        Rating(round(new.mu, DIGITS), round(new.sigma, DIGITS), old.matches + 1)
        for old, (new,) in zip(before, after, strict=True)
    ]


def _before(connection: Connection, game: str, player: str, point: Point) -> Rating:
    row = connection.execute(
        "SELECT mu, sigma, matches FROM rating_changes WHERE game = ? AND player = ? AND (at, match) < (?, ?)"
        " ORDER BY at DESC, match DESC LIMIT 1",
        (game, player, *point),
    ).fetchone()
    return NEW if row is None else Rating(*row)


def _show(connection: Connection, game: str, players: Iterable[str]) -> None:
    """The players' ratings are those after their last matches."""
    for player in players:
        row = connection.execute(
            "SELECT name, mu, sigma, matches FROM rating_changes WHERE game = ? AND player = ?"
            " ORDER BY at DESC, match DESC LIMIT 1",
            (game, player),
        ).fetchone()
        if row is None:
            connection.execute("DELETE FROM ratings WHERE game = ? AND player = ?", (game, player))
        else:
            name, mu, sigma, matches = row
            values = (game, player, name, mu, sigma, ordinal(mu, sigma), matches)
            connection.execute("INSERT OR REPLACE INTO ratings VALUES (?, ?, ?, ?, ?, ?, ?)", values)
