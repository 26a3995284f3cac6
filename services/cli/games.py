"""`tidelog games`: what is installed."""

from msgspec import Struct

from engines.core import games as installed
from services.bots import players
from services.cli.output import say, say_json


class Row(Struct, frozen=True):
    """A game that is installed; `edition` is the one that new matches take."""

    name: str
    title: str
    seats: tuple[int, int]
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
        seats = f"{row.seats[0]}-{row.seats[1]} seats"
        say(f"{row.name:<18} {row.title:<28} {seats:<12} rules {row.rules[-1]:<3} {', '.join(row.editions)}")


def _row(name: str) -> Row:
    engine = installed.engine(name)
    return Row(
        name, engine.title, engine.seats, engine.rules, engine.edition, installed.editions(name), players.names(name)
    )
