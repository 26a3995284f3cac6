"""Compares what clients were told with the log as the store holds it."""

from collections import Counter
from collections.abc import Iterable, Iterator
from enum import StrEnum

import msgspec
from msgspec import Struct

from services.cli.bench.faults.record import Record, Told
from services.common import config
from services.common.codec import encode
from services.eventlog.aggregate import Aggregate, created_of
from services.eventlog.entries import BrokenLog, Entry
from services.eventlog.export import export_full
from services.eventlog.port import EventLog
from services.eventlog.reading import BadExport, read
from services.eventlog.sealing import SecretKeeper
from tidelog.client.answers import Situation


class Kind(StrEnum):
    MISSING = "acknowledged, and not in the log as it was acknowledged"
    DOUBLED = "one request, more than one command in the log"
    REFUSED = "refused, and yet in the log"
    FOREIGN = "told, and not in the log"
    BROKEN = "told with a gap or twice"
    BEHIND = "never told all of the log"
    VIEW = "a view that the log does not fold to"
    SPARSE = "versions of the log are not dense"
    UNSOUND = "a log that does not verify"


class Loss(Struct, frozen=True):
    kind: Kind
    match: str
    detail: str


class Held(Struct, frozen=True):
    """What the store holds of a match; `secret` None where it holds none."""

    entries: tuple[Entry, ...]
    edition: bytes
    secret: bytes | None


async def held(log: EventLog, match: str) -> Held:
    """Raises the port's errors."""
    entries = await log.read(match)
    edition = await log.edition(created_of(entries[0]).edition) if entries else None
    secret = await log.secret(match)
    return Held(tuple(entries), edition or b"", secret and SecretKeeper(config.secret_key()).open(match, secret))


def losses(record: Record, found: Held) -> Iterator[Loss]:
    """All that is wrong, each once."""
    for kind, detail in (*_commands(record, found.entries), *_streams(record.told, found.entries), *_log(found)):
        yield Loss(kind, record.match, detail)
    for detail in _views(record, found):
        yield Loss(Kind.VIEW, record.match, detail)


Found = Iterator[tuple[Kind, str]]


class _Requested(Struct):
    req: str | None


_requested = msgspec.json.Decoder(_Requested)


def _commands(record: Record, entries: tuple[Entry, ...]) -> Found:
    begun = [(entry.version, request) for entry in entries if (request := _requested.decode(entry.body).req)]
    times = Counter(request for _, request in begun)
    for request, count in times.items():
        if count > 1:
            yield Kind.DOUBLED, f"request {request}, {count} times"
    first = {request: version for version, request in begun}
    for told in record.acknowledged:
        last = int(told.cursor.partition("-")[0])
        stands = first.get(told.key.hex()) == told.first and last <= len(entries)
        if not stands or str(entries[last - 1].cursor) != told.cursor:
            yield Kind.MISSING, f"request {told.key.hex()} at {told.first} to {told.cursor}"
    for key in record.joined:
        if key.hex() not in times:
            yield Kind.MISSING, f"join {key.hex()}"
    for key in record.refused:
        if key.hex() in times:
            yield Kind.REFUSED, f"request {key.hex()} at {first[key.hex()]}"


def _streams(all_told: Iterable[Told], entries: tuple[Entry, ...]) -> Found:
    for told in all_told:
        for expected, came in told.breaks:
            yield Kind.BROKEN, f"{told.name}: {came} came in place of {expected}"
        for version in range(1, told.version + 1):
            if version > len(entries) or str(entries[version - 1].cursor) != told.cursor(version):
                yield Kind.FOREIGN, f"{told.name}: {told.cursor(version)}"
        if told.version < len(entries) or told.ended:
            why = f", ended with {told.ended}" if told.ended else ""
            yield Kind.BEHIND, f"{told.name}: told up to {told.version} of {len(entries)}{why}"


def _log(found: Held) -> Found:
    versions = [entry.version for entry in found.entries]
    if not versions or versions != list(range(1, len(versions) + 1)):
        yield Kind.SPARSE, f"{len(versions)} entries up to {versions[-1:]}"
        return
    try:
        checked = read(export_full(found.entries, found.edition, found.secret))
    except (BadExport, BrokenLog) as bad:
        yield Kind.UNSOUND, str(bad)
        return
    if checked.entries != found.entries:
        yield Kind.UNSOUND, "stored leaves or hashes are not those of the bodies"


def _views(record: Record, found: Held) -> Iterator[str]:
    wanted: dict[int, list[tuple[Told, Situation]]] = {}
    for told in record.told:
        for seen in filter(None, (told.seen, told.asked)):
            wanted.setdefault(int(seen.cursor.partition("-")[0]), []).append((told, seen))
    try:
        aggregate = Aggregate.recorded(record.match, created_of(found.entries[0]), found.edition)
        for entry in found.entries[: max(wanted, default=0)]:
            aggregate.apply(entry)
            for told, seen in wanted.pop(entry.version, ()):
                view = msgspec.json.decode(encode(aggregate.engine.view(aggregate.state, told.seat)))
                if seen.cursor != str(entry.cursor) or seen.view != view:
                    yield f"{told.name}: at {seen.cursor}"
    except (BrokenLog, IndexError):
        pass  # told of as a log that is sparse or does not verify
    for version, unseen in wanted.items():
        yield from (f"{told.name}: at {version}, which the log does not fold to" for told, _ in unseen)
