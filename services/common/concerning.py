"""What is being done right now: the call or command that a line of the log, a span, or a message to an engine is about.

It is kept as it came, and looked into only where a line is written: every move passes here.
"""

import os
import re
from contextvars import ContextVar
from hashlib import sha256
from typing import Any

LONGEST = 64
"""Characters of a name that stand in a line; a longer one is refused anyway."""

_TRACEPARENT = re.compile(r"(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?")
_NAMES = {"match": "match_id", "request": "request_id"}


class Concern:
    """`about` is a message with a `match_id` and a `request_id`, if it names any.

    `traceparent` is W3C's: the trace, and the span that what is done here belongs to; empty where the caller has none.
    """

    __slots__ = ("_made", "about", "traceparent")

    def __init__(self, about: Any, traceparent: str) -> None:
        self.about = about
        self.traceparent = traceparent
        self._made = ""

    @property
    def trace(self) -> str:
        """32 hex digits. Without a caller's: those of the request, alike in every service and every attempt."""
        if self.traceparent:
            return self.traceparent[3:35]
        if not self._made:
            request = getattr(self.about, "request_id", "")
            seed = f"{getattr(self.about, 'match_id', '')} {request}".encode() if request else os.urandom(16)
            self._made = sha256(seed).hexdigest()[:32]
        return self._made

    def names(self) -> dict[str, Any]:
        """What each line says of it."""
        found = {key: getattr(self.about, field, "")[:LONGEST] for key, field in _NAMES.items()}
        return {key: name for key, name in found.items() if name} | {"trace": self.trace}


_current: ContextVar[Any] = ContextVar("concern", default=None)


def current() -> Concern | None:
    found = _current.get()
    if found is None or isinstance(found, Concern):
        return found
    return begin(found, found.traceparent)


def begin(about: Any, traceparent: str = "") -> Concern:
    """From here on this task, and those that it begins, do this."""
    found = Concern(about, traceparent)
    _current.set(found)
    return found


def carry_out(command: Any) -> None:
    """The same for a message that holds its `traceparent`; a Concern is made of it where one is asked for."""
    _current.set(command)


def given(traceparent: str) -> str:
    """A caller's traceparent, if it is one; what is none is passed over, as W3C asks for."""
    return traceparent[:55] if traceparent and _TRACEPARENT.fullmatch(traceparent) else ""
