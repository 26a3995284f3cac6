"""Reads an export back: every byte is checked against its closing line, every hash against its chain."""

import re
from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Any

import msgspec
from msgspec import Struct

from engines.core import games
from services.eventlog import canonical, hashes
from services.eventlog.aggregate import Aggregate, created_of
from services.eventlog.entries import PLATFORM, Body, BrokenLog, Entry, Header, body_of, header_of
from services.eventlog.export import FORMAT, FULL, SPECTATOR, Closing, ExportHeader, FullLine, RedactedLine, redacted
from services.eventlog.lifecycle import Created, LogAfterEnd, SecretRevealed
from services.eventlog.verify import check_log

_SEAT = re.compile(r"seat ([0-9]{1,3})")
_ENDS = {f"{PLATFORM}{tag}" for tag in ("finished", "aborted", "secret_revealed")}

MAX_LINE = 4 * 1024 * 1024
"""Bytes of one line of an export; the header holds an edition."""


class BadExport(Exception):  # noqa: N818 - says what the file is
    """An export that does not check; `version` is the first bad one, 0 for the header and None for the closing line."""

    def __init__(self, version: int | None, message: str) -> None:
        super().__init__(version, message)
        self.version = version
        self.message = message

    def __str__(self) -> str:
        place = "closing line" if self.version is None else f"version {self.version}" if self.version else "header"
        return f"{place}: {self.message}"


class RedactedEntry(Struct, frozen=True):
    """What one audience holds of an entry."""

    version: int
    header: bytes
    leaf: bytes
    payload: bytes


class Export(Struct, frozen=True):
    """A checked export: `entries` of a full one (with hashes), `lines` of a redacted one; the other is empty.

    `aggregate` is the fold of a full one; `secret` is known after the reveal, or where the export gives it. `over` says
    whether the match has ended, `closed` whether a redacted one tells no secret even then.
    """

    header: ExportHeader
    head: str
    entries: tuple[Entry, ...]
    lines: tuple[RedactedEntry, ...]
    aggregate: Aggregate | None
    secret: bytes | None
    over: bool
    closed: bool


class _Closing(Struct, frozen=True):
    """What the closing line says, and the SHA-256 that the bytes before it have."""

    told: Closing
    found: str

    def check(self, head: object) -> None:
        if self.told.sha256 != self.found:
            raise BadExport(None, "the bytes before it have another SHA-256")
        if self.told.head != str(head):
            raise BadExport(None, f"the log's head is {head}, not {self.told.head}")


def read(lines: Iterable[bytes]) -> Export:
    """Checks all that the file alone can prove. Raises BadExport at the first thing wrong.

    The closing line is compared last, so that damage is named by its version where it shows there.
    """
    body, closing = _split(lines)
    header = _header(body[0] if body else b"")
    audience = header.audience
    if audience not in (FULL, SPECTATOR) and not 0 <= seat_of(audience) < header.seats:
        raise BadExport(0, f"unknown audience {audience!r}")
    if len(body) < 2:
        raise BadExport(1, "an export holds at least match.created")
    return _full(header, body[1:], closing) if audience == FULL else _redacted(header, body[1:], closing)


def against(told: Export, full: Export) -> None:
    """Checks an export against the full one of the same match. Raises BadExport.

    Its leaves must open to the full one's bodies, and the payloads of a redacted one be what `redact` makes of them.
    """
    if full.aggregate is None:
        raise BadExport(0, "the export to compare with is not a full one")
    if told.header.match != full.header.match:
        raise BadExport(0, "the two exports are not of one match")
    seat = None if told.header.audience == SPECTATOR else seat_of(told.header.audience)
    held: tuple[Entry | RedactedEntry, ...] = told.entries or told.lines
    if len(held) > len(full.entries):
        raise BadExport(len(full.entries) + 1, "the full export ends before it")
    for line, entry in zip(held, full.entries, strict=False):
        if line.header != entry.header or line.leaf != entry.leaf:
            raise BadExport(line.version, "header or leaf differ from the full log's")
        if isinstance(line, Entry):
            continue
        event = body_of(full.aggregate.engine, header_of(entry), entry.body).payload
        if canonical.encode(redacted(full.aggregate, event, seat)) != line.payload:
            raise BadExport(line.version, "the payload is not what this audience is told of the entry")


def seat_of(audience: str) -> int:
    """The seat of the audience `seat N`; -1 for any other text."""
    found = _SEAT.fullmatch(audience)
    return int(found[1]) if found else -1


def _split(lines: Iterable[bytes]) -> tuple[list[bytes], _Closing]:
    """The lines before the closing one, and that."""
    running = sha256()
    body: list[bytes] = []
    held: bytes | None = None
    for line in lines:
        if held is not None:
            running.update(held)
            body.append(held[:-1])
        if not line.endswith(b"\n") or len(line) > MAX_LINE:
            raise BadExport(len(body), "a line is cut short or too long")
        held = line
    if held is None:
        raise BadExport(0, "the file is empty")
    return body, _Closing(_decode(held[:-1], Closing, None), running.hexdigest())


def _header(line: bytes) -> ExportHeader:
    header: ExportHeader = _typed(line, ExportHeader, 0)
    if header.format != FORMAT:
        raise BadExport(0, f"format {header.format!r}; this code reads {FORMAT}")
    if games.edition_hash(header.edition.encode()) != header.edition_hash:
        raise BadExport(0, "the edition's bytes have another hash")
    _strict(line, 0)
    return header


def _decode(line: bytes, kind: type[Any], version: int | None) -> Any:
    _strict(line, version)
    return _typed(line, kind, version)


def _strict(line: bytes, version: int | None) -> None:
    try:
        canonical.strict(line)
    except canonical.NotCanonical as error:
        raise BadExport(version, str(error)) from error


def _typed(line: bytes, kind: type[Any], version: int | None) -> Any:
    try:
        return msgspec.json.decode(line, type=kind)
    except canonical.UNDECODABLE as error:
        raise BadExport(version, str(error)) from error


def _full(header: ExportHeader, lines: list[bytes], closing: _Closing) -> Export:
    decoded = [_decode(line, FullLine, version) for version, line in enumerate(lines, start=1)]
    _compare(header, _created(decoded[0]))
    secret = _secret(header, decoded)
    previous = hashes.genesis(header.match)
    entries: list[Entry] = []
    for version, line in enumerate(decoded, start=1):
        body, head = bytes(line.body), bytes(line.header)
        leaf = hashes.leaf(hashes.salt(secret, version), body)
        previous = hashes.entry(previous, head, leaf)
        entries.append(Entry(version, head, body, leaf, previous))
    try:
        aggregate = check_log(entries, header.edition.encode(), header.match, secret)
    except BrokenLog as broken:
        raise BadExport(broken.version, broken.message) from broken
    closing.check(entries[-1].cursor)
    over, closed = aggregate.facts.over, _is_closed(aggregate.facts.created)
    return Export(header, closing.told.head, tuple(entries), (), aggregate, secret, over, closed)


def _created(first: Any) -> Created:
    try:
        return created_of(Entry(1, bytes(first.header), bytes(first.body), b"", b""))
    except BrokenLog as broken:
        raise BadExport(1, broken.message) from broken


def _secret(header: ExportHeader, lines: list[Any]) -> bytes:
    """From the header, or from the reveal that ends the log."""
    text = header.secret
    if text is None:
        try:
            last = msgspec.json.decode(lines[-1].body, type=Body[SecretRevealed])
        except canonical.UNDECODABLE:
            raise BadExport(0, "a full export of an unfinished match needs its secret") from None
        text = last.payload.secret
    return _committed(header, text or "", len(lines) if header.secret is None else 0)


def _committed(header: ExportHeader, text: str, version: int) -> bytes:
    """The secret that the text gives in hex. Raises BadExport of that version where it is not the match's."""
    try:
        secret = bytes.fromhex(text)
    except ValueError:
        secret = b""
    if secret.hex() != text or hashes.commitment(header.match, secret).hex() != header.commitment:
        raise BadExport(version, "the secret is not the one committed to")
    return secret


def _compare(header: ExportHeader, created: Created) -> None:
    told = (header.match, header.game, header.rules, header.edition_hash, bytes(header.options), header.seats)
    held = (created.match, created.game, created.rules, created.edition, bytes(created.options), created.seats)
    if told != held or (header.creator, header.commitment) != (created.creator, created.commitment):
        raise BadExport(0, "it does not repeat match.created")


def _redacted(header: ExportHeader, lines: list[bytes], closing: _Closing) -> Export:
    if header.secret is not None:
        raise BadExport(0, "a redacted export tells no secret")
    previous = hashes.genesis(header.match)
    told: list[RedactedEntry] = []
    for version, line in enumerate(lines, start=1):
        found = _decode(line, RedactedLine, version)
        entry = _redacted_entry(version, found)
        previous = hashes.entry(previous, entry.header, entry.leaf)
        told.append(entry)
    try:
        created = msgspec.json.decode(told[0].payload, type=Created)
    except canonical.UNDECODABLE as error:
        raise BadExport(1, str(error)) from error
    _compare(header, created)
    secret = _revealed(header, told[-1])
    closing.check(Entry(len(told), b"", b"", b"", previous).cursor)
    over = msgspec.json.decode(told[-1].header, type=Header).type in _ENDS
    return Export(header, closing.told.head, (), tuple(told), None, secret, over, _is_closed(created))


def _is_closed(created: Created) -> bool:
    return created.log_after_end is LogAfterEnd.CLOSED


def _redacted_entry(version: int, line: Any) -> RedactedEntry:
    try:
        header = msgspec.json.decode(line.header, type=Header)
        leaf = bytes.fromhex(line.leaf)
    except (*canonical.UNDECODABLE, ValueError) as error:
        raise BadExport(version, str(error)) from error
    if header.version != version or len(leaf) != 32 or leaf.hex() != line.leaf:
        raise BadExport(version, f"an entry of version {header.version} stands in its place, or its leaf is cut")
    return RedactedEntry(version, bytes(line.header), leaf, bytes(line.payload))


def _revealed(header: ExportHeader, last: RedactedEntry) -> bytes | None:
    """The secret, where the last entry tells it."""
    try:
        text = msgspec.json.decode(last.payload, type=SecretRevealed).secret
    except canonical.UNDECODABLE:
        return None
    return None if text is None else _committed(header, text, last.version)


def lines_of(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Lines with their newlines, from chunks cut anywhere."""
    rest = b""
    for chunk in chunks:
        pieces = (rest + chunk).split(b"\n")
        rest = pieces.pop()
        for piece in pieces:
            yield piece + b"\n"
        if len(rest) > MAX_LINE:
            raise BadExport(None, "a line is too long")
    if rest:
        yield rest
