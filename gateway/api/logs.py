"""The rpcs that give out stored entries: as messages, and as a file."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator

from gateway import facts
from gateway.api.calls import streaming
from gateway.callers.call import Call
from gateway.callers.rights import absent, check_audience, check_full, check_visible
from gateway.limits import MAX_CHUNK, PIECE_BYTES
from gateway.matches.match import LiveMatch
from gateway.matches.reading import cursor_of, read_after
from gateway.parts import Parts
from services.common.codec import encode
from services.common.refusals import Reason, Refused
from services.eventlog.aggregate import created_of, told
from services.eventlog.entries import BrokenLog, Cursor, Entry, body_of, header_of
from services.eventlog.export import export_full, export_redacted
from services.eventlog.loading import quarantined
from services.eventlog.sealing import SecretKeeper
from services.eventlog.terms import USUAL, Terms
from tidelog.v1.matches_pb2 import (
    ExportMatchRequest,
    ExportMatchResponse,
    ReadLogRequest,
    ReadLogResponse,
    StoredEntry,
)

PAGE = 500


class Logs:
    """What is hidden from a caller is left out; headers and hashes are everybody's."""

    parts: Parts

    @streaming
    async def ReadLog(self, request: ReadLogRequest, call: Call) -> AsyncIterator[ReadLogResponse]:  # noqa: N802
        shown = await self._shown(request, call)
        store, left = Storing(shown, request), request.limit or None
        is_behind = shown is not None and shown.delay is not None
        head = shown.cursor if shown is not None and is_behind else await self.parts.log.head(request.match_id)
        after, entries = await self._first(request, left, head if is_behind else None)
        while entries:
            for response in store.responses(entry for entry in entries if entry.version <= head.version):
                yield response
            after = entries[-1].version
            left = None if left is None else left - len(entries)
            if after >= head.version or left == 0:
                return
            entries = await self.parts.log.read(request.match_id, after, min(left or PAGE, PAGE))

    async def _shown(self, request: ReadLogRequest, call: Call) -> LiveMatch | None:
        """None where no fold is needed: headers, and for admins all that is stored, are read of any log.

        Raises Refused.
        """
        seat = request.seat if request.HasField("seat") else None
        if seat is None and (request.headers_only or (request.full and call.caller.admin)):
            first = await self.parts.log.read(request.match_id, 0, 1)
            if not first:
                raise absent()
            terms = _terms(first[0])
            if terms.private and not call.caller.admin:
                await self.parts.games.of(request.match_id, call.caller)
            if call.caller.admin or terms.spectator_delay is None:
                return None
        live = await self.parts.shown.current(request.match_id, call.caller)
        _check_audience(live, call, seat, full=request.full)
        return live

    async def _first(self, request: ReadLogRequest, left: int | None, end: Cursor | None) -> tuple[int, list[Entry]]:
        """Where the reading begins, and the first entries. Raises Refused."""
        if request.limit < 0:
            raise Refused(Reason.MALFORMED, "a limit is no less than 0 - at `$.limit`")
        limit = min(left or PAGE, PAGE)
        if request.WhichOneof("start") == "after":
            cursor = cursor_of(request.after)
            if end is not None and cursor.version > end.version:
                raise Refused(Reason.LOG_REWOUND, f"{cursor} is not of this log, which ends at {end}", cursor=str(end))
            return cursor.version, await read_after(self.parts.log, request.match_id, cursor, limit, end)
        if request.HasField("from_version") and request.from_version < 1:
            raise Refused(Reason.MALFORMED, "versions are numbered from 1 - at `$.from_version`")
        after = max(request.from_version - 1, 0)
        return after, await self.parts.log.read(request.match_id, after, limit)

    @streaming
    async def ExportMatch(  # noqa: N802
        self, request: ExportMatchRequest, call: Call
    ) -> AsyncIterator[ExportMatchResponse]:
        live = await self.parts.shown.sound(request.match_id, call.caller)
        seat = request.seat if request.HasField("seat") else None
        _check_audience(live, call, seat, full=request.full)
        secret = await self._secret(live, call, request)
        edition = await self.parts.loader.edition(live.aggregate.facts.created.edition)
        assert edition is not None, "a match that folds has its edition in the store"
        entries = await self.parts.log.read(live.id, 0, None if live.delay is None else live.version)
        lines = (
            export_full(entries, edition, secret)
            if request.full
            else export_redacted(entries, edition, live.aggregate, seat)
        )
        for chunk in _chunks(lines):
            yield ExportMatchResponse(chunk=chunk)
            await asyncio.sleep(0)  # a long file holds nobody up

    async def _secret(self, live: LiveMatch, call: Call, request: ExportMatchRequest) -> bytes | None:
        """The secret that the file must hold to be of use: that of a match that is not over. Raises Refused."""
        if request.with_secrets and not request.full:
            raise Refused(Reason.MALFORMED, "secrets go with a full export - at `$.with_secrets`")
        if request.with_secrets and not call.caller.admin:
            raise Refused(Reason.NOT_ALLOWED, "secrets are for admins")
        if not request.full or live.aggregate.facts.over:
            return None
        if not request.with_secrets:
            raise Refused(
                Reason.MALFORMED, "a full export of a match that is not over needs its secret - at `$.with_secrets`"
            )
        stored = await self.parts.log.secret(live.id)
        if stored is None:
            raise Refused(Reason.READ_ONLY, "the store does not hold the match's secret")
        return SecretKeeper(self.parts.settings.secret_key).open(live.id, stored)


class Storing:
    """Entries as one caller gets them; `live` is None where nothing of them is decoded."""

    def __init__(self, live: LiveMatch | None, request: ReadLogRequest) -> None:
        self._live = live
        self._full = request.full
        self._headers_only = request.headers_only
        self._seat = request.seat if request.HasField("seat") else None
        self._delay = None if live is None else facts.delay_message(live.delay)

    def responses(self, entries: Iterable[Entry]) -> Iterator[ReadLogResponse]:
        """Messages of moderate size. Raises Refused, behind the entries before the one at fault."""
        response, size = ReadLogResponse(delay=self._delay), 0
        for entry in entries:
            try:
                stored = self.stored(entry)
            except Refused:
                if size:
                    yield response
                raise
            response.entries.append(stored)
            size += stored.ByteSize()
            if size >= PIECE_BYTES:
                yield response
                response, size = ReadLogResponse(delay=self._delay), 0
        if size:
            yield response

    def stored(self, entry: Entry) -> StoredEntry:
        found = StoredEntry(cursor=str(entry.cursor), header=entry.header, leaf=entry.leaf)
        if self._headers_only:
            return found
        if self._full:
            found.body = entry.body
        else:
            found.payload = self._payload(entry)
        return found

    def _payload(self, entry: Entry) -> bytes:
        assert self._live is not None
        if self._live.broken is not None and entry.version > self._live.version:
            raise self._live.broken
        aggregate = self._live.aggregate
        try:
            event = body_of(aggregate.engine, header_of(entry), entry.body).payload
        except BrokenLog as broken:
            raise quarantined(broken) from broken
        return encode(told(aggregate.engine, aggregate.facts, event, self._seat))


def _check_audience(live: LiveMatch, call: Call, seat: int | None, *, full: bool) -> None:
    check_visible(live.aggregate.facts, call.caller)
    if full and seat is not None:
        raise Refused(Reason.MALFORMED, "the whole log is no seat's - at `$.seat`")
    if full:
        check_full(live.aggregate.facts, call.caller)
    check_audience(live.aggregate.facts, call.caller, seat)


def _terms(first: Entry) -> Terms:
    """Of a match whose beginning can't be read: the usual ones, for it is nobody's to be hidden from."""
    try:
        return created_of(first).terms or USUAL
    except BrokenLog:
        return USUAL


def _chunks(lines: Iterable[bytes]) -> Iterator[bytes]:
    """The file in pieces of MAX_CHUNK, the last one of what is left."""
    held = bytearray()
    for line in lines:
        held += line
        while len(held) >= MAX_CHUNK:
            yield bytes(held[:MAX_CHUNK])
            del held[:MAX_CHUNK]
    if held:
        yield bytes(held)
