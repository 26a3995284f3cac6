"""What of a command can be refused without asking the game."""

from collections.abc import Callable
from typing import Any

from services.common.refusals import Reason, Refused
from services.eventlog.aggregate import Aggregate
from services.eventlog.commands import (
    Abort,
    Claim,
    Expire,
    Leave,
    Operation,
    Order,
    Quarantine,
    Release,
    Start,
    Submit,
    Withdraw,
)
from services.eventlog.entries import MAX_REQUEST_ID
from services.eventlog.match import Match, Status
from services.eventlog.requests import CLOCK, Handled, find

MAX_WHY = 200
"""Characters of an operator's reason."""


def check(aggregate: Aggregate, order: Order) -> None:
    """Everything that can be refused without asking the game. Raises Refused."""
    facts, command = aggregate.facts, order.command
    check_request_id(order.request_id)
    if facts.imported:
        raise Refused(Reason.READ_ONLY, "an imported match can be read, and forked to play on")
    if facts.over:
        raise Refused(Reason.MATCH_OVER, "the match is over", version=facts.version)
    if facts.quarantine is not None and not isinstance(command, Operation):
        if not any(facts.holds(order.player, seat) for seat in range(len(facts.seats))):
            # Who is refused anyhow is told nothing of operators: spectators may be kept behind the log.
            CHECK[type(command)](facts, order, command)
        raise Refused(Reason.QUARANTINED, "an operator took the match out of service", version=facts.version)
    CHECK[type(command)](facts, order, command)


def check_request_id(request_id: str) -> None:
    if not 0 < len(request_id) <= MAX_REQUEST_ID:
        raise Refused(Reason.MALFORMED, f"a request id has 1 to {MAX_REQUEST_ID} characters")


def earlier(facts: Match, order: Order) -> Handled | None:
    """The command that this order repeats. Raises Refused where its request id stands for another body."""
    key, creator = order.key, facts.created.creator
    # An admin's start stands among the creator's requests.
    handled = find(facts.requests, order.player, key) or find(facts.requests, creator, key)
    if handled is None:
        return None
    same_seat = order.seat is None or order.seat == handled.seat
    if handled.digest != order.digest or not same_seat:
        raise Refused(Reason.REQUEST_ID_REUSED, "this request id was used before, with another body")
    return handled


def _check_claim(facts: Match, order: Order, command: Claim) -> None:
    if facts.status is not Status.OPEN:
        raise Refused(Reason.ALREADY_STARTED, "the match has begun; its seats are taken")
    _check_invited(facts, order, command)
    if facts.terms.quick and any(seat.player == order.player for seat in facts.seats):
        raise Refused(Reason.SEAT_TAKEN, "in a match for whoever comes next a player has one seat")
    if command.seat is None:
        if claimable(facts, order.player) is None:
            raise Refused(Reason.SEAT_TAKEN, "no seat is open")
        return
    _check_seat(facts, command.seat)
    if facts.seats[command.seat].player is not None:
        raise Refused(Reason.SEAT_TAKEN, f"seat {command.seat} is taken")
    if facts.reserved_for(command.seat) not in ("", order.player):
        raise Refused(Reason.SEAT_TAKEN, f"seat {command.seat} is reserved for another player")


def claimable(facts: Match, player: str) -> int | None:
    """The seat that a player who names none is given: one reserved for them, else the first for anyone."""
    free = [number for number, seat in enumerate(facts.seats) if seat.player is None]
    theirs = (number for wanted in (player, "") for number in free if facts.reserved_for(number) == wanted)
    return next(theirs, None)


def _check_invited(facts: Match, order: Order, command: Claim) -> None:
    """That an invitation is not used a second time, and a private match not claimed without one."""
    if command.invitation is not None and command.invitation in facts.used:
        raise Refused(Reason.EXPIRED, "the invitation was used: each is for one seat")
    asked = command.invitation is not None or order.admin or order.player == facts.created.creator
    if facts.terms.private and not asked and order.player not in facts.terms.reserved:
        raise Refused(Reason.NOT_ALLOWED, "a seat of a private match is claimed with an invitation")


def _check_start(facts: Match, order: Order, _command: Start) -> None:
    if facts.status is not Status.OPEN:
        raise Refused(Reason.ALREADY_STARTED, "the match has begun")
    if order.player != facts.created.creator and not order.admin:
        raise Refused(Reason.NOT_ALLOWED, "only its creator starts a match")
    if any(seat.player is None for seat in facts.seats):
        raise Refused(Reason.SEATS_OPEN, "a match starts when every seat is claimed")


def _check_leave(facts: Match, order: Order, command: Leave) -> None:
    _check_seat(facts, command.seat)
    _check_holder(facts, order, command.seat)


def _check_withdraw(facts: Match, order: Order, command: Withdraw) -> None:
    _check_seat(facts, command.seat)
    if facts.status is not Status.OPEN:
        raise Refused(Reason.ALREADY_STARTED, "the match has begun; who leaves it now resigns")
    _check_holder(facts, order, command.seat)


def _check_submit(facts: Match, order: Order, command: Submit) -> None:
    _check_seat(facts, command.seat)
    _check_holder(facts, order, command.seat)
    if facts.status is Status.OPEN:
        raise Refused(Reason.NOT_STARTED, "the match has not begun")
    expected, decision = command.expected_version, command.decision
    if expected is not None:
        _check_version(facts, expected)
    if decision is not None and decision != facts.decisions[command.seat]:
        raise Refused(
            Reason.STALE,
            f"the decision that stands is {facts.decisions[command.seat]}, not {decision}",
            version=facts.version,
        )


def _check_abort(_facts: Match, order: Order, command: Abort) -> None:
    _check_operation(order, command)


def _check_quarantine(facts: Match, order: Order, command: Quarantine) -> None:
    _check_operation(order, command)
    if facts.quarantine is not None:
        raise Refused(Reason.QUARANTINED, "the match is out of service already", version=facts.version)


def _check_release(facts: Match, order: Order, command: Release) -> None:
    _check_operation(order, command)
    if facts.quarantine is None:
        raise Refused(Reason.NOT_QUARANTINED, "the match is in service", version=facts.version)


def _check_operation(order: Order, command: Operation) -> None:
    if not order.admin:
        raise Refused(Reason.NOT_ALLOWED, "this is for admins")
    check_why(command.why)


def check_why(why: str) -> None:
    """Raises Refused(MALFORMED): what is done to players is done for a reason."""
    if not 0 < len(why.strip()) <= len(why) <= MAX_WHY:
        raise Refused(Reason.MALFORMED, f"a reason has 1 to {MAX_WHY} characters - at `$.reason`")


def _check_expire(facts: Match, order: Order, command: Expire) -> None:
    if order.player != CLOCK:
        raise Refused(Reason.NOT_ALLOWED, "only the clock service proposes what time brings about")
    _check_version(facts, command.version)


def _check_version(facts: Match, expected: int) -> None:
    if expected != facts.version:
        message = f"the match stands at version {facts.version}, not {expected}"
        raise Refused(Reason.STALE, message, version=facts.version)


def _check_seat(facts: Match, seat: int) -> None:
    if not 0 <= seat < len(facts.seats):
        raise Refused(Reason.UNKNOWN_SEAT, f"seats are numbered 0 to {len(facts.seats) - 1}")


def _check_holder(facts: Match, order: Order, seat: int) -> None:
    held = facts.seats[seat]
    if held.out_of_time and held.player == order.player:
        raise Refused(Reason.OUT_OF_TIME, f"the time of seat {seat} has run out", version=facts.version)
    if not facts.holds(order.player, seat):
        raise Refused(Reason.NOT_YOUR_SEAT, f"seat {seat} is not yours")


CHECK: dict[type, Callable[[Match, Order, Any], None]] = {
    Claim: _check_claim,
    Start: _check_start,
    Leave: _check_leave,
    Withdraw: _check_withdraw,
    Submit: _check_submit,
    Abort: _check_abort,
    Quarantine: _check_quarantine,
    Release: _check_release,
    Expire: _check_expire,
}
