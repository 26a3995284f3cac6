"""`tidelog rebuild` on a platform of real processes, while bots play."""

import asyncio
import json
import sqlite3
from contextlib import asynccontextmanager, closing

from services.common.tasks import cancelled
from tests.integration.platform import SHORT, tidelog, up
from tidelog.client import connect

TABLES = 3


class Tables:
    """Bots at several tables, who begin another match as soon as one is over."""

    def __init__(self, client):
        self._client = client
        self.finished = 0
        self._over = asyncio.Condition()

    async def play(self):
        while True:
            receipt = await self._client.create(SHORT, 2, bots={0: "greedy", 1: "random"})
            async for _ in self._client.watch(receipt.match_id):
                pass
            async with self._over:
                self.finished += 1
                self._over.notify_all()

    async def until(self, finished):
        async with asyncio.timeout(60), self._over:
            await self._over.wait_for(lambda: self.finished >= finished)


@asynccontextmanager
async def bots_playing(address):
    async with connect(address, guest="Onlooker") as client:
        tables = Tables(client)
        tasks = [asyncio.create_task(tables.play()) for _ in range(TABLES)]
        try:
            yield tables
        finally:
            await cancelled(*tasks)


def seats_lost(file):
    """Takes the seats of a match that is over from the list."""
    over = "SELECT min(id) FROM matches WHERE status = 'finished'"
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        return connection.execute(f"DELETE FROM seats WHERE match = ({over})").rowcount


async def test_every_read_model_is_rebuilt_equal_to_before_while_bots_play(tmp_path):
    with up(tmp_path) as running:
        async with bots_playing(running.address) as tables:
            await tables.until(TABLES)
            refused = await asyncio.to_thread(tidelog, "rebuild", "nothing", "--data", tmp_path, status=2)
            names = refused.stderr.split("read models are ")[1].split(", not")[0].split(", ")
            assert "matches" in names
            for name in names:
                before = tables.finished
                done = await asyncio.to_thread(tidelog, "rebuild", name, "--json", "--data", tmp_path)
                found = json.loads(done.stdout)
                assert found["name"] == name
                assert found["matches"] >= before
                assert found["differing_rows"] == 0
                await tables.until(before + 1)


async def test_a_damaged_read_model_is_put_right_and_fails_the_check(tmp_path):
    with up(tmp_path) as running:
        async with bots_playing(running.address) as tables:
            lost = 0
            while not lost:  # the list of matches is a moment behind the one who watched
                await tables.until(tables.finished + 1)
                lost = seats_lost(tmp_path / "gateway.sqlite")
            told = await asyncio.to_thread(tidelog, "rebuild", "matches", "--data", tmp_path, status=1)
            assert f"{lost} rows were wrong or missing, and were put right" in told.stderr
            again = await asyncio.to_thread(tidelog, "rebuild", "matches", "--data", tmp_path)
            assert again.stdout.rstrip().endswith("all equal")
