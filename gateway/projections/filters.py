"""Which matches a list is asked for, and in which order. What passes is said here once, for lists and live lists."""

from enum import StrEnum
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import Struct

from gateway.callers.identity import Caller
from gateway.callers.rights import may_see
from gateway.projections.tokens import list_digest
from services.eventlog.match import Match, Status


class Order(StrEnum):
    """`changed` and `newest` begin with the latest."""

    CHANGED = "changed"
    NEWEST = "newest"
    OLDEST = "oldest"


class OptionValue(Struct, frozen=True):
    """A field of a game's Options in JSON's terms; `default` stands where a log was made without it."""

    name: str
    value: Any
    default: Any = None


class Filters(Struct, frozen=True):
    """Those that are set must all hold. `invited`: a free seat is reserved for whoever asks."""

    game: str = ""
    status: Status | None = None
    player: str = ""
    open_seats: int = 0
    seats: int = 0
    creator: str = ""
    options: tuple[OptionValue, ...] = ()
    invited: bool = False
    order: Order = Order.CHANGED

    @property
    def digest(self) -> bytes:
        """What page tokens are bound to."""
        return list_digest("matches", msgspec.to_builtins(self))

    def passes(self, facts: Match, caller: Caller) -> bool:
        """Whether the match belongs to the list that the caller is shown."""
        created = facts.created
        return (
            self.game in ("", created.game)
            and self.status in (None, facts.status)
            and self.seats in (0, created.seats)
            and self.creator in ("", created.creator)
            and (not self.player or any(seat.player == self.player for seat in facts.seats))
            and (not self.open_seats or free_seats(facts) >= self.open_seats)
            and (not self.invited or caller.player in awaited(facts))
            and self.has_options(bytes(created.options))
            and may_see(facts, caller)
        )

    def has_options(self, options: bytes) -> bool:
        if not self.options:
            return True
        found = _parsed(options)
        return all(found.get(option.name, option.default) == option.value for option in self.options)


def free_seats(facts: Match) -> int:
    """How many seats can be claimed; an import has none."""
    if facts.status is not Status.OPEN or facts.imported:
        return 0
    return sum(seat.player is None for seat in facts.seats)


def awaited(facts: Match) -> set[str]:
    """The players for whom a free seat is reserved."""
    if not free_seats(facts):
        return set()
    return {facts.reserved_for(number) for number, seat in enumerate(facts.seats) if seat.player is None} - {""}


@lru_cache(10_000)
def _parsed(options: bytes) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.json.decode(options)
    return found
