"""What the clients of one match were told: nothing is judged here."""

from msgspec import Struct, field

from services.eventlog.entries import Cursor
from tidelog.client.answers import Entry, Situation

HASH_BYTES = 8


class Acknowledged(Struct, frozen=True):
    """A command that a client was told stands in the log from `first` to `cursor`; `key` is its request's, 16 bytes."""

    key: bytes
    first: int
    cursor: str


class Told(Struct):
    """One audience's stream of a match from its beginning; `name` says whose it is.

    `hashes` holds those of the cursors told, one after another; `breaks` where a version came that was not the next.
    `seen` is the last view told, `asked` one that was asked for. `ended` is why the stream ended before the match did.
    """

    name: str
    seat: int | None
    hashes: bytearray = field(default_factory=bytearray)
    breaks: list[tuple[int, int]] = field(default_factory=list)
    seen: Situation | None = None
    asked: Situation | None = None
    ended: str = ""

    @property
    def version(self) -> int:
        return len(self.hashes) // HASH_BYTES

    def hear(self, entry: Entry) -> None:
        if entry.version != self.version + 1:
            self.breaks.append((self.version + 1, entry.version))
            return
        self.hashes += bytes.fromhex(Cursor.parse(entry.cursor).hash)

    def see(self, situation: Situation | None) -> None:
        if situation is not None and situation.view is not None:
            self.seen = situation

    def cursor(self, version: int) -> str:
        start = (version - 1) * HASH_BYTES
        return f"{version}-{self.hashes[start : start + HASH_BYTES].hex()}"


class Record(Struct):
    """`joined` holds the keys of joins that were answered, `refused` those of requests refused for certain."""

    match: str
    game: str
    acknowledged: list[Acknowledged] = field(default_factory=list)
    joined: list[bytes] = field(default_factory=list)
    refused: list[bytes] = field(default_factory=list)
    told: list[Told] = field(default_factory=list)
