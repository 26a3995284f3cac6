"""How soon the feeds are read again: what this gateway's own commands append, the engines' answers tell first."""

import asyncio
from collections.abc import Callable

LINGER_S = 0.025

MANY = 200
"""Entries read between two looks, a second apart: with fewer nothing is saved."""

OWN_SHARE = 0.9
"""Of what the feeds brought; with so much told already they can wait, and be read many entries at a time."""


class Lingering:
    """`answered` counts the entries that answers have brought; they are compared whenever `look` is called."""

    def __init__(self, answered: Callable[[], int]) -> None:
        self._answered = answered
        self._answered_before = 0
        self._read = 0
        self.lingers = False

    async def after(self, entries: int) -> None:
        """So many were read; returns when it is time for the next reading."""
        self._read += entries
        if entries and self.lingers:
            await asyncio.sleep(LINGER_S)

    def look(self) -> None:
        answered = self._answered()
        own, read = answered - self._answered_before, self._read
        self._answered_before, self._read = answered, 0
        self.lingers = read >= MANY and own >= OWN_SHARE * read
