"""What the embedded store keeps in its folder: append-only files, log, socket, and who was last started on it."""

import asyncio
import fcntl
import os
import shutil
import stat
import tempfile
from pathlib import Path
from typing import BinaryIO
from urllib.parse import quote

import msgspec
from msgspec import Struct

from services.eventlog.port import StoreAway

LONGEST_SOCKET_PATH = 100
"""Bytes; Linux takes 107, macOS 103."""
LOCK_ATTEMPTS = 200
LOCK_PAUSE_S = 0.05
TAIL_LINES = 5


class StoreProcess(Struct, frozen=True):
    """`started` tells the process from a later one with its number."""

    pid: int
    started: str | None


class StoreFolder:
    """Private to its owner. `socket` lies within, or in a private directory of its own where the path is too long."""

    def __init__(self, path: Path) -> None:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.path = path
        self.log = path / "store.log"
        self.socket = self._socket()

    def options(self) -> dict[str, str]:
        """The server's options that depend on the place."""
        return {"dir": str(self.path), "unixsocket": str(self.socket), "logfile": str(self.log)}

    async def locked(self) -> BinaryIO:
        """The lock file, locked. Handed to the store process it stays locked for as long as that one lives.

        Raises StoreAway where an earlier process does not let go of it.
        """
        file = (self.path / "store.lock").open("ab")
        for _ in range(LOCK_ATTEMPTS):
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                await asyncio.sleep(LOCK_PAUSE_S)
            else:
                return file
        file.close()
        raise StoreAway(f"a store process that does not answer still works in {self.path}; end it first")

    def remember(self, process: StoreProcess) -> None:
        """So that a store left behind by a killed `up` is known."""
        written = self.path / "store.json.new"
        written.write_bytes(msgspec.json.encode(process))
        written.replace(self.path / "store.json")

    def last_process(self) -> StoreProcess | None:
        try:
            return msgspec.json.decode((self.path / "store.json").read_bytes(), type=StoreProcess)
        except (OSError, msgspec.DecodeError):
            return None

    def log_size(self) -> int:
        """Bytes in the store's log; 0 where there is none."""
        try:
            return self.log.stat().st_size
        except OSError:
            return 0

    def log_tail(self, start: int = 0) -> str:
        """The last lines of the store's log behind its first `start` bytes, in one."""
        try:
            with self.log.open("rb") as file:
                file.seek(max(start, self.log_size() - 4096))
                lines = file.read().decode(errors="replace").splitlines()
        except OSError:
            return "it left no log"
        return " | ".join(line for line in lines[-TAIL_LINES:] if line)

    def clear_away(self) -> None:
        """Removes the socket's own directory, if it has one."""
        if self.socket.parent != self.path:
            shutil.rmtree(self.socket.parent, ignore_errors=True)

    def _socket(self) -> Path:
        inside = self.path / "store.sock"
        if len(os.fsencode(inside)) <= LONGEST_SOCKET_PATH:
            return inside
        note = self.path / "socket"
        recorded = Path(note.read_text()) if note.exists() else None
        if recorded is not None and _is_private(recorded.parent):
            return recorded
        outside = Path(tempfile.mkdtemp(prefix="tidelog-")) / "store.sock"
        note.write_text(str(outside))
        return outside


def _is_private(directory: Path) -> bool:
    """Whether it is a real directory of ours that nobody else may enter."""
    try:
        found = directory.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o077


def socket_url(data_dir: Path) -> str:
    """Where the embedded store of a living `up` on the data directory listens."""
    return f"unix://{quote(str(StoreFolder(data_dir.absolute() / 'store').socket))}"
