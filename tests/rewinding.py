"""A real store that goes back: an older copy of its files is put in their place while everything else lives on."""

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Self

from services.eventlog.embedded import EmbeddedStore

KEPT = ("appendonlydir", "dump.rdb")


class RewindableStore:
    """`url` stays the same whatever the store holds. With appendfsync always the files hold all that was answered."""

    def __init__(self, data: Path, copy: Path) -> None:
        self._data = data
        self._copy = copy
        self._store: EmbeddedStore

    @classmethod
    @asynccontextmanager
    async def serving(cls, folder: Path) -> AsyncIterator[Self]:
        found = cls(folder / "store", folder / "copy")
        await found.start()
        try:
            yield found
        finally:
            await found.stop()

    @property
    def url(self) -> str:
        return self._store.url

    async def start(self) -> None:
        self._store = await EmbeddedStore.start(self._data)

    async def stop(self) -> None:
        await self._store.stop()

    def keep_copy(self) -> None:
        """Of the store as it is, while nobody appends."""
        copy_files(self._data / "store", self._copy)

    async def go_back(self) -> None:
        """The store is the copy that was kept last."""
        await self.stop()
        copy_files(self._copy, self._data / "store")
        await self.start()


def copy_files(source: Path, target: Path) -> None:
    """The store's files in `target` are those of `source`, and no others."""
    target.mkdir(parents=True, exist_ok=True)
    for name in KEPT:
        old, new = source / name, target / name
        shutil.rmtree(new) if new.is_dir() else new.unlink(missing_ok=True)
        if old.is_dir():
            shutil.copytree(old, new)
        elif old.is_file():
            shutil.copy(old, new)
