"""A memory with an end: whoever remembers what can be found out again remembers only so much of it."""

from collections import OrderedDict
from typing import TypeVar

KeyT = TypeVar("KeyT")
ValueT = TypeVar("ValueT")


class Bounded(OrderedDict[KeyT, ValueT]):
    """At most `limit` items: beyond it the one that was set longest ago leaves."""

    def __init__(self, limit: int) -> None:
        super().__init__()
        self._limit = limit

    def __setitem__(self, key: KeyT, value: ValueT) -> None:
        super().__setitem__(key, value)
        self.move_to_end(key)
        if len(self) > self._limit:
            self.popitem(last=False)
