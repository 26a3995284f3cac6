"""A command on its way to an engine: its bytes, its deadline, and who waits for the answer."""

from collections.abc import Callable
from time import monotonic

from services.common import wire
from services.common.refusals import Reason, Refused
from tidelog.v1.engine_pb2 import EngineAnswer, EngineCommand, LinkRequest

RETRY_AFTER_MS = 500

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
        self.data = LinkRequest(commands=(command,)).SerializeToString()
        self.born = monotonic()
        self.deadline = self.born + timeout_s
        self.settle = settle
        self.sent = False
        self.settled = False
        self.unknown = False
        self._changes = bool(command.request_id)

    def refuse(self, refused: Refused) -> None:
        self.settle(EngineAnswer(id=self.id, refusal=wire.to_proto(refused)))

    def expire(self, *, store_there: bool) -> None:
        """Says what is known once nobody waits any longer."""
        self.settled = True
        if self._changes and (self.sent or self.unknown):
            message = "no engine answered in time: ask again with the same request id to learn what became of it"
            self.refuse(Refused(Reason.OUTCOME_UNKNOWN, message, retry_after_ms=RETRY_AFTER_MS))
        elif self.sent:
            message = "the engine did not answer in time; a question changes nothing, so ask again"
            self.refuse(Refused(Reason.ENGINE_AWAY, message, retry_after_ms=RETRY_AFTER_MS))
        else:
            self.refuse(away(store_there=store_there))


def away(*, store_there: bool) -> Refused:
    if not store_there:
        message = "the store can't be reached; nothing was changed"
        return Refused(Reason.STORE_AWAY, message, retry_after_ms=RETRY_AFTER_MS)
    message = "no engine service of this game answers at present; nothing was changed"
    return Refused(Reason.ENGINE_AWAY, message, retry_after_ms=RETRY_AFTER_MS)
