"""Exports: a log as JSON Lines that checks on its own (log_format, Export). One canonical object a line.

First a header that repeats `match.created`; then the entries, a full one as {body, header}, a redacted one as
{header, leaf, payload}; last {head, sha256} over every byte before it.
"""

from collections.abc import Iterable, Iterator
from hashlib import sha256

import msgspec
from msgspec import Raw, Struct

from services.eventlog import canonical
from services.eventlog.aggregate import Aggregate, created_of, told
from services.eventlog.entries import Entry, body_of, header_of

FORMAT = "tidelog/1"
FULL = "full"
SPECTATOR = "spectator"


def seat_audience(seat: int | None) -> str:
    return SPECTATOR if seat is None else f"seat {seat}"


class ExportHeader(Struct, frozen=True, forbid_unknown_fields=True):
    """`edition` is the text of the edition's file; `secret` is hex, in a full export of an unfinished match only.

    `audience` is full, spectator or `seat N`. The other fields are those of `match.created`.
    """

    format: str
    audience: str
    match: str
    game: str
    rules: int
    edition: str
    edition_hash: str
    options: Raw
    seats: int
    creator: str
    commitment: str
    secret: str | None


class FullLine(Struct, frozen=True, forbid_unknown_fields=True):
    """An entry with its stored bytes."""

    body: Raw
    header: Raw


class RedactedLine(Struct, frozen=True, forbid_unknown_fields=True):
    """An entry as an audience was told it; `leaf` in hex stands for the body's hash."""

    header: Raw
    leaf: str
    payload: Raw


class Closing(Struct, frozen=True, forbid_unknown_fields=True):
    head: str
    sha256: str


def full_line(entry: Entry) -> bytes:
    return canonical.encode(FullLine(Raw(entry.body), Raw(entry.header)))


def redacted_line(aggregate: Aggregate, entry: Entry, seat: int | None) -> bytes:
    """The line for the seat (None: a spectator); it needs the fold for the platform's facts only."""
    header = header_of(entry)
    event = body_of(aggregate.engine, header, entry.body).payload
    payload = canonical.encode(redacted(aggregate, event, seat))
    return canonical.encode(RedactedLine(Raw(entry.header), entry.leaf.hex(), Raw(payload)))


def redacted(aggregate: Aggregate, event: object, seat: int | None) -> object:
    """The event as the seat is told it while the match goes on, also after its end."""
    return told(aggregate.engine, msgspec.structs.replace(aggregate.facts, secret=None), event, seat)


def export_full(entries: Iterable[Entry], edition: bytes, secret: bytes | None) -> Iterator[bytes]:
    """The lines of a full export; `secret` where the match is unfinished and the caller may have it."""
    return _closed(_full_lines(entries, edition, secret))


def export_redacted(
    entries: Iterable[Entry], edition: bytes, aggregate: Aggregate, seat: int | None
) -> Iterator[bytes]:
    """The lines of what the seat (None: a spectator) was told."""

    def lines() -> Iterator[tuple[bytes, Entry | None]]:
        for entry in entries:
            if entry.version == 1:
                yield _header_line(entry, edition, seat_audience(seat), None), None
            yield redacted_line(aggregate, entry, seat), entry

    return _closed(lines())


def _full_lines(entries: Iterable[Entry], edition: bytes, secret: bytes | None) -> Iterator[tuple[bytes, Entry | None]]:
    for entry in entries:
        if entry.version == 1:
            yield _header_line(entry, edition, FULL, None if secret is None else secret.hex()), None
        yield full_line(entry), entry


def _closed(lines: Iterator[tuple[bytes, Entry | None]]) -> Iterator[bytes]:
    """Each line with its newline, and the closing one."""
    running = sha256()
    head = None
    for line, entry in lines:
        running.update(line)
        running.update(b"\n")
        head = entry or head
        yield line + b"\n"
    assert head is not None
    yield canonical.encode(Closing(str(head.cursor), running.hexdigest())) + b"\n"


def _header_line(first: Entry, edition: bytes, audience: str, secret: str | None) -> bytes:
    created = created_of(first)
    header = ExportHeader(
        format=FORMAT,
        audience=audience,
        match=created.match,
        game=created.game,
        rules=created.rules,
        edition=edition.decode(),
        edition_hash=created.edition,
        options=created.options,
        seats=created.seats,
        creator=created.creator,
        commitment=created.commitment,
        secret=secret,
    )
    return canonical.encode(header)
