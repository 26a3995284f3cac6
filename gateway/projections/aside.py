"""Tables built a second time: in a private file of their own, beside a snapshot of the gateway's file."""

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Self, TypeVar

Result = TypeVar("Result")

LIVE = "live"
"""The gateway's file, as its snapshot shows it."""


class Aside:
    """One connection with a thread of its own; the gateway's file is attached, to be read.

    `closing` is set when what its thread still does is of no use to anybody.
    """

    def __init__(self, executor: ThreadPoolExecutor, connection: sqlite3.Connection) -> None:
        self._executor = executor
        self._connection = connection
        self._lock = threading.Lock()
        self.closing = False

    @classmethod
    async def open(cls, file: Path) -> Self:
        executor = ThreadPoolExecutor(1, thread_name_prefix="rebuild")
        try:
            connection = await asyncio.get_running_loop().run_in_executor(executor, _connect, file)
        except BaseException:
            executor.shutdown(wait=False)
            raise
        return cls(executor, connection)

    async def run(self, work: Callable[[sqlite3.Connection], Result]) -> Result:
        """What the function returns; it runs alone, in the thread."""
        return await asyncio.get_running_loop().run_in_executor(self._executor, work, self._connection)

    @contextmanager
    def borrowed(self) -> Iterator[sqlite3.Connection]:
        """The connection for another thread, while its own has nothing to do; it is not closed meanwhile."""
        with self._lock:
            yield self._connection

    def begin(self) -> None:
        """From here on the gateway's file stands still for this connection; as `borrowed`."""
        with self.borrowed() as connection:
            connection.execute("BEGIN")
            connection.execute(f"SELECT count(*) FROM {LIVE}.checkpoints").fetchone()  # noqa: S608 - a name of ours

    async def close(self) -> None:
        """Nothing is left of the tables."""
        self.closing = True
        await self.run(self._close)
        self._executor.shutdown()

    def _close(self, connection: sqlite3.Connection) -> None:
        with self._lock:
            connection.close()


def _connect(file: Path) -> sqlite3.Connection:
    # Without a name it is a temporary file that nobody else can open, gone when it is closed.
    connection = sqlite3.connect("", isolation_level=None, check_same_thread=False, uri=True)
    connection.execute("PRAGMA journal_mode = MEMORY")
    connection.execute(f"ATTACH ? AS {LIVE}", (f"{file.absolute().as_uri()}?mode=ro",))
    return connection
