"""The list of matches, kept from the feed in few transactions, and from the logs where the feed has a hole."""

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial
from sqlite3 import Connection

from gateway import rewinds
from gateway.callers.identity import Caller
from gateway.projections import folding, keeping, lists
from gateway.projections.changes import Change
from gateway.projections.claims import Claims
from gateway.projections.database import Database
from gateway.projections.filters import Filters
from gateway.projections.hub import Changed, Hub
from gateway.projections.lists import HeldSeat, Page
from gateway.projections.model import ReadModel
from gateway.projections.places import NOWHERE, Place
from gateway.projections.walking import ListPlace
from gateway.rewinds import Rewind
from services.common.logs import logger
from services.common.metrics import log_rewound
from services.common.tasks import cancelled
from services.eventlog import hashes
from services.eventlog.entries import START, Cursor
from services.eventlog.port import EventLog, FeedEntry, StoreError
from services.eventlog.tails import tail

BACKLOG = 20_000
"""Entries that may wait to be kept before the feed is read on."""

READ_TOGETHER = 64
RETRY_S = 1.0

Row = tuple[int, bytes]
"""Version and hash."""

ABSENT: Row = (0, b"")

log = logger()


class MatchProjection:
    """Data and checkpoints are kept together, so that a file is right for exactly what its checkpoints say."""

    def __init__(self, database: Database, event_log: EventLog, pause_s: float) -> None:
        self.claims = Claims()
        self.hub = Hub()
        self._database = database
        self._models = database.models
        self._log = event_log
        self._pause_s = pause_s
        self._changes: dict[str, Change] = {}
        self._checkpoints: dict[int, Place] = {}
        self._waiting = 0
        self._applying = asyncio.Lock()
        self._keeping = 0
        self._given = 0
        self._kept = 0
        self._news = asyncio.Event()
        self._progress = asyncio.Condition()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._news.set()  # the file may hold what read models had left
        self._task = asyncio.create_task(self._keep_on(), name="match projection")

    async def close(self) -> None:
        """What was read and not yet kept is read again by the next gateway."""
        if self._task is not None:
            await cancelled(self._task)
        await self._database.close()

    async def places(self) -> list[Place]:
        found = await self._database.run(lists.checkpoints)
        return [found.get(shard, NOWHERE) for shard in range(hashes.SHARDS)]

    @property
    def behind(self) -> int:
        """Entries that were fed and are not kept yet."""
        return self._waiting + self._keeping

    async def feed(self, shard: int, entries: list[FeedEntry]) -> None:
        for fed in entries:
            self.claims.tell(fed.match, fed.entry)
            change = self._changes.get(fed.match)
            if change is None or not change.extends_to(fed.entry):
                self._changes[fed.match] = Change.of(fed.match, [fed.entry])
        self._checkpoints[shard] = Place(entries[-1].number, entries[-1].entry.hash)
        self._waiting += len(entries)
        self._given += 1
        self._news.set()
        if self._waiting > BACKLOG:
            await self.settled()

    async def compare(self, shard: int, place: Place) -> None:
        """Reads the tails of those logs whose heads are others than the rows say."""
        await self.settled()
        async with self._applying:
            await self._compare(shard, place)
        self._news.set()

    async def _compare(self, shard: int, place: Place) -> None:
        rows = await self._database.run(lambda connection: lists.rows(connection, shard))
        heads = await self._log.heads(shard)
        vanished = rows.keys() - heads.keys()
        await self._rewound([Rewind(match, _cursor(rows[match]), START) for match in vanished])
        await self._forget(vanished)
        differing = [match for match, head in heads.items() if _cursor(rows.get(match, ABSENT)) != head]
        for start in range(0, len(differing), READ_TOGETHER):
            matches = differing[start : start + READ_TOGETHER]
            found = await asyncio.gather(*(self._tail(match, rows.get(match, ABSENT)) for match in matches))
            await self._apply({change.match: change for change in found if change is not None}, {})
        await self._apply({}, {shard: place})

    async def read_again(self, matches: Sequence[str]) -> None:
        """Keeps the matches anew, each from the whole of its log."""
        for match in matches:
            async with self._applying:
                await self._anew(match)
        self._news.set()

    async def settled(self) -> None:
        """Returns once everything fed so far is kept."""
        wanted = self._given
        async with self._progress:
            await self._progress.wait_for(lambda: self._kept >= wanted)

    async def page(self, filters: Filters, caller: Caller, size: int, after: ListPlace | None = None) -> Page:
        """As far as the feed has been read and kept."""
        return await self._database.read(lambda connection: lists.page(connection, filters, caller, size, after))

    async def page_in_turn(self, filters: Filters, caller: Caller, size: int, after: ListPlace | None) -> Page:
        """As `page`; what the hub has told before is in it, and what it tells later is not."""
        return await self._database.run(lambda connection: lists.page(connection, filters, caller, size, after))

    async def seats_of(self, player: str) -> list[HeldSeat]:
        """The seats of the player in matches that are not over, as far as the feed has been read."""
        await self.settled()
        return await self._database.run(lambda connection: lists.seats_of(connection, player))

    async def _keep_on(self) -> None:
        while True:
            await self._news.wait()
            self._news.clear()
            changes, checkpoints, given = self._changes, self._checkpoints, self._given
            self._keeping = self._waiting
            self._changes, self._checkpoints, self._waiting = {}, {}, 0
            async with self._applying:
                await self._kept_at_last(changes, checkpoints)
            self._keeping = 0
            async with self._progress:
                self._kept = given
                self._progress.notify_all()
            await self._catch_up()
            await asyncio.sleep(self._pause_s)

    async def _catch_up(self) -> None:
        """Slice by slice of what read models have left, until the feed has news."""
        try:
            while await self._database.run(self._slice) and not self._news.is_set():
                pass
        except Exception:
            log.exception("a read model can't be brought up")

    def _slice(self, connection: Connection) -> bool:
        return keeping.catch_up(connection, self._models)

    async def _kept_at_last(self, changes: Mapping[str, Change], checkpoints: Mapping[int, Place]) -> None:
        """Tries until the file takes them; applying twice changes nothing."""
        while True:
            try:
                await self._apply(changes, checkpoints)
            except Exception:
                log.exception("the list of matches can't be kept")
                await asyncio.sleep(RETRY_S)
            else:
                return

    async def _apply(self, changes: Mapping[str, Change], checkpoints: Mapping[int, Place]) -> None:
        """Rows that the changes do not follow are brought up from their logs, before the checkpoints are kept."""
        changed: list[Changed] = []

        def apply(connection: Connection) -> list[str]:
            return folding.apply(connection, self._models, changes.values(), checkpoints, changed)

        behind = await self._database.run(apply)
        self.hub.tell(changed)
        if not behind:
            return
        for match in behind:
            await self._anew(match)
        await self._database.run(lambda connection: folding.apply(connection, (), (), checkpoints))

    async def _anew(self, match: str) -> None:
        change = await self._read_whole(match)
        if change is not None and change.first.version == 1:
            self.hub.tell(await self._database.run(partial(_anew, self._models, change)))
        elif change is not None:
            log.warning("a match is not listed further: its log has lost its beginning", match=match)

    async def _read_whole(self, match: str) -> Change | None:
        while True:
            try:
                row = await self._database.run(lambda connection: lists.row(connection, match))
                if row is not None:
                    await self._tail(match, row)
                return await self._tail(match, ABSENT)
            except StoreError as error:
                log.warning("a log could not be read for the list of matches", match=match, error=str(error))
                await asyncio.sleep(RETRY_S)

    async def _tail(self, match: str, row: Row) -> Change | None:
        """What the log holds beyond the row; all of it, and the row forgotten, where the row is not of this log."""
        known = _cursor(row)
        entries = await tail(self._log, match, known)
        if entries is None:
            await self._rewound([Rewind(match, known, await self._log.head(match))])
            await self._forget({match})
            entries = await self._log.read(match)
        return Change.of(match, entries) if entries else None

    async def _rewound(self, found: list[Rewind]) -> None:
        for rewind in found:
            log_rewound.inc()
            log.error("log went back", match=rewind.match, known=str(rewind.known), head=str(rewind.head))
        if found:
            at = await self._log.time_ms()
            await self._database.run(lambda connection: rewinds.note(connection, found, at))

    async def _forget(self, matches: set[str]) -> None:
        if matches:
            self.hub.tell(await self._database.run(partial(_forgotten, self._models, tuple(matches))))


def _forgotten(models: Sequence[ReadModel], matches: Sequence[str], connection: Connection) -> list[Changed]:
    with keeping.transaction(connection):
        return folding.forget(connection, models, matches)


def _anew(models: Sequence[ReadModel], change: Change, connection: Connection) -> list[Changed]:
    with keeping.transaction(connection):
        changed = folding.forget(connection, models, (change.match,))
        folding.apply(connection, models, (change,), {}, changed)
        return changed


def _cursor(row: Row) -> Cursor:
    version, digest = row
    return Cursor(version, digest[:8].hex()) if version else START
