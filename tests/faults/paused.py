"""`tidelog` with pauses between the steps of a write: `python -m tests.faults.paused serve engine GAME ...`.

At each point of a match's write the process says where it stands on the socket that TIDELOG_TEST_PAUSES names, and
goes on when that connection is closed.
"""

import asyncio
import os
from typing import Any

from services.cli.main import main
from services.engine import main as engine_main
from services.engine.host import Done, Host
from services.eventlog import redis_pipe
from services.eventlog.commands import Order
from services.eventlog.port import Append, Appended, Conflict
from services.eventlog.redis_log import RedisLog

SOCKET = "TIDELOG_TEST_PAUSES"


async def reach(point: str, match: str = "") -> None:
    reader, writer = await asyncio.open_unix_connection(os.environ[SOCKET])
    writer.write(f"{point} {os.getpid()} {match}\n".encode())
    await writer.drain()
    await reader.read()
    writer.close()


class PausedLog(RedisLog):
    async def snapshot(self, match: str) -> bytes | None:
        await reach("loading", match)
        return await super().snapshot(match)

    async def secret(self, match: str) -> bytes | None:
        await reach("loaded", match)
        return await super().secret(match)

    async def append(self, append: Append) -> Appended | Conflict:
        await reach("decided", append.match)
        answer = await super().append(append)
        await reach("applied", append.match)
        return answer

    async def put_snapshot(self, match: str, data: bytes) -> None:
        await reach("saving", match)
        await super().put_snapshot(match, data)
        await reach("saved", match)


class PausedHost(Host):
    async def carry_out(self, match: str, order: Order, deadline: float) -> Done:
        await reach("asked", match)
        done = await super().carry_out(match, order, deadline)
        await reach("answered", match)
        return done


read_answer = redis_pipe._answer


async def paused_answer(connection: Any) -> Any:
    """The request is with the store; what it answers is not read yet."""
    await reach("sent")
    return await read_answer(connection)


if __name__ == "__main__":
    engine_main.RedisLog = PausedLog
    engine_main.Host = PausedHost
    redis_pipe._answer = paused_answer
    main()
