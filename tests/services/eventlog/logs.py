"""Small logs to append: chained entries of one match, command after command."""

from collections.abc import Sequence

from services.eventlog import hashes
from services.eventlog.entries import START, Body, Entry, Header, Sealer
from services.eventlog.port import Append

SECRET = bytes(range(32))
EVERY_FEED = (0,) * hashes.SHARDS


def check_chain(entries: Sequence[Entry], match: str) -> None:
    """A whole log: dense versions, and every hash follows from the one before, the header and the leaf."""
    previous = hashes.genesis(match)
    for version, entry in enumerate(entries, start=1):
        previous = hashes.entry(previous, entry.header, entry.leaf)
        assert (entry.version, entry.hash) == (version, previous)


class MatchLog:
    """The commands of one match, each following the one before."""

    def __init__(self, match: str = "island-42") -> None:
        self.match = match
        self.entries: list[Entry] = []
        self._sealer = Sealer(SECRET, 0, hashes.genesis(match))

    def command(self, events: int = 1, note: str = "") -> Append:
        expected = len(self.entries)
        after = self.entries[-1].cursor if expected else START
        for _ in range(events):
            version = len(self.entries) + 1
            header = Header(1_700_000_000_000 + version, None, "test.noted", version)
            self.entries.append(self._sealer.seal(header, Body((), {"kind": "noted", "note": note}, None, None)))
        return Append(self.match, after, tuple(self.entries[expected:]), None if expected else SECRET)


def first(match: str, note: str = "") -> Append:
    return MatchLog(match).command(note=note)


def same_shard(count: int) -> list[str]:
    """Matches whose entries share a feed."""
    found = [name for n in range(64 * count) if hashes.shard(name := f"match-{n}") == 0]
    return found[:count]
