"""`tidelog import`: a full export goes into the store of a running platform."""

import asyncio
from hashlib import sha256
from pathlib import Path

from services.cli.connection import HERE, Target, connected
from services.cli.errors import CheckFailed, UsageError
from services.cli.output import say
from tidelog.client import Refused
from tidelog.client.answers import Receipt

CHUNK = 60 * 1024


def import_log(
    file: Path,
    *,
    restore: bool = False,
    target: Target = HERE,
) -> None:
    """Import a full export: read-only under a new id, or with --restore (admins) as the match that it was.

    Parameters
    ----------
    file
        the export
    restore
        keep the match's id; it can be played on if the export holds its secret
    """
    if not file.is_file():
        raise UsageError(f"there is no file {file}")
    receipt = asyncio.run(_import(file.read_bytes(), target, restore=restore))
    again = " (it was there already)" if receipt.duplicate else ""
    say(f"{receipt.match_id} at {receipt.cursor}{again}")


async def _import(content: bytes, target: Target, *, restore: bool) -> Receipt:
    """The same file sent twice is one import: its request id is its hash."""
    request_id = sha256(content).hexdigest()
    chunks = [content[start : start + CHUNK] for start in range(0, len(content), CHUNK)]
    async with connected(target) as client:
        try:
            return await client.import_log(chunks, restore=restore, request_id=request_id)
        except Refused as refused:
            raise CheckFailed(str(refused)) from refused
