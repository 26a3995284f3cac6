"""`tidelog games`: what is installed."""

from msgspec import Struct

from engines.core import games as installed
from services.bots import players
from services.cli.output import say, say_json


class Row(Struct, frozen=True):
    """A game that is installed; `edition` is the one that new matches take.

    `unofficial_seats` are numbers of seats that can be played though the printed rules do not foresee them.
    """

    name: str
    title: str
    seats: tuple[int, int]
    unofficial_seats: tuple[int, ...]
    rules: tuple[int, ...]
    edition: str
    editions: tuple[str, ...]
    bots: tuple[str, ...]


def games(*, json: bool = False) -> None:
    """List the games: name, title, seats, rules number, editions.

    Parameters
    ----------
    json
        print one JSON document
    """
    rows = [_row(name) for name in installed.names()]
    if json:
        say_json(rows)
        return
    for row in rows:
        say(f"{row.name:<18} {row.title:<28} {_seats(row):<26} rules {row.rules[-1]:<3} {', '.join(row.editions)}")


def _seats(row: Row) -> str:
    seats = f"{row.seats[0]}-{row.seats[1]} seats"
    return f"{seats} ({', '.join(map(str, row.unofficial_seats))} unofficial)" if row.unofficial_seats else seats


def _row(name: str) -> Row:
    engine = installed.engine(name)
    return Row(
        name=name,
        title=engine.title,
        seats=engine.seats,
        unofficial_seats=engine.unofficial_seats,
        rules=engine.rules,
        edition=engine.edition,
        editions=installed.editions(name),
        bots=players.names(name),
    )
