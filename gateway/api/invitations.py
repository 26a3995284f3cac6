"""The rpc that makes invitations."""

from gateway.api.calls import answering
from gateway.callers.call import Call
from gateway.callers.identity import Caller
from gateway.callers.rights import check_visible
from gateway.parts import Parts
from services.common.refusals import Reason, Refused
from services.eventlog.checking import claimable
from services.eventlog.match import Match, Status
from tidelog.v1.lobby_pb2 import CreateInvitationRequest, CreateInvitationResponse

MAX_PLAYER = 400
"""Bytes of a player's name within an invitation."""


class InvitationCalls:
    """Whoever may ask others to a match."""

    parts: Parts

    @answering
    async def CreateInvitation(  # noqa: N802
        self, request: CreateInvitationRequest, call: Call
    ) -> CreateInvitationResponse:
        facts = (await self.parts.live.current(request.match_id)).aggregate.facts
        check_visible(facts, call.caller)
        _check_host(facts, call.caller)
        _check_open(facts)
        seat = request.seat if request.HasField("seat") else None
        _check_free(facts, seat, request.player)
        if len(request.player.encode()) > MAX_PLAYER:
            raise Refused(Reason.TOO_LARGE, f"a player has at most {MAX_PLAYER} bytes - at `$.player`")
        text, invitation = self.parts.invitations.write(
            facts.id, seat=seat, player=request.player, expires_after_ms=request.expires_after_ms
        )
        return CreateInvitationResponse(invitation=text, expires_at_ms=invitation.expires_at_ms)


def _check_host(facts: Match, caller: Caller) -> None:
    seated = any(seat.player == caller.player for seat in facts.seats)
    if not (seated or caller.admin or caller.player == facts.created.creator):
        raise Refused(Reason.NOT_ALLOWED, "its creator and those who sit in a match invite others")


def _check_open(facts: Match) -> None:
    if facts.imported:
        raise Refused(Reason.READ_ONLY, "nobody plays an imported match")
    if facts.over:
        raise Refused(Reason.MATCH_OVER, "the match is over", version=facts.version)
    if facts.status is not Status.OPEN:
        raise Refused(Reason.ALREADY_STARTED, "the match has begun; its seats are taken")


def _check_free(facts: Match, seat: int | None, player: str) -> None:
    """Whether there is something to open, for the player or for anyone."""
    if seat is None:
        if claimable(facts, player) is None:
            raise Refused(Reason.SEAT_TAKEN, "no seat is open to whom it invites")
        return
    if not 0 <= seat < len(facts.seats):
        raise Refused(Reason.UNKNOWN_SEAT, f"seats are numbered 0 to {len(facts.seats) - 1}")
    if facts.seats[seat].player is not None:
        raise Refused(Reason.SEAT_TAKEN, f"seat {seat} is taken")
    if facts.reserved_for(seat) not in ("", player):
        raise Refused(Reason.SEAT_TAKEN, f"seat {seat} is reserved for another player")
