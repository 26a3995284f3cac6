"""What is known of one command, so that nobody is told "nothing was changed" while it may stand in the log."""

from collections.abc import Iterator
from contextlib import contextmanager

from services.common.logs import logger
from services.common.refusals import Refused
from services.eventlog import store_refusals
from services.eventlog.aggregate import Aggregate
from services.eventlog.checking import earlier
from services.eventlog.commands import Order
from services.eventlog.requests import Handled

log = logger()


class Fate:
    """`uncertain` from the moment the command's entries are sent until it is known that they do not stand in the log.

    A clean conflict says so. After an attempt without an answer a conflict does not, and the log has to be read: it has
    gone on from where that attempt would have to land, so what is not there by then is refused whenever it arrives.
    """

    def __init__(self) -> None:
        self.uncertain = False

    def read(self, aggregate: Aggregate, order: Order) -> Handled | None:
        """Looks for the command in the fold, read since it was sent, as `earlier` does. Raises Refused."""
        self.uncertain = False
        handled = earlier(aggregate.facts, order)
        self.uncertain = handled is not None
        return handled


@contextmanager
def telling() -> Iterator[Fate]:
    """Whatever ends the command while it is uncertain says OUTCOME_UNKNOWN."""
    fate = Fate()
    try:
        yield fate
    except Refused as refused:
        if fate.uncertain:
            raise store_refusals.unknown() from refused
        raise
    except Exception as error:
        if fate.uncertain:
            log.exception("command failed once it was sent")
            raise store_refusals.unknown() from error
        raise
