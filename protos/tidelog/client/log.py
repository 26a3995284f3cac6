"""The log of one match as it is stored: to read, to export, to compare with what was seen."""

from collections.abc import AsyncIterator, Sequence
from typing import Any

from tidelog.client import reading
from tidelog.client.answers import Receipt, StoredEntry
from tidelog.client.calling import Caller
from tidelog.client.trail import START, Trail, version
from tidelog.v1.matches_pb2 import ExportMatchRequest, ImportMatchRequest, ReadLogRequest


class Log:
    """`seat` None reads as a spectator; `full` reads the opened log, which is everyone's after most matches."""

    def __init__(self, caller: Caller, matches: Any, match_id: str, trail: Trail) -> None:
        self._caller = caller
        self._matches = matches
        self._match_id = match_id
        self._trail = trail

    async def read(
        self, *, after: str = "", limit: int = 0, seat: int | None = None, full: bool = False
    ) -> AsyncIterator[StoredEntry]:
        """The stored entries after a cursor, up to the head or to `limit` of them."""
        request = ReadLogRequest(match_id=self._match_id, after=after, limit=limit, seat=seat, full=full)
        async for response in self._caller.stream(self._matches.ReadLog, request):
            for message in response.entries:
                self._trail.note(self._match_id, message.cursor)
                yield reading.stored_entry(message)

    async def export(
        self, *, seat: int | None = None, full: bool = False, with_secrets: bool = False
    ) -> AsyncIterator[bytes]:
        """The file of an export, in pieces."""
        request = ExportMatchRequest(match_id=self._match_id, seat=seat, full=full, with_secrets=with_secrets)
        async for response in self._caller.stream(self._matches.ExportMatch, request):
            yield response.chunk

    async def last_common(self) -> str:
        """The newest position that this client was told and that the log still holds, `0-0` if none.

        After a refusal with `log_rewound` watch or follow from there: what was told beyond is not in the log any more.
        Refused with `unknown_match` where nothing is left of it.
        """
        seen = self._trail.cursors(self._match_id)
        if not seen:
            return START
        first, last = version(seen[0]), version(seen[-1])
        request = ReadLogRequest(match_id=self._match_id, from_version=first, limit=last - first + 1, headers_only=True)
        stored: list[str] = []
        async for response in self._caller.stream(self._matches.ReadLog, request):
            stored.extend(entry.cursor for entry in response.entries)
        return self._trail.last_common(self._match_id, stored)


async def import_log(caller: Caller, method: Any, start: ImportMatchRequest.Start, chunks: Sequence[bytes]) -> Receipt:
    """Sends an export, again from its beginning after a passing failure: the request id gives it one effect."""

    async def parts() -> AsyncIterator[ImportMatchRequest]:
        yield ImportMatchRequest(start=start)
        for chunk in chunks:
            yield ImportMatchRequest(chunk=chunk)

    answer = await caller.again(
        lambda timeout: method(parts(), timeout=timeout, metadata=caller.metadata), changes=True
    )
    return reading.receipt(answer.receipt)
