"""`tidelog bench log`: the append script beside two XADDs of the same bytes.

One client sends both: 400-byte entries over a Unix socket to the embedded store, appendfsync always, 128 commands a
pipeline, runs alternating. `same entries` gives the XADDs pipelines of 256 commands, so that both sides put as many
entries behind one fsync. The log itself is measured too, with one pipeline in flight and with two.
"""

import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from hashlib import sha1, sha256
from pathlib import Path
from statistics import median
from typing import Any

from msgspec import Struct

from services.cli.bench.processes import measured
from services.cli.errors import CheckFailed, UsageError
from services.cli.output import progress, say, say_json
from services.eventlog import hashes, keys, redis_log
from services.eventlog.embedded import EmbeddedStore
from services.eventlog.entries import START, Cursor, Entry
from services.eventlog.port import Append, Appended
from services.eventlog.redis_log import RedisLog

ROUNDS = 60
PIPELINE = 128
ENTRY_BYTES = 400

SCRIPT = "append script"
XADDS = "two XADDs"
SAME_ENTRIES = "two XADDs, same entries"

Command = tuple[str | bytes | int, ...]
Run = Callable[[int], Awaitable[float]]


class Rates(Struct, frozen=True):
    """Entries a second."""

    least: int
    middle: int
    most: int


class Report(Struct, frozen=True):
    """`p4` is the script's median as a part of the XADDs', `p4_same_entries` of theirs with as many entries a fsync."""

    store: str
    reps: int
    entries_per_s: dict[str, Rates]
    p4: float
    p4_same_entries: float


def log(*, reps: int = 5, json: bool = False) -> None:
    """Entries a second through the append script, two XADDs of the same bytes alternating.

    Parameters
    ----------
    reps
        runs of each kind
    json
        print one JSON document
    """
    if reps < 1:
        raise UsageError("there is at least one run of each kind")
    report = measured(_measure(reps))
    if json:
        say_json(report)
        return
    say(f"{report.store}; {PIPELINE} commands a pipeline, {ENTRY_BYTES}-byte entries, {reps} alternating runs")
    say(f"{'entries/s':26}{'min':>10}{'median':>10}{'max':>10}")
    for name, rates in report.entries_per_s.items():
        say(f"{name:26}{rates.least:>10}{rates.middle:>10}{rates.most:>10}")
    say(f"P4: {report.p4:.0%} of two XADDs, {report.p4_same_entries:.0%} entry for entry")


async def _measure(reps: int) -> Report:
    from redis.asyncio import Redis

    found: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory(prefix="tidelog-bench-") as folder:
        store = await EmbeddedStore.start(Path(folder))
        try:
            async with Redis.from_url(store.url, protocol=2, socket_timeout=None) as client:
                for run in progress(range(reps), "bench log", reps):
                    for name, measure in _runs(client, store.url).items():
                        facts = await _emptied(client, store.url)
                        found.setdefault(name, []).append(await measure(run))
        finally:
            await store.stop()
    middle = {name: median(rates) for name, rates in found.items()}
    return Report(
        store=facts,
        reps=reps,
        entries_per_s={name: Rates(*(round(f(rates)) for f in (min, median, max))) for name, rates in found.items()},
        p4=round(middle[SCRIPT] / middle[XADDS], 3),
        p4_same_entries=round(middle[SCRIPT] / middle[SAME_ENTRIES], 3),
    )


async def _emptied(client: Any, url: str) -> str:
    """A store with nothing in it but what a log claims at its opening; what it is."""
    await client.flushdb()
    opened = await RedisLog.open(url)
    await opened.close()
    return str(opened.facts)


def _runs(client: Any, url: str) -> dict[str, Run]:
    script = (Path(redis_log.__file__).parent / "append.lua").read_bytes()
    sha = sha1(script, usedforsecurity=False).hexdigest()
    feeds = [0] * hashes.SHARDS

    async def run_script(run: int) -> float:
        await client.script_load(script)
        matches = [f"script-{run}-{n}" for n in range(PIPELINE)]
        rounds = [list(_scripted(matches, version, sha)) for version in range(1, ROUNDS + 1)]
        return await _entries_per_s(client, rounds, PIPELINE)

    async def run_xadds(run: int, size: int) -> float:
        matches = [f"xadd-{size}-{run}-{n}" for n in range(PIPELINE)]
        rounds = [list(_two_xadds(matches, version, feeds)) for version in range(1, ROUNDS + 1)]
        return await _entries_per_s(client, rounds, size)

    return {
        SCRIPT: run_script,
        XADDS: lambda run: run_xadds(run, PIPELINE),
        SAME_ENTRIES: lambda run: run_xadds(run, 2 * PIPELINE),
        "log, 1 in flight": lambda run: _through_the_log(url, run, 1),
        "log, 2 in flight": lambda run: _through_the_log(url, run, 2),
    }


def _entry(match: str, version: int) -> Entry:
    """ENTRY_BYTES in all, its hashes among them."""
    header = b'{"at":1700000000000,"seat":1,"type":"game.tile_taken","version":%d}' % version
    body = b'{"draws":[],"payload":"' + b"x" * (ENTRY_BYTES - 64 - len(header) - 25) + b'"}'
    return Entry(version, header, body, sha256(body).digest(), sha256(match.encode() + header).digest())


def _after(match: str, version: int) -> Cursor:
    """What the entry of that version follows."""
    return _entry(match, version - 1).cursor if version > 1 else START


def _fields(made: Entry) -> Command:
    return ("h", made.header, "b", made.body, "l", made.leaf, "e", made.hash)


def _scripted(matches: list[str], version: int, sha: str) -> Iterator[Command]:
    for match in matches:
        shard, made = hashes.shard(match), _entry(match, version)
        names = (keys.match(match), keys.secret(match), keys.feed(shard), keys.heads(shard), keys.meta(shard))
        stored = (made.header, made.body, made.leaf, made.hash)
        secret = bytes(32) if version == 1 else b""
        heads = (str(_after(match, version)), str(made.cursor))
        yield ("EVALSHA", sha, len(names), *names, match, *heads, secret, *stored)


def _two_xadds(matches: list[str], version: int, feeds: list[int]) -> Iterator[Command]:
    """The two writes alone: no check, no head, numbers counted by the client."""
    for match in matches:
        shard, made = hashes.shard(match), _entry(match, version)
        feeds[shard] += 1
        told = ("m", match, "t", 1_700_000_000_000)
        yield ("XADD", f"plain:{keys.feed(shard)}", f"{feeds[shard]}-0", *told, *_fields(made))
        yield ("XADD", f"plain:{keys.match(match)}", f"{version}-0", *_fields(made))


async def _entries_per_s(client: Any, rounds: list[list[Command]], size: int) -> float:
    """The one client: packs, sends and reads pipelines of `size` commands."""
    import hiredis

    answers = set()
    connection = await client.connection_pool.get_connection()
    began = time.perf_counter()
    for commands in rounds:
        for start in range(0, len(commands), size):
            pipeline = commands[start : start + size]
            await connection.send_packed_command(b"".join(map(hiredis.pack_command, pipeline)))  # type: ignore[arg-type]  # its stub takes tuples of one only
            for _ in pipeline:
                answers.add(type(await connection.read_response()))
    spent = time.perf_counter() - began
    await client.connection_pool.release(connection)
    if len(answers) != 1:
        raise CheckFailed("the script answers 1 each time, XADD an id")
    return ROUNDS * PIPELINE / spent


async def _through_the_log(url: str, run: int, lanes: int) -> float:
    """As many matches as a pipeline holds, each appending when its last append has come back."""
    opened = await RedisLog.open(url, lanes=lanes)
    matches = [f"log-{lanes}-{run}-{n}" for n in range(PIPELINE)]
    made = [
        [
            Append(match, _after(match, version), (_entry(match, version),), bytes(32) if version == 1 else None)
            for version in range(1, ROUNDS + 1)
        ]
        for match in matches
    ]

    async def play(appends: list[Append]) -> None:
        for append in appends:
            if not isinstance(await opened.append(append), Appended):
                raise CheckFailed(f"an append to {append.match} was in conflict")

    began = time.perf_counter()
    await asyncio.gather(*map(play, made))
    spent = time.perf_counter() - began
    await opened.close()
    return ROUNDS * PIPELINE / spent
