"""What commands print: one JSON document on standard output with `--json`, else text; progress on standard error."""

import sys
from collections.abc import Iterable, Iterator
from typing import TypeVar

import msgspec

from services.common.lines import line, lines

ItemT = TypeVar("ItemT")


def say(text: str) -> None:
    """A line, at once: whoever waits for it may read a pipe."""
    sys.stdout.write(f"{line(text)}\n")
    sys.stdout.flush()


def say_lines(text: str) -> None:
    """Several lines, none of which holds what others chose and could have ended a line with."""
    sys.stdout.write(f"{lines(text)}\n")
    sys.stdout.flush()


def say_json(value: object) -> None:
    sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n")
    sys.stdout.buffer.flush()


def progress(items: Iterable[ItemT], label: str, total: int) -> Iterator[ItemT]:
    """The items, with a bar on standard error where that is a terminal and there is something to wait for."""
    if total < 2 or not sys.stderr.isatty():
        yield from items
        return
    from rich.console import Console
    from rich.progress import track

    yield from track(items, label, total, console=Console(stderr=True), transient=True)
