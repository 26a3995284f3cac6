"""A command on its way to an engine: its bytes, its deadline, and who waits for the answer."""

from collections.abc import Callable
from time import monotonic

from gateway.framing import field
from services.common import wire
from services.common.refusals import Reason, Refused
from tidelog.v1.engine_pb2 import EngineAnswer, EngineCommand, LinkRequest

RETRY_AFTER_MS = 500
ASK_AGAIN = "ask again with the same request id to learn what became of it"

JUDGED = frozenset(
    wire.to_proto(Refused(reason, "")).reason
    for reason in (
        Reason.REQUEST_ID_REUSED,
        Reason.STALE,
        Reason.ILLEGAL_MOVE,
        Reason.NOT_YOUR_TURN,
        Reason.NOT_STARTED,
        Reason.ALREADY_STARTED,
        Reason.SEATS_OPEN,
        Reason.MATCH_OVER,
        Reason.OUT_OF_TIME,
        Reason.SEAT_TAKEN,
        Reason.MATCH_EXISTS,
        Reason.NOT_YOUR_SEAT,
        Reason.NOT_ALLOWED,
        Reason.UNKNOWN_MATCH,
        Reason.UNKNOWN_SEAT,
        Reason.EXPIRED,
    )
)
"""Judgements of the whole log by pinned rules: certain though another replica's append may be on its way.

That append names the version on which it was judged. Where the log is beyond that, the store refuses it for ever; where
the log still stands there, it was judged as this refusal was, and never made. Any other reason tells of a replica or
its store (away, busy, at fault), or of what replicas of different releases may see differently.
"""

_COMMANDS = LinkRequest.COMMANDS_FIELD_NUMBER

Settle = Callable[[EngineAnswer], None]


class Pending:
    """A command without its answer. `data` is a whole LinkRequest: requests joined are one request with all commands.

    `unknown` says that a link broke while the command was on it: it may have been carried out. One that is `settled` is
    not sent any more.
    """

    __slots__ = ("_changes", "born", "data", "deadline", "id", "match_id", "sent", "settle", "settled", "unknown")

    def __init__(self, command: EngineCommand, timeout_s: float, settle: Settle) -> None:
        self.id = command.id
        self.match_id = command.match_id
        self.data = field(_COMMANDS, command.SerializeToString())
        self.born = monotonic()
        self.deadline = self.born + timeout_s
        self.settle = settle
        self.sent = False
        self.settled = False
        self.unknown = False
        self._changes = bool(command.request_id)

    def answered(self, answer: EngineAnswer) -> None:
        """A refusal of a later attempt says nothing of one that may have been carried out, unless it is a judgement."""
        refusal = answer.refusal
        if self._changes and self.unknown and answer.HasField("refusal") and refusal.reason not in JUDGED:
            message = f"an engine was lost before it answered, and the next could not tell: {ASK_AGAIN}"
            self._unknown(message, refusal.retry_after_ms or RETRY_AFTER_MS)
        else:
            self.settle(answer)

    def refuse(self, refused: Refused) -> None:
        self.settle(EngineAnswer(id=self.id, refusal=wire.to_proto(refused)))

    def expire(self, *, store_there: bool) -> None:
        """Says what is known once nobody waits any longer."""
        self.settled = True
        if self._changes and (self.sent or self.unknown):
            self._unknown(f"no engine answered in time: {ASK_AGAIN}", RETRY_AFTER_MS)
        elif self.sent:
            message = "the engine did not answer in time; a question changes nothing, so ask again"
            self.refuse(Refused(Reason.ENGINE_AWAY, message, retry_after_ms=RETRY_AFTER_MS))
        else:
            self.refuse(away(store_there=store_there))

    def _unknown(self, message: str, retry_after_ms: int) -> None:
        self.refuse(Refused(Reason.OUTCOME_UNKNOWN, message, retry_after_ms=retry_after_ms))


def away(*, store_there: bool) -> Refused:
    if not store_there:
        message = "the store can't be reached; nothing was changed"
        return Refused(Reason.STORE_AWAY, message, retry_after_ms=RETRY_AFTER_MS)
    message = "no engine service of this game answers at present; nothing was changed"
    return Refused(Reason.ENGINE_AWAY, message, retry_after_ms=RETRY_AFTER_MS)
