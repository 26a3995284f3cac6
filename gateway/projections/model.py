"""What a read model is: tables beside `matches` that are a pure function of what `matches` holds."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from sqlite3 import Connection

from msgspec import Struct

from services.eventlog.match import Match


class Kept(Struct, frozen=True):
    """The facts of a match after the platform's latest entry, and the time of its first one.

    Moves go by unseen: `version`, `hash`, `at` and `decisions` say something for good only once the match is over.
    """

    facts: Match
    created_at: int


def nothing_left(_connection: Connection) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class ReadModel:
    """Made once, as `MODEL` in a file of its own, and listed in `models.py`.

    `schema` makes the `tables`, which nobody else writes to; with another `version` they are built anew when a gateway
    starts. `keep` is told of matches in the transaction of their rows, in any order, some of them again: it puts right
    what it knew of them. `forget` is told of matches whose logs are gone, or others than they were. Neither begins a
    transaction. What would be too much for theirs is left to `catch_up`, which does a slice of it when nothing else
    waits, and says whether there is more. With nothing left, the same facts have made the same rows, in whatever order
    and however often they came.
    """

    name: str
    version: int
    schema: str
    tables: tuple[str, ...]
    keep: Callable[[Connection, Sequence[Kept]], None]
    forget: Callable[[Connection, Sequence[str]], None]
    catch_up: Callable[[Connection], bool] = nothing_left
