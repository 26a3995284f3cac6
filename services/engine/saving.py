"""Snapshots, written now and then behind the answers' back: they are cache."""

import asyncio

from services.common.logs import logger
from services.eventlog import snapshots
from services.eventlog.aggregate import Aggregate
from services.eventlog.loading import SNAPSHOT_EVERY
from services.eventlog.port import EventLog, StoreError

log = logger()


class Saver:
    """`tasks` are those under way."""

    def __init__(self, event_log: EventLog) -> None:
        self._log = event_log
        self.tasks: set[asyncio.Task[None]] = set()

    def save(self, aggregate: Aggregate, before: int) -> None:
        """Where the match has come far enough since version `before`."""
        version = aggregate.facts.version
        if version // SNAPSHOT_EVERY == before // SNAPSHOT_EVERY:
            return
        task = asyncio.create_task(self._put(aggregate.facts.id, snapshots.dump(aggregate)))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def finish(self) -> None:
        """Returns when nothing is being written any more."""
        if self.tasks:
            await asyncio.gather(*self.tasks, return_exceptions=True)

    async def _put(self, match: str, data: bytes) -> None:
        try:
            await self._log.put_snapshot(match, data)
        except StoreError as error:
            log.warning("snapshot not written", match=match, error=str(error))
