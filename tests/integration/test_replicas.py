"""A gateway and two replicas of an engine as processes of their own, on a real store."""

import asyncio
import os
import re
import signal
from urllib.request import urlopen

from services.cli.platform import Settings, running
from services.eventlog.reading import lines_of, read
from tests.integration.platform import SHORT, tidelog
from tidelog.client import connect

MATCHES = 50
LEAST_EACH = 10
LEAST_UNFINISHED = 5
MID_MATCH = 40
"""A version at which every match has begun and none has come far."""


async def test_a_killed_replica_delays_matches_and_loses_nothing(tmp_path, monkeypatch):
    for name in list(os.environ):
        if name.startswith("TIDELOG_"):
            monkeypatch.delenv(name)
    settings = Settings("127.0.0.1:0", tmp_path / "data", replicas=2, metrics=True)
    async with running(settings) as platform, connect(platform.address, guest="Onlooker") as client:
        matches = [(await client.create(SHORT, 2, bots={0: "random", 1: "greedy"})).match_id for _ in range(MATCHES)]
        unfinished = set(matches)
        killed: list[int] = []
        served: list[float] = []

        def matches_served(replica: int) -> float:
            port = platform.children[f"engine {SHORT} {replica}"].metrics
            with urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
                found = re.search(rf'tidelog_warm_matches{{game="{SHORT}"}} (\S+)', answer.read().decode())
            return float(found[1])

        async def watch(match: str) -> None:
            async for update in client.watch(match):
                if getattr(update, "version", 0) >= MID_MATCH and not killed:
                    served[:] = [matches_served(0), matches_served(1)]
                    assert served[0] - (MATCHES - len(unfinished)) >= LEAST_UNFINISHED
                    killed.append(platform.pids[f"engine {SHORT} 0"])
                    os.kill(killed[0], signal.SIGKILL)
            unfinished.discard(match)

        async with asyncio.timeout(120):
            await asyncio.gather(*map(watch, matches))
        assert killed
        assert min(served) >= LEAST_EACH
        for match in matches:
            assert (await client.match(match)).match.status == "finished"
            path = tmp_path / f"{match}.jsonl"
            path.write_bytes(b"".join([chunk async for chunk in client.log(match).export(full=True)]))
    tidelog("verify", tmp_path)
    assert all(read(lines_of([path.read_bytes()])).aggregate.facts.over for path in tmp_path.glob("*.jsonl"))
