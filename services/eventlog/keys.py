"""The names under which the store keeps things (log_format, Store)."""

from functools import lru_cache

from services.eventlog import hashes

FORMAT = "tidelog:format"
FORMAT_VALUE = b"tidelog/1"
IDENTITY = "store identity"
"""Name of the key that tells a store from another one, and from itself after it was emptied."""


def tag(shard: int) -> str:
    return f"{{s{shard:02d}}}"


def match(match_id: str) -> str:
    return f"tidelog:{tag(hashes.shard(match_id))}:match:{match_id}"


def secret(match_id: str) -> str:
    return f"tidelog:{tag(hashes.shard(match_id))}:secret:{match_id}"


def snapshot(match_id: str) -> str:
    return f"tidelog:{tag(hashes.shard(match_id))}:snap:{match_id}"


def feed(shard: int) -> str:
    return f"tidelog:{tag(shard)}:feed"


def heads(shard: int) -> str:
    return f"tidelog:{tag(shard)}:heads"


def meta(shard: int) -> str:
    return f"tidelog:{tag(shard)}:meta"


@lru_cache(maxsize=10_000)
def appended(match_id: str) -> tuple[str, ...]:
    """What an append to the match reads and writes, in the order of the append script."""
    shard = hashes.shard(match_id)
    return match(match_id), secret(match_id), feed(shard), heads(shard), meta(shard)


def clocked(shard: int) -> str:
    """Matches in which clocks run, by when the first runs out."""
    return f"tidelog:{tag(shard)}:clocked"


def waiting(shard: int) -> str:
    """Other matches that are not over, by when something is due in them."""
    return f"tidelog:{tag(shard)}:waiting"


@lru_cache(maxsize=10_000)
def timetable(match_id: str) -> tuple[str, ...]:
    """What the append script takes beside those of `appended` where the timetable changes."""
    shard = hashes.shard(match_id)
    return clocked(shard), waiting(shard)


def beats(game: str) -> str:
    """When the game was last served, and when it was not; not of a shard."""
    return f"tidelog:beats:{game}"


def edition(edition_hash: str) -> str:
    """Editions in use, stored once each; not of a shard."""
    return f"tidelog:edition:{edition_hash}"


def key(name: str) -> str:
    """Keys that all services of the store share."""
    return f"tidelog:key:{name}"
