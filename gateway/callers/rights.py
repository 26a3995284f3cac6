"""What of a match a caller may see."""

from gateway.callers.identity import Caller
from services.common.refusals import Reason, Refused
from services.eventlog.lifecycle import LogAfterEnd
from services.eventlog.match import Match


def absent() -> Refused:
    """What is said of a match that does not exist, and of one that the caller must not know of."""
    return Refused(Reason.UNKNOWN_MATCH, "there is no such match")


def insiders(facts: Match) -> set[str]:
    """The players who may see a private match: who made it, who hold or held a seat, who have one reserved."""
    seated = {player for seat in facts.seats for player in (seat.player, seat.stand_in) if player is not None}
    return {facts.created.creator, *seated, *facts.guests, *facts.terms.reserved} - {""}


def may_see(facts: Match, caller: Caller) -> bool:
    return not facts.terms.private or caller.admin or caller.player in insiders(facts)


def check_visible(facts: Match, caller: Caller) -> None:
    """Whether the caller may know of the match: asked before anything else. Raises Refused(UNKNOWN_MATCH)."""
    if not may_see(facts, caller):
        raise absent()


def check_audience(facts: Match, caller: Caller, seat: int | None) -> None:
    """Whether the caller may see what the seat (None: a spectator) sees. Raises Refused.

    A seat that was left after the start stays its player's to look at: nobody else ever holds it, though a bot may
    play it.
    """
    check_visible(facts, caller)
    if seat is None:
        return
    if not 0 <= seat < len(facts.seats):
        raise Refused(Reason.UNKNOWN_SEAT, f"seats are numbered 0 to {len(facts.seats) - 1}")
    held = facts.seats[seat]
    if not (facts.opened or caller.admin or caller.player in {held.player, held.stand_in}):
        raise Refused(Reason.NOT_YOUR_SEAT, f"seat {seat} is not yours")


def check_holder(facts: Match, caller: Caller, seat: int) -> None:
    """Whether the seat is the caller's to play, or the caller an admin. Raises Refused."""
    if not 0 <= seat < len(facts.seats):
        raise Refused(Reason.UNKNOWN_SEAT, f"seats are numbered 0 to {len(facts.seats) - 1}")
    if not (caller.admin or facts.holds(caller.player, seat)):
        raise Refused(Reason.NOT_YOUR_SEAT, f"seat {seat} is not yours")


def is_kept_behind(facts: Match, caller: Caller) -> bool:
    """Whether the caller is a spectator whom the match's terms keep behind its log until it is over.

    Whoever gave up their seat is one too, also of what that seat sees: they could tell others. So are those who ask
    before the start, when nothing is hidden yet, that they may be told on from there. A copy keeps nobody behind.
    """
    return (
        facts.terms.spectator_delay is not None
        and not (facts.over or facts.imported or caller.admin)
        and not any(facts.holds(caller.player, seat) for seat in range(len(facts.seats)))
    )


def check_full(facts: Match, caller: Caller) -> None:
    """Whether the caller may read the whole log. Raises Refused(NOT_ALLOWED)."""
    if not (facts.opened or caller.admin):
        closed = facts.created.log_after_end is LogAfterEnd.CLOSED
        why = "stays closed:" if closed else "is opened when the match is over; until then"
        raise Refused(Reason.NOT_ALLOWED, f"the log of this match {why} the whole of it is for admins")
