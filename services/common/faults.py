"""What may be said of an exception in a log: the text of one that a game raised could name a hidden card."""

import re
import traceback
from collections.abc import Iterator
from pathlib import Path

from engines.core import games

_VALUE = re.compile(r"^(Invalid (?:\w+ )?value) .*?( - at `[^`]*`)?$", re.DOTALL)
"""Of a decoder's texts those that hold a value."""


def place(error: BaseException) -> str:
    """Its type, and where it was raised."""
    found = traceback.extract_tb(error.__traceback__)
    where = f" at {Path(found[-1].filename).name}:{found[-1].lineno}" if found else ""
    return f"{type(error).__name__}{where}"


def unread(error: Exception) -> str:
    """The text of a decoder's error without the value that it could not read."""
    return _VALUE.sub(r"\1\2", str(error))


def told(error: BaseException) -> str:
    """The traceback; an exception that passed through a game's code has `...` for its text."""
    text = "".join(traceback.format_exception(error))
    for each in _with_causes(error, set()):
        if str(each) and _of_a_game(each):
            text = text.replace(f": {each}\n", ": ...\n")
    return text.rstrip("\n")


def _with_causes(error: BaseException | None, seen: set[int]) -> Iterator[BaseException]:
    if error is None or id(error) in seen:
        return
    seen.add(id(error))
    yield error
    for other in (error.__cause__, error.__context__, *getattr(error, "exceptions", ())):
        yield from _with_causes(other, seen)


def _of_a_game(error: BaseException) -> bool:
    return any(games.holds(frame.f_globals.get("__name__", "")) for frame, _ in traceback.walk_tb(error.__traceback__))
