"""Text that others chose (names, reasons, ids) among lines of ours: it must not look like one, or steer a terminal."""

import re

_STEERS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
"""Control characters, other ends of lines, and marks that turn the direction of writing."""


def line(text: str) -> str:
    """The text as one line, with `?` for each character that a terminal would obey instead of showing it."""
    return _STEERS.sub("?", text)


def lines(text: str) -> str:
    """The same for a text of our own making that has several."""
    return "\n".join(map(line, text.split("\n")))
