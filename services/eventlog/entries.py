"""Entries: a public header, a body behind a salted leaf, and the hash that chains them."""

from functools import cache
from typing import Any, Generic, TypeVar

import msgspec
from msgspec import Struct

from engines.core.chance import Draw
from engines.core.engine import AnyEngine
from services.common import faults
from services.eventlog import canonical, hashes
from services.eventlog.lifecycle import Lifecycle

PayloadT = TypeVar("PayloadT")

PLATFORM = "match."
MAX_ENTRY_BYTES = 64 * 1024
MAX_COMMAND_EVENTS = 512
MAX_REQUEST_ID = 64


class Header(Struct, frozen=True, forbid_unknown_fields=True):
    """What everybody may see: time in ms, acting seat, type `match.<tag>` or `<game>.<tag>`, version from 1."""

    at: int
    seat: int | None
    type: str
    version: int


class Body(Struct, Generic[PayloadT], frozen=True, forbid_unknown_fields=True):
    """What the log holds of an event; all but the redacted payload is for the operator, and open after the reveal."""

    draws: tuple[Draw, ...]
    payload: PayloadT
    req: str | None
    req_digest: str | None


class Entry(Struct, frozen=True, gc=False):
    """One entry as stored. `leaf` and `hash` are 32 bytes each."""

    version: int
    header: bytes
    body: bytes
    leaf: bytes
    hash: bytes

    @property
    def cursor(self) -> "Cursor":
        return Cursor(self.version, self.hash[:8].hex())


class BadCursor(ValueError):  # noqa: N818 - says what the text is
    """A text that is no cursor."""


class Cursor(Struct, frozen=True, order=True):
    """A position in a log: `<version>-<first 16 hex digits of the entry's hash>`; `0-0` is the start."""

    version: int
    hash: str

    def __str__(self) -> str:
        return f"{self.version}-{self.hash}"

    @classmethod
    def parse(cls, text: str) -> "Cursor":
        """Raises BadCursor."""
        version, _, found = text.partition("-")
        if text == "0-0":
            return START
        digits = version.isascii() and version.isdigit() and version[0] != "0" and len(version) <= 15
        if not digits or len(found) != 16 or found.strip("0123456789abcdef"):
            raise BadCursor(f"{text[:40]!r} is no cursor; one looks like 12-0f1e2d3c4b5a6978")
        return cls(int(version), found)


START = Cursor(0, "0")


class BrokenLog(Exception):  # noqa: N818 - says what the log is
    """A log that does not check or fold; `version` is the first bad one."""

    def __init__(self, version: int, message: str) -> None:
        super().__init__(version, message)
        self.version = version
        self.message = message

    def __str__(self) -> str:
        return f"version {self.version}: {self.message}"


class Sealer:
    """Turns a command's events into chained entries, version after version."""

    __slots__ = ("_previous", "_secret", "version")

    def __init__(self, secret: bytes, version: int, previous: bytes) -> None:
        self._secret = secret
        self.version = version
        self._previous = previous

    def seal(self, header: Header, body: Body[Any]) -> Entry:
        """The next entry; raises NotCanonical, or ValueError where it is over the limit of an entry."""
        header_bytes = _header_encoder.encode(header)  # canonical: no number of ours comes near 2^53
        body_bytes = canonical.encode(body)
        if len(body_bytes) > MAX_ENTRY_BYTES:
            raise ValueError(f"an entry of {len(body_bytes)} bytes; the limit is {MAX_ENTRY_BYTES}")
        self.version += 1
        leaf = hashes.leaf(hashes.salt(self._secret, self.version), body_bytes)
        self._previous = hashes.entry(self._previous, header_bytes, leaf)
        return Entry(self.version, header_bytes, body_bytes, leaf, self._previous)


_header_encoder = msgspec.json.Encoder(order="sorted")
_header_decoder = msgspec.json.Decoder(Header)
_lifecycle_decoder = msgspec.json.Decoder(Body[Lifecycle])


@cache
def _game_decoder(engine: AnyEngine) -> msgspec.json.Decoder[Body[Any]]:
    return msgspec.json.Decoder(Body[engine.Event])  # type: ignore[name-defined]  # a type known at run time


def header_of(entry: Entry) -> Header:
    """Raises BrokenLog."""
    try:
        return _header_decoder.decode(entry.header)
    except canonical.UNDECODABLE as error:
        raise BrokenLog(entry.version, f"unreadable header: {faults.unread(error)}") from error


def body_of(engine: AnyEngine | None, header: Header, body: bytes) -> Body[Any]:
    """The body with its typed payload; `engine` may be None for a `match.` event. Raises BrokenLog."""
    try:
        if header.type.startswith(PLATFORM):
            return _lifecycle_decoder.decode(body)
        assert engine is not None
        return _game_decoder(engine).decode(body)
    except canonical.UNDECODABLE as error:
        raise BrokenLog(header.version, f"unreadable body: {faults.unread(error)}") from error


def type_of(game: str, event: object) -> str:
    """The header's type of an event struct: `match.<tag>` for the platform's, `<game>.<tag>` for a game's."""
    kind: Any = type(event)
    return _type_of(game, kind)


@cache
def _type_of(game: str, kind: Any) -> str:
    tag = kind.__struct_config__.tag
    return f"{PLATFORM}{tag}" if issubclass(kind, Lifecycle) else f"{game}.{tag}"
