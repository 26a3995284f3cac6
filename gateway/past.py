"""Matches as they stood at earlier versions."""

from collections import OrderedDict

from services.common.refusals import Reason, Refused
from services.eventlog.aggregate import Aggregate
from services.eventlog.entries import BrokenLog
from services.eventlog.loading import Loader, quarantined
from services.eventlog.port import EventLog

KEPT = 64


class PastMatches:
    """Folds of matches up to some version; one that is asked for versions in order is folded once."""

    def __init__(self, event_log: EventLog, loader: Loader, kept: int = KEPT) -> None:
        self._log = event_log
        self._loader = loader
        self._kept = kept
        self._folds: OrderedDict[str, Aggregate] = OrderedDict()
        self.entries_read = 0

    async def at(self, match_id: str, version: int) -> Aggregate:
        """The caller's until it is given back. Raises Refused and the port's errors."""
        fold = self._folds.pop(match_id, None)
        if fold is not None and fold.facts.version > version:
            fold = None
        try:
            return await self._folded(match_id, fold, version)
        except BrokenLog as broken:
            raise quarantined(broken) from broken

    def give_back(self, fold: Aggregate) -> None:
        self._folds[fold.facts.id] = fold
        if len(self._folds) > self._kept:
            self._folds.popitem(last=False)

    async def _folded(self, match_id: str, fold: Aggregate | None, version: int) -> Aggregate:
        known = 0 if fold is None else fold.facts.version
        after = max(known - 1, 0)
        entries = await self._log.read(match_id, after, version - after)
        self.entries_read += len(entries)
        if fold is not None and entries and entries[0].hash == fold.facts.hash:
            return fold.apply_all(entries[1:])
        if fold is not None:
            return await self._folded(match_id, None, version)
        if not entries or entries[-1].version != version:
            raise Refused(Reason.UNKNOWN_VERSION, f"the log has no version {version}")
        return (await self._loader.fresh(match_id, entries[0])).apply_all(entries)
