"""One WatchLog stream: the logs of all matches from a position on, without gap or repeat."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator
from itertools import groupby
from operator import attrgetter

from gateway.api.logs import Storing
from gateway.callers.identity import Caller
from gateway.feeds import pages
from gateway.feeds.log_filter import LogFilter
from gateway.feeds.positions import UNKNOWN, Places, ShardPlace, feed_hash
from gateway.limits import PIECE_BYTES
from gateway.matches.match import LiveMatch, is_last
from gateway.matches.outbox import Outbox
from gateway.parts import Parts
from gateway.projections.places import Place
from services.common import wire
from services.common.refusals import Reason, Refused
from services.eventlog.entries import Entry
from services.eventlog.port import FeedEntry
from tidelog.v1.logs_pb2 import (
    LogCaughtUp,
    LogCheckpoint,
    LogEnd,
    LogEntries,
    LogUpdate,
    WatchLogRequest,
    WatchLogResponse,
)
from tidelog.v1.matches_pb2 import ReadLogRequest

READ = 200
"""Entries of one log read at once."""

SOON = 1 << 30


class LogWatch:
    """A Source: reads at the client's pace, a page at a time, and holds nothing else.

    Admins get every entry where the feed has it. To all others a match is told when its last entry comes.
    """

    def __init__(self, parts: Parts, caller: Caller, request: WatchLogRequest, outbox: Outbox) -> None:
        """Raises Refused."""
        asked = request.filter
        self._parts = parts
        self._log = parts.log
        self._caller = caller
        self._admin = caller.admin
        self._full = request.full
        parts.engines.check_filter(asked.game)
        self._filter = LogFilter.of(asked)
        self._outbox = outbox
        self._from_start = request.WhichOneof("start") == "from_start" and request.from_start
        self._asked = (b"admin" if caller.admin else b"public") + self._filter.digest
        after = request.after if request.WhichOneof("start") == "after" else None
        self._after = None if after is None else parts.positions.read(after, self._asked)
        self._places: Places = []
        self._given = ""
        """The last position given: what is behind it may not have been told."""
        self._quiet = False

    async def run(self) -> None:
        """Refused before the first news, the call is; afterwards the refusal is the last news."""
        try:
            await self._begin()
            await self._tell()
        except Refused as refused:
            if not self._given:
                raise
            end = LogEnd(position=self._given, refusal=wire.to_proto(refused))
            self._send(LogUpdate(end=end), end.position)
            self._outbox.end()

    def checkpoint(self) -> None:
        if self._quiet and self._given and self._outbox.free > 0:
            news = LogCheckpoint(position=self._position)
            self._send(LogUpdate(checkpoint=news), news.position)
        self._quiet = True

    async def finished(self) -> None:
        """Nothing is ever begun here."""

    async def close(self) -> None:
        """Nothing is kept."""

    @property
    def _position(self) -> str:
        return self._parts.positions.write(self._places, self._asked)

    async def _begin(self) -> None:
        if self._after is not None:
            await pages.check(self._log, self._after)
            self._places = self._after
        elif self._from_start:
            self._places = [None] * len(await pages.ends(self._log))
        else:
            self._places = list(await pages.ends(self._log))

    async def _tell(self) -> None:
        for shard, place in enumerate(self._places):
            if place is None or place.walked is not None:
                await self._walk(shard)
                await self._follow(range(shard))  # what was gone through long ago must not be trimmed meanwhile
        follower = self._parts.follower
        stir = follower.stir
        await self._follow(range(len(self._places)))
        news = LogCaughtUp(position=self._position)
        await self._put(LogUpdate(caught_up=news), news.position)
        while True:
            await stir.wait()
            stir = follower.stir
            await self._follow(shard for shard, place in enumerate(follower.places) if self._differs(shard, place))

    def _differs(self, shard: int, place: Place) -> bool:
        own = self._places[shard]
        assert own is not None
        same_hash = not place.hash or own.hash in (UNKNOWN, feed_hash(place.hash))
        return own.number != place.number or not same_hash

    async def _follow(self, shards: Iterable[int]) -> None:
        """What the feeds hold beyond the places of these shards."""
        for shard in shards:
            while True:
                place = self._places[shard]
                assert place is not None
                fed = await pages.beyond(self._log, shard, place)
                if not fed:
                    break
                await (self._every(shard, fed) if self._admin else self._over(shard, fed))

    async def _every(self, shard: int, entries: list[FeedEntry]) -> None:
        """Each entry; those of one match that stand together go together."""
        storing, at = self._storing(None), 0
        for match_id, group in groupby(entries, attrgetter("match")):
            asked, game = await self._is_asked_for(match_id), await self._game(match_id)
            for piece in _pieces([fed.entry for fed in group]):
                at += len(piece)
                place = ShardPlace(entries[at - 1].number, feed_hash(piece[-1].hash))
                await self._tell_piece(shard, place, match_id, game, storing, piece if asked else [])

    async def _over(self, shard: int, entries: list[FeedEntry]) -> None:
        """Each match whose last entry is among these."""
        for fed in entries:
            before, after = self._places[shard], ShardPlace(fed.number, feed_hash(fed.entry.hash))
            assert before is not None
            if is_last(fed.entry):
                await self._tell_match(shard, fed.match, before, after, fed.entry.version)
            self._places[shard] = after

    async def _walk(self, shard: int) -> None:
        """All logs of the shard, up to where its feed stood when this began; the feed has the rest."""
        place = self._places[shard] or (await pages.ends(self._log))[shard]
        walked, told = place.walked or "", place.told
        place = ShardPlace(place.number, place.hash, walked, told)
        heads = await self._log.heads(shard)
        since = await pages.first_versions(self._log, shard, place)
        for match_id in sorted(heads):
            if match_id < walked or (match_id == walked and not told):
                continue
            end = min(heads[match_id].version, since.get(match_id, SOON) - 1)
            # In the middle of a match the position names it; between two the last one that is done with.
            before = ShardPlace(place.number, place.hash, match_id, told if match_id == walked else 0)
            after = ShardPlace(place.number, place.hash, match_id)
            if end:
                tell = self._tell_log if self._admin else self._tell_match
                await tell(shard, match_id, before, after, end)
            self._places[shard] = after
        self._places[shard] = ShardPlace(place.number, place.hash)

    async def _tell_match(self, shard: int, match_id: str, before: ShardPlace, after: ShardPlace, end: int) -> None:
        """A match that is over whole, if it is public."""
        last = await self._log.read(match_id, end - 1, 1)
        if not last or not is_last(last[0]) or not await self._is_asked_for(match_id):
            return
        try:
            live = await self._parts.live.current(match_id)
        except Refused as refused:
            if refused.reason in (Reason.QUARANTINED, Reason.ENGINE_AWAY, Reason.UNKNOWN_MATCH):
                return
            raise
        facts = live.aggregate.facts
        if facts.over and live.broken is None and not (facts.imported or facts.terms.private):
            storing = self._storing(live)
            async for piece in self._read(match_id, before.told, end):
                done = after if piece[-1].version == end else _inside(before, piece[-1].version)
                await self._tell_piece(shard, done, match_id, facts.created.game, storing, piece)

    async def _tell_log(self, shard: int, match_id: str, before: ShardPlace, after: ShardPlace, end: int) -> None:
        """A log as far as it goes, or as the feed does not hold it."""
        if not await self._is_asked_for(match_id):
            return
        game, storing = await self._game(match_id), self._storing(None)
        async for piece in self._read(match_id, before.told, end):
            done = after if piece[-1].version == end else _inside(before, piece[-1].version)
            await self._tell_piece(shard, done, match_id, game, storing, piece)

    async def _read(self, match_id: str, told: int, end: int) -> AsyncIterator[list[Entry]]:
        """The entries up to `end`, in pieces."""
        while told < end:
            entries = await self._log.read(match_id, told, min(READ, end - told))
            if not entries:
                raise pages.rewound()
            for piece in _pieces(entries):
                yield piece
            told = entries[-1].version

    async def _tell_piece(
        self, shard: int, done: ShardPlace, match_id: str, game: str, storing: Storing, piece: list[Entry]
    ) -> None:
        self._places[shard] = done
        kept = [storing.stored(entry) for entry in piece if self._filter.takes(entry)]
        if kept:
            told = LogEntries(match_id=match_id, game=game, entries=kept, position=self._position)
            await self._put(LogUpdate(entries=told), told.position)

    async def _is_asked_for(self, match_id: str) -> bool:
        if not self._filter.names(match_id):
            return False
        if self._filter.game and await self._game(match_id) != self._filter.game:
            return False
        if not self._filter.players:
            return True
        try:
            return self._filter.passes((await self._parts.live.current(match_id)).aggregate.facts)
        except Refused:
            return False

    async def _game(self, match_id: str) -> str:
        """Empty where the log does not say it."""
        try:
            return await self._parts.games.of(match_id, self._caller)
        except Refused:
            return ""

    def _storing(self, live: LiveMatch | None) -> Storing:
        """Whole bodies only where the log is open, or to admins; without them these get headers alone."""
        full = self._full and (self._admin or (live is not None and live.aggregate.facts.opened))
        return Storing(live, ReadLogRequest(full=full, headers_only=self._admin and not full))

    async def _put(self, update: LogUpdate, position: str) -> None:
        """Waits for room, but not for ever."""
        try:
            async with asyncio.timeout(self._parts.settings.log_patience_s):
                await self._outbox.room()
        except TimeoutError as error:
            raise Refused(Reason.SLOW_CONSUMER, "the client reads too slowly; go on from the position") from error
        self._send(update, position)

    def _send(self, update: LogUpdate, position: str) -> None:
        self._given = position
        self._outbox.put(WatchLogResponse(updates=(update,)).SerializeToString())
        self._quiet = False


def _pieces(entries: list[Entry]) -> Iterator[list[Entry]]:
    """Of moderate size each."""
    piece: list[Entry] = []
    size = 0
    for entry in entries:
        piece.append(entry)
        size += len(entry.body)
        if size >= PIECE_BYTES:
            yield piece
            piece, size = [], 0
    if piece:
        yield piece


def _inside(place: ShardPlace, version: int) -> ShardPlace:
    return ShardPlace(place.number, place.hash, place.walked, version)
