"""What a player's results come to, by game and number of seats, and between two players."""

from sqlite3 import Connection

from msgspec import Struct


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
    found: dict[str, list[Tally]] = {}
    groups = connection.execute(
        "SELECT game, seats, count(place), sum(place IS NULL), sum(place IS 1 AND NOT shared),"
        " sum(place IS 1 AND shared), sum(vacant), count(points), sum(points), min(points), max(points)"
        " FROM results WHERE player = ? AND (? = '' OR game = ?) GROUP BY game, seats ORDER BY game, seats",
        (player, game, game),
    ).fetchall()
    for name, seats, matches, aborted, wins, shared_wins, left, *points in groups:
        tally = Tally(
            seats=seats,
            matches=matches,
            aborted=aborted,
            wins=wins,
            shared_wins=shared_wins,
            places=_places(connection, player, name, seats),
            left=left,
            points=Points(*points) if points[0] else None,
            categories=_categories(connection, player, name, seats),
        )
        found.setdefault(name, []).append(tally)
    return [GameStatistics(name, tuple(tallies)) for name, tallies in found.items()]


def head_to_head(connection: Connection, player: str, other: str, game: str) -> list[HeadToHead]:
    """Of the matches that ended with a result for both, each in a seat of their own."""
    rows = connection.execute(
        "SELECT one.game, count(*), sum(one.place < two.place), sum(one.place > two.place), sum(one.place = two.place)"
        " FROM results AS one JOIN results AS two ON two.match = one.match AND two.player = ?"
        " WHERE one.player = ? AND (? = '' OR one.game = ?) AND one.place IS NOT NULL AND two.place IS NOT NULL"
        " GROUP BY one.game ORDER BY one.game",
        (other, player, game, game),
    )
    return [HeadToHead(*row) for row in rows]


def _places(connection: Connection, player: str, game: str, seats: int) -> tuple[int, ...]:
    rows = connection.execute(
        "SELECT place, count(*) FROM results WHERE player = ? AND game = ? AND seats = ? AND place IS NOT NULL"
        " GROUP BY place",
        (player, game, seats),
    )
    found = dict(rows.fetchall())
    return tuple(found.get(place, 0) for place in range(1, seats + 1))


def _categories(connection: Connection, player: str, game: str, seats: int) -> tuple[Category, ...]:
    rows = connection.execute(
        "SELECT category, count(*), sum(points) FROM scores WHERE player = ? AND game = ? AND seats = ?"
        " GROUP BY number, category ORDER BY number, category",
        (player, game, seats),
    )
    return tuple(Category(*row) for row in rows)
