"""Matches as they stood at earlier versions."""

from collections import OrderedDict
from collections.abc import Iterator

from services.common.refusals import Reason, Refused
from services.eventlog import snapshots
from services.eventlog.aggregate import Aggregate
from services.eventlog.entries import BrokenLog
from services.eventlog.loading import Loader, quarantined
from services.eventlog.port import EventLog

KEPT = 64
"""Matches that are remembered; the least recently used are forgotten."""

MARKS = 16
"""Snapshots kept of a match; with more, every other one goes."""

MARK_EVERY = 64
PAGE = 256
"""Entries read at once."""


class Marks:
    """Snapshots of one match at every so many versions: the longer the log, the farther apart."""

    def __init__(self) -> None:
        self._every = MARK_EVERY
        self._kept: dict[int, bytes] = {}

    def __len__(self) -> int:
        return len(self._kept)

    def note(self, fold: Aggregate) -> None:
        version = fold.facts.version
        if version % self._every or version in self._kept:
            return
        self._kept[version] = snapshots.dump(fold)
        if len(self._kept) > MARKS:
            self._every *= 2
            self._kept = {version: data for version, data in self._kept.items() if version % self._every == 0}

    def before(self, version: int, beyond: int) -> Iterator[bytes]:
        """Those at or before the version and beyond another, the latest first."""
        for mark in sorted(self._kept, reverse=True):
            if beyond < mark <= version:
                yield self._kept[mark]

    def clear(self) -> None:
        self._kept.clear()


class PastMatches:
    """Folds of matches up to some version. One that is asked for versions in order is folded once.

    Back and forth costs no more than the distance between two marks.
    """

    def __init__(self, event_log: EventLog, loader: Loader, kept: int = KEPT) -> None:
        self._log = event_log
        self._loader = loader
        self._kept = kept
        self._folds: OrderedDict[str, Aggregate] = OrderedDict()
        self._marks: OrderedDict[str, Marks] = OrderedDict()
        self.entries_read = 0

    async def at(self, match_id: str, version: int) -> Aggregate:
        """The caller's own; may be given back. Raises Refused and the port's errors."""
        fold = self._folds.pop(match_id, None)
        if fold is not None and fold.facts.version > version:
            fold = None
        marks = self._marks_of(match_id)
        try:
            for data in marks.before(version, 0 if fold is None else fold.facts.version):
                marked = await self._marked(match_id, data)
                if marked is not None:
                    return await self._forward(marked, version, marks)
                marks.clear()
                break
            if fold is not None and await self._holds(fold):
                return await self._forward(fold, version, marks)
            return await self._forward(await self._born(match_id, version), version, marks)
        except BrokenLog as broken:
            raise quarantined(broken) from broken

    def give_back(self, fold: Aggregate) -> None:
        self._folds[fold.facts.id] = fold
        if len(self._folds) > self._kept:
            self._folds.popitem(last=False)

    def _marks_of(self, match_id: str) -> Marks:
        marks = self._marks.setdefault(match_id, Marks())
        self._marks.move_to_end(match_id)
        if len(self._marks) > self._kept:
            self._marks.popitem(last=False)
        return marks

    async def _marked(self, match_id: str, data: bytes) -> Aggregate | None:
        """None where the snapshot is not of this log any more."""
        entries = await self._log.read(match_id, 0, 1)
        if not entries:
            return None
        fresh = await self._loader.fresh(match_id, entries[0])
        try:
            fold = snapshots.load(snapshots.parse(data), fresh)
        except snapshots.BadSnapshot:
            return None
        return fold if await self._holds(fold) else None

    async def _holds(self, fold: Aggregate) -> bool:
        return await self._loader.holds(fold.facts.id, fold.cursor)

    async def _born(self, match_id: str, version: int) -> Aggregate:
        first = await self._log.read(match_id, 0, 1)
        if not first or version < 1:
            raise _unknown(version)
        return await self._loader.fresh(match_id, first[0])

    async def _forward(self, fold: Aggregate, version: int, marks: Marks) -> Aggregate:
        """Folded page by page: a long log holds nobody up."""
        while fold.facts.version < version:
            known = fold.facts.version
            entries = await self._log.read(fold.facts.id, known, min(version - known, PAGE))
            self.entries_read += len(entries)
            if not entries:
                raise _unknown(version)
            for entry in entries:
                fold.apply(entry)
                marks.note(fold)
        return fold


def _unknown(version: int) -> Refused:
    return Refused(Reason.UNKNOWN_VERSION, f"the log has no version {version}")
