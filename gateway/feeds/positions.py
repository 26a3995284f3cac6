"""Positions in the feeds of all shards, as WatchLog gives them out: a text for each shard.

`<number>-<hash>` is the last entry of the feed that was told, `0-0` none. With `~<version>` behind it the log of the
next match to be told is told up to there. `@<match>` says that the logs of the shard are gone through, in the order of
their names, as far as the feed's place, up to that match; again with `~<version>` in its middle. `*` is not begun.

What is given out is that text sealed: how far a feed has grown would tell a delayed spectator of moves.
"""

import os
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from msgspec import Struct

from services.common.refusals import Reason, Refused
from services.eventlog import hashes

KEY_NAME = "log positions"
PADDED_TO = 512
"""Bytes; so a text's length tells nothing either."""

_NONCE_BYTES = 12
_MAX_TEXT = 8192

UNKNOWN = "0" * 16
"""Stands for the hash of an entry that is trimmed already."""

_SHARD = re.compile(r"(0-0|[1-9][0-9]{0,14}-[0-9a-f]{16})(?:(@)([A-Za-z0-9_-]{0,64}))?(?:~([1-9][0-9]{0,8}))?")


class ShardPlace(Struct, frozen=True):
    """`walked` names the last match gone through, or being told; None once the feed alone is followed.

    `told` is the version up to which the match under way has been told; 0 between two.
    """

    number: int = 0
    hash: str = "0"
    walked: str | None = None
    told: int = 0

    def __str__(self) -> str:
        walked = "" if self.walked is None else f"@{self.walked}"
        return f"{self.number}-{self.hash}{walked}" + (f"~{self.told}" if self.told else "")


Places = list[ShardPlace | None]
"""By shard; None is not begun."""


class Positions:
    """Seals and opens positions, with a key that all gateways of a store share.

    `asked` is bound to it: who may see what, and the filter, so that a position counts under the same ones alone.
    """

    def __init__(self, key: bytes) -> None:
        self._cipher = AESGCM(key)

    def write(self, places: Iterable[ShardPlace | None], asked: bytes) -> str:
        data = text(places).encode()
        nonce = os.urandom(_NONCE_BYTES)
        sealed = self._cipher.encrypt(nonce, data.ljust(-(-len(data) // PADDED_TO) * PADDED_TO), asked)
        return urlsafe_b64encode(nonce + sealed).decode().rstrip("=")

    def read(self, position: str, asked: bytes) -> Places:
        """Raises Refused(MALFORMED)."""
        if len(position) > _MAX_TEXT:
            raise _malformed()
        try:
            whole = urlsafe_b64decode(position + "=" * (-len(position) % 4))
            data = self._cipher.decrypt(whole[:_NONCE_BYTES], whole[_NONCE_BYTES:], asked)
        except (ValueError, InvalidTag) as error:
            raise _malformed() from error
        return parse(data.decode().rstrip())


def text(places: Iterable[ShardPlace | None]) -> str:
    return ",".join("*" if place is None else str(place) for place in places)


def parse(position: str) -> Places:
    """Raises Refused(MALFORMED)."""
    parts = position.split(",")
    if len(parts) != hashes.SHARDS:
        raise _malformed()
    return [None if part == "*" else _place(part) for part in parts]


def feed_hash(digest: bytes) -> str:
    """As it stands in a position."""
    return digest[:8].hex() if digest else UNKNOWN


def _place(part: str) -> ShardPlace:
    found = _SHARD.fullmatch(part)
    if found is None:
        raise _malformed()
    place, at, match, told = found.groups()
    number, _, digest = place.partition("-")
    if at and told and not match:
        raise _malformed()
    return ShardPlace(int(number), digest, match if at else None, int(told or 0))


def _malformed() -> Refused:
    return Refused(Reason.MALFORMED, "the position is none of ours, or was given under another filter - at `$.after`")
