"""Takes full exports into the store: checked and folded whole before the first entry is written."""

import asyncio
from collections.abc import Iterator

from msgspec import Struct

from services.common.refusals import Reason, Refused
from services.eventlog import store_refusals
from services.eventlog.entries import MAX_COMMAND_EVENTS, MAX_ENTRY_BYTES, Cursor, Entry, body_of, header_of
from services.eventlog.export import FULL
from services.eventlog.port import Append, Conflict, EventLog, OutcomeUnknown, StoreError
from services.eventlog.reading import BadExport, Export, lines_of, read
from services.eventlog.sealing import SecretKeeper

MAX_IMPORT_BYTES = 64 * 1024 * 1024


class Imported(Struct, frozen=True):
    """The log as it is stored; `duplicate` where it stood there already."""

    match: str
    head: Cursor
    duplicate: bool


class Importer:
    """Stores logs of one game."""

    def __init__(self, game: str, event_log: EventLog, keeper: SecretKeeper) -> None:
        self._game = game
        self._log = event_log
        self._keeper = keeper

    async def store(self, chunks: list[bytes], match: str | None) -> Imported:
        """Under the id given, read-only; with None under its own, to be played on. Raises Refused."""
        export = await asyncio.to_thread(self._read, chunks)
        if match == export.header.match:
            raise Refused(Reason.REQUEST_ID_REUSED, "this request id made the exported match itself")
        match = match or export.header.match
        try:
            await self._log.put_edition(export.header.edition_hash, export.header.edition.encode())
            held = await self._log.read(match)
            if [entry.hash for entry in held] != [entry.hash for entry in export.entries[: len(held)]]:
                raise Refused(Reason.MATCH_EXISTS, "another log has this id")
            duplicate = len(held) == len(export.entries)
            await self._write(match, export, len(held))
        except StoreError as error:
            raise store_refusals.refused(error) from error
        except OutcomeUnknown as error:
            raise store_refusals.unknown() from error
        return Imported(match, export.entries[-1].cursor, duplicate)

    def _read(self, chunks: list[bytes]) -> Export:
        try:
            export = read(lines_of([b"".join(chunks)]))
        except BadExport as bad:
            raise Refused(Reason.CORRUPT_EXPORT, str(bad), version=bad.version or 0) from bad
        if export.header.audience != FULL:
            raise Refused(Reason.CORRUPT_EXPORT, "only a full export can be imported")
        if export.header.game != self._game:
            raise Refused(Reason.UNKNOWN_GAME, f"this is a match of {export.header.game}, not of {self._game}")
        large = next((entry.version for entry in export.entries if len(entry.body) > MAX_ENTRY_BYTES), None)
        if large is not None:
            raise Refused(Reason.TOO_LARGE, f"the entry of version {large} is over {MAX_ENTRY_BYTES} bytes")
        return export

    async def _write(self, match: str, export: Export, done: int) -> None:
        """Command by command, as the log was first written; an import cut short goes on where it stopped."""
        assert export.secret is not None
        assert export.aggregate is not None
        for batch in commands_of(export, done):
            expected = batch[0].version - 1
            secret = self._keeper.seal(match, export.secret) if expected == 0 else None
            if isinstance(await self._log.append(Append(match, expected, batch, secret)), Conflict):
                raise Refused(Reason.MATCH_EXISTS, "another import of this log is under way; try again")


def commands_of(export: Export, after: int) -> Iterator[tuple[Entry, ...]]:
    """The entries beyond version `after`, one command at a time."""
    assert export.aggregate is not None
    batch: list[Entry] = []
    for entry in export.entries[after:]:
        body = body_of(export.aggregate.engine, header_of(entry), entry.body)
        if batch and (body.req is not None or len(batch) == MAX_COMMAND_EVENTS):
            yield tuple(batch)
            batch = []
        batch.append(entry)
    if batch:
        yield tuple(batch)
