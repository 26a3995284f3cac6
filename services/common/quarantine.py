"""Logs with an entry that can't be folded, as operators learn of them."""

from services.common import metrics
from services.common.bounded import Bounded
from services.common.logs import logger
from services.common.refusals import Reason, Refused

REMEMBERED = 10_000

log = logger()


class Quarantine:
    """Tells of each such log once, however often it is asked for."""

    def __init__(self) -> None:
        self._told: Bounded[str, str] = Bounded(REMEMBERED)

    @property
    def told(self) -> tuple[str, ...]:
        """The matches told of, whatever has become of them."""
        return tuple(self._told)

    def look(self, match: str, refused: Refused) -> None:
        """Tells of the log where that is why it was refused."""
        if refused.reason is not Reason.QUARANTINED or self._told.get(match) == refused.message:
            return
        self._told[match] = refused.message
        metrics.log_quarantined.inc()
        log.error("log can't be folded", match=match, sound_to=refused.version, error=str(refused.__cause__))
