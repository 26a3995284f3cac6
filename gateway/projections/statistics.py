"""What a player's results come to, by game and number of seats, and between two players."""

from collections.abc import Sequence
from itertools import groupby
from sqlite3 import Connection

from msgspec import Struct
from msgspec.structs import replace

from gateway.projections import tallies


class Points(Struct, frozen=True):
    """Of the matches that gave the seat points of its own."""

    matches: int
    total: int
    least: int
    most: int


class Category(Struct, frozen=True):
    name: str
    matches: int
    total: int


class Tally(Struct, frozen=True):
    """`places` holds how often each place was taken, from the first on; `left` counts seats that were given up."""

    seats: int
    matches: int
    aborted: int
    wins: int
    shared_wins: int
    places: tuple[int, ...]
    left: int
    points: Points | None
    categories: tuple[Category, ...]


class GameStatistics(Struct, frozen=True):
    """By number of seats, ascending."""

    game: str
    tallies: tuple[Tally, ...]


class HeadToHead(Struct, frozen=True):
    """How often one was placed before the other."""

    game: str
    matches: int
    ahead: int
    behind: int
    level: int


def statistics(connection: Connection, player: str, game: str) -> list[GameStatistics]:
    """Of one game or, for an empty name, of each that the player has results in, by name."""
    rows = connection.execute(
        "SELECT game, seats, kind, number, name, matches, total FROM tallies WHERE player = ? AND (? = '' OR game = ?)"
        " ORDER BY game, seats, kind, number, name",
        (player, game, game),
    ).fetchall()
    found: dict[str, list[Tally]] = {}
    for (name, seats), group in groupby(rows, key=lambda row: row[:2]):
        tally = _tally(seats, [row[2:] for row in group])
        if tally.points is not None:
            tally = replace(tally, points=_extremes(connection, (player, name, seats), tally.points))
        found.setdefault(name, []).append(tally)
    return [GameStatistics(name, tuple(tallies)) for name, tallies in found.items()]


def head_to_head(connection: Connection, player: str, other: str, game: str) -> list[HeadToHead]:
    """Of the matches that ended with a result for both, each in a seat of their own."""
    if other < player:
        flipped = head_to_head(connection, other, player, game)
        return [replace(found, ahead=found.behind, behind=found.ahead) for found in flipped]
    rows = connection.execute(
        "SELECT game, matches, ahead, matches - ahead - level, level FROM meetings"
        " WHERE one = ? AND other = ? AND (? = '' OR game = ?) ORDER BY game",
        (player, other, game, game),
    )
    return [HeadToHead(*row) for row in rows]


def _tally(seats: int, rows: Sequence[tuple[str, int, str, int, int]]) -> Tally:
    """Of the kinds, numbers, names, matches and totals; the points as if there were no extremes."""
    found = {(kind, number): (matches, total) for kind, number, _, matches, total in rows}

    def times(kind: str, number: int = 0) -> int:
        return found.get((kind, number), (0, 0))[0]

    places = tuple(times(tallies.PLACE, place) for place in range(1, seats + 1))
    points = found.get((tallies.POINTS, 0))
    return Tally(
        seats=seats,
        matches=sum(places),
        aborted=times(tallies.ABORTED),
        wins=places[0] - times(tallies.SHARED, 1),
        shared_wins=times(tallies.SHARED, 1),
        places=places,
        left=times(tallies.LEFT),
        points=None if points is None else Points(*points, least=0, most=0),
        categories=tuple(
            Category(name, matches, total) for kind, _, name, matches, total in rows if kind == tallies.SCORE
        ),
    )


def _extremes(connection: Connection, of: tuple[str, str, int], points: Points) -> Points:
    least, most = (
        connection.execute(
            f"SELECT {extreme}(points) FROM results WHERE player = ? AND game = ? AND seats = ? AND points IS NOT NULL",  # noqa: S608
            of,
        ).fetchone()[0]
        for extreme in ("min", "max")
    )
    return replace(points, least=least, most=most)
