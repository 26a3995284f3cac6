"""Exports with something changed in them, and everything after it made to fit again."""

import json
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any

from services.eventlog import canonical, hashes

Change = Callable[[dict[str, Any]], None]

UNCANONICAL: tuple[Callable[[bytes], bytes], ...] = (
    lambda line: line.replace(b'{"', b'{ "', 1),
    lambda line: line.replace(b'":', b'": ', 1),
    lambda line: line + b" ",
    lambda line: b"\xef\xbb\xbf" + line,
    lambda line: line[:-1] + b',"zebra":1}',
    lambda line: line[:-1] + b"," + line[1:],
    lambda line: b"[" + line + b"]",
    lambda line: line[:-1],
    lambda line: line[:1] + line[-1:],
    lambda line: line[:0],
    lambda line: b"[" * (100_000 + len(line)),
    lambda line: b"\xff" + line,
    lambda line: line.replace(b"a", b"\\u0061", 1),
    lambda line: line.replace(b'"version":5', b'"version":5.0').replace(b'"seats":2', b'"seats":2.0'),
)
"""Of a line in canonical JSON each makes one that is not."""


def reclosed(lines: Sequence[bytes], head: str | None = None) -> bytes:
    """The lines of an export, its closing one last, with the hash that their bytes have, and the head given."""
    *body, closing = lines
    told = json.loads(closing)
    held = b"".join(line + b"\n" for line in body)
    fitting = {"head": head or told["head"], "sha256": sha256(held).hexdigest()}
    return held + canonical.encode(fitting) + b"\n"


def with_line(export: bytes, place: int, change: Change) -> bytes:
    """One line changed (0: the header); of the rest the closing line's SHA-256 alone."""
    lines = export.splitlines()
    line = json.loads(lines[place])
    change(line)
    lines[place] = canonical.encode(line)
    return reclosed(lines)


def with_bytes(export: bytes, place: int, change: Callable[[bytes], bytes]) -> bytes:
    """As `with_line`, for bytes that need not be canonical."""
    lines = export.splitlines()
    changed = change(lines[place])
    assert changed != lines[place]
    lines[place] = changed
    return reclosed(lines)


def rechained(export: bytes, secret: bytes) -> bytes:
    """A full export whose head follows from its lines as they are."""
    lines = export.splitlines()
    previous = hashes.genesis(json.loads(lines[0])["match"])
    for version, line in enumerate(lines[1:-1], start=1):
        entry = json.loads(line)
        leaf = hashes.leaf(hashes.salt(secret, version), canonical.encode(entry["body"]))
        previous = hashes.entry(previous, canonical.encode(entry["header"]), leaf)
    return reclosed(lines, f"{len(lines) - 2}-{previous[:8].hex()}")


def forged(export: bytes, secret: bytes, version: int, change: Change) -> bytes:
    """A full export with one entry changed, its hash chain and closing line made to fit."""
    return rechained(with_line(export, version, change), secret)


def shortened(export: bytes, secret: bytes, last: int) -> bytes:
    """A full export that ends at a version, with its secret in the header."""
    lines = export.splitlines()
    header = json.loads(lines[0])
    header["secret"] = secret.hex()
    return rechained(b"\n".join([canonical.encode(header), *lines[1 : last + 1], lines[-1], b""]), secret)
