"""Up to where a feed was read."""

from typing import NamedTuple


class Place(NamedTuple):
    """Number and hash of the last entry read of a shard's feed; no hash where that was trimmed already."""

    number: int
    hash: bytes


NOWHERE = Place(0, b"")
