"""The gateway's SQLite file, the one thread that writes to it, and another that reads."""

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Self, TypeVar

from gateway.projections import frozen, listing, quick
from gateway.projections.installing import install
from gateway.projections.keeping import transaction
from gateway.projections.model import ReadModel
from gateway.projections.models import MODELS

CACHE_KIB = 32 * 1024
"""Pages of the file kept in memory: the indices of a lobby of 100,000 matches."""

SCHEMA_VERSION = 5
SCHEMA = f"""
CREATE TABLE checkpoints (
  shard INTEGER PRIMARY KEY, number INTEGER NOT NULL, hash BLOB NOT NULL
) WITHOUT ROWID;
CREATE TABLE matches (
  id TEXT PRIMARY KEY, version INTEGER NOT NULL, hash BLOB NOT NULL, shard INTEGER NOT NULL, game TEXT NOT NULL,
  status TEXT NOT NULL, created_at INTEGER NOT NULL, changed_at INTEGER NOT NULL, imported INTEGER NOT NULL,
  facts BLOB NOT NULL
) WITHOUT ROWID;
CREATE INDEX matches_shard ON matches (shard);
CREATE TABLE seats (
  player TEXT NOT NULL, match TEXT NOT NULL, seat INTEGER NOT NULL, PRIMARY KEY (player, match, seat)
) WITHOUT ROWID;
CREATE INDEX seats_match ON seats (match);
CREATE TABLE models (
  name TEXT PRIMARY KEY, version INTEGER NOT NULL, tables TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE rewinds (
  match TEXT PRIMARY KEY, known TEXT NOT NULL, head TEXT NOT NULL, at INTEGER NOT NULL
) WITHOUT ROWID;
{frozen.SCHEMA}
{listing.SCHEMA}
{quick.SCHEMA}
"""

Result = TypeVar("Result")


class Database:
    """Made by `open`. A file of another schema version is emptied: it is cache."""

    def __init__(self, file: Path, models: Sequence[ReadModel], executor: ThreadPoolExecutor) -> None:
        self.file = file
        self.models = models
        self._executor = executor
        self._connection: sqlite3.Connection
        self._reader: sqlite3.Connection
        self._readers = ThreadPoolExecutor(1, thread_name_prefix="read models")

    @classmethod
    async def open(cls, file: Path, models: Sequence[ReadModel] = MODELS) -> Self:
        executor = ThreadPoolExecutor(1, thread_name_prefix="projections")
        opened = cls(file, models, executor)
        loop = asyncio.get_running_loop()
        try:
            opened._connection = await loop.run_in_executor(executor, _connect, file, models)
            opened._reader = await loop.run_in_executor(opened._readers, _opened, file)
            await loop.run_in_executor(opened._readers, opened._reader.execute, "PRAGMA query_only = ON")
        except BaseException:
            executor.shutdown(wait=False)
            opened._readers.shutdown(wait=False)
            raise
        return opened

    async def run(self, work: Callable[[sqlite3.Connection], Result]) -> Result:
        """What the function returns; it runs alone, in the thread."""
        return await asyncio.get_running_loop().run_in_executor(self._executor, work, self._connection)

    async def read(self, work: Callable[[sqlite3.Connection], Result]) -> Result:
        """As `run`, but beside it, of what is kept at one moment: a question that takes long keeps no entry waiting."""

        def ask(connection: sqlite3.Connection) -> Result:
            with transaction(connection):
                return work(connection)

        return await asyncio.get_running_loop().run_in_executor(self._readers, ask, self._reader)

    async def close(self) -> None:
        await asyncio.get_running_loop().run_in_executor(self._readers, self._reader.close)
        self._readers.shutdown()
        await self.run(lambda connection: connection.close())
        self._executor.shutdown()


def _connect(file: Path, models: Sequence[ReadModel]) -> sqlite3.Connection:
    file.parent.mkdir(parents=True, exist_ok=True)
    connection = _opened(file)
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version not in (0, SCHEMA_VERSION):
        connection.close()
        for name in (file, file.with_name(f"{file.name}-wal"), file.with_name(f"{file.name}-shm")):
            name.unlink(missing_ok=True)
        connection, version = _opened(file), 0
    if version == 0:
        connection.executescript(f"BEGIN; {SCHEMA} PRAGMA user_version = {SCHEMA_VERSION}; COMMIT;")
    install(connection, models)
    return connection


def _opened(file: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(file, isolation_level=None, timeout=10)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
    return connection
