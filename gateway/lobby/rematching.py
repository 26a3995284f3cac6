"""A match repeated: the same players one seat on, each of whom finds the same new match."""

from itertools import count

import msgspec

from engines.core.digest import digest
from gateway import facts as messages
from gateway.callers.call import Call
from gateway.callers.identity import bot_subject, is_bot, player_of
from gateway.lobby import making
from gateway.lobby.pairing import Seated, given_up
from gateway.parts import Parts
from services.common.refusals import Reason, Refused
from services.eventlog.entries import START
from services.eventlog.match import Match, Status
from tidelog.v1.matches_pb2 import BotSeat, CreateMatchRequest
from tidelog.v1.payload_pb2 import Payload

OPEN_MS = 10 * 60 * 1000
"""How long the seats of the others are reserved; then the new match expires."""


async def rematch(parts: Parts, old: Match, request_id: str, call: Call) -> Seated:
    """The caller's seat in the repetition of the match. Raises Refused and the port's errors."""
    _check(old, call)
    for number in count():
        creation = _creation(old, number)
        match_id = making.match_id_of(parts, creation.request_id)
        if await parts.log.head(match_id) == START:
            await parts.quotas.check_seat(call.caller)
            await making.make(parts, creation, call)
        live = await parts.live.current(match_id)
        facts = live.aggregate.facts
        if facts.status in (Status.ABORTED, Status.EXPIRED):
            continue
        for seat, player in enumerate(facts.terms.reserved):
            if player == call.caller.player and facts.seats[seat].player is None:
                await parts.quotas.check_seat(call.caller)
                await _claim(parts, old.created.game, match_id, request_id, seat, call)
        live = await parts.live.current(match_id)
        found = making.seat_of(live, call.caller.player)
        if found is not None:
            return Seated(live.id, found)
        if live.aggregate.facts.status is Status.OPEN:
            raise given_up()
    raise AssertionError("numbers have no end")


async def _claim(parts: Parts, game: str, match_id: str, request_id: str, seat: int, call: Call) -> None:
    """Asked twice at once, the caller has the seat all the same; one that expired meanwhile is told by its status."""
    claim = making.claiming(match_id, call.caller, digest("rematch", request_id, seat).hex()[:32])
    claim.claim.seat = seat
    try:
        await making.claimed(parts, game, claim, call)
    except Refused as refused:
        if refused.reason not in (Reason.SEAT_TAKEN, Reason.MATCH_OVER, Reason.ALREADY_STARTED):
            raise


def _check(old: Match, call: Call) -> None:
    if old.imported:
        raise Refused(Reason.READ_ONLY, "nobody played an imported match here")
    if not any(seat.player == call.caller.player for seat in old.seats):
        raise Refused(Reason.NOT_YOUR_SEAT, "a match is repeated by those who sat in it")
    if not old.over:
        raise Refused(Reason.NOT_OVER, "the match is not over")
    if any(seat.player is None for seat in old.seats):
        raise Refused(Reason.SEATS_OPEN, "the match ended before all of its seats were claimed")


def _creation(old: Match, number: int) -> CreateMatchRequest:
    """The same for all who ask: whoever sat at seat 1 begins, and so on around."""
    created, seats = old.created, [*old.seats[1:], old.seats[0]]
    found = CreateMatchRequest(
        request_id=f"{digest('rematch', old.id).hex()[:32]}-{number}",
        game=created.game,
        options=Payload(json=bytes(created.options).decode()),
        seats=created.seats,
        edition=created.edition,
        log_after_end=messages.LOG_AFTER_END[created.log_after_end],
        bots=[
            BotSeat(seat=place, policy=seat.player.removeprefix(player_of(bot_subject(""))))
            for place, seat in enumerate(seats)
            if seat.player is not None and is_bot(seat.player)
        ],
    )
    reserved = tuple("" if seat.player is None or is_bot(seat.player) else seat.player for seat in seats)
    terms = msgspec.structs.replace(old.terms, quick=False, rematch_of=old.id, reserved=reserved, open_ms=OPEN_MS)
    found.terms.CopyFrom(messages.terms_message(terms))
    return found
