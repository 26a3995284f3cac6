"""The store's own troubles, as callers are told them."""

from services.common.refusals import Reason, Refused
from services.eventlog.port import StoreAway, StoreError, StoreFull, StoreReadOnly, WrongStore

SOON_MS = 300
"""A store that was killed is back within a second or two."""
LATER_MS = 1000
"""Somebody has to help."""

_REASONS: dict[type[Exception], tuple[Reason, str, int]] = {
    StoreAway: (Reason.STORE_AWAY, "the store can't be reached; nothing was changed", SOON_MS),
    StoreReadOnly: (Reason.STORE_READ_ONLY, "the store takes no writes at present; nothing was changed", LATER_MS),
    StoreFull: (Reason.STORE_FULL, "the store is full; nothing was changed", LATER_MS),
    WrongStore: (Reason.STORE_AWAY, "the store is not the one that was opened; nothing was changed", LATER_MS),
}


def refused(error: StoreError) -> Refused:
    """What to answer: nothing was changed, and trying again later may help."""
    reason, message, retry_after_ms = _REASONS.get(type(error), _REASONS[StoreAway])
    return Refused(reason, message, retry_after_ms=retry_after_ms)


def unknown() -> Refused:
    """What to answer once the deadline passes with an append whose answer never came."""
    return Refused(
        Reason.OUTCOME_UNKNOWN,
        "the store did not answer in time: ask again with the same request id to learn what became of it",
        retry_after_ms=SOON_MS,
    )
