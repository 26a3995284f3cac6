"""The hashes and keys of a log, to the byte (log_format, Bytes and hashes)."""

from base64 import b32encode
from hashlib import sha256

from engines.core.digest import digest, keyed

SECRET_BYTES = 32
SHARDS = 16


def genesis(match: str) -> bytes:
    """What stands for the entry before version 1."""
    return digest("tidelog/1/genesis", match)


def leaf(salt: bytes, body: bytes) -> bytes:
    return digest("tidelog/1/leaf", salt, body)


def entry(previous: bytes, header: bytes, leaf_hash: bytes) -> bytes:
    return digest("tidelog/1/entry", previous, header, leaf_hash)


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


def shard(match: str) -> int:
    """0..15, for ever the same for a match."""
    return sha256(match.encode()).digest()[0] % SHARDS
