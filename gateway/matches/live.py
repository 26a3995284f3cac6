"""The matches that a gateway holds folded, fed by the engines' answers and by the feed."""

import asyncio
from collections import OrderedDict
from collections.abc import Iterable, Sequence

from gateway import metrics
from gateway.limits import LIVE_MATCHES
from gateway.matches.match import LiveMatch
from services.common.logs import logger
from services.common.metrics import log_rewound
from services.common.quarantine import Quarantine
from services.common.refusals import Reason, Refused
from services.common.tasks import cancelled
from services.eventlog import hashes
from services.eventlog.entries import BrokenLog, Entry
from services.eventlog.loading import Loader, quarantined
from services.eventlog.port import UNREADABLE, EventLog, StoreError
from services.eventlog.tails import tail
from tidelog.v1.engine_pb2 import AppendedEntry, EngineAnswer
from tidelog.v1.matches_pb2 import Receipt

log = logger()


class LiveMatches:
    """At most `limit` live matches beyond those watched; the least recently used leave.

    Only watched matches are kept up with; another catches up with the log when it is asked for. `answered` counts the
    entries that engines' answers have brought.
    """

    def __init__(self, event_log: EventLog, loader: Loader, limit: int = LIVE_MATCHES) -> None:
        self._log = event_log
        self._loader = loader
        self._limit = limit
        self.answered = 0
        self._poisoned = Quarantine()
        self._matches: OrderedDict[str, LiveMatch] = OrderedDict()
        self._loading: dict[str, asyncio.Task[LiveMatch]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def __len__(self) -> int:
        return len(self._matches)

    async def close(self) -> None:
        await cancelled(*self._tasks, *self._loading.values())

    def held(self, match_id: str) -> LiveMatch | None:
        return self._matches.get(match_id)

    async def get(self, match_id: str) -> LiveMatch:
        """The match, perhaps behind its log. Raises Refused and the port's errors."""
        live = self._matches.get(match_id)
        if live is not None:
            self._matches.move_to_end(match_id)
            return live
        task = self._loading.get(match_id)
        if task is None:
            task = self._loading[match_id] = asyncio.create_task(self._load(match_id))
            task.add_done_callback(lambda _: self._loading.pop(match_id, None))
        return await asyncio.shield(task)

    async def current(self, match_id: str) -> LiveMatch:
        """The match, not behind what the log held when it was asked for. Raises Refused and the port's errors."""
        # A load that is under way has perhaps read the log already.
        known = match_id in self._matches or match_id in self._loading
        live = await self.get(match_id)
        if known and not await (self.catch_up(live) if live.broken is None else self._is_still_broken(live)):
            live = await self.get(match_id)
        return live

    def at(self, receipt: Receipt) -> LiveMatch | None:
        """The match, if it is held as the command left it; a version alone could be of a line that was lost."""
        live = self._matches.get(receipt.match_id)
        return live if live is not None and str(live.cursor) == receipt.cursor else None

    async def reach(self, receipt: Receipt) -> LiveMatch:
        """The match with what the command did, perhaps later. Raises Refused and the port's errors."""
        return self.at(receipt) or await self.current(receipt.match_id)

    def learn(self, answer: EngineAnswer) -> None:
        """What an engine has just appended."""
        self.answered += len(answer.entries)
        live = self._matches.get(answer.receipt.match_id)
        if live is None:
            self._learn_new(answer)
        elif answer.entries[-1].version >= live.version:
            entries = [_entry(entry) for entry in answer.entries]
            if live.watched or entries[0].version == live.version + 1:
                self._offer(live, entries)

    def _learn_new(self, answer: EngineAnswer) -> None:
        """A match that was made through this gateway: whoever made it asks for it next."""
        match_id = answer.receipt.match_id
        if answer.entries[0].version == 1 and match_id not in self._loading:
            aggregate = self._loader.begun(match_id, [_entry(entry) for entry in answer.entries])
            if aggregate is not None:
                self._hold(LiveMatch(aggregate))

    def offer(self, match_id: str, entries: Sequence[Entry], *, whole: bool) -> None:
        """What the feed has brought; not `whole` where the last command may go on."""
        live = self._matches.get(match_id)
        if live is None or not live.watched:
            return
        if not whole or entries[-1].version == UNREADABLE:
            self._repair(live)
        elif entries[-1].version >= live.version:
            self._offer(live, entries)

    async def broken(self) -> dict[str, str]:
        """Matches met here whose logs still can't be folded, and where they stop. Raises the port's errors."""
        found: dict[str, str] = {}
        for match_id in self._poisoned.told:
            try:
                live = await self.current(match_id)
            except Refused as refused:
                if refused.reason is Reason.QUARANTINED:
                    found[match_id] = refused.message
                continue
            if live.broken is not None:
                found[match_id] = live.broken.message
        return found

    def check(self, shards: Iterable[int]) -> None:
        """Entries of these shards may have been missed: all who watch are brought up to the log."""
        wanted = set(shards)
        for live in self._matches.values():
            if live.watched and hashes.shard(live.id) in wanted:
                self._repair(live)

    def compare(self, shard: int) -> None:
        """The shard's logs may be others than they were: watched matches are brought up, all others dropped."""
        self.check([shard])
        for live in tuple(self._matches.values()):
            if not live.watched and hashes.shard(live.id) == shard:
                self._forget(live)

    async def catch_up(self, live: LiveMatch) -> bool:
        """Folds what the log holds beyond the match; False where the log is not the one that was folded any more."""
        news = await tail(self._log, live.id, live.cursor)
        if news is None:
            await self._rewound(live)
            return False
        return self.extend(live, news, of_log=True)

    async def _is_still_broken(self, live: LiveMatch) -> bool:
        """Whether the log still has, behind the version here, the entry that could not be folded."""
        entries = await self._log.read(live.id, live.version - 1, 2)
        if [entry.hash for entry in entries] == [live.aggregate.facts.hash, live.beyond]:
            return True
        await self._rewound(live)
        return False

    def extend(self, live: LiveMatch, entries: Sequence[Entry], *, of_log: bool = False) -> bool:
        """Folds entries; False where that can't be done. `of_log` as for LiveMatch.take."""
        try:
            return live.take(entries, of_log=of_log)
        except BrokenLog as broken:
            self._quarantine(live, broken)
            return False

    def _offer(self, live: LiveMatch, entries: Sequence[Entry]) -> None:
        if live.broken is None and not self.extend(live, entries):
            self._repair(live)

    def _repair(self, live: LiveMatch) -> None:
        """Reads what is missing from the log, once at a time, and again where more was missed meanwhile."""
        if live.broken is not None or self._matches.get(live.id) is not live:
            return
        live.missed = True
        if live.repairing:
            return
        live.repairing = True
        metrics.GAPS.inc()
        task = asyncio.create_task(self._repaired(live))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _repaired(self, live: LiveMatch) -> None:
        try:
            while live.missed and self._matches.get(live.id) is live:
                live.missed = False
                await self.catch_up(live)
        except StoreError as error:
            log.warning("a match could not catch up", match=live.id, error=str(error))
        finally:
            live.repairing = False

    async def _load(self, match_id: str) -> LiveMatch:
        try:
            aggregate = await self._loader.load(match_id)
        except Refused as refused:
            self._poisoned.look(match_id, refused)
            if refused.reason is not Reason.QUARANTINED or not refused.version:
                raise
            live = await self._sound_part(match_id, refused)
        else:
            live = LiveMatch(aggregate)
        return self._hold(live)

    async def _sound_part(self, match_id: str, broken: Refused) -> LiveMatch:
        assert broken.version
        *entries, beyond = await self._log.read(match_id, 0, broken.version + 1)
        aggregate = (await self._loader.fresh(match_id, entries[0])).apply_all(entries)
        return LiveMatch(aggregate, broken, beyond.hash)

    def _hold(self, live: LiveMatch) -> LiveMatch:
        self._matches[live.id] = live
        self._evict()
        return live

    def _evict(self) -> None:
        for _ in range(len(self._matches) - self._limit):
            match_id, live = next(iter(self._matches.items()))
            if live.watched:
                self._matches.move_to_end(match_id)
            else:
                del self._matches[match_id]
                metrics.LIVE_EVICTED.inc()

    def _forget(self, live: LiveMatch) -> None:
        if self._matches.get(live.id) is live:
            del self._matches[live.id]

    def _quarantine(self, live: LiveMatch, broken: BrokenLog) -> None:
        """The fold is worth nothing now; the next who asks gets the sound part."""
        refused = quarantined(broken)
        self._poisoned.look(live.id, refused)
        self._forget(live)
        live.end_all(refused)

    async def _rewound(self, live: LiveMatch) -> None:
        head = str(await self._log.head(live.id))
        if self._matches.get(live.id) is not live:
            return
        log.error("log went back", match=live.id, known=str(live.cursor), head=head)
        log_rewound.inc()
        self._forget(live)
        live.end_all(Refused(Reason.LOG_REWOUND, "the store went back to an older copy of the log", cursor=head))


def _entry(message: AppendedEntry) -> Entry:
    return Entry(message.version, message.header, message.body, message.leaf, message.hash)
