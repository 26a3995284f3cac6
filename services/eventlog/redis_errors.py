"""What redis-py raises, in the port's words."""

from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from redis.exceptions import (
    AuthenticationError,
    BusyLoadingError,
    MasterDownError,
    OutOfMemoryError,
    ReadOnlyError,
    RedisError,
)
from redis.exceptions import ConnectionError as ConnectionFailed
from redis.exceptions import TimeoutError as TimedOut

from services.eventlog.port import StoreAway, StoreError, StoreFull, StoreReadOnly, WrongStore

LOST = (ConnectionFailed, TimedOut, OSError, TimeoutError)
ANSWERS = (BusyLoadingError, AuthenticationError)
"""Errors of redis-py that are answers, though it counts them among lost connections."""

# redis-py takes the code off the texts of those it has a class for, and leaves it on the others.
_BY_CLASS: tuple[tuple[type[RedisError], type[Exception]], ...] = (
    (BusyLoadingError, StoreAway),
    (AuthenticationError, StoreAway),
    (MasterDownError, StoreAway),
    (ReadOnlyError, StoreReadOnly),
    (OutOfMemoryError, StoreFull),
)
_BY_CODE: dict[str, type[Exception]] = {
    "WRONGTYPE": WrongStore,
    "MISCONF": StoreReadOnly,
    "NOREPLICAS": StoreReadOnly,
    "BUSY": StoreAway,
    "EMPTIED": StoreAway,
}


def address(url: str) -> str:
    """The URL without what it may hold of user and password."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def refusal(error: RedisError, where: str) -> Exception:
    """The port's error for an answer that refuses a command as a whole."""
    text = str(error)
    by_code = _BY_CODE.get(text.partition(" ")[0], StoreError)
    kind = next((ours for theirs, ours in _BY_CLASS if isinstance(error, theirs)), by_code)
    return kind(f"the store at {where} answers: {text}")


def unreachable(error: BaseException, where: str) -> StoreAway:
    """The port's error for a connection that was lost or never made; a timeout has no text of its own."""
    return StoreAway(f"the store at {where} can't be reached: {str(error) or 'no answer in time'}")


@contextmanager
def translated(where: str) -> Iterator[None]:
    """Around reads, and writes that may be sent again: whatever goes wrong is a StoreError."""
    try:
        yield
    except ANSWERS as error:
        raise refusal(error, where) from error
    except LOST as error:
        raise unreachable(error, where) from error
    except RedisError as error:
        raise refusal(error, where) from error
