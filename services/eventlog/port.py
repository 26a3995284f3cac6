"""The port of the event log: what a store of logs promises, whoever keeps it."""

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from services.eventlog.entries import START, Cursor, Entry
from services.eventlog.timetable import Due, Timetable

SHARED_KEY_BYTES = 32
UNREADABLE = 0


class Append(Struct, frozen=True):
    """All entries of one command, to follow the entry at `after`. `secret` (sealed or plain) comes with version 1.

    `due` says what the timetable has of the match from then on; None: what it had before.

    Raises ValueError for versions that are not dense from there, or a secret missing or out of place.
    """

    match: str
    after: Cursor
    entries: tuple[Entry, ...]
    secret: bytes | None = None
    due: Due | None = None

    @property
    def expected(self) -> int:
        return self.after.version

    def __post_init__(self) -> None:
        versions = [entry.version for entry in self.entries]
        if not versions or versions != list(range(self.expected + 1, self.expected + len(versions) + 1)):
            raise ValueError(f"versions {versions} do not follow {self.expected}")
        if bool(self.secret) is not (self.after == START):
            raise ValueError("a secret comes with version 1, and with no other")


class Appended(Struct, frozen=True):
    """The entries stand in the log, all of them."""

    head: Cursor


class Conflict(Struct, frozen=True):
    """Nothing was written: the log's head is another than `after` (START where the match does not exist)."""

    head: Cursor


class FeedEntry(Struct, frozen=True):
    """An entry as its shard's feed carries it. `number` is dense from 1 within the shard.

    The entry's version is UNREADABLE where its header can't be read; its log knows it.
    """

    number: int
    match: str
    entry: Entry


class StoreError(Exception):
    """The store did not do it, and it is known that it did not; the message helps the operator."""


class StoreAway(StoreError):  # noqa: N818 - says where the store is
    """The store can't be reached, or is still loading; the request was not sent, or was refused whole."""


class StoreReadOnly(StoreError):  # noqa: N818 - says what the store is
    """The store is a replica, or refuses writes after a disk error."""


class StoreFull(StoreError):  # noqa: N818 - says what the store is
    """The store's memory limit is reached."""


class WrongStore(StoreError):  # noqa: N818 - says what is wrong
    """The store is not the one that was opened, holds another format than this code reads, or a key of another type."""


class OutcomeUnknown(Exception):  # noqa: N818 - says what is known
    """The answer did not come: the append may or may not have been applied. Send the same bytes again."""


class EventLog(Protocol):
    """A store of logs. Methods raise StoreError kinds, OutcomeUnknown (append and secure), or return what they say."""

    @property
    def timetable(self) -> Timetable: ...

    async def append(self, append: Append) -> Appended | Conflict:
        """Atomic: feed, log, head, secret and timetable, or nothing.

        Concurrent appends of different matches share round trips.
        """
        ...

    async def secure(self, match: str) -> None:
        """What was read of the match's log is as safe as if this caller had appended it.

        Before a caller is told of a command that was found in the log, this must return: the append that wrote it may
        be one that was never acknowledged. Raises OutcomeUnknown, too.
        """
        ...

    async def read(self, match: str, after: int = 0, limit: int | None = None) -> list[Entry]:
        """The entries with versions above `after`, in order; empty for an unknown match."""
        ...

    async def head(self, match: str) -> Cursor:
        """The last entry's cursor; START for an unknown match."""
        ...

    async def heads(self, shard: int) -> dict[str, Cursor]:
        """Every match of the shard with its head."""
        ...

    async def secret(self, match: str) -> bytes | None:
        """The secret as it was given to the append of version 1."""
        ...

    async def read_feed(self, shard: int, after: int, limit: int = 1000) -> list[FeedEntry]:
        """What the feed still holds with numbers above `after`; a first number above after + 1 shows a trimmed hole."""
        ...

    async def follow(self, after: Sequence[int], wait_ms: int) -> list[tuple[int, FeedEntry]]:
        """(shard, entry) of all feeds beyond the numbers given, one per shard; waits up to `wait_ms` for the first.

        Whoever follows is told when the store was lost since their last call, for it may hold another copy now.
        """
        ...

    async def feed_numbers(self) -> tuple[int, ...]:
        """The last number of every shard's feed."""
        ...

    async def feed_hashes(self, numbers: Sequence[int]) -> tuple[bytes, ...]:
        """The hash of the entry with that number in every shard's feed; empty where it is trimmed, or never was."""
        ...

    async def trim_feeds(self, before_ms: int) -> int:
        """Drops feed entries older than the store time given; how many. Logs are never trimmed."""
        ...

    async def snapshot(self, match: str) -> bytes | None: ...

    async def put_snapshot(self, match: str, data: bytes) -> None: ...

    async def drop_snapshot(self, match: str) -> None: ...

    async def edition(self, edition_hash: str) -> bytes | None: ...

    async def put_edition(self, edition_hash: str, data: bytes) -> None:
        """Writes nothing where it is held already."""
        ...

    async def key(self, name: str) -> bytes:
        """32 random bytes kept under the name, made at the first call and the same for all who share the store."""
        ...

    async def check(self) -> None:
        """The store is there, is the one that was opened, and takes appends; raises StoreError kinds."""
        ...

    async def time_ms(self) -> int:
        """The store's clock, ms since 1970."""
        ...

    async def close(self) -> None:
        """Waits for what is in flight."""
        ...
