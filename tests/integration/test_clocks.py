"""Clocks on a platform of processes: all of them killed at once, and a clock that runs alone."""

import asyncio
import json
import os
import signal
import time

from services.cli.platform import Settings, running
from services.eventlog.entries import header_of
from services.eventlog.lifecycle import TimeCompensated
from services.eventlog.outages import OUTAGE_MS
from services.eventlog.reading import lines_of, read
from services.eventlog.redis_log import RedisLog
from tests.faults.world import CLUSTER_KEY, World
from tests.integration.platform import SHORT, TIDELOG, environment, tidelog
from tidelog.client import connect
from tidelog.client.answers import Entry
from tidelog.client.terms import Clock, Terms

MOVE_MS = 4000
PATIENCE_S = 90
YOUNG = {"young_explorers": True}


async def test_what_a_kill_of_everything_took_is_given_back(tmp_path, monkeypatch):
    for name in list(os.environ):
        if name.startswith("TIDELOG_"):
            monkeypatch.delenv(name)
    async with asyncio.timeout(PATIENCE_S), running(Settings("127.0.0.1:0", tmp_path / "data")) as platform:
        given = Terms(clock=Clock(move_ms=MOVE_MS), absence="forfeit")
        async with connect(platform.address, guest="Ann") as ann, connect(platform.address, guest="Ben") as ben:
            match = (await ann.create(SHORT, 2, options=YOUNG, own_seat=0, terms=given)).match_id
            await ben.join(match)
            begun = (await ann.match(match)).match.changed_at_ms
            os.kill(platform.store_pid, signal.SIGKILL)
            for child in platform.children.values():
                child.kill()
            await away(platform, begun + OUTAGE_MS + MOVE_MS)
            told = [each async for each in ben.watch(match) if isinstance(each, Entry)]
            export = b"".join([chunk async for chunk in ben.log(match).export(full=True)])
    types = [each.type for each in told]
    assert types.count("match.timed_out") == 1
    assert types.count("match.time_compensated") == 1
    outage, out = types.index("match.time_compensated"), types.index("match.timed_out")
    assert outage < out
    given_back = TimeCompensated(**{name: told[outage].event[name] for name in ("since", "until", "reason")})
    assert given_back.until - given_back.since > OUTAGE_MS
    assert told[out].at_ms >= begun + MOVE_MS + given_back.until - max(given_back.since, begun)
    assert read(lines_of([export])).aggregate.facts.over
    (path := tmp_path / "match.jsonl").write_bytes(export)
    await asyncio.to_thread(tidelog, "verify", path)


async def away(platform, until_ms: int) -> None:
    """Returns once the game's engine serves for good; until then it is killed whenever it is back."""
    engine = platform.children[f"engine {SHORT} 0"]
    while True:
        await engine.until_up()
        if time.time() * 1000 > until_ms:
            return
        engine.kill()


async def test_a_clock_may_run_alone(clean_store, tmp_path):
    async with asyncio.timeout(PATIENCE_S), World(SHORT, clean_store, tmp_path) as world:
        replica, door = await world.replica(), await world.door()
        (ann,) = await world.people(1)
        match = (await ann.clients[0].create(SHORT, 2, own_seat=0, terms=Terms(open_ms=10_000))).match_id
        await door.drain()
        clock = await asyncio.create_subprocess_exec(
            TIDELOG,
            *("serve", "clock", "--redis", clean_store, "--engine", f"{SHORT}={replica.address}"),
            stdout=asyncio.subprocess.PIPE,
            env=environment() | {"TIDELOG_CLUSTER_KEY": CLUSTER_KEY},
        )
        try:
            assert json.loads(await clock.stdout.readline())["ready"] == "clock"
            seen = 0
            while header_of((await world.log.read(match))[-1]).type != "match.secret_revealed":
                await world.log.follow([seen] * 16, 1000)
            clock.send_signal(signal.SIGTERM)
            assert await clock.wait() == 0
        finally:
            if clock.returncode is None:
                clock.kill()
    types = [header_of(entry).type for entry in await told_of(clean_store, match)]
    assert types[-2:] == ["match.expired", "match.secret_revealed"]


async def told_of(store: str, match: str):
    log = await RedisLog.open(store)
    try:
        return await log.read(match)
    finally:
        await log.close()


def test_a_clock_without_engines_is_bad_usage():
    done = tidelog("serve", "clock", "--redis", "redis://127.0.0.1:1", status=2)
    assert "--engine" in done.stderr
