"""Seats' clocks, folded from the times of entries alone: anyone can recompute every one of them from the log.

A seat's clock runs while the seat owes a move and somebody plays it: from the time of the entry after which it owed one
to that of the next entry after which it does not. A decision is a command of the seat's own while its clock runs; it
ends the time of that decision, and if the seat still owes a move, the next one's begins with it. With a time for each
decision every one has it whole. With a bank each decision is charged what it took and then earns the increment; a seat
that comes to owe nothing without having decided is charged and earns nothing. All entries of a command have one time.
"""

from collections.abc import Container, Sequence

from msgspec import Struct

from services.eventlog.terms import Clock


class SeatClock(Struct):
    """`left_ms` was left at `since`, when the clock began to run; or is left, where it stands (`since` is None)."""

    left_ms: int
    since: int | None = None

    @property
    def deadline(self) -> int | None:
        """The first moment, in ms since 1970, at which nothing is left; None where the clock stands."""
        return None if self.since is None else self.since + self.left_ms

    def left_at(self, at: int) -> int:
        """What is left then, where the clock runs on until then."""
        return self.left_ms - (0 if self.since is None else at - self.since)

    def gain(self, since: int, until: int) -> int:
        """How much of the time between the two the clock has run."""
        return 0 if self.since is None else max(0, until - max(since, self.since))


def whole(clock: Clock) -> int:
    """What a seat begins with."""
    return clock.move_ms or clock.bank_ms


def pass_on(clocks: Sequence[SeatClock], clock: Clock, at: int, owing: Container[int], decided: int | None) -> None:
    """Charges and starts clocks at an entry of that time; `owing` are the seats that owe a move after it."""
    for seat, one in enumerate(clocks):
        if one.since is not None and (seat == decided or seat not in owing):
            one.left_ms -= at - one.since
            one.since = None
            if clock.move_ms:
                one.left_ms = clock.move_ms
            elif seat == decided:
                one.left_ms += clock.increment_ms
        if one.since is None and seat in owing:
            one.since = at


def compensate(clocks: Sequence[SeatClock], since: int, until: int) -> None:
    """Gives back what was charged, or would be, for the time between the two."""
    for one in clocks:
        one.left_ms += one.gain(since, until)


def deadlines(clocks: Sequence[SeatClock]) -> list[tuple[int, int]]:
    """(deadline, seat) of those that run, the next first."""
    return sorted((one.deadline, seat) for seat, one in enumerate(clocks) if one.deadline is not None)
