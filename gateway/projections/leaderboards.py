"""Players of a game by their ratings."""

from sqlite3 import Connection

from msgspec import Struct


class Rated(Struct, frozen=True):
    """A player of a game; `name` is the one of their last rated match."""

    game: str
    player: str
    name: str
    mu: float
    sigma: float
    ordinal: float
    matches: int


class Ranked(Struct, frozen=True):
    """Those with the same ordinal share a place, and the next is left out."""

    place: int
    rated: Rated


class BoardPlace(Struct, frozen=True, array_like=True):
    """After whom a page begins."""

    ordinal: float
    player: str


class Board(Struct, frozen=True):
    """`own` is the asked-for player's line, wherever it stands; None for one who is not on the board."""

    entries: tuple[Ranked, ...]
    own: Ranked | None
    after: BoardPlace | None


class Asked(Struct, frozen=True):
    """The players of a game with at least so many matches; `own` is the one whose line is asked for beside."""

    game: str
    least: int
    own: str


COLUMNS = "game, player, name, mu, sigma, ordinal, matches"


def ratings_of(connection: Connection, player: str) -> list[Rated]:
    """By game."""
    rows = connection.execute(f"SELECT {COLUMNS} FROM ratings WHERE player = ? ORDER BY game", (player,))  # noqa: S608
    return [Rated(*row) for row in rows]


def leaderboard(connection: Connection, asked: Asked, size: int, after: BoardPlace | None) -> Board:
    """The best first."""
    game, least = asked.game, asked.least
    behind = "" if after is None else " AND (ordinal < ? OR (ordinal = ? AND player > ?))"
    values = () if after is None else (after.ordinal, after.ordinal, after.player)
    rows = connection.execute(
        f"SELECT {COLUMNS} FROM ratings WHERE game = ? AND matches >= ?{behind} ORDER BY ordinal DESC, player LIMIT ?",  # noqa: S608
        (game, least, *values, size + 1),
    ).fetchall()
    found = [Rated(*row) for row in rows]
    line = connection.execute(
        f"SELECT {COLUMNS} FROM ratings WHERE game = ? AND player = ? AND matches >= ?",  # noqa: S608
        (game, asked.own, least),
    ).fetchone()
    own_line = None if line is None else Rated(*line)
    return Board(
        tuple(_ranked(connection, found[:size], least)),
        None if own_line is None else Ranked(_place(connection, own_line, least), own_line),
        BoardPlace(found[size - 1].ordinal, found[size - 1].player) if len(found) > size else None,
    )


def _ranked(connection: Connection, found: list[Rated], least: int) -> list[Ranked]:
    """Places of those who follow upon each other."""
    ranked: list[Ranked] = []
    for number, rated in enumerate(found):
        if not number:
            place, before = _place(connection, rated, least), _level_before(connection, rated, least)
        elif rated.ordinal != found[number - 1].ordinal:
            place, before = place + before + 1, 0
        else:
            before += 1
        ranked.append(Ranked(place, rated))
    return ranked


def _place(connection: Connection, rated: Rated, least: int) -> int:
    (better,) = connection.execute(
        "SELECT count(*) FROM ratings WHERE game = ? AND ordinal > ? AND matches >= ?",
        (rated.game, rated.ordinal, least),
    ).fetchone()
    return int(better) + 1


def _level_before(connection: Connection, rated: Rated, least: int) -> int:
    (level,) = connection.execute(
        "SELECT count(*) FROM ratings WHERE game = ? AND ordinal = ? AND player < ? AND matches >= ?",
        (rated.game, rated.ordinal, rated.player, least),
    ).fetchone()
    return int(level)
