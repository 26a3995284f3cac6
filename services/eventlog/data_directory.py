"""Who owns a data directory: one living `up`, named in its up.json and holding a lock on that file."""

import fcntl
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Self

import msgspec
from msgspec import Struct

from services.eventlog import processes

OWNER_FILE = "up.json"


class Owner(Struct, frozen=True):
    """`started` tells the process from a later one with its number; `addresses` are where it serves."""

    pid: int
    started: str | None
    addresses: tuple[str, ...] = ()


class AlreadyUp(Exception):  # noqa: N818 - says what is so
    """A living process owns the directory; the message names it and its addresses."""

    def __init__(self, directory: Path, owner: Owner | None) -> None:
        pid = f"process {owner.pid}" if owner else "another process"
        at = f", at {', '.join(owner.addresses)}" if owner and owner.addresses else ""
        super().__init__(f"Tidelog is already up on {directory}: {pid}{at}")
        self.owner = owner


class Claim:
    """The directory is this process's until `release`, or its end, however it comes: the lock is the kernel's."""

    def __init__(self, directory: Path, file: int) -> None:
        self.directory = directory
        self._file = file

    @classmethod
    def take(cls, directory: Path) -> Self:
        """Makes the directory where needed; raises AlreadyUp."""
        directory = directory.absolute()
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = os.open(directory / OWNER_FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(file)
            raise AlreadyUp(directory, _read(directory)) from error
        claim = cls(directory, file)
        claim.announce(())
        return claim

    def announce(self, addresses: Sequence[str]) -> None:
        """Writes the addresses for whoever comes second; in place, since the lock goes with the file."""
        pid = os.getpid()
        data = msgspec.json.encode(Owner(pid, processes.started(pid), tuple(addresses)))
        os.pwrite(self._file, data + b"\n", 0)
        os.ftruncate(self._file, len(data) + 1)

    def release(self) -> None:
        os.ftruncate(self._file, 0)
        os.close(self._file)


def owner(directory: Path) -> Owner | None:
    """The living owner, as far as its file tells."""
    found = _read(directory)
    return found if found and processes.is_same(found.pid, found.started) else None


def _read(directory: Path) -> Owner | None:
    try:
        return msgspec.json.decode((directory / OWNER_FILE).read_bytes(), type=Owner)
    except (OSError, msgspec.DecodeError):
        return None
