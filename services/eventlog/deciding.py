"""How a command becomes entries: judged against the fold, decided by the game, sealed into the chain.

`decide` changes the aggregate as it goes. It raises Refused with nothing changed (TOO_LARGE alone may have changed it);
after any other exception the aggregate is worth nothing. The entries count only once the store has appended them.
"""

from collections.abc import Callable, Collection
from typing import Any

import msgspec

from engines.core import draft, games
from engines.core.errors import IllegalMove, InvalidEdition, RuleError
from services.common.refusals import Reason, Refused
from services.eventlog import canonical, expiring, hashes
from services.eventlog.aggregate import Aggregate
from services.eventlog.checking import check, check_request_id, claimable
from services.eventlog.commands import (
    Abort,
    Claim,
    Create,
    Expire,
    Leave,
    Order,
    Quarantine,
    Release,
    Start,
    Submit,
    Withdraw,
)
from services.eventlog.ending import abort, abort_without_persons, finish, go_on
from services.eventlog.entries import Entry
from services.eventlog.lifecycle import (
    Aborted,
    AbortReason,
    Created,
    Quarantined,
    Released,
    Resigned,
    SeatClaimed,
    SeatReleased,
    Started,
)
from services.eventlog.match import Status
from services.eventlog.ranking import forfeited
from services.eventlog.terms import check_terms
from services.eventlog.work import Work


def create(order: Order, edition: bytes, match: str, secret: bytes, at: int) -> tuple[Aggregate, tuple[Entry, ...]]:
    """A new match and its first entries. Raises Refused."""
    command = order.command
    assert isinstance(command, Create)
    check_request_id(order.request_id)
    created = _created(order, command, match, secret)
    aggregate = _born(created, edition)
    taken = [bot.seat for bot in command.bots] + ([] if command.own_seat is None else [command.own_seat])
    if any(not 0 <= seat < command.seats for seat in taken):
        raise Refused(Reason.UNKNOWN_SEAT, f"seats are numbered 0 to {command.seats - 1}")
    if len(set(taken)) < len(taken):
        raise Refused(Reason.SEAT_TAKEN, "a seat is claimed twice")
    work = Work(aggregate, order, secret, at)
    work.write(created)
    if command.own_seat is not None:
        work.write(SeatClaimed(command.own_seat, order.player, command.name))
    for bot in command.bots:
        work.write(SeatClaimed(bot.seat, bot.player, bot.name, bot=True))
    _start_when_full(work)
    return aggregate, work.done()


def decide(aggregate: Aggregate, order: Order, secret: bytes, at: int) -> tuple[Entry, ...]:
    """The entries of the command, chained to the log's head; `at` is the store's time in ms. Raises Refused."""
    check(aggregate, order)
    work = Work(aggregate, order, secret, max(at, aggregate.facts.at))
    DECIDE[type(order.command)](work, order.command)
    return work.done()


def refusal(aggregate: Aggregate, order: Order, out_of_time: Collection[int] = ()) -> Refused | None:
    """Why the order would be refused, or None. Nothing is drawn and nothing changes, though seats are `out_of_time`."""
    try:
        check(aggregate, order)
    except Refused as refused:
        return refused
    command = order.command
    if order.seat in out_of_time:
        return Refused(Reason.OUT_OF_TIME, f"the time of seat {order.seat} has run out")
    if isinstance(command, Submit):
        illegal = draft.refusal(aggregate.engine.decide, aggregate.state, command.seat, command.move)
        return None if illegal is None else _illegal(aggregate, command.seat, illegal)
    return None


def _created(order: Order, command: Create, match: str, secret: bytes) -> Created:
    try:
        engine = games.engine(command.game)
    except games.UnknownGame as error:
        raise Refused(Reason.UNKNOWN_GAME, str(error)) from error
    if command.terms is not None:
        check_terms(command.terms, command.game)
    return Created(
        match=match,
        game=command.game,
        rules=engine.rules[-1],
        edition=command.edition,
        options=msgspec.Raw(canonical.encode(command.options)),
        seats=command.seats,
        creator=order.player,
        commitment=hashes.commitment(match, secret).hex(),
        auto_start=command.auto_start,
        log_after_end=command.log_after_end,
        terms=command.terms,
    )


def _born(created: Created, edition: bytes) -> Aggregate:
    try:
        return Aggregate.born(created.match, created, edition)
    except InvalidEdition as error:
        raise Refused(Reason.INVALID_EDITION, str(error)) from error
    except RuleError as error:
        raise Refused(Reason.ILLEGAL_OPTIONS, error.message, rule=error.rule) from error


def _claim(work: Work, command: Claim) -> None:
    seat = claimable(work.facts, work.order.player) if command.seat is None else command.seat
    assert seat is not None, "check has found one"
    claimed = SeatClaimed(
        seat, work.order.player, command.name, command.bot, invitation=command.invitation, until=command.until
    )
    work.write(claimed)
    _start_when_full(work)


def _start(work: Work, _command: Start) -> None:
    work.write(Started())
    work.setup()
    go_on(work)


def _start_when_full(work: Work) -> None:
    if work.facts.created.auto_start and all(seat.player is not None for seat in work.facts.seats):
        _start(work, Start())


def _leave(work: Work, command: Leave) -> None:
    facts = work.facts
    if facts.status is Status.OPEN:
        work.write(SeatReleased(command.seat, work.order.player))
        return
    work.write(Resigned(command.seat))
    if abort_without_persons(work):
        return
    if len(facts.seats) == 2:
        finish(work, forfeited(2, facts.left))
    else:
        go_on(work)


def _withdraw(work: Work, command: Withdraw) -> None:
    work.write(SeatReleased(command.seat, work.order.player))


def _submit(work: Work, command: Submit) -> None:
    try:
        work.play(command.seat, command.move)
    except IllegalMove as illegal:
        raise _illegal(work.aggregate, command.seat, illegal) from illegal
    go_on(work)


def _abort(work: Work, command: Abort) -> None:
    abort(work, Aborted(AbortReason.ADMIN, work.order.player, command.why))


def _quarantine(work: Work, command: Quarantine) -> None:
    work.write(Quarantined(work.order.player, command.why))


def _release(work: Work, command: Release) -> None:
    work.write(Released(work.order.player, command.why))


def _illegal(aggregate: Aggregate, seat: int, illegal: IllegalMove) -> Refused:
    engine, state = aggregate.engine, aggregate.state
    its_turn = seat in engine.to_act(state) or seat in engine.may_act(state)
    reason = Reason.ILLEGAL_MOVE if its_turn else Reason.NOT_YOUR_TURN
    return Refused(reason, illegal.message, rule=illegal.rule, version=aggregate.facts.version)


DECIDE: dict[type, Callable[[Work, Any], None]] = {
    Claim: _claim,
    Start: _start,
    Leave: _leave,
    Withdraw: _withdraw,
    Submit: _submit,
    Abort: _abort,
    Quarantine: _quarantine,
    Release: _release,
    Expire: expiring.expire,
}
