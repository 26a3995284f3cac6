"""Brings a match up from its log: from a snapshot that lies on the log's line and the tail, else from the beginning."""

from engines.core import games
from services.common.bounded import Bounded
from services.common.refusals import Reason, Refused
from services.eventlog import snapshots, tails
from services.eventlog.aggregate import Aggregate, created_of
from services.eventlog.entries import BrokenLog, Cursor, Entry
from services.eventlog.lifecycle import Created
from services.eventlog.port import EventLog

SNAPSHOT_EVERY = 32
"""Versions between two snapshots of a match: a reload reads fewer entries than this and one command."""

SPOILED_KNOWN = 10_000


class WentBack(Exception):  # noqa: N818 - says what the log did
    """The log does not hold the entry at `known` any more: the store is an older copy, or one that grew from it."""

    def __init__(self, known: Cursor, head: Cursor) -> None:
        super().__init__(f"{known} is not of this log, which ends at {head}")
        self.known = known
        self.head = head


class Loader:
    """Reads matches for a host or a gateway. Editions stay in memory, by hash; they never change."""

    def __init__(self, log: EventLog) -> None:
        self._log = log
        self._editions: dict[str, bytes] = {}
        self._spoiled: Bounded[str, tuple[Cursor, int, str]] = Bounded(SPOILED_KNOWN)
        """Logs that do not fold: the head they had then, the first bad version, and what is wrong with it."""
        self.entries_read = 0
        self.snapshots_dropped = 0

    async def load(self, match: str) -> Aggregate:
        """The fold of the whole log. Raises Refused (UNKNOWN_MATCH, QUARANTINED, ENGINE_AWAY) and the port's errors."""
        await self._require_foldable(match)
        data = await self._log.snapshot(match)
        if data is not None:
            found = await self._from_snapshot(match, data)
            if found is not None:
                return found
            self.snapshots_dropped += 1
            await self._log.drop_snapshot(match)
        entries = await self._read(match, 0)
        if not entries:
            raise Refused(Reason.UNKNOWN_MATCH, "there is no such match")
        try:
            aggregate = await self.fresh(match, entries[0])
        except BrokenLog as broken:
            raise quarantined(broken) from broken
        try:
            return aggregate.apply_all(entries)
        except BrokenLog as broken:
            self._spoiled[match] = entries[-1].cursor, broken.version, broken.message
            raise quarantined(broken) from broken

    async def _require_foldable(self, match: str) -> None:
        """Raises Refused(QUARANTINED) where the log is still the one that did not fold, without reading it again."""
        if match not in self._spoiled:
            return
        head, version, message = self._spoiled[match]
        if await self._log.head(match) == head:
            raise quarantined(BrokenLog(version, message))
        self._spoiled.pop(match, None)

    async def fresh(self, match: str, first: Entry) -> Aggregate:
        """The match before its first entry. Raises BrokenLog."""
        return await self._born(match, created_of(first))

    def begun(self, match: str, entries: list[Entry]) -> Aggregate | None:
        """The fold of a log's first entries, if their edition is at hand and they fold; the store is not asked."""
        try:
            created = created_of(entries[0])
            edition = self._editions.get(created.edition) or games.installed_edition(created.edition)
            if edition is None:
                return None
            self._editions[created.edition] = edition
            return Aggregate.recorded(match, created, edition).apply_all(entries)
        except BrokenLog:
            return None

    async def catch_up(self, aggregate: Aggregate) -> list[Entry]:
        """Folds what the log holds beyond the aggregate; those entries.

        Raises WentBack, Refused and the port's errors.
        """
        match, known = aggregate.facts.id, aggregate.cursor
        news = await tails.tail(self._log, match, known)
        if news is None:
            raise WentBack(known, await self._log.head(match))
        self.entries_read += len(news)
        try:
            aggregate.apply_all(news)
        except BrokenLog as broken:
            raise quarantined(broken) from broken
        return news

    async def holds(self, match: str, cursor: Cursor) -> bool:
        """Whether the cursor is of the log. Raises the port's errors."""
        return await tails.holds(self._log, match, cursor)

    async def edition(self, edition_hash: str) -> bytes | None:
        """From the store, which may have lost it; one that comes with a game is at hand all the same."""
        data = self._editions.get(edition_hash) or await self._log.edition(edition_hash)
        data = data or games.installed_edition(edition_hash)
        if data is not None:
            self._editions[edition_hash] = data
        return data

    async def _born(self, match: str, created: Created) -> Aggregate:
        if created.game in games.names() and created.rules > games.engine(created.game).rules[-1]:
            raise Refused(Reason.ENGINE_AWAY, f"this release does not have rules {created.rules} of {created.game}")
        edition = await self.edition(created.edition)
        if edition is None:
            raise BrokenLog(1, f"the store has no edition {created.edition}")
        return Aggregate.recorded(match, created, edition)

    async def _from_snapshot(self, match: str, data: bytes) -> Aggregate | None:
        """None where the snapshot is not of this log, or not of this code."""
        try:
            found = snapshots.parse(data)
            version, head = found.facts.version, found.facts.hash
            aggregate = snapshots.load(found, await self._born(match, found.facts.created))
            entries = await self._read(match, version - 1)
            if not entries or entries[0].hash != head:
                return None
            return aggregate.apply_all(entries[1:])
        except (snapshots.BadSnapshot, BrokenLog):
            return None

    async def _read(self, match: str, after: int) -> list[Entry]:
        entries = await self._log.read(match, after)
        self.entries_read += len(entries)
        return entries


def quarantined(broken: BrokenLog) -> Refused:
    """What callers are told. Why it does not fold could tell what is hidden: that is the cause, for operators."""
    message = f"the log can't be folded at version {broken.version}"
    refused = Refused(Reason.QUARANTINED, message, version=broken.version - 1)
    refused.__cause__ = broken
    return refused
