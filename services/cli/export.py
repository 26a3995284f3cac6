"""`tidelog export`: a match's log as a file that checks on its own."""

import asyncio
import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from services.cli.connection import HERE, Target
from services.cli.errors import CheckFailed, UsageError
from services.cli.fetching import fetched
from services.cli.output import say
from tidelog.client import Refused


def export(
    match: str,
    *,
    seat: str = "full",
    with_secrets: bool = False,
    out: Annotated[Path | None, Parameter(alias="-o")] = None,
    target: Target = HERE,
) -> None:
    """Write the export of a match: full, or as one seat or a spectator was told it.

    Parameters
    ----------
    match
        id of the match
    seat
        full, spectator, or the number of a seat
    with_secrets
        include the secret of a match that is not over (admins)
    out
        file to write; standard output without it
    """
    if seat not in ("full", "spectator") and not seat.isdigit():
        raise UsageError(f"seat is full, spectator or a number, not {seat!r}")
    content = asyncio.run(_content(match, seat, target, with_secrets=with_secrets))
    if out is None:
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
        return
    part = out.with_name(f"{out.name}.part")
    part.write_bytes(content)
    part.replace(out)
    say(f"{match}: {len(content)} bytes in {out}")


async def _content(match: str, seat: str, target: Target, *, with_secrets: bool) -> bytes:
    """Raises CheckFailed with the refusal's sentence."""
    number = int(seat) if seat.isdigit() else None
    try:
        return await fetched(match, target, seat=number, full=seat == "full", with_secrets=with_secrets)
    except Refused as refused:
        raise CheckFailed(f"{match}: {refused}") from refused
