"""Messages as proto3 JSON, and back."""

from typing import Any

import msgspec
from google.protobuf import json_format
from google.protobuf.message import Message

from gateway.limits import OUTBOX_BYTES
from services.common.refusals import Reason, Refused

UNREADABLE = (json_format.Error, ValueError, TypeError, AttributeError, RecursionError, OverflowError)
"""What its parser raises of texts that are no such message: its own errors and, of odd ones, Python's."""


def from_json(text: bytes, kind: type[Message]) -> Message:
    """Raises Refused(MALFORMED)."""
    try:
        if text.lstrip()[:1] != b"{":  # its parser takes an empty list for a message
            raise ValueError("it begins with no object")
        return json_format.Parse(text, kind())
    except UNREADABLE as error:
        reason = " ".join(str(error).split())[:200]
        raise Refused(Reason.MALFORMED, f"the body is no {kind.DESCRIPTOR.name} in JSON: {reason}") from error


def to_json(message: Message) -> bytes:
    return msgspec.json.encode(json_format.MessageToDict(message))


class Events:
    """Messages of one kind as server-sent events. What many are told is converted once: it is known by its bytes."""

    def __init__(self, kind: type[Message]) -> None:
        self._kind = kind
        self._known: dict[bytes, bytes] = {}
        self._size = 0

    def of(self, message: Message | bytes) -> bytes:
        if not isinstance(message, bytes):
            return _event(json_format.MessageToDict(message))
        found = self._known.get(message)
        if found is None:
            found = self._converted(message)
            self._remember(message, found)
        return found

    def _converted(self, message: bytes) -> bytes:
        return _event(json_format.MessageToDict(self._kind.FromString(message)))

    def _remember(self, message: bytes, event: bytes) -> None:
        """The latest come again soon or never: what is older than they are is dropped at once."""
        self._size += len(message) + len(event)
        if self._size > 4 * OUTBOX_BYTES:
            self._known.clear()
            self._size = len(message) + len(event)
        self._known[message] = event


def _event(message: dict[str, Any]) -> bytes:
    place = _place(message)
    name = f"id: {place}\n".encode() if place else b""
    return b"%bdata: %b\n\n" % (name, msgspec.json.encode(message))


def _place(message: dict[str, Any]) -> str:
    """Where one who has the message goes on from: the cursor or position of its last part; empty where it has none."""
    parts = next((field for field in message.values() if isinstance(field, list)), None)
    if not parts or not isinstance(parts[-1], dict):
        return ""
    last = parts[-1]
    inner = next((field for field in last.values() if isinstance(field, dict)), {})
    place = last.get("cursor") or inner.get("cursor") or inner.get("position") or ""
    return str(place)
