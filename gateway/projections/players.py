"""Who sat in which match, and how it ended for them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from sqlite3 import Connection

from gateway.callers.rights import insiders
from gateway.projections import tallies
from gateway.projections.model import Kept, ReadModel
from gateway.projections.tallies import Result, encode
from services.eventlog.match import Match, Status

SCHEMA = """
CREATE TABLE played (
  player TEXT NOT NULL, created_at INTEGER NOT NULL, match TEXT NOT NULL, game TEXT NOT NULL, status TEXT NOT NULL,
  private INTEGER NOT NULL, PRIMARY KEY (player, created_at, match)
) WITHOUT ROWID;
CREATE INDEX played_listed ON played (player, private, game, status, created_at, match);
CREATE INDEX played_match ON played (match);
CREATE TABLE insiders (match TEXT NOT NULL, player TEXT NOT NULL, PRIMARY KEY (match, player)) WITHOUT ROWID;
CREATE INDEX insiders_player ON insiders (player, match);
CREATE TABLE results (
  player TEXT NOT NULL, game TEXT NOT NULL, seats INTEGER NOT NULL, match TEXT NOT NULL, place INTEGER,
  shared INTEGER NOT NULL, vacant INTEGER NOT NULL, points INTEGER, scores BLOB NOT NULL,
  PRIMARY KEY (player, game, seats, match)
) WITHOUT ROWID;
CREATE INDEX results_match ON results (match);
CREATE INDEX results_points ON results (player, game, seats, points);
CREATE TABLE tallies (
  player TEXT NOT NULL, game TEXT NOT NULL, seats INTEGER NOT NULL, kind TEXT NOT NULL, number INTEGER NOT NULL,
  name TEXT NOT NULL, matches INTEGER NOT NULL, total INTEGER NOT NULL,
  PRIMARY KEY (player, game, seats, kind, number, name)
) WITHOUT ROWID;
CREATE TABLE meetings (
  one TEXT NOT NULL, other TEXT NOT NULL, game TEXT NOT NULL, matches INTEGER NOT NULL, ahead INTEGER NOT NULL,
  level INTEGER NOT NULL, PRIMARY KEY (one, other, game)
) WITHOUT ROWID
"""
OF_MATCHES = ("played", "insiders", "results")
TABLES = (*OF_MATCHES, "tallies", "meetings")

ENDED = frozenset({Status.FINISHED, Status.ABORTED})


def singles(facts: Match) -> dict[str, int]:
    """Those who sit in the match once, with their seats: against oneself there is no result."""
    times = Counter(seat.player for seat in facts.seats)
    return {seat.player: number for number, seat in enumerate(facts.seats) if seat.player and times[seat.player] == 1}


def counts(facts: Match) -> bool:
    """Whether the match is of any account to others: an import proves nothing, a private one is nobody's business."""
    return not facts.imported and not facts.terms.private


def keep(connection: Connection, kept: Sequence[Kept]) -> None:
    """An import is in nobody's history."""
    forget(connection, [each.facts.id for each in kept])
    some = [each for each in {each.facts.id: each for each in kept}.values() if not each.facts.imported]
    connection.executemany("INSERT INTO played VALUES (?, ?, ?, ?, ?, ?)", _played(some))
    connection.executemany("INSERT INTO insiders VALUES (?, ?)", _insiders(some))
    over = [each.facts for each in some if each.facts.status in ENDED and counts(each.facts)]
    results = list(_results(over))
    connection.executemany("INSERT INTO results VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", results)
    tallies.count(connection, results, 1)
    tallies.count_meetings(connection, results, 1)


def forget(connection: Connection, matches: Sequence[str]) -> None:
    named = [(match,) for match in set(matches)]
    for name in named:
        known = connection.execute("SELECT * FROM results WHERE match = ?", name).fetchall()
        results = [Result(*row) for row in known]
        tallies.count(connection, results, -1)
        tallies.count_meetings(connection, results, -1)
    for table in OF_MATCHES:
        connection.executemany(f"DELETE FROM {table} WHERE match = ?", named)  # noqa: S608 - names of ours


MODEL = ReadModel(name="players", version=4, schema=SCHEMA, tables=TABLES, keep=keep, forget=forget)


def _played(kept: Iterable[Kept]) -> Iterator[tuple[object, ...]]:
    for each in kept:
        facts = each.facts
        for player in {seat.player for seat in facts.seats if seat.player is not None}:
            game, private = facts.created.game, facts.terms.private
            yield (player, each.created_at, facts.id, game, facts.status, private)


def _insiders(kept: Iterable[Kept]) -> Iterator[tuple[str, str]]:
    for each in kept:
        if each.facts.terms.private:
            yield from ((each.facts.id, player) for player in insiders(each.facts))


def _results(over: Iterable[Match]) -> Iterator[Result]:
    """Without a place where the match ended without a result, and without points where the seat's were not its own."""
    for facts in over:
        standings = {} if facts.outcome is None else {found.seat: found for found in facts.outcome.ranking}
        places = Counter(standing.place for standing in standings.values())
        for player, number in singles(facts).items():
            head, vacant = (player, facts.created.game, len(facts.seats), facts.id), facts.seats[number].vacant
            if number not in standings:
                yield Result(*head, None, shared=False, vacant=vacant)
                continue
            standing = standings[number]
            result = Result(*head, standing.place, shared=places[standing.place] > 1, vacant=vacant)
            if standing.scores and not vacant:
                scores = encode([(score.category, score.points) for score in standing.scores])
                result = result._replace(points=standing.points, scores=scores)
            yield result
