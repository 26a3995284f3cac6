"""Entries that can't be folded, each chained as an honest one, to be written straight into a log of Lost Seas."""

from collections.abc import Callable
from typing import Any

from services.eventlog import canonical, hashes
from services.eventlog.entries import START, Cursor, Entry
from services.eventlog.port import Append, Appended, EventLog

NOBODY = 77
"""A seat that no match has."""

Make = Callable[[int], tuple[bytes, bytes]]
"""Header and body of the entry of a version."""


def header(version: int, kind: str) -> bytes:
    return canonical.encode({"at": 1_700_000_000_000, "seat": None, "type": kind, "version": version})


def body(**payload: Any) -> bytes:
    return canonical.encode({"draws": [], "payload": payload, "req": None, "req_digest": None})


def event_of_tomorrow(version: int) -> tuple[bytes, bytes]:
    return header(version, "lost_seas.storm_raised"), body(kind="storm_raised")


def lifecycle_of_tomorrow(version: int) -> tuple[bytes, bytes]:
    return header(version, "match.adjourned"), body(kind="adjourned")


def body_of_no_json(version: int) -> tuple[bytes, bytes]:
    return header(version, "lost_seas.tile_taken"), b"\xff\x00{"


def header_of_no_json(_version: int) -> tuple[bytes, bytes]:
    return b"\xfe[", body(kind="tile_taken", seat=0, tile="LS01", cell=0)


def header_without_its_body(version: int) -> tuple[bytes, bytes]:
    return header(version, "match.started"), b""


def evolve_that_raises(version: int) -> tuple[bytes, bytes]:
    return header(version, "lost_seas.tile_taken"), body(kind="tile_taken", seat=NOBODY, tile="no such tile", cell=0)


def fold_that_raises(version: int) -> tuple[bytes, bytes]:
    return header(version, "match.seat_released"), body(kind="seat_released", seat=NOBODY, player="nobody")


POISONS: tuple[Make, ...] = (
    event_of_tomorrow,
    lifecycle_of_tomorrow,
    body_of_no_json,
    header_of_no_json,
    header_without_its_body,
    evolve_that_raises,
    fold_that_raises,
)


def poisoned(make: Make, match: str, after: Entry | None) -> Entry:
    """The entry that follows; with None the first one."""
    version = after.version + 1 if after else 1
    head, contents = make(version)
    leaf = hashes.leaf(bytes(32), contents)
    previous = after.hash if after else hashes.genesis(match)
    return Entry(version, head, contents, leaf, hashes.entry(previous, head, leaf))


async def poison(log: EventLog, match: str, make: Make) -> Entry:
    """Behind what the log holds, and through its feed."""
    entries = await log.read(match)
    entry = poisoned(make, match, entries[-1] if entries else None)
    after: Cursor = entries[-1].cursor if entries else START
    appended = await log.append(Append(match, after, (entry,), None if entries else bytes(32)))
    assert isinstance(appended, Appended)
    return entry
