"""The requests that a match remembers, so that each has one effect: the last 256 of each player, packed."""

from struct import Struct as Packing

from msgspec import Struct

REMEMBERED = 256
NO_SEAT = 0xFF

CLOCK = "service:clock"
"""Who asks for what time alone brings about."""

_PACKING = Packing(">16s8sIIB")
_SIZE = _PACKING.size
_KEY = 16


class Handled(Struct, frozen=True):
    """A command that stands in the log: its digest (8 bytes), first and last version, and acting seat."""

    digest: bytes
    first: int
    last: int
    seat: int | None


Requests = dict[str, bytearray]
"""Player -> packed records, oldest first; part of the match's facts, and so of its snapshot."""


def find(requests: Requests, player: str, key: bytes) -> Handled | None:
    """The player's command of that request key (16 bytes), if it is remembered."""
    records = requests.get(player)
    if records is None:
        return None
    place = records.find(key)
    while place >= 0 and place % _SIZE:
        place = records.find(key, place + 1)
    if place < 0:
        return None
    _, digest, first, last, seat = _PACKING.unpack_from(records, place)
    return Handled(digest, first, last, None if seat == NO_SEAT else seat)


def remember(requests: Requests, player: str, key: bytes, handled: Handled) -> None:
    records = requests.setdefault(player, bytearray())
    seat = NO_SEAT if handled.seat is None else handled.seat
    records += _PACKING.pack(key, handled.digest, handled.first, handled.last, seat)
    if len(records) > REMEMBERED * _SIZE:
        del records[:_SIZE]


def count(records: bytearray) -> int:
    """How many are remembered of one player."""
    return len(records) // _SIZE


def extend(requests: Requests, player: str, last: int) -> None:
    """The player's newest command goes on to version `last`."""
    records = requests[player]
    start = len(records) - _SIZE
    key, digest, first, _, seat = _PACKING.unpack_from(records, start)
    _PACKING.pack_into(records, start, key, digest, first, last, seat)
