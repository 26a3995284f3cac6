"""The logs of all matches, told over as many streams as it takes."""

from collections.abc import AsyncIterator, Collection
from typing import Any

from msgspec import Struct

from tidelog.client import reading
from tidelog.client.answers import StoredEntry
from tidelog.client.calling import Caller
from tidelog.client.pauses import Pauses
from tidelog.client.refused import Refused, from_refusal
from tidelog.client.watching import RESUMED
from tidelog.v1.logs_pb2 import LogFilter, LogUpdate, WatchLogRequest
from tidelog.v1.logs_pb2_grpc import LogServiceStub


class LogEntries(Struct, frozen=True):
    """Entries of one match, in order; a stream goes on behind them from `position`."""

    match_id: str
    game: str
    entries: tuple[StoredEntry, ...]
    position: str


class LogCaughtUp(Struct, frozen=True):
    """What follows is live; after a broken connection it comes again."""

    position: str


class LogCheckpoint(Struct, frozen=True):
    position: str


LogNews = LogEntries | LogCaughtUp | LogCheckpoint


def log_filter(
    game: str = "", types: Collection[str] = (), matches: Collection[str] = (), players: Collection[str] = ()
) -> LogFilter:
    return LogFilter(game=game, types=types, matches=matches, players=players)


async def watch_log(caller: Caller, request: WatchLogRequest) -> AsyncIterator[LogNews]:
    """Without gap or repeat, until the caller has enough. Raises Refused where a stream can't be resumed."""
    method, backoff = LogServiceStub(caller.channel).WatchLog, Pauses()
    while True:
        refused: Refused | None = None
        try:
            async for response in caller.stream(method, request):
                for message in response.updates:
                    news = _news(message)
                    if news is None:
                        continue
                    backoff.reset()
                    request.after = news.position  # in the place of `from_start`
                    yield news
        except Refused as lost:
            if not lost.transient and lost.reason not in RESUMED:
                raise
            refused = lost
        await backoff.wait(refused)


def _news(message: LogUpdate) -> LogNews | None:
    """None for a kind that this release does not know. Raises Refused where the stream ends."""
    kind = message.WhichOneof("update")
    found: Any = getattr(message, kind) if kind else None
    match kind:
        case "entries":
            entries = tuple(reading.stored_entry(entry) for entry in found.entries)
            return LogEntries(found.match_id, found.game, entries, found.position)
        case "caught_up":
            return LogCaughtUp(found.position)
        case "checkpoint":
            return LogCheckpoint(found.position)
        case "end":
            raise from_refusal(found.refusal)
        case _:
            return None
