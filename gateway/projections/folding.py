"""Changes folded into the rows of matches. Applying one twice changes nothing."""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from gateway.projections import frozen, keeping, listing, quick
from gateway.projections.changes import Change, follows
from gateway.projections.hub import Changed
from gateway.projections.model import Kept, ReadModel
from gateway.projections.places import Place
from services.common import faults
from services.common.logs import logger
from services.eventlog import hashes
from services.eventlog.aggregate import created_of
from services.eventlog.entries import BrokenLog, Entry, body_of, header_of
from services.eventlog.match import Match, new_match, note

MOVED = (
    "UPDATE matches SET version = ?, hash = ?, changed_at = coalesce((SELECT at FROM frozen WHERE match = id), ?)"
    " WHERE id = ?"
)
ROW = "SELECT version, hash, created_at, facts FROM matches WHERE id = ?"
KEPT = (
    "INSERT OR REPLACE INTO matches (id, version, hash, shard, game, status, created_at, changed_at, imported, facts)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)

log = logger()

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Match).decode


def apply(
    connection: sqlite3.Connection,
    models: Sequence[ReadModel],
    changes: Iterable[Change],
    checkpoints: Mapping[int, Place],
    changed: list[Changed] | None = None,
) -> list[str]:
    """Keeps all in one transaction; gives the matches whose rows the change's first entry does not follow.

    Where there are any, the checkpoints are not kept. The row of a log that can't be folded stays at an entry before.
    Rows that changed in more than their moves are added to `changed`.
    """
    kept: list[Kept] = []
    changed = [] if changed is None else changed
    with keeping.transaction(connection):
        behind = [change.match for change in changes if not _applied(connection, models, change, kept, changed)]
        keeping.keep(connection, models, kept)
        if not behind:
            places = [(shard, *place) for shard, place in checkpoints.items()]
            connection.executemany("INSERT OR REPLACE INTO checkpoints VALUES (?, ?, ?)", places)
    return behind


def forget(connection: sqlite3.Connection, models: Iterable[ReadModel], matches: Sequence[str]) -> list[Changed]:
    """Drops what is known of logs that are others than they were, within the caller's transaction; what was shown."""
    keeping.forget(connection, models, matches)
    dropped: list[Changed] = []
    for match in matches:
        row = connection.execute(ROW, (match,)).fetchone()
        if row is not None:
            dropped.append(Changed(match, row[3], None, row[2]))
        connection.execute("DELETE FROM matches WHERE id = ?", (match,))
        connection.execute("DELETE FROM seats WHERE match = ?", (match,))
        frozen.forget(connection, match)
        listing.forget(connection, match)
        quick.forget(connection, match)
    return dropped


def _applied(
    connection: sqlite3.Connection,
    models: Sequence[ReadModel],
    change: Change,
    kept: list[Kept],
    changed: list[Changed],
) -> bool:
    """Adds to `kept` what the read models are to be told, and to `changed` what those who watch lists are."""
    try:
        return _apply(connection, change, kept, changed)
    except BrokenLog as broken:
        log.warning("a match is not listed further", match=change.match, error=str(broken))
        return True
    except msgspec.DecodeError:
        forget(connection, models, (change.match,))  # a row of other code: its log is read
        return False


def _apply(connection: sqlite3.Connection, change: Change, kept: list[Kept], changed: list[Changed]) -> bool:
    first, last = change.first.version, change.last
    row = connection.execute(ROW, (change.match,)).fetchone()
    version, digest, created_at, facts = row or (0, b"", 0, None)
    if version >= last.version:
        return True
    if version < first - 1 or (0 < version == first - 1 and not follows(digest, change.first)):
        return False
    if not change.platform and row is not None:
        connection.execute(MOVED, (last.version, last.hash, change.at, change.match))
        listing.moved(connection, change.match, change.at)
        return True
    news = [entry for entry in change.platform if entry.version > version]
    still = frozen.row(connection, change.match)
    _freeze(connection, change.match, facts, frozen.up_to_start(news))
    folded, count = _folded(change.match, facts, news)
    if folded is None:
        return first == 1  # the match can't be listed at all
    sound = last if count == len(news) and _is_readable(last) else news[count - 1] if count else None
    if sound is not None:
        created_at = created_at or header_of(change.platform[0]).at
        kept.append(_keep(connection, sound, folded, created_at))
        shown = _shown(connection, folded)
        listing.keep(connection, shown, created_at)
        quick.keep(connection, folded)
        if still is None or shown is folded:
            changed.append(Changed(change.match, facts if still is None else still[3], shown, created_at))
    return True


def _shown(connection: sqlite3.Connection, facts: Match) -> Match:
    """The match as lists show it: these very facts, unless it is frozen."""
    found = frozen.row(connection, facts.id)
    return facts if found is None else read(*found)


def _freeze(connection: sqlite3.Connection, match: str, data: bytes | None, entries: Sequence[Entry]) -> None:
    """What lists show of the match from its start on, if these entries bring it there."""
    folded, count = _folded(match, data, entries) if entries else (None, 0)
    if folded is not None and count == len(entries):
        start = entries[-1]
        folded.version, folded.hash, folded.at = start.version, start.hash, header_of(start).at
        frozen.keep(connection, folded, _encode(folded))


def _is_readable(entry: Entry) -> bool:
    try:
        header_of(entry)
    except BrokenLog:
        return False
    return True


def _folded(match: str, data: bytes | None, entries: Sequence[Entry]) -> tuple[Match | None, int]:
    """The facts after the platform's entries up to the first that can't be folded, and how many those are.

    Of requests and decisions nothing is kept.
    """
    facts = None if data is None else _decode(data)
    for place, entry in enumerate(entries):
        try:
            facts = _noted(match, facts, entry)
        except BrokenLog as broken:
            log.warning("a match is not listed further", match=match, error=str(broken))
            return _folded(match, data, entries[:place])  # what was begun with this one is worth nothing
    return facts, len(entries)


def _noted(match: str, facts: Match | None, entry: Entry) -> Match:
    """Raises BrokenLog."""
    facts = facts or new_match(match, created_of(entry))
    header = header_of(entry)
    body = body_of(None, header, entry.body)
    try:
        note(facts, header, body, ())
    except Exception as error:  # as of a fold: whatever it raises, the entry is at fault
        raise BrokenLog(entry.version, f"it does not fold: {faults.place(error)}") from error
    facts.requests, facts.actor, facts.acting = {}, "", None
    return facts


def _keep(connection: sqlite3.Connection, last: Entry, facts: Match, created_at: int) -> Kept:
    encoded = _encode(facts)  # as of the platform's last entry, however many came with it
    facts.version, facts.hash, facts.at = last.version, last.hash, header_of(last).at
    if facts.over:
        frozen.forget(connection, facts.id)
    shard, times = hashes.shard(facts.id), (created_at, frozen.changed_at(connection, facts.id) or facts.at)
    head = (facts.id, facts.version, facts.hash, shard, facts.created.game, facts.status)
    connection.execute(KEPT, (*head, *times, facts.imported, encoded))
    connection.execute("DELETE FROM seats WHERE match = ?", (facts.id,))
    held = [(player, facts.id, number) for number, seat in enumerate(facts.seats) for player in seat.players]
    connection.executemany("INSERT INTO seats VALUES (?, ?, ?)", held)
    return Kept(facts, created_at)


def read(version: int, digest: bytes, changed_at: int, data: bytes) -> Match:
    """The facts of a row: what moves say stands in columns of its own."""
    facts = _decode(data)
    facts.version, facts.hash, facts.at = version, digest, changed_at
    return facts
