"""Results counted as they come, so that no question counts them all: whole numbers, which it takes back as exactly."""

from collections.abc import Iterable, Iterator
from itertools import combinations, groupby
from operator import attrgetter
from sqlite3 import Connection
from typing import NamedTuple

import msgspec

ABORTED, LEFT, PLACE, POINTS, SCORE, SHARED = "aborted", "left", "place", "points", "score", "shared"
"""Kinds of tallies. That of places is numbered by them, that of scores by the game's order of categories."""

Key = tuple[str, str, int, str, int, str]
"""Player, game, number of seats; kind, number, and name of the category."""

encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(tuple[tuple[str, int], ...]).decode


class Result(NamedTuple):
    """A row of `results`. `points` and `scores` are those that the player made."""

    player: str
    game: str
    seats: int
    match: str
    place: int | None
    shared: bool
    vacant: bool
    points: int | None = None
    scores: bytes = b"[]"


def count(connection: Connection, results: Iterable[Result], times: int) -> None:
    """Adds the results, or takes them back with -1: what comes to nothing is gone."""
    sums: dict[Key, tuple[int, int]] = {}
    for result in results:
        for kind, number, name, points in _counted(result):
            key = (result.player, result.game, result.seats, kind, number, name)
            matches, total = sums.get(key, (0, 0))
            sums[key] = (matches + times, total + times * points)
    connection.executemany(
        "INSERT INTO tallies VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET"
        " matches = matches + excluded.matches, total = total + excluded.total",
        [(*key, *found) for key, found in sums.items()],
    )
    if times < 0:
        connection.executemany(
            "DELETE FROM tallies WHERE (player, game, seats, kind, number, name) = (?, ?, ?, ?, ?, ?) AND matches = 0",
            sums,
        )


def _counted(result: Result) -> Iterator[tuple[str, int, str, int]]:
    """Kind, number, name and points."""
    if result.vacant:
        yield (LEFT, 0, "", 0)
    if result.place is None:
        yield (ABORTED, 0, "", 0)
        return
    yield (PLACE, result.place, "", 0)
    if result.shared and result.place == 1:
        yield (SHARED, 1, "", 0)
    if result.points is not None:
        yield (POINTS, 0, "", result.points)
    for number, (category, points) in enumerate(_decode(result.scores)):
        yield (SCORE, number, category, points)


def count_meetings(connection: Connection, results: Iterable[Result], times: int) -> None:
    """As `count`, of each two players with a result in the same match: all results of a match come together."""
    sums: dict[tuple[str, str, str], tuple[int, int, int]] = {}
    for _, found in groupby(results, key=attrgetter("match")):
        placed = sorted((result.player, result.game, result.place) for result in found if result.place is not None)
        for (one, game, place), (other, _, behind) in combinations(placed, 2):
            matches, ahead, level = sums.get((one, other, game), (0, 0, 0))
            sums[one, other, game] = (
                matches + times,
                ahead + times * (place < behind),
                level + times * (place == behind),
            )
    connection.executemany(
        "INSERT INTO meetings VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET"
        " matches = matches + excluded.matches, ahead = ahead + excluded.ahead, level = level + excluded.level",
        [(*key, *found) for key, found in sums.items()],
    )
    if times < 0:
        connection.executemany(
            "DELETE FROM meetings WHERE (one, other, game) = (?, ?, ?) AND matches = 0",
            sums,
        )
