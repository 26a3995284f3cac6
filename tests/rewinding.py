"""Real stores that go back to an older copy while everything else lives on, perhaps to one that grew again."""

import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol, Self

from redis.asyncio import Redis

from services.eventlog.embedded import EmbeddedStore

Grow = Callable[[str], Awaitable[None]]
"""Appends to the copy at the URL, before anybody sees it."""

KEPT = ("appendonlydir", "dump.rdb")


class Rewindable(Protocol):
    @property
    def url(self) -> str: ...

    async def keep_copy(self) -> None:
        """Of the store as it is, while nobody appends."""
        ...

    async def go_back(self, grow: Grow | None = None) -> None:
        """The store is the copy that was kept last, and what grew from it."""
        ...


class RestoredStore:
    """An operator stops the store, puts older files in the place of its own, and starts it at the same address.

    With appendfsync always the files hold all that was answered.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._store: EmbeddedStore

    @classmethod
    @asynccontextmanager
    async def serving(cls) -> AsyncIterator[Self]:
        """In a folder whose path is short: a socket that lies elsewhere would be another after each start."""
        with TemporaryDirectory(prefix="rewound-") as folder:
            found = cls(Path(folder))
            found._store = await EmbeddedStore.start(found._folder / "live")
            try:
                yield found
            finally:
                await found._store.stop()

    @property
    def url(self) -> str:
        return self._store.url

    async def keep_copy(self) -> None:
        copy_files(self._folder / "live", self._folder / "copy")

    async def go_back(self, grow: Grow | None = None) -> None:
        if grow is not None:
            aside = await EmbeddedStore.start(self._folder / "copy")
            await grow(aside.url)
            await aside.stop()
        await self._store.stop()
        copy_files(self._folder / "copy", self._folder / "live")
        self._store = await EmbeddedStore.start(self._folder / "live")


class ReplacedStore:
    """Everything in a living store is replaced in one transaction: no client loses its connection."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._kept: dict[bytes, bytes] = {}

    async def keep_copy(self) -> None:
        self._kept = await dumped(self.url)

    async def go_back(self, grow: Grow | None = None) -> None:
        now = self._kept
        if grow is not None:
            aside = f"{self.url}?db=1"
            await replace(aside, self._kept)
            await grow(aside)
            now = await dumped(aside)
            await replace(aside, {})
        await replace(self.url, now)


async def dumped(url: str) -> dict[bytes, bytes]:
    async with Redis.from_url(url) as client:
        return {name: await client.dump(name) for name in await client.keys()}


async def replace(url: str, held: dict[bytes, bytes]) -> None:
    async with Redis.from_url(url) as client, client.pipeline(transaction=True) as together:
        together.flushdb()
        for name, data in held.items():
            together.restore(name, 0, data)
        await together.execute()


def copy_files(source: Path, target: Path) -> None:
    """The store's files of the data directory `target` are those of `source`, and no others."""
    for name in KEPT:
        old, new = source / "store" / name, target / "store" / name
        shutil.rmtree(new) if new.is_dir() else new.unlink(missing_ok=True)
        if old.is_dir():
            shutil.copytree(old, new)
        elif old.is_file():
            shutil.copy(old, new)
