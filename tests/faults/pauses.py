"""Where the processes that `paused` started stand in their writes, as the test has them stop."""

import asyncio
import stat
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from services.cli import children
from tests.faults.paused import SOCKET

ROOT = Path(__file__).parents[2]

POINTS = ("asked", "loading", "loaded", "decided", "sent", "applied", "answered", "saving", "saved")
COLD = ("loading", "loaded")
"""Passed only by a replica that does not know the match yet."""


class Pauses:
    """`stop_at` has the next write of the match stop at a point; `stopped` is set then, and `pid` says who stands."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.pid = 0
        self.stopped = asyncio.Event()
        self._point = self._match = ""
        self._released = asyncio.Event()

    def stop_at(self, point: str, match: str) -> None:
        self._point, self._match = point, match
        self.stopped.clear()
        self._released.clear()

    def release(self) -> None:
        """Whoever stands goes on, and nobody stops any more."""
        self._point = ""
        self._released.set()

    @asynccontextmanager
    async def serving(self) -> AsyncIterator["Pauses"]:
        async with await asyncio.start_unix_server(self._visited, self.path):
            yield self
            self.release()

    async def _visited(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        point, pid, match = (await reader.readline()).decode().rstrip("\n").split(" ")
        if point == self._point and match in ("", self._match):
            self._point = ""
            self.pid = int(pid)
            self.stopped.set()
            await self._released.wait()
        writer.close()


def start_paused(patch: pytest.MonkeyPatch, folder: Path, pauses: Pauses) -> None:
    """Roles are started with the pauses from here on."""
    program = folder / "tidelog"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m tests.faults.paused "$@"\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    patch.setattr(children, "program", lambda: str(program))
    patch.setenv("PYTHONPATH", str(ROOT))
    patch.setenv(SOCKET, str(pauses.path))
