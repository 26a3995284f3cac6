"""SHA-256 and HMAC-SHA-256 over framed parts (log_format, Bytes and hashes).

Each part is preceded by its length as 8 bytes big-endian, so no two lists of parts share their bytes.
Texts are taken as UTF-8, numbers as 8 bytes big-endian.
"""

import hmac
from hashlib import sha256

Part = bytes | str | int


def framed(*parts: Part) -> bytes:
    pieces: list[bytes] = []
    for part in parts:
        if isinstance(part, int):
            piece = part.to_bytes(8, "big")
        elif isinstance(part, str):
            piece = part.encode()
        else:
            piece = part
        pieces.append(len(piece).to_bytes(8, "big"))
        pieces.append(piece)
    return b"".join(pieces)


def digest(*parts: Part) -> bytes:
    """H(parts...): 32 bytes; where a tag is asked for it is the first part."""
    return sha256(framed(*parts)).digest()


def keyed(key: bytes, *parts: Part) -> bytes:
    """HMAC(key, parts...): 32 bytes."""
    return hmac.digest(key, framed(*parts), "sha256")
