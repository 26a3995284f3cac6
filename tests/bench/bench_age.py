"""P8: what a move costs late in a long log (`python -m tests.bench.bench_age [--versions 10000] [--json]`).

Matches grow old before they start: a seat is claimed and given up again until their logs hold so many entries. Then
they are played beside young ones, in turns, through Play on the whole platform with the store on this machine; a move
costs the CPU of gateway, engine and store, as the kernel counts it to the nanosecond.
"""

import argparse
import asyncio
import json
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median

import uvloop

from engines.core import games
from services.cli.bench.load import Load, Table, Tables, Turn
from services.cli.platform import Platform, Settings, running
from services.common.tasks import cancelled
from services.engine.host import Host
from services.eventlog.commands import Claim, Create, Leave, Order
from services.eventlog.entries import MAX_COMMAND_EVENTS, START
from services.eventlog.memory import MemoryLog
from services.eventlog.port import Append
from services.eventlog.redis_log import RedisLog
from services.eventlog.sealing import SecretKeeper
from services.eventlog.store_clock import StoreClock
from tests.services.engine.given import by_then
from tidelog.client import Client, connect

GAME = "lost_seas"
MATCHES = 16
YOUNG = 10
AIM = 1.2
SERVERS = ("store", "gateway", f"engine {GAME} 0")


async def grow(log: RedisLog, host: Host, grown: MemoryLog, match: str, creator: str, versions: int) -> None:
    """A match of the creator's whose log holds so many entries, decided in memory by the host and then stored."""
    edition = games.edition(GAME)
    command = Create(GAME, host.engine.Options(), 2, games.edition_hash(edition), auto_start=False, own_seat=0)
    await host.create(match, Order(creator, "create", command), edition, by_then())
    for number in range((versions - 2) // 2):
        for name, change in (("claim", Claim(1, "Ben")), ("leave", Leave(1))):
            await host.carry_out(match, Order("guest|ben", f"{name} {number}", change), by_then())
    await log.put_edition(games.edition_hash(edition), edition)
    after, secret = START, await grown.secret(match)
    for start in range(0, versions, MAX_COMMAND_EVENTS):
        entries = tuple(await grown.read(match, start, MAX_COMMAND_EVENTS))
        if entries:
            await log.append(Append(match, after, entries, None if start else secret))
            after = entries[-1].cursor


class AgedTables(Tables):
    """Plays each match once, from where it stands."""

    async def ready(self, matches: Sequence[str]) -> None:
        """The matches have begun, and wait for their first moves."""
        self._listening = asyncio.create_task(self._listen())
        self._first = await asyncio.gather(*map(self._ready, matches))

    async def _ready(self, match: str) -> tuple[Table, Turn]:
        await self._client.join(match, 1)
        table = self.follow(match, (await self._client.start(match)).cursor)
        return table, await table.turns.get()

    async def played(self) -> int:
        """Plays all to their ends; how many moves that took."""
        await asyncio.gather(*(self._whole(table, turn) for table, turn in self._first))
        await cancelled(self._listening)
        return len(self._tally.latencies)

    async def _whole(self, table: Table, turn: Turn) -> None:
        while turn is not None:
            await self._move(table, *turn)
            turn = await table.turns.get()


def spent(pids: Mapping[str, int]) -> dict[str, float]:
    """Microseconds that the threads of each process have run."""
    found = {}
    for name in SERVERS:
        threads = Path(f"/proc/{pids[name]}/task").glob("*/schedstat")
        found[name] = sum(int(thread.read_text().split()[0]) for thread in threads) / 1000
    return found


async def cost(platform: Platform, log: RedisLog, matches: int, versions: int, seed: int) -> dict[str, float]:
    grown = MemoryLog()
    clock = StoreClock(log.time_ms)
    await clock.refresh()
    host = Host(games.engine(GAME), grown, clock, SecretKeeper())
    names = [f"BENCH{versions:09}{seed:05}{number:05}" for number in range(matches)]
    async with connect(platform.address) as client:
        creator = (await client.sign_in_as_guest("bench")).player
        for match in names:
            await grow(log, host, grown, match, creator, versions)
        return await played(platform, client, names, seed)


async def played(platform: Platform, client: Client, names: Sequence[str], seed: int) -> dict[str, float]:
    """Microseconds of CPU a move by process."""
    async with client.play() as play:
        tables = AgedTables(client, play, Load(GAME, "{}", len(names), 0.0, seed=seed))
        await tables.ready(names)
        before = spent(platform.pids)
        moves = await tables.played()
        after = spent(platform.pids)
    used = {name: (after[name] - before[name]) / moves for name in SERVERS}
    return {**used, "all": sum(used.values()), "moves": moves}


async def bench(matches: int, versions: int, reps: int) -> dict[str, object]:
    found: dict[int, list[dict[str, float]]] = {YOUNG: [], versions: []}
    with tempfile.TemporaryDirectory() as folder:
        async with running(Settings("127.0.0.1:0", Path(folder))) as platform:
            log = await RedisLog.open(platform.store)
            for rep in range(reps):
                for age, runs in found.items():
                    runs.append(await cost(platform, log, matches, age, rep))
            await log.close()
    young, old = ([run["all"] for run in runs] for runs in found.values())
    ratios = [late / early for early, late in zip(young, old, strict=True)]
    rows = {age: {name: round(median(run[name] for run in runs), 1) for name in runs[0]} for age, runs in found.items()}
    ratio = {name: round(f(ratios), 3) for name, f in (("min", min), ("median", median), ("max", max))}
    return {"us_a_move": rows, "ratio": ratio, "aim": AIM}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=MATCHES)
    parser.add_argument("--versions", type=int, default=10_000)
    parser.add_argument("--reps", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    found = uvloop.run(bench(asked.matches, asked.versions, asked.reps))
    if asked.json:
        json.dump(found, sys.stdout)
        return
    rows, ratio = found["us_a_move"], found["ratio"]
    assert isinstance(rows, dict)
    assert isinstance(ratio, dict)
    lines = [
        f"from version {age}: " + ", ".join(f"{name} {us:g}" for name, us in row.items()) for age, row in rows.items()
    ]
    lines.append(f"P8 {' / '.join(f'{part:.2f}' for part in ratio.values())}, aim {AIM}")
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
