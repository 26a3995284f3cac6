"""Where luck comes from. A match's luck is a function of its secret; everything else draws from a seed of its own."""

from hashlib import shake_256
from struct import unpack
from typing import Protocol

from msgspec import Struct

from engines.core.digest import framed, keyed

_SPAN = 1 << 64
_BLOCK = 256


class Draw(Struct, frozen=True):
    """One draw as an entry's body records it: `result` is in 0..n-1."""

    label: str
    n: int
    result: int


class Chance(Protocol):
    def draw(self, label: str, n: int) -> int:
        """A number in 0..n-1, each equally likely; n is at least 1."""
        ...


class MatchChance:
    """The luck of one command of one match: draw k is a keyed hash of (secret, version, label, k).

    It exists inside a committing draft only (log_format, Draw k): whoever knows the revealed secret can draw again.
    """

    __slots__ = ("_count", "_key", "_version")

    def __init__(self, draw_key: bytes, version: int) -> None:
        self._key = draw_key
        self._version = version
        self._count = 0

    def draw(self, label: str, n: int) -> int:
        if not 0 < n <= _SPAN:
            raise ValueError(f"a draw needs 1 to 2^64 outcomes, not {n}")
        k = self._count
        self._count += 1
        bound = _SPAN - _SPAN % n
        attempt = 0
        while True:
            x = int.from_bytes(keyed(self._key, self._version, label, k, attempt)[:8], "big")
            if x < bound:
                return x % n
            attempt += 1


class SeededChance:
    """Luck for samples, determinizations and players: reproducible from its seed, never from a match's secret."""

    __slots__ = ("_block", "_numbers", "_seed")

    def __init__(self, seed: bytes | int) -> None:
        self._seed = seed if isinstance(seed, bytes) else seed.to_bytes(16, "big", signed=True)
        self._block = 0
        self._numbers: list[int] = []

    def draw(self, label: str, n: int) -> int:  # noqa: ARG002 - the label binds a match's draws only
        if not 0 < n <= _SPAN:
            raise ValueError(f"a draw needs 1 to 2^64 outcomes, not {n}")
        bound = _SPAN - _SPAN % n
        while True:
            if not self._numbers:
                stream = shake_256(framed(self._seed, self._block)).digest(8 * _BLOCK)
                self._numbers = list(unpack(f">{_BLOCK}Q", stream))
                self._block += 1
            x = self._numbers.pop()
            if x < bound:
                return x % n
