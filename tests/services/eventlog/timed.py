"""Matches in which time counts: it passes when a test says so, and what is due goes first, as on a host."""

from collections.abc import Sequence
from typing import Any

from engines.core.chance import SeededChance
from services.eventlog import deciding, expiring
from services.eventlog.commands import Claim, Order
from services.eventlog.entries import header_of
from services.eventlog.outages import Outage
from services.eventlog.requests import CLOCK
from services.eventlog.terms import AbsencePolicy, Clock, Terms
from tests.services.eventlog.given import MODES, PLAYERS, SECRET, Hosted, creating, next_order

MINUTE = 60_000
MOVE = Clock(move_ms=MINUTE)
BANK = Clock(bank_ms=5 * MINUTE, increment_ms=2000)


def terms(clock: Clock | None = MOVE, absence: str = "autopilot", **more: Any) -> Terms:
    policy = "greedy" if absence == "bot" else ""
    return Terms(clock=clock, absence=AbsencePolicy(absence), absence_policy=policy, **more)


class Timed(Hosted):
    """`outages` are those that its host knows of."""

    outages: tuple[Outage, ...] = ()

    def carry_out(self, order: Order) -> list[str]:
        """The types of the order's own entries; those of what was due before it are in the log alone."""
        while (judged := self.first(order)) is not order:
            self.append(judged)
        return self.append(order)

    def first(self, order: Order) -> Order:
        return expiring.first(self.facts, order, max(self.at, self.facts.at), self.outages)

    def append(self, order: Order) -> list[str]:
        entries = deciding.decide(self.aggregate, order, SECRET, self.at)
        self.entries += entries
        return [header_of(entry).type for entry in entries]

    def wait(self, ms: int) -> None:
        self.at += ms

    def wait_until(self, at: int) -> None:
        self.at = at

    def expire(self) -> list[str]:
        """What the clock service proposes; the types of the entries. Raises Refused."""
        return self.append(expiring.order(self.facts, self.outages))

    def clock(self, seat: int) -> tuple[int, bool]:
        """What is left at the last entry's time, and whether it runs."""
        clock = self.facts.clocks[seat]
        ran = 0 if clock.since is None else self.facts.at - clock.since
        return clock.left_ms - ran, clock.since is not None

    @property
    def deadline(self) -> int:
        return min(clock.deadline for clock in self.facts.clocks if clock.deadline is not None)


def timed(seats: int = 2, mode: str = "young", *, given: Terms | None = None, bots: Sequence[Any] = ()) -> Timed:
    """A match of persons, begun, but for seats of bots."""
    created = creating(seats, MODES[mode], own_seat=0, name="Ann", terms=given or terms(), bots=tuple(bots))
    hosted = Timed(created)
    for seat in range(1, seats):
        if hosted.facts.seats[seat].player is None:
            hosted.do(PLAYERS[seat], Claim(seat))
    return hosted


def move(hosted: Timed, seed: int = 1) -> list[str]:
    """One of those who owe a move makes one."""
    return hosted.carry_out(next_order(hosted, SeededChance(seed)))


def last_command(hosted: Hosted) -> list[tuple[str, Any]]:
    """Type and payload of each entry of the newest command; checks who asked for it."""
    start = max(version for version in range(1, hosted.facts.version + 1) if hosted.event(version)[1].req)
    found = [hosted.event(version) for version in range(start, hosted.facts.version + 1)]
    if found[0][0].seat is None and hosted.facts.version > 1:
        asked = Order(CLOCK, f"expire-{start - 1}", expiring.Expire(start - 1))
        assert found[0][1].req == asked.key.hex()
        assert found[0][1].req_digest == asked.digest.hex()
    return [(header.type, body.payload) for header, body in found]
