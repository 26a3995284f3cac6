"""What happened to one match since it was last looked at: only the platform's own entries are kept."""

from collections.abc import Sequence

from msgspec import Struct

from services.eventlog import hashes
from services.eventlog.entries import PLATFORM, Entry, header_of

_PLATFORM = f'"type":"{PLATFORM}'.encode()
_CLAIMED = tuple(f'"type":"{PLATFORM}{kind}"'.encode() for kind in ("seat_claimed", "bot_seated"))
_STARTED = f'"type":"{PLATFORM}started"'.encode()


class Change(Struct):
    """Entries `first` to `last` of a match, with those of the platform among them."""

    match: str
    first: Entry
    last: Entry
    platform: list[Entry]

    @classmethod
    def of(cls, match: str, entries: list[Entry]) -> "Change":
        return cls(match, entries[0], entries[-1], [entry for entry in entries if is_platform(entry)])

    def extends_to(self, entry: Entry) -> bool:
        """Takes in the entry if it follows, or is known; else False: the log went on behind a hole, or another way."""
        if entry.version == self.last.version + 1:
            if not follows(self.last.hash, entry):
                return False
            self.last = entry
            if is_platform(entry):
                self.platform.append(entry)
        return entry.version <= self.last.version

    @property
    def at(self) -> int:
        return header_of(self.last).at


def follows(previous: bytes, entry: Entry) -> bool:
    """Whether the entry is chained to the one with that hash."""
    return hashes.entry(previous, entry.header, entry.leaf) == entry.hash


def is_platform(entry: Entry) -> bool:
    """Whether the event is the platform's; told from the header's bytes, which are canonical."""
    return _PLATFORM in entry.header


def is_claim(entry: Entry) -> bool:
    """Whether somebody has a seat to play from here on."""
    return any(kind in entry.header for kind in _CLAIMED)


def start_among(entries: Sequence[Entry]) -> int | None:
    """How many of the entries there are up to the start of their match; None where it is not among them."""
    return next((place for place, entry in enumerate(entries, start=1) if _STARTED in entry.header), None)
