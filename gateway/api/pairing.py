"""The rpcs that bring players together: QuickMatch and its cancel, and Rematch."""

from engines.core import games
from gateway import facts
from gateway.api.calls import answering
from gateway.callers.call import Call
from gateway.callers.rights import check_visible
from gateway.limits import MAX_SEATS
from gateway.lobby.pairing import Hold, Pairing, Seated
from gateway.lobby.rematching import rematch
from gateway.parts import Parts
from gateway.projections import quick
from gateway.routing import commanding
from services.common.codec import GameCodec
from services.common.refusals import Reason, Refused
from services.eventlog import canonical, hashes
from services.eventlog.lifecycle import LogAfterEnd
from services.eventlog.match import Match as Facts
from services.eventlog.requests import find
from tidelog.v1.lifecycle_pb2 import LOG_AFTER_END_UNSPECIFIED, Terms
from tidelog.v1.lobby_pb2 import (
    CancelQuickMatchRequest,
    CancelQuickMatchResponse,
    QuickMatchRequest,
    QuickMatchResponse,
    RematchRequest,
    RematchResponse,
)
from tidelog.v1.matches_pb2 import CreateMatchRequest, Match

WAIT_MS = 10 * 60 * 1000
LONGEST_MS = 3600 * 1000


class PairingCalls:
    """Answers stand in the log once they are given."""

    parts: Parts
    pairing: Pairing

    @answering
    async def QuickMatch(self, request: QuickMatchRequest, call: Call) -> QuickMatchResponse:  # noqa: N802
        self.parts.engines.check(request.game)
        if not 0 < request.seats <= MAX_SEATS:
            raise Refused(Reason.MALFORMED, f"a match has 1 to {MAX_SEATS} seats - at `$.seats`")
        wait_ms = _wait_ms(request.expires_after_ms)
        creation, key = _wanted(request)
        now = await self.parts.log.time_ms()
        found = await self.pairing.seat(key, creation, request.request_id, Hold(now, now + wait_ms), call)
        return QuickMatchResponse(match=await self._seen(found, call), seat=found.seat)

    @answering
    async def CancelQuickMatch(  # noqa: N802
        self, request: CancelQuickMatchRequest, call: Call
    ) -> CancelQuickMatchResponse:
        command = commanding.command(request.match_id, call.caller, request.request_id)
        found = (await self.parts.live.current(request.match_id)).aggregate.facts
        check_visible(found, call.caller)
        if not found.terms.quick:
            raise Refused(Reason.MALFORMED, "no match that QuickMatch answered - at `$.match_id`")
        command.withdraw.seat = _seat_to_leave(found, call, request.request_id)
        answer = await self.parts.engines.ask(found.created.game, command, call.timeout_s)
        return CancelQuickMatchResponse(receipt=answer.receipt)

    @answering
    async def Rematch(self, request: RematchRequest, call: Call) -> RematchResponse:  # noqa: N802
        commanding.command(request.match_id, call.caller, request.request_id)
        old = (await self.parts.live.current(request.match_id)).aggregate.facts
        check_visible(old, call.caller)
        found = await rematch(self.parts, old, request.request_id, call)
        return RematchResponse(match=await self._seen(found, call), seat=found.seat)

    async def _seen(self, found: Seated, call: Call) -> Match:
        """Whoever asks again after resigning is a spectator by then, and may be kept behind."""
        of_match = (await self.parts.shown.current(found.match, call.caller)).aggregate.facts
        return facts.match_message(of_match, of_match.born)


def _wait_ms(asked: int) -> int:
    if asked < 0:
        raise Refused(Reason.MALFORMED, "a seat is held for some time - at `$.expires_after_ms`")
    if asked > LONGEST_MS:
        raise Refused(Reason.TOO_LARGE, f"a seat is held for {LONGEST_MS} ms - at `$.expires_after_ms`")
    return asked or WAIT_MS


def _wanted(asked: QuickMatchRequest) -> tuple[CreateMatchRequest, bytes]:
    """The match that is made where there is none, and the queue of those who ask for it. Raises Refused."""
    commanding.check_payload(asked.options, "options")
    options = canonical.encode(GameCodec.of(asked.game).options(asked.options))
    edition = asked.edition
    if edition in ("", *games.editions(asked.game)):
        edition = games.edition_hash(games.edition(asked.game, edition or None))
    creation = CreateMatchRequest(
        game=asked.game,
        options=asked.options,
        seats=asked.seats,
        edition=edition,
        log_after_end=asked.log_after_end,
        terms=Terms(
            quick=True,
            clock=asked.clock if asked.HasField("clock") else None,
            absence=asked.absence if asked.HasField("absence") else None,
            absence_policy=asked.absence_policy,
            spectator_delay=asked.spectator_delay if asked.HasField("spectator_delay") else None,
        ),
    )
    opened = asked.log_after_end == LOG_AFTER_END_UNSPECIFIED
    after_end = LogAfterEnd.OPEN if opened else facts.LOG_AFTER_END_OF[asked.log_after_end]
    terms = facts.terms_of(creation.terms)
    return creation, quick.queue_of(asked.game, options, asked.seats, edition, terms, after_end)


def _seat_to_leave(found: Facts, call: Call, request_id: str) -> int:
    """The caller's, or the one that this very request gave up before. Raises Refused(NOT_YOUR_SEAT)."""
    player = call.caller.player
    earlier = find(found.requests, player, hashes.request_key(player, request_id))
    if earlier is not None and earlier.seat is not None:
        return earlier.seat
    held = (number for number, seat in enumerate(found.seats) if seat.player == player)
    seat = next(held, None)
    if seat is None:
        raise Refused(Reason.NOT_YOUR_SEAT, "you hold no seat of this match")
    return seat
