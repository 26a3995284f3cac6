"""The timetable in Redis or Valkey: two sorted sets a shard, and a hash of beats a game."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from services.eventlog import hashes, keys
from services.eventlog.entries import Cursor
from services.eventlog.outages import OUTAGE_MS, REMEMBERED, Beats, Outage
from services.eventlog.redis_facts import Client
from services.eventlog.timetable import Due, Waiting

_HERE = Path(__file__).parent
_SHARDS = range(hashes.SHARDS)


class RedisTimetable:
    """That of the store behind the client; `translated` raises the client's errors as the port's."""

    def __init__(self, client: Client, translated: Callable[[], AbstractContextManager[None]]) -> None:
        self._client = client
        self._translated = translated
        self._set = client.register_script((_HERE / "timetable.lua").read_bytes())
        self._beat = client.register_script((_HERE / "beat.lua").read_bytes())

    async def due(self, by_ms: int, limit: int) -> list[Waiting]:
        with self._translated():
            async with self._client.pipeline(transaction=False) as pipeline:
                for name in (name for shard in _SHARDS for name in (keys.clocked(shard), keys.waiting(shard))):
                    pipeline.zrangebyscore(name, "-inf", by_ms, start=0, num=limit, withscores=True)
                pages = await pipeline.execute()
        found = [_waiting(*item) for page in pages for item in page]
        return sorted(found, key=lambda waiting: (waiting.at, waiting.match))

    async def clocked(self, shard: int) -> Sequence[Waiting]:
        with self._translated():
            page = await self._client.zrange(keys.clocked(shard), 0, -1, withscores=True)
        return [_waiting(*item) for item in page]

    async def set(self, match: str, head: Cursor, due: Due) -> None:
        shard = hashes.shard(match)
        names = [keys.match(match), keys.heads(shard), keys.clocked(shard), keys.waiting(shard)]
        with self._translated():
            await self._set(keys=names, args=[match, head.version, str(head), *words(match, due)])

    async def beat(self, game: str, at_ms: int) -> Beats:
        with self._translated():
            last, outages = await self._beat(keys=[keys.beats(game)], args=[at_ms, OUTAGE_MS, REMEMBERED])
        return _beats(last, outages)

    async def beats(self, game: str) -> Beats:
        with self._translated():
            last, outages = await self._client.hmget(keys.beats(game), ["last", "outages"])
        return _beats(last or b"0", outages or b"")


def words(match: str, due: Due) -> tuple[str, str, str]:
    """The member, '1' for running clocks, and the time, as the scripts take them."""
    return f"{due.game} {match}", "1" if due.clocked else "", "" if due.at is None else str(due.at)


def _waiting(member: bytes, at: float) -> Waiting:
    game, _, match = member.decode().partition(" ")
    return Waiting(match, game, int(at))


def _beats(last: bytes, outages: bytes) -> Beats:
    times = [int(word) for word in outages.split()]
    return Beats(int(last), tuple(Outage(*pair) for pair in zip(times[::2], times[1::2], strict=True)))
