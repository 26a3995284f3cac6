"""Callers' requests as commands to engines. Moves and options pass through as they are."""

from engines.core import games
from gateway.callers.identity import Caller, bot_subject, player_of
from gateway.limits import MAX_PAYLOAD, MAX_REQUEST_ID
from services.common.refusals import Reason, Refused
from tidelog.v1.engine_pb2 import BotClaim, EngineCommand
from tidelog.v1.lifecycle_pb2 import Terms
from tidelog.v1.matches_pb2 import CreateMatchRequest, PlayCommand, SubmitMoveRequest
from tidelog.v1.payload_pb2 import Payload


def policies(game: str) -> tuple[str, ...]:
    """The server's players of a game, its own first."""
    return (*games.policies(game), "random")


def command(match_id: str, caller: Caller, request_id: str) -> EngineCommand:
    """Without what is asked for. Raises Refused."""
    if not 0 < len(request_id) <= MAX_REQUEST_ID:
        message = f"a request id has 1 to {MAX_REQUEST_ID} characters - at `$.request_id`"
        raise Refused(Reason.TOO_LARGE if request_id else Reason.MALFORMED, message)
    return EngineCommand(match_id=match_id, player=caller.player, admin=caller.admin, request_id=request_id)


def submit(caller: Caller, asked: SubmitMoveRequest | PlayCommand.Submit) -> EngineCommand:
    """Raises Refused."""
    check_payload(asked.move, "move")
    found = command(asked.match_id, caller, asked.request_id)
    found.submit.seat = asked.seat
    found.submit.move.CopyFrom(asked.move)
    if asked.HasField("decision"):
        found.submit.decision = asked.decision
    if asked.HasField("expected_version"):
        found.submit.expected_version = asked.expected_version
    return found


def create(match_id: str, caller: Caller, asked: CreateMatchRequest) -> EngineCommand:
    """Raises Refused."""
    check_payload(asked.options, "options")
    found = command(match_id, caller, asked.request_id)
    found.create.CopyFrom(
        EngineCommand.Create(
            edition=asked.edition,
            options=asked.options if asked.HasField("options") else None,
            seats=asked.seats,
            auto_start=asked.auto_start if asked.HasField("auto_start") else True,
            log_after_end=asked.log_after_end,
            own_seat=asked.own_seat if asked.HasField("own_seat") else None,
            name=caller.name,
            terms=asked.terms if asked.HasField("terms") else None,
            bots=[_bot(asked.game, bot.seat, bot.policy, place) for place, bot in enumerate(asked.bots)],
        )
    )
    return found


def check_terms(terms: Terms) -> None:
    """That they hold nothing which the server alone gives. Raises Refused(MALFORMED)."""
    for name, given in (
        ("quick", terms.quick),
        ("rematch_of", terms.HasField("rematch_of")),
        ("reserved", terms.reserved),
    ):
        if given:
            raise Refused(Reason.MALFORMED, f"that is the server's to say - at `$.terms.{name}`")


def _bot(game: str, seat: int, policy: str, place: int) -> BotClaim:
    known = policies(game)
    policy = policy or known[0]
    if policy not in known:
        message = f"{game} has no player {policy[:40]!r}; there are: {', '.join(known)} - at `$.bots[{place}].policy`"
        raise Refused(Reason.MALFORMED, message)
    return BotClaim(seat=seat, player=player_of(bot_subject(policy)), name=policy)


def check_payload(payload: Payload, field: str) -> None:
    """Raises Refused(TOO_LARGE)."""
    size = len(payload.json) if payload.HasField("json") else payload.ByteSize()
    if size > MAX_PAYLOAD:
        raise Refused(Reason.TOO_LARGE, f"{size} bytes; the limit is {MAX_PAYLOAD} - at `$.{field}`")
