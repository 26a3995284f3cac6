"""SHA-256 and HMAC-SHA-256 over framed parts (log_format, Bytes and hashes).

Each part is preceded by its length as 8 bytes big-endian, so no two lists of parts share their bytes.
Texts are taken as UTF-8, numbers as 8 bytes big-endian.
"""

import hmac
from functools import partial
from hashlib import sha256
from struct import Struct

Part = bytes | str | int

_BLOCK = 64
_LENGTH = Struct(">Q").pack
_NUMBER = partial(Struct(">QQ").pack, 8)
_INNER = bytes(byte ^ 0x36 for byte in range(256))
_OUTER = bytes(byte ^ 0x5C for byte in range(256))


def framed(*parts: Part) -> bytes:
    pieces: list[bytes] = []
    for part in parts:
        if isinstance(part, int):
            pieces.append(_NUMBER(part))
            continue
        piece = part.encode() if isinstance(part, str) else part
        pieces.append(_LENGTH(len(piece)))
        pieces.append(piece)
    return b"".join(pieces)


def digest(*parts: Part) -> bytes:
    """H(parts...): 32 bytes; where a tag is asked for it is the first part."""
    return sha256(framed(*parts)).digest()


def keyed(key: bytes, *parts: Part) -> bytes:
    """HMAC(key, parts...): 32 bytes."""
    return hmac.digest(key, framed(*parts), "sha256")


class Keyed:
    """`keyed` under one key of at most 64 bytes, for many messages: its two hashes are begun once (RFC 2104)."""

    __slots__ = ("_inner", "_outer")

    def __init__(self, key: bytes) -> None:
        if len(key) > _BLOCK:
            raise ValueError(f"a key of {len(key)} bytes, more than {_BLOCK}")
        block = key.ljust(_BLOCK, b"\0")
        self._inner = sha256(block.translate(_INNER))
        self._outer = sha256(block.translate(_OUTER))

    def __call__(self, message: bytes) -> bytes:
        """HMAC of an already framed message."""
        inner, outer = self._inner.copy(), self._outer.copy()
        inner.update(message)
        outer.update(inner.digest())
        return outer.digest()
