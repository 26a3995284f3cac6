"""Where luck comes from. A match's luck is a function of its secret; everything else draws from a seed of its own."""

from functools import lru_cache
from hashlib import shake_256
from struct import Struct as Layout
from struct import unpack
from typing import Protocol

from msgspec import Struct

from engines.core.digest import Keyed, framed

_SPAN = 1 << 64
"""Numbers are drawn from 0..2^64-1; one of the last, incomplete run of n is drawn again, so none is favoured."""
_BLOCK = 256
_first_number = Layout(">Q24x").unpack
_framed_number = Layout(">2Q").pack
_framed_numbers = Layout(">4Q").pack
_framed_label = lru_cache(maxsize=256)(framed)
"""A draw's message is `framed(version, label, k, attempt)`; games have few labels."""


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

    __slots__ = ("_count", "_keyed", "_version")

    def __init__(self, draw_key: bytes, version: int) -> None:
        self._keyed = Keyed(draw_key)
        self.begin(version)

    def begin(self, version: int) -> None:
        """From here on the luck of the command that is decided on this version."""
        self._version = version
        self._count = 0

    def draw(self, label: str, n: int) -> int:
        if not 0 < n <= _SPAN:
            raise ValueError(f"a draw needs 1 to 2^64 outcomes, not {n}")
        k = self._count
        self._count += 1
        attempt = 0
        while True:
            message = _framed_number(8, self._version) + _framed_label(label) + _framed_numbers(8, k, 8, attempt)
            x: int = _first_number(self._keyed(message))[0]
            result = x % n
            if x - result <= _SPAN - n:
                return result
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
        while True:
            if not self._numbers:
                stream = shake_256(framed(self._seed, self._block)).digest(8 * _BLOCK)
                self._numbers = list(unpack(f">{_BLOCK}Q", stream))
                self._block += 1
            x = self._numbers.pop()
            result = x % n
            if x - result <= _SPAN - n:
                return result
