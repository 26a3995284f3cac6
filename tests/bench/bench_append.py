"""P4: the append script beside two XADDs of the same bytes (`python -m tests.bench.bench_append [--json]`).

One client sends both: 400-byte entries over a Unix socket to the embedded store, appendfsync always, 128 commands a
pipeline, 5 alternating runs. `same entries` gives the XADDs pipelines of 256 commands, so that both sides put as many
entries behind one fsync. The log itself is measured too, with one pipeline in flight and with two.
"""

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from hashlib import sha1, sha256
from pathlib import Path
from statistics import median

import hiredis
from redis.asyncio import Redis

from services.eventlog import hashes, keys, redis_log
from services.eventlog.embedded import EmbeddedStore
from services.eventlog.entries import START, Cursor, Entry
from services.eventlog.port import Append, Appended
from services.eventlog.redis_log import RedisLog

RUNS = 5
ROUNDS = 60
PIPELINE = 128
ENTRY_BYTES = 400

Command = tuple[str | bytes | int, ...]
Run = Callable[[int], Awaitable[float]]


def entry(match: str, version: int) -> Entry:
    """ENTRY_BYTES in all, its hashes among them."""
    header = b'{"at":1700000000000,"seat":1,"type":"lost_seas.tile_taken","version":%d}' % version
    body = b'{"draws":[],"payload":"' + b"x" * (ENTRY_BYTES - 64 - len(header) - 25) + b'"}'
    return Entry(version, header, body, sha256(body).digest(), sha256(match.encode() + header).digest())


def after(match: str, version: int) -> Cursor:
    """What the entry of that version follows."""
    return entry(match, version - 1).cursor if version > 1 else START


def fields(made: Entry) -> Command:
    return ("h", made.header, "b", made.body, "l", made.leaf, "e", made.hash)


def scripted(matches: list[str], version: int, sha: str) -> Iterator[Command]:
    for match in matches:
        shard, made = hashes.shard(match), entry(match, version)
        names = (keys.match(match), keys.secret(match), keys.feed(shard), keys.heads(shard), keys.meta(shard))
        stored = (made.header, made.body, made.leaf, made.hash)
        secret = bytes(32) if version == 1 else b""
        heads = (str(after(match, version)), str(made.cursor))
        yield ("EVALSHA", sha, len(names), *names, match, *heads, secret, *stored)


def two_xadds(matches: list[str], version: int, feeds: list[int]) -> Iterator[Command]:
    """The two writes alone: no check, no head, numbers counted by the client."""
    for match in matches:
        shard, made = hashes.shard(match), entry(match, version)
        feeds[shard] += 1
        yield (
            "XADD",
            f"plain:{keys.feed(shard)}",
            f"{feeds[shard]}-0",
            "m",
            match,
            "t",
            1_700_000_000_000,
            *fields(made),
        )
        yield ("XADD", f"plain:{keys.match(match)}", f"{version}-0", *fields(made))


async def entries_per_s(client: Redis, rounds: list[list[Command]], size: int) -> float:
    """The one client: packs, sends and reads pipelines of `size` commands."""
    answers = set()
    connection = await client.connection_pool.get_connection()
    began = time.perf_counter()
    for commands in rounds:
        for start in range(0, len(commands), size):
            pipeline = commands[start : start + size]
            await connection.send_packed_command(b"".join(map(hiredis.pack_command, pipeline)))
            for _ in pipeline:
                answers.add(type(await connection.read_response()))
    spent = time.perf_counter() - began
    await client.connection_pool.release(connection)
    assert len(answers) == 1, "the script answers 1 each time, XADD an id"
    return ROUNDS * PIPELINE / spent


async def through_the_log(url: str, run: int, lanes: int) -> float:
    """As many matches as a pipeline holds, each appending when its last append has come back."""
    log = await RedisLog.open(url, lanes=lanes)
    matches = [f"log-{lanes}-{run}-{n}" for n in range(PIPELINE)]
    made = {
        match: [
            Append(match, after(match, version), (entry(match, version),), bytes(32) if version == 1 else None)
            for version in range(1, ROUNDS + 1)
        ]
        for match in matches
    }

    async def play(appends: list[Append]) -> None:
        for append in appends:
            assert isinstance(await log.append(append), Appended)

    began = time.perf_counter()
    await asyncio.gather(*map(play, made.values()))
    spent = time.perf_counter() - began
    await log.close()
    return ROUNDS * PIPELINE / spent


def measured(client: Redis, url: str) -> dict[str, Run]:
    script = (Path(redis_log.__file__).parent / "append.lua").read_bytes()
    sha = sha1(script, usedforsecurity=False).hexdigest()
    feeds = [0] * hashes.SHARDS

    async def run_script(run: int) -> float:
        await client.script_load(script)
        matches = [f"script-{run}-{n}" for n in range(PIPELINE)]
        rounds = [list(scripted(matches, version, sha)) for version in range(1, ROUNDS + 1)]
        return await entries_per_s(client, rounds, PIPELINE)

    async def run_xadds(run: int, size: int) -> float:
        matches = [f"xadd-{size}-{run}-{n}" for n in range(PIPELINE)]
        rounds = [list(two_xadds(matches, version, feeds)) for version in range(1, ROUNDS + 1)]
        return await entries_per_s(client, rounds, size)

    return {
        "append script": run_script,
        "two XADDs": lambda run: run_xadds(run, PIPELINE),
        "two XADDs, same entries": lambda run: run_xadds(run, 2 * PIPELINE),
        "log, 1 in flight": lambda run: through_the_log(url, run, 1),
        "log, 2 in flight": lambda run: through_the_log(url, run, 2),
    }


async def bench() -> dict[str, object]:
    with tempfile.TemporaryDirectory() as directory:
        store = await EmbeddedStore.start(Path(directory))
        log = await RedisLog.open(store.url)
        await log.close()
        found: dict[str, list[float]] = {}
        async with Redis.from_url(store.url, protocol=2, socket_timeout=None) as client:
            for run in range(RUNS):
                for name, measure in measured(client, store.url).items():
                    await client.flushdb()
                    found.setdefault(name, []).append(await measure(run))
        await store.stop()
    middle = {name: median(rates) for name, rates in found.items()}
    return {
        "store": str(log.facts),
        "entries_per_s": {name: [round(f(rates)) for f in (min, median, max)] for name, rates in found.items()},
        "p4": round(middle["append script"] / middle["two XADDs"], 3),
        "p4_same_entries": round(middle["append script"] / middle["two XADDs, same entries"], 3),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    result = asyncio.run(bench())
    if asked.json:
        json.dump(result, sys.stdout)
        return
    lines = [f"{result['store']}; {PIPELINE} commands a pipeline, {ENTRY_BYTES}-byte entries, {RUNS} alternating runs"]
    lines.append(f"{'entries/s':26}{'min':>10}{'median':>10}{'max':>10}")
    for name, (least, middle, most) in result["entries_per_s"].items():
        lines.append(f"{name:26}{least:>10}{middle:>10}{most:>10}")
    lines.append(f"P4: {result['p4']:.0%} of two XADDs (aim 70 %), {result['p4_same_entries']:.0%} entry for entry")
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
