"""Page tokens: texts that say where a page begins, signed with a key that all gateways of a store share."""

import hmac
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from hashlib import sha256
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from engines.core.digest import keyed
from services.common.refusals import Reason, Refused
from services.eventlog import canonical

KEY_NAME = "tokens"
LIFETIME_S = 3600
"""How long a page may be asked for after the one before."""

MAX_TOKEN = 1024
SIGNATURE_BYTES = 16
_OWNER_BYTES = 8

Content = TypeVar("Content", bound=Struct)


class Unsigned(Exception):  # noqa: N818 - says what it is
    """The text was not made here, or not for this purpose."""


class Signing:
    """Texts that hold a struct; a text of one purpose is none of another's."""

    def __init__(self, key: bytes, purpose: str) -> None:
        self._key = key
        self._purpose = purpose

    def write(self, content: Struct) -> str:
        data = msgspec.msgpack.encode(content)
        return _spelt(self._signature(data) + data)

    def read(self, text: str, kind: type[Content]) -> Content:
        """Raises Unsigned."""
        if len(text) > MAX_TOKEN:
            raise Unsigned
        try:
            whole = urlsafe_b64decode(text + "=" * (-len(text) % 4))
        except ValueError as error:
            raise Unsigned from error
        signature, data = whole[:SIGNATURE_BYTES], whole[SIGNATURE_BYTES:]
        # Decoding passes over what is no base64: only the one spelling counts.
        if not hmac.compare_digest(signature, self._signature(data)) or _spelt(whole) != text:
            raise Unsigned
        try:
            return msgspec.msgpack.decode(data, type=kind)
        except canonical.UNDECODABLE as error:  # signed by another release
            raise Unsigned from error

    def _signature(self, data: bytes) -> bytes:
        return keyed(self._key, self._purpose, data)[:SIGNATURE_BYTES]


class _Page(Struct, frozen=True, array_like=True):
    """`of` is a digest of the list: its kind, who asks, filters and order."""

    expires_at: int
    player: bytes
    of: bytes
    place: msgspec.Raw


class PageTokens:
    """Good for an hour, for the player that they were given to, under the filters and order of the page before."""

    def __init__(self, key: bytes, now: Callable[[], float] = time.time) -> None:
        self._signing = Signing(key, "page")
        self._now = now

    def write(self, player: str, of: bytes, place: Struct) -> str:
        """`of` tells the list with its filters and order from all others; the place is where the next page begins."""
        packed = msgspec.Raw(msgspec.msgpack.encode(place))
        return self._signing.write(_Page(int(self._now()) + LIFETIME_S, _owner(player), of, packed))

    def read(self, player: str, of: bytes, token: str, kind: type[Content]) -> Content:
        """Raises Refused(MALFORMED, NOT_ALLOWED, EXPIRED)."""
        try:
            page = self._signing.read(token, _Page)
        except Unsigned as error:
            raise _refused(Reason.MALFORMED, "is none of ours") from error
        if page.player != _owner(player):
            raise _refused(Reason.NOT_ALLOWED, "was given to another player")
        if page.of != of:
            raise _refused(Reason.MALFORMED, "is of a list with other filters or another order")
        if page.expires_at <= self._now():
            raise _refused(Reason.EXPIRED, "has expired: begin with the first page")
        try:
            return msgspec.msgpack.decode(page.place, type=kind)
        except canonical.UNDECODABLE as error:  # given by another release
            raise _refused(Reason.MALFORMED, "is none of ours") from error


def _spelt(whole: bytes) -> str:
    return urlsafe_b64encode(whole).decode().rstrip("=")


def list_digest(kind: str, *asked: Any) -> bytes:
    """What tells a list, of one kind and as it was asked for, from every other."""
    return sha256(msgspec.msgpack.encode((kind, asked))).digest()[:16]


def _owner(player: str) -> bytes:
    return sha256(player.encode()).digest()[:_OWNER_BYTES]


def _refused(reason: Reason, what: str) -> Refused:
    return Refused(reason, f"the page token {what} - at `$.page_token`")
