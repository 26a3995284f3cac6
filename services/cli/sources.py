"""Exports that a command is given: files, folders, or matches of a running platform."""

import asyncio
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from services.cli.connection import Target
from services.cli.errors import CheckFailed, UsageError
from services.eventlog.reading import Export, lines_of, read

CHUNK = 1 << 16
MATCH_ID = re.compile(r"[A-Z2-7]{24}")


class Source(Struct, frozen=True):
    """A file, or with `path` None the match of that name on the target."""

    name: str
    path: Path | None
    target: Target


def sources(words: Sequence[str], target: Target) -> list[Source]:
    """The files and matches named, and the files of the folders named. Raises UsageError where there is none."""
    found: list[Source] = []
    for word in words:
        path = Path(word)
        if path.is_dir():
            inside = sorted(path.glob("*.jsonl"))
            if not inside:
                raise UsageError(f"{path} holds no export (*.jsonl)")
            found += [Source(str(file), file, target) for file in inside]
        elif path.is_file():
            found.append(Source(word, path, target))
        elif MATCH_ID.fullmatch(word):
            found.append(Source(word, None, target))
        else:
            raise UsageError(f"there is no file {word}, and a match id has 24 characters A-Z, 2-7")
    return found


def export(source: Source) -> Export:
    """The checked export. Raises BadExport, and for a match of a platform CheckFailed."""
    if source.path is not None:
        return read(lines_of(_chunks(source.path)))
    return read(lines_of([asyncio.run(_fetched(source))]))


async def _fetched(source: Source) -> bytes:
    """All that the caller may have of the match: the whole log, for others than admins once it is over."""
    from services.cli.fetching import fetched
    from tidelog.client import Refused

    match, target = source.name, source.target
    try:
        try:
            return await fetched(match, target, full=True, with_secrets=True)
        except Refused as refused:
            if refused.reason != "not_allowed":
                raise
            return await fetched(match, target)
    except Refused as refused:
        raise CheckFailed(f"{match}: {refused}") from refused


def _chunks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            yield chunk
