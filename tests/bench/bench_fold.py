"""P5: what it takes to fold logs, and to build the list of matches anew (`python -m tests.bench.bench_fold [--json]`).

Matches are played at random until their logs hold so many events; each game's are folded one after another, and all
those of one game are read into an empty file of read models. Milliseconds of this process's own CPU.
"""

import argparse
import asyncio
import json
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import process_time_ns

from engines.core import games
from gateway.projections.database import Database
from gateway.projections.matches import MatchProjection
from gateway.projections.places import Place
from services.bots.players import player
from services.cli.selfplay import LoggedTable, Setting, play, secret_of
from services.common.logs import configure
from services.eventlog import hashes
from services.eventlog.aggregate import Aggregate, created_of
from services.eventlog.entries import START, Entry
from services.eventlog.memory import MemoryLog
from services.eventlog.port import Append

EVENTS = 10_000
REBUILT = "lost_seas"
REBUILT_EVENTS = 100_000
AIM_MS, AIM_EVENTS_PER_S = 50, 100_000

Logs = dict[str, list[Entry]]


def played(game: str, events: int) -> Logs:
    """Logs of whole matches that hold at least so many events together."""
    engine, logs, held = games.engine(game), {}, 0
    seats = engine.seats[0]
    while held < events:
        number = len(logs) + 1
        setting = Setting(game, engine.Options(), seats, games.edition(game), ("random",) * seats, 1, 10_000)
        table = LoggedTable(setting, secret_of(setting, number), number)
        play(engine, table, tuple(player(game, name) for name in setting.bots), setting, number)
        logs[table.aggregate.facts.id] = table.entries
        held += len(table.entries)
    return logs


def folded(game: str, logs: Logs) -> float:
    """Milliseconds for EVENTS events."""
    edition, events = games.edition(game), sum(map(len, logs.values()))
    fresh = [(Aggregate.born(match, created_of(log[0]), edition), log) for match, log in logs.items()]
    began = process_time_ns()
    for aggregate, log in fresh:
        aggregate.apply_all(log)
    return (process_time_ns() - began) / 1e6 * EVENTS / events


async def rebuilt(logs: Logs) -> float:
    """Events a second: the logs are in memory, the file is new."""
    store = MemoryLog()
    for match, log in logs.items():
        await store.append(Append(match, START, tuple(log), bytes(32)))
    with tempfile.TemporaryDirectory() as folder:
        projection = MatchProjection(await Database.open(Path(folder) / "read.sqlite"), store, 0.0)
        projection.start()
        began = process_time_ns()
        for shard in range(hashes.SHARDS):
            await projection.compare(shard, Place(0, b""))
        spent = (process_time_ns() - began) / 1e9
        await projection.close()
    return sum(map(len, logs.values())) / spent


def row(values: list[float]) -> dict[str, float]:
    return {name: round(f(values), 1) for name, f in (("min", min), ("median", median), ("max", max))}


def bench(events: int, rebuilt_events: int, reps: int) -> dict[str, object]:
    folds = {}
    for game in games.names():
        logs = played(game, events)
        folds[game] = row([folded(game, logs) for _ in range(reps)])
    logs = played(REBUILT, rebuilt_events)
    rates = [asyncio.run(rebuilt(logs)) for _ in range(reps)]
    return {"fold_ms": folds, "events": EVENTS, "rebuilt_events_per_s": row(rates), "rebuilt_matches": len(logs)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=EVENTS)
    parser.add_argument("--rebuilt-events", type=int, default=REBUILT_EVENTS)
    parser.add_argument("--reps", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    configure("bench", "warning")
    found = bench(asked.events, asked.rebuilt_events, asked.reps)
    if asked.json:
        json.dump(found, sys.stdout)
        return
    folds, rates = found["fold_ms"], found["rebuilt_events_per_s"]
    assert isinstance(folds, dict)
    lines = [f"{'':18}{'min':>10}{'median':>10}{'max':>10}"]
    lines += [
        f"{game:18}{''.join(f'{ms:10.1f}' for ms in row.values())} ms, {EVENTS} events" for game, row in folds.items()
    ]
    assert isinstance(rates, dict)
    lines.append(f"{'list of matches':18}{''.join(f'{rate:10.0f}' for rate in rates.values())} events/s built anew")
    lines.append(f"aim {AIM_MS} ms, {AIM_EVENTS_PER_S} events/s")
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
