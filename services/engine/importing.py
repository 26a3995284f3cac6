"""Takes full exports into the store: checked and folded whole before the first entry is written."""

import asyncio
from collections.abc import Iterator

from msgspec import Struct

from services.common.refusals import Reason, Refused
from services.eventlog import expiring, store_refusals
from services.eventlog.entries import MAX_ENTRY_BYTES, START, Cursor, Entry, body_of, header_of
from services.eventlog.export import FULL
from services.eventlog.port import Append, Conflict, EventLog, OutcomeUnknown, StoreError
from services.eventlog.reading import BadExport, Export, lines_of, read
from services.eventlog.sealing import SecretKeeper
from services.eventlog.timetable import Due

MAX_IMPORT_BYTES = 64 * 1024 * 1024
MAX_APPEND_BYTES = 4 * 1024 * 1024
"""Bytes of headers and bodies that one append takes in: a log no larger is there whole or not at all."""


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
            if duplicate:
                await self._log.secure(match)
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
        """In one append, or in several where the log is larger; an import cut short goes on where it stopped.

        A large match that is being restored can be played on before it is whole. Such a move ends the restore: the
        next append conflicts, and nothing of the export stands behind the move.
        """
        assert export.secret is not None
        for batch in batches_of(export, done):
            before = batch[0].version - 1
            after = export.entries[before - 1].cursor if before else START
            secret = None if before else self._keeper.seal(match, export.secret)
            try:
                answer = await self._log.append(
                    Append(match, after, batch, secret, await self._due(match, export, batch))
                )
            except StoreError as error:
                if before:  # a part of the export stands
                    raise store_refusals.unknown() from error
                raise
            if isinstance(answer, Conflict):
                raise Refused(Reason.MATCH_EXISTS, "the log grew meanwhile, by another import or a move; try again")

    async def _due(self, match: str, export: Export, batch: tuple[Entry, ...]) -> Due | None:
        """With its last entries a restored match is on the timetable; other imports never are."""
        assert export.aggregate is not None
        facts = export.aggregate.facts
        if match != facts.created.match or batch[-1].version != facts.version:
            return None
        return expiring.due_again(facts, await self._log.time_ms())


def batches_of(export: Export, after: int) -> Iterator[tuple[Entry, ...]]:
    """The entries beyond version `after`: whole commands, as many together as an append takes in, but at least one."""
    batch: list[Entry] = []
    size = 0
    for command in commands_of(export, after):
        more = sum(len(entry.header) + len(entry.body) for entry in command)
        if batch and size + more > MAX_APPEND_BYTES:
            yield tuple(batch)
            batch, size = [], 0
        batch += command
        size += more
    if batch:
        yield tuple(batch)


def commands_of(export: Export, after: int) -> Iterator[list[Entry]]:
    """The entries beyond version `after`, one command at a time."""
    assert export.aggregate is not None
    command: list[Entry] = []
    for entry in export.entries[after:]:
        body = body_of(export.aggregate.engine, header_of(entry), entry.body)
        if command and body.req is not None:
            yield command
            command = []
        command.append(entry)
    if command:
        yield command
