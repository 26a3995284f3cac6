"""P6: what a match costs its host in memory, and an idle one the store (`python -m tests.bench.host_memory [--json]`).

Opens matches of two seats on the embedded store, in batches, starts each and plays its first moves; then the growth of
the process's resident memory is divided by the number of matches. The store is a process of its own and not counted,
its client's buffers are. What the store holds of a match beyond its log and feed is asked of the store: the secret, the
snapshot, and its share of the shard's heads.
"""

import argparse
import asyncio
import gc
import json
import resource
import sys
import tempfile
from itertools import pairwise
from pathlib import Path
from statistics import median

from redis.asyncio import Redis

from engines.core import games
from engines.core.chance import SeededChance
from services.engine.host import Host
from services.eventlog import hashes, keys
from services.eventlog.commands import Claim, Create, Order, Submit
from services.eventlog.embedded import EmbeddedStore
from services.eventlog.redis_log import RedisLog
from services.eventlog.sealing import SecretKeeper
from services.eventlog.store_clock import StoreClock
from tests.services.engine.given import believed, by_then

GAME = "lost_seas"
MATCHES = 10_000
MOVES = 4
BATCHES = 10
TOGETHER = 64
AIM_BYTES = 64 * 1024
STORE_AIM_BYTES = 8 * 1024
ASKED = 500
"""Matches whose keys are measured."""

_PAGE = resource.getpagesize()


def resident() -> int:
    """Bytes of this process that lie in memory."""
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * _PAGE


class Opener:
    """Opens matches at a host, one after another."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.edition = games.edition(GAME)
        self.chance = SeededChance(1)
        self.opened = 0
        self.names: list[str] = []

    async def open(self, moves: int) -> None:
        number = self.opened
        self.opened += 1
        match, players = hashes.request_key("bench", str(number)).hex(), (f"guest|{number}-0", f"guest|{number}-1")
        self.names.append(match)
        options = self.host.engine.Options()
        create = Create(GAME, options, 2, games.edition_hash(self.edition), own_seat=0, name="Ann")
        await self.host.create(match, Order(players[0], "create", create), self.edition, by_then())
        await self.host.carry_out(match, Order(players[1], "claim", Claim(1, "Ben")), by_then())
        for move in range(moves):
            await self.move(match, f"move-{move}")

    async def move(self, match: str, request: str) -> None:
        aggregate = await believed(self.host, match)
        seat = aggregate.facts.owing[0]
        legal = list(self.host.engine.legal_moves(aggregate.state, seat))
        chosen = Submit(seat, legal[self.chance.draw("move", len(legal))])
        await self.host.carry_out(match, Order(aggregate.facts.seats[seat].player or "", request, chosen), by_then())

    async def open_many(self, count: int, moves: int) -> None:
        places = asyncio.Semaphore(TOGETHER)

        async def one() -> None:
            async with places:
                await self.open(moves)

        await asyncio.gather(*(one() for _ in range(count)))


async def beyond_logs(url: str, matches: list[str]) -> list[int]:
    """Bytes that the store holds of each match beside its log, ascending."""
    async with Redis.from_url(url, protocol=2) as client:

        async def size(key: str) -> int:
            return await client.memory_usage(key, samples=0) or 0

        found = []
        for match in matches:
            heads = keys.heads(hashes.shard(match))
            share = await size(heads) // await client.hlen(heads)
            found.append(share + await size(keys.secret(match)) + await size(keys.snapshot(match)))
    return sorted(found)


async def bench(matches: int, moves: int) -> dict[str, object]:
    with tempfile.TemporaryDirectory() as directory:
        store = await EmbeddedStore.start(Path(directory), settings={"appendfsync": "everysec"})
        log = await RedisLog.open(store.url)
        clock = StoreClock(log.time_ms)
        await clock.refresh()
        opener = Opener(Host(games.engine(GAME), log, clock, SecretKeeper()))
        await opener.open_many(TOGETHER, moves)
        sizes = [resident()]
        for _ in range(BATCHES):
            await opener.open_many(matches // BATCHES, moves)
            await opener.host.finish()
            sizes.append(resident())
        assert len(opener.host.warm) == opener.opened
        stored = await beyond_logs(store.url, opener.names[:ASKED])
        await log.close()
        await store.stop()
    grown = sorted((after - before) * BATCHES // matches for before, after in pairwise(sizes))
    return {
        "game": GAME,
        "matches": matches,
        "moves_each": moves,
        "bytes_a_match": {"min": grown[0], "median": int(median(grown)), "max": grown[-1]},
        "bytes_a_match_over_all": (sizes[-1] - sizes[0]) // matches,
        "host_bytes": sizes[-1],
        "aim": AIM_BYTES,
        "store_bytes_a_match": {"min": stored[0], "median": int(median(stored)), "max": stored[-1]},
        "store_aim": STORE_AIM_BYTES,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=MATCHES)
    parser.add_argument("--moves", type=int, default=MOVES)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    found = asyncio.run(bench(asked.matches, asked.moves))
    if asked.json:
        json.dump(found, sys.stdout)
        return
    bytes_a_match = found["bytes_a_match"]
    assert isinstance(bytes_a_match, dict)
    lines = [f"{found['matches']} matches of {GAME} in play, {found['moves_each']} moves each, in {BATCHES} batches"]
    lines += [f"{name:8}{size / 1024:8.1f} KiB a match" for name, size in bytes_a_match.items()]
    stored = found["store_bytes_a_match"]
    assert isinstance(stored, dict)
    held = " / ".join(f"{size / 1024:.1f}" for size in stored.values())
    lines.append(f"store beyond its log {held} KiB a match; aim {STORE_AIM_BYTES // 1024}")
    lines.append(f"host{int(str(found['host_bytes'])) / 2**20:12.1f} MiB; aim {AIM_BYTES // 1024} KiB a match")
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
