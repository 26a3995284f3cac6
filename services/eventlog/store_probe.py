"""Questions to a store that may not be there, or not yet: who answers, is it ready, is it gone."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import BusyLoadingError, RedisError

from services.eventlog import processes
from services.eventlog.port import StoreAway
from services.eventlog.store_folder import StoreProcess

START_TIMEOUT_S = 30.0
PAUSE_S = 0.005
ANSWER_TIMEOUT_S = 2.0


async def process_at(socket: Path) -> int | None:
    """The process id of the store that answers there, even if it is still loading."""
    try:
        async with _client(socket) as client:
            return int((await client.info("server"))["process_id"])
    except (RedisError, OSError):
        return None


async def until_ready(socket: Path, *, alive: Callable[[], bool]) -> None:
    """The store answers and has loaded its data, which may take as long as it takes.

    Raises StoreAway where its process is no longer alive, or nothing answers for START_TIMEOUT_S.
    """
    loop = asyncio.get_running_loop()
    deadline = loop.time() + START_TIMEOUT_S
    async with _client(socket) as client:
        while alive() and loop.time() < deadline:
            try:
                await client.ping()
            except BusyLoadingError:
                deadline = loop.time() + START_TIMEOUT_S
            except (RedisError, OSError):
                pass
            else:
                return
            await asyncio.sleep(PAUSE_S)
    raise StoreAway(f"the embedded store {'does not answer' if alive() else 'did not start'} at {socket}")


async def until_gone(socket: Path, process: StoreProcess) -> None:
    """A process that is no child of ours has ended: the end of a connection says when to look."""
    while processes.is_same(process.pid, process.started):
        with suppress(OSError):
            reader, writer = await asyncio.open_unix_connection(socket)
            try:
                await reader.read()
            finally:
                writer.close()
        await asyncio.sleep(PAUSE_S)


@asynccontextmanager
async def _client(socket: Path) -> AsyncIterator[Redis]:
    client = Redis(
        unix_socket_path=str(socket),
        retry=Retry(NoBackoff(), 0),
        socket_timeout=ANSWER_TIMEOUT_S,
        socket_connect_timeout=ANSWER_TIMEOUT_S,
        protocol=2,
    )
    try:
        yield client
    finally:
        await client.aclose()
