"""The hashes and keys of a log, to the byte (log_format, Bytes and hashes)."""

from base64 import b32encode
from functools import lru_cache
from hashlib import sha256
from struct import Struct as Layout

from engines.core.digest import digest, framed, keyed

SECRET_BYTES = 32
SHARDS = 16

_length = Layout(">Q").pack
_LEAF = framed("tidelog/1/leaf")
_ENTRY = framed("tidelog/1/entry")
"""Every entry is hashed three times on its way: these two are framed by hand."""


def genesis(match: str) -> bytes:
    """What stands for the entry before version 1."""
    return digest("tidelog/1/genesis", match)


def leaf(salt: bytes, body: bytes) -> bytes:
    return sha256(b"".join((_LEAF, _length(len(salt)), salt, _length(len(body)), body))).digest()


def entry(previous: bytes, header: bytes, leaf_hash: bytes) -> bytes:
    parts = (_length(len(previous)), previous, _length(len(header)), header, _length(len(leaf_hash)), leaf_hash)
    return sha256(b"".join((_ENTRY, *parts))).digest()


def commitment(match: str, secret: bytes) -> bytes:
    return digest("tidelog/1/commit", match, secret)


def draw_key(secret: bytes) -> bytes:
    return keyed(secret, "draw")


def salt(secret: bytes, version: int) -> bytes:
    return keyed(secret, "salt", version)


def request_key(player: str, request_id: str) -> bytes:
    """16 bytes that stand for a request in the log; its hex is `req`."""
    return digest(player, request_id)[:16]


def request_digest(command: bytes) -> bytes:
    """8 bytes over a command's canonical JSON; their hex is `req_digest`."""
    return digest(command)[:8]


def match_id(store_key: bytes, player: str, request_id: str) -> str:
    """24 characters A-Z, 2-7: the same create request names the same match."""
    return b32encode(keyed(store_key, player, request_id)[:15]).decode()


@lru_cache(maxsize=10_000)
def shard(match: str) -> int:
    """0..15, for ever the same for a match."""
    return sha256(match.encode()).digest()[0] % SHARDS
