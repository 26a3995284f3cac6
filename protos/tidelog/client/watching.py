"""Watching a match: told once, in order, over as many streams as it takes."""

from collections.abc import AsyncIterator
from typing import Any

from tidelog.client import reading
from tidelog.client.answers import Checkpoint, End, Entry, Update
from tidelog.client.calling import Caller
from tidelog.client.pauses import Pauses
from tidelog.client.refused import Refused
from tidelog.client.trail import version
from tidelog.v1.matches_pb2 import WatchMatchRequest

RESUMED = frozenset({"slow_consumer", "draining", "store_away", "engine_away"})
"""Ends after which the next stream goes on from the last entry told."""


async def watch(caller: Caller, method: Any, request: WatchMatchRequest) -> AsyncIterator[Update]:
    """Every update until the match is over. Raises Refused where a stream can't be resumed."""
    backoff = Pauses()
    while True:
        refused: Refused | None = None
        try:
            async for update in _attempt(caller, method, request):
                if isinstance(update, End):
                    if update.refused is None:
                        return
                    raise update.refused
                backoff.reset()
                request.after = update.cursor
                yield update
        except Refused as lost:
            if 0 < request.replay.until <= version(request.after):
                return  # all was told but that it was all
            if not lost.transient and lost.reason not in RESUMED:
                raise
            refused = lost
        await backoff.wait(refused)


async def _attempt(caller: Caller, method: Any, request: WatchMatchRequest) -> AsyncIterator[Update]:
    """One stream, without the entries that were told already."""
    told = version(request.after)
    async for response in caller.stream(method, request):
        for message in response.updates:
            update = reading.update(message)
            if update is None or (isinstance(update, Entry | Checkpoint) and version(update.cursor) < told):
                continue
            if isinstance(update, Entry):
                if update.version <= told:
                    continue
                told = update.version
            yield update
