"""Canonical JSON: RFC 8785 within the log's profile (log_format, JSON).

What we write is canonical by construction: sorted keys, no floats, ASCII names. What comes from outside is parsed
strictly and written again by an RFC 8785 library; bytes that differ are refused.
"""

import json
import re
from typing import Any

import msgspec
import rfc8785

MAX_INTEGER = 2**53 - 1

UNDECODABLE = (msgspec.DecodeError, RecursionError)
"""What msgspec raises of bytes from outside: the second where they are nested too deep."""

_DIGITS = re.compile(rb"[0-9]{16}")
_encoder = msgspec.json.Encoder(order="sorted")


class NotCanonical(ValueError):  # noqa: N818 - says what the bytes are
    """Bytes or a value outside the profile; the message says how."""


def encode(value: object) -> bytes:
    """The canonical bytes; raises NotCanonical for a lone surrogate or an integer beyond 2^53 - 1."""
    try:
        data = _encoder.encode(value)
    except UnicodeEncodeError as error:
        raise NotCanonical(f"a text holds a lone surrogate at {error.start}") from error
    if _may_hold_large_integer(data):
        _check_integers(json.loads(data))
    return data


def strict(data: bytes) -> Any:
    """The parsed value of canonical bytes; raises NotCanonical for any others."""
    try:
        value = json.loads(data, object_pairs_hook=_no_doubles, parse_constant=_no_constant, parse_float=_no_float)
        written = rfc8785.dumps(value)
    except (ValueError, RecursionError) as error:  # rfc8785's own errors are ValueErrors
        raise NotCanonical(str(error)) from error
    if written != data:
        raise NotCanonical("the bytes are not what RFC 8785 writes for their value")
    return value


def _may_hold_large_integer(data: bytes) -> bool:
    """Sixteen digits in a row are the least that 2^53 takes; the rare false alarm costs time only."""
    return _DIGITS.search(data) is not None


def _check_integers(value: object) -> None:
    if isinstance(value, dict):
        for part in value.values():
            _check_integers(part)
    elif isinstance(value, list):
        for part in value:
            _check_integers(part)
    elif isinstance(value, int) and abs(value) > MAX_INTEGER:
        raise NotCanonical(f"{value} lies beyond 2^53 - 1")


def _no_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise NotCanonical("an object names a key twice")
    return found


def _no_constant(text: str) -> Any:
    raise NotCanonical(f"{text} is no number of the profile")


def _no_float(text: str) -> Any:
    raise NotCanonical(f"{text} is no integer")
