"""`tidelog show`: the table of a match at any version."""

import asyncio

import msgspec

from services.cli.connection import HERE, Target, connected
from services.cli.errors import CheckFailed, UsageError
from services.cli.output import say_json, say_lines
from services.cli.watch import seat_of
from tidelog.client import Refused
from tidelog.client.answers import View


def show(match: str, *, seat: str = "spectator", json: bool = False, target: Target = HERE) -> None:
    """Print the view of a match of a running platform, now or after an earlier entry.

    Parameters
    ----------
    match
        id of the match, with `@V` behind it at version V
    seat
        as seat N or `spectator` sees it
    json
        print one JSON document that names version and cursor
    """
    name, at, text = match.partition("@")
    if at and not text.isdecimal():
        raise UsageError(f"a version is a number, not {text!r}")
    number = seat_of(seat)
    found = asyncio.run(_view(name, number, int(text) if at else None, target))
    view = msgspec.to_builtins(found.view)
    if json:
        say_json({"match": name, "seat": number, "version": found.version, "cursor": found.cursor, "view": view})
    else:
        say_lines(msgspec.json.format(msgspec.json.encode(view), indent=1).decode())


async def _view(match: str, seat: int | None, version: int | None, target: Target) -> View:
    async with connected(target) as client:
        try:
            return await client.view(match, seat=seat, version=version)
        except Refused as refused:
            raise CheckFailed(f"{match}: {refused.message}") from refused
