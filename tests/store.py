"""The store that tests run on, and what it is: one for the session, emptied for each test that asks for it.

TIDELOG_TEST_STORE chooses: `embedded` (the default), `docker`, or the URL of an empty store. Nothing falls back to
another, and the run says which it was. Tests that stop, fill or cut off a store start embedded ones of their own.
"""

import asyncio
import os
import shutil
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from redis.asyncio import Redis

from services.eventlog.embedded import EmbeddedStore
from services.eventlog.memory import MemoryLog
from services.eventlog.port import EventLog
from services.eventlog.redis_log import RedisLog

BACKEND = os.environ.get("TIDELOG_TEST_STORE", "embedded")
IMAGE = os.environ.get("TIDELOG_TEST_IMAGE", "valkey/valkey:8")
USED = pytest.StashKey[str]()


def pytest_report_header() -> str:
    return f"event log store: {BACKEND}"


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """One of several processes has ended: what its store was."""
    used = getattr(node, "workeroutput", {}).get("store")
    if used is not None:
        node.config.stash[USED] = used


def pytest_sessionfinish(session: pytest.Session) -> None:
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["store"] = session.config.stash.get(USED, None)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    terminalreporter.write_line(f"event log store: {config.stash.get(USED, 'none was asked for')}")


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def store_url(tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config) -> AsyncIterator[str]:
    """A real store; what it holds may be another test's."""
    if BACKEND == "embedded":
        store = await EmbeddedStore.start(tmp_path_factory.mktemp("store"))
        pytestconfig.stash[USED] = f"{BACKEND}: {await facts(store.url)}, pid {store.pid}"
        yield store.url
        await store.stop()
    elif BACKEND == "docker":
        name, url = docker_store()
        await until_answering(url)
        pytestconfig.stash[USED] = f"{BACKEND} {IMAGE}: {await facts(url)}"
        yield url
        docker("rm", "--force", name)
    else:
        if "PYTEST_XDIST_WORKER" in os.environ:
            pytest.fail("a store that is given is one for one process: make test JOBS=0", pytrace=False)
        await refuse_used(BACKEND)
        pytestconfig.stash[USED] = f"{BACKEND}: {await facts(BACKEND)}"
        yield BACKEND
        await empty(BACKEND)


@pytest.fixture
async def clean_store(store_url: str) -> str:
    """The session's store, with nothing in it."""
    await empty(store_url)
    return store_url


@pytest.fixture
async def redis_log(clean_store: str) -> AsyncIterator[RedisLog]:
    log = await RedisLog.open(clean_store)
    yield log
    await log.close()


@pytest.fixture(params=["memory", "store"])
async def event_log(request: pytest.FixtureRequest, clean_store: str) -> AsyncIterator[EventLog]:
    """Each adapter of the port in turn."""
    log: EventLog = MemoryLog() if request.param == "memory" else await RedisLog.open(clean_store)
    yield log
    await log.close()


@pytest.fixture
async def own_store(tmp_path: Path) -> AsyncIterator[EmbeddedStore]:
    """A store that the test may stop, kill, fill or cut off."""
    store = await EmbeddedStore.start(tmp_path / "own")
    yield store
    await store.stop()


async def facts(url: str) -> str:
    log = await RedisLog.open(url)
    await log.close()
    return str(log.facts)


async def empty(url: str) -> None:
    async with Redis.from_url(url) as client:
        await client.flushdb()


async def refuse_used(url: str) -> None:
    async with Redis.from_url(url) as client:
        held = await client.dbsize()
    if held:
        pytest.exit(f"TIDELOG_TEST_STORE names a store that holds {held} keys; tests empty theirs", returncode=1)


async def until_answering(url: str) -> None:
    async with asyncio.timeout(60):
        while True:
            try:
                async with Redis.from_url(url) as client:
                    await client.ping()
            except (ConnectionError, OSError):
                await asyncio.sleep(0.05)
            else:
                return


def docker(*words: str) -> str:
    program = shutil.which("docker")
    if program is None:
        pytest.exit("TIDELOG_TEST_STORE=docker, but there is no docker on PATH", returncode=1)
    done = subprocess.run([program, *words], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.exit(f"TIDELOG_TEST_STORE=docker, but docker {words[0]} failed: {done.stderr.strip()}", returncode=1)
    return done.stdout.strip()


def docker_store() -> tuple[str, str]:
    """Name and URL of a new container."""
    server = "redis-server" if "redis" in IMAGE else "valkey-server"
    always = ("--appendonly", "yes", "--appendfsync", "always")
    name = docker("run", "--detach", "--publish", "127.0.0.1::6379", IMAGE, server, *always)
    return name, f"redis://{docker('port', name, '6379/tcp').splitlines()[0]}"
