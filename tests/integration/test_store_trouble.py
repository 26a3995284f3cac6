"""`tidelog up` while its store ends, is emptied, or turns out to be another one's."""

import asyncio
import json
import resource
import subprocess
import sys

import pytest
from redis import Redis

from engines.core.games import names
from services.eventlog import keys
from services.eventlog.reading import lines_of, read
from services.eventlog.store_folder import StoreFolder, socket_url
from tests.integration.platform import READY, SHORT, TIDELOG, environment, tidelog, up
from tidelog.client import Refused, connect

MATCHES = 6
PATIENCE_S = 90
AFTER_BYTES = 40_000
"""How much more the store may write."""


def told(running):
    """What `up` and its roles have written so far."""
    return (running.data / "up.log").read_text()


def store_of(running):
    return StoreFolder(running.data / "store").last_process()


async def plays(client, match, accepted):
    """Both seats of a match, to its end; every acknowledged move is kept."""

    async def sits(seat):
        async for turn in client.turns(match, seat):
            accepted.append((match, await turn.play(turn.moves[0])))

    await asyncio.gather(sits(0), sits(1))


async def matches_through_a_write_error(running):
    accepted = []
    async with connect(running.address, guest="Ann") as client:
        matches = []
        for _ in range(MATCHES):
            match = (await client.create(SHORT, 2, own_seat=0)).match_id
            await client.join(match, 1)
            matches.append(match)
        store = store_of(running)
        written = max(file.stat().st_size for file in (running.data / "store" / "appendonlydir").iterdir())
        resource.prlimit(store.pid, resource.RLIMIT_FSIZE, (written + AFTER_BYTES,) * 2)
        async with asyncio.timeout(PATIENCE_S):
            await asyncio.gather(*(plays(client, match, accepted) for match in matches))
        assert store_of(running).pid != store.pid
        for match in matches:
            details = await client.match(match)
            assert details.match.status == "finished"
    return matches, accepted


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux sets limits of another process")
def test_a_store_that_cannot_write_is_started_again_and_moves_under_way_settle(tmp_path):
    with up(tmp_path) as running:
        matches, accepted = asyncio.run(matches_through_a_write_error(running))
        for match in matches:
            path = tmp_path / f"{match}.jsonl"
            tidelog("export", match, "--data", tmp_path, "--out", path)
            kept = {str(entry.cursor) for entry in read(lines_of([path.read_bytes()])).entries}
            assert {done.receipt.cursor for played, done in accepted if played == match} <= kept
        (line,) = [line for line in told(running).splitlines() if "store ended" in line]
    assert "writing to the AOF file" in json.loads(line)["reason"]


async def bots_play(address):
    """A match between bots to its end, asked for by a new guest until somebody serves it; its id."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            try:
                async with connect(address, guest="Onlooker") as client:
                    match = (await client.create(SHORT, 2, bots={0: "greedy", 1: "random"})).match_id
                    async for _ in client.watch(match):
                        pass
                    return match
            except Refused:
                await asyncio.sleep(0.1)


async def until_told(running, *words):
    """Every role has said so."""
    async with asyncio.timeout(PATIENCE_S):
        while not all(word in told(running) for word in words):  # noqa: ASYNC110 - a file tells of nothing
            await asyncio.sleep(0.05)


async def refusal(asked):
    with pytest.raises(Refused) as refused:
        await asked
    return refused.value.reason


async def through_an_emptied_store(running):
    before = await bots_play(running.address)
    async with connect(running.address, guest="Ann") as client:
        token = (await client.sign_in_as_guest("Ann")).token
    with Redis.from_url(socket_url(running.data)) as store:
        store.flushall()
    await until_told(
        running, '"name": "gateway"', '"name": "bots"', *(f'"name": "engine {game} 0"' for game in names())
    )
    after = await bots_play(running.address)
    async with connect(running.address, token=token) as client:
        assert await refusal(client.match(after)) == "unauthenticated"
    async with connect(running.address, guest="Ben") as client:
        listed = {match.match_id async for match in client.matches()}
        assert after in listed
        assert before not in listed
        assert await refusal(client.match(before)) == "unknown_match"


def test_an_emptied_store_is_served_anew_and_tokens_of_before_are_worth_nothing(tmp_path):
    with up(tmp_path) as running:
        asyncio.run(through_an_emptied_store(running))
        assert "was emptied: it holds no tidelog:format any more" in told(running)


async def through_a_newer_format(running):
    match = await bots_play(running.address)
    with Redis.from_url(socket_url(running.data)) as store:
        store.set(keys.FORMAT, "tidelog/2")
        await until_told(running, "role did not start")
        assert store.xlen(keys.match(match)) > 0
        store.set(keys.FORMAT, keys.FORMAT_VALUE)
    await bots_play(running.address)
    async with connect(running.address, guest="Ben") as client:
        assert (await client.match(match)).match.status == "finished"


def test_a_store_of_a_newer_format_is_not_served_until_the_format_is_ours_again(tmp_path):
    with up(tmp_path) as running:
        asyncio.run(through_a_newer_format(running))
        assert "holds the format 'tidelog/2'; this code reads 'tidelog/1'" in told(running)


def test_all_roles_in_one_process_end_with_a_store_that_was_emptied(tmp_path):
    with subprocess.Popen(
        [TIDELOG, "up", "--together", "--data", tmp_path, "--port", "0", "--http", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
    ) as process:
        assert READY.search(process.stdout.readline())
        with Redis.from_url(socket_url(tmp_path)) as store:
            store.flushall()
        _, written = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 1
    last = written.splitlines()[-1]
    assert last.startswith("tidelog: the store at ")
    assert "was emptied" in last
