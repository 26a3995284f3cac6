"""Single appends under faults: what is acknowledged is kept, and the same bytes sent again have one effect."""

import asyncio
import os
import resource
import signal
import sys
from random import Random

import pytest

from services.eventlog import hashes
from services.eventlog.embedded import EmbeddedStore
from services.eventlog.port import Append, Appended, Conflict, OutcomeUnknown, StoreAway
from services.eventlog.redis_log import RedisLog
from tests.proxy import Fault
from tests.services.eventlog.logs import MatchLog, first

LOSSES = (Fault.DROP_REQUEST, Fault.DROP_ANSWER)


@pytest.fixture
async def log(proxy):
    log = await RedisLog.open(proxy.url, timeout_s=2.0)
    await log.append(first("warm"))
    yield log
    await log.close()


async def settled(log: RedisLog, append: Append) -> Appended | Conflict:
    """The same bytes again and again until the store answers."""
    while True:
        try:
            return await log.append(append)
        except (OutcomeUnknown, StoreAway):
            await log_answers(log)


async def log_answers(log: RedisLog) -> None:
    async with asyncio.timeout(60):
        while True:
            try:
                await log.time_ms()
            except StoreAway:
                await asyncio.sleep(0)
            else:
                return


@pytest.mark.parametrize(("fault", "again"), [(Fault.DROP_REQUEST, Appended), (Fault.DROP_ANSWER, Conflict)])
@pytest.mark.parametrize("expected", [0, 3])
async def test_an_append_whose_answer_never_came_is_unknown_and_sent_again_has_one_effect(
    proxy, log, fault, again, expected
):
    match = MatchLog()
    if expected:
        await log.append(match.command(expected))
    command = match.command(2)
    happened = proxy.arm(fault)
    with pytest.raises(OutcomeUnknown, match="did not answer an append"):
        await log.append(command)
    assert happened.is_set()
    assert await log.append(command) == again(command.entries[-1].cursor)
    assert await log.read(match.match) == match.entries
    feed = [f.entry for f in await log.read_feed(hashes.shard(match.match), 0) if f.match == match.match]
    assert feed == match.entries


async def test_after_a_lost_answer_and_newer_entries_our_bytes_still_stand_after_expected(proxy, log):
    match = MatchLog()
    command = match.command()
    proxy.arm(Fault.DROP_ANSWER)
    with pytest.raises(OutcomeUnknown):
        await log.append(command)
    newer = match.command(3)
    assert isinstance(await log.append(newer), Appended)
    assert await log.append(command) == Conflict(newer.entries[-1].cursor)
    assert await log.read(match.match, command.expected, 1) == list(command.entries)


async def test_after_a_lost_request_another_hosts_append_wins_and_is_not_taken_for_ours(proxy, log):
    match, rival = MatchLog(), MatchLog()
    command, other = match.command(note="ours"), rival.command(note="theirs")
    proxy.arm(Fault.DROP_REQUEST)
    with pytest.raises(OutcomeUnknown):
        await log.append(command)
    await log.append(other)
    assert await log.append(command) == Conflict(other.entries[-1].cursor)
    assert await log.read(match.match, 0, 1) == list(other.entries) != list(command.entries)


@pytest.mark.parametrize("fault", LOSSES)
async def test_a_lost_pipeline_is_unknown_for_each_append_in_it(proxy, log, fault):
    appends = [first(f"match-{n}") for n in range(40)]
    proxy.arm(fault)
    answers = await asyncio.gather(*map(log.append, appends), return_exceptions=True)
    assert all(isinstance(answer, OutcomeUnknown) for answer in answers)
    again = await asyncio.gather(*map(log.append, appends))
    assert isinstance(again[0], Appended if fault is Fault.DROP_REQUEST else Conflict)
    for append in appends:
        assert await log.read(append.match) == list(append.entries)


async def test_of_a_pipeline_cut_in_its_answers_those_that_came_count(proxy, log):
    appends = [first(f"match-{n}") for n in range(40)]
    proxy.arm(Fault.HALF_ANSWER)
    answers = await asyncio.gather(*map(log.append, appends), return_exceptions=True)
    came = sum(isinstance(answer, Appended) for answer in answers)
    assert 0 < came < 40
    assert all(isinstance(answer, OutcomeUnknown) for answer in answers[came:])
    again = await asyncio.gather(*map(log.append, appends))
    assert all(isinstance(answer, Conflict) for answer in again[:came])
    for append in appends:
        assert await log.read(append.match) == list(append.entries)


async def test_an_answer_that_takes_too_long_is_unknown(proxy):
    hasty = await RedisLog.open(proxy.url, timeout_s=0.5)
    await hasty.append(first("warm"))
    command = first("island-42")
    proxy.arm(Fault.HOLD_ANSWER)
    with pytest.raises(OutcomeUnknown, match=r"no answer in 0\.5 s"):
        await hasty.append(command)
    assert await hasty.append(command) == Conflict(command.entries[-1].cursor)
    await hasty.close()


async def test_an_answer_lost_while_the_script_is_loaded_is_unknown(proxy):
    log = await RedisLog.open(proxy.url)
    command = first("island-42")
    proxy.arm(Fault.DROP_ANSWER, on=b"LOAD")
    with pytest.raises(OutcomeUnknown):
        await log.append(command)
    assert isinstance(await settled(log, command), Conflict)
    await log.close()


async def test_connections_cut_at_random_leave_one_effect_of_each_command(proxy, log):
    """Clients that send the same bytes until they are answered, while everything is cut again and again."""
    random = Random(7)
    logs = [MatchLog(f"match-{n}") for n in range(12)]

    async def play(match: MatchLog) -> None:
        for _ in range(25):
            command = match.command(random.randint(1, 3))
            answer = await settled(log, command)
            assert answer.head == command.entries[-1].cursor

    playing = [asyncio.create_task(play(match)) for match in logs]
    while not all(task.done() for task in playing):
        happened = proxy.arm(random.choice((*LOSSES, Fault.HALF_ANSWER)), skip=random.randint(1, 3))
        waiting = asyncio.create_task(happened.wait())
        await asyncio.wait({waiting, asyncio.gather(*playing)}, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
    await asyncio.gather(*playing)
    for match in logs:
        assert await log.read(match.match) == match.entries
    for shard in range(hashes.SHARDS):
        feed = await log.read_feed(shard, 0, 10_000)
        assert [entry.number for entry in feed] == list(range(1, len(feed) + 1))


async def test_a_store_killed_again_and_again_loses_nothing_it_acknowledged(tmp_path):
    """With appendfsync always; each kill comes while appends are under way."""
    killed = asyncio.Queue[str]()
    store = await EmbeddedStore.start(tmp_path, on_death=killed.put_nowait)
    log = await RedisLog.open(store.url)
    logs = [MatchLog(f"match-{n}") for n in range(16)]
    going = True

    async def play(match: MatchLog) -> None:
        while going:
            command = match.command(2)
            answer = await settled(log, command)
            assert answer.head == command.entries[-1].cursor

    playing = [asyncio.create_task(play(match)) for match in logs]
    for _ in range(3):
        before = log.appends
        while log.appends < before + 200:  # noqa: ASYNC110 - a turn of the loop, not a time
            await asyncio.sleep(0)
        os.kill(store.pid, signal.SIGKILL)
        await killed.get()
        await store.until_up()
    going = False
    await asyncio.gather(*playing)
    for match in logs:
        assert await log.read(match.match) == match.entries
    await log.close()
    await store.stop()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux sets limits of another process")
async def test_a_store_that_cannot_write_ends_and_comes_back_with_what_it_acknowledged(tmp_path):
    """With appendfsync always a write error ends the server; a limit on the size of its files makes one."""
    told = asyncio.Queue[str]()
    store = await EmbeddedStore.start(tmp_path, on_death=told.put_nowait)
    log = await RedisLog.open(store.url)
    match = MatchLog()
    await log.append(match.command())
    written = max(file.stat().st_size for file in (tmp_path / "store" / "appendonlydir").iterdir())
    resource.prlimit(store.pid, resource.RLIMIT_FSIZE, (written + 5_000, written + 5_000))
    unknown = None
    while unknown is None:
        command = match.command()
        try:
            await log.append(command)
        except OutcomeUnknown:
            unknown = command
    assert "writing to the AOF file" in await told.get()
    await store.until_up()
    assert isinstance(await settled(log, unknown), Appended | Conflict)
    assert await log.read(match.match) == match.entries
    await log.close()
    await store.stop()
