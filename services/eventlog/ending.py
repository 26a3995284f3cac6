"""How a command goes on from a change of seats or a move: to whoever moves next, or to the match's end."""

from engines.core.outcome import Outcome
from services.eventlog.lifecycle import Aborted, AbortReason, Expired, ExpiryReason, Finished, SecretRevealed
from services.eventlog.ranking import ranked
from services.eventlog.work import Work


def go_on(work: Work) -> None:
    """Autopilot plays the seats that nobody plays; the match finishes when the game is over."""
    engine, facts, state = work.aggregate.engine, work.facts, work.aggregate.state
    while (seat := next((seat for seat in facts.owing if facts.seats[seat].played_by is None), None)) is not None:
        work.play(seat, engine.autopilot(state, seat))
    outcome = engine.outcome(state)
    if outcome is not None:
        finish(work, ranked(outcome, facts.left))


def finish(work: Work, outcome: Outcome) -> None:
    work.write(Finished(outcome))
    _reveal(work)


def abort_without_persons(work: Work) -> bool:
    """Whether no person plays any more, and so the match is over."""
    if any(not seat.bot and not seat.vacant for seat in work.facts.seats):
        return False
    abort(work, Aborted(AbortReason.ALL_LEFT))
    return True


def abort(work: Work, event: Aborted) -> None:
    work.write(event)
    _reveal(work)


def expire_match(work: Work, reason: ExpiryReason) -> None:
    work.write(Expired(reason))
    _reveal(work)


def _reveal(work: Work) -> None:
    work.write(SecretRevealed(work.secret.hex()))
