"""`tidelog rebuild`: a read model of a running gateway, built anew while it serves."""

import asyncio

import msgspec

from services.cli.connection import HERE, Target, connected
from services.cli.errors import CheckFailed, UsageError
from services.cli.output import say, say_json
from tidelog.client import Refused
from tidelog.client.admin import Rebuilt


def rebuild(name: str, *, json: bool = False, target: Target = HERE) -> None:
    """Build a read model of a gateway anew while it serves, and say whether it was right (exit status 1 if not).

    Parameters
    ----------
    name
        of the read model: matches, built from the logs, or another, built from matches
    json
        print one JSON document
    """
    found = asyncio.run(_rebuild(name, target))
    if json:
        say_json({"name": name, **msgspec.to_builtins(found)})
    else:
        say(
            f"{name}: {found.matches} matches, {found.rows} rows rebuilt{'' if found.differing_rows else ', all equal'}"
        )
    if found.differing_rows:
        raise CheckFailed(f"{name}: {found.differing_rows} rows were wrong or missing, and were put right")


async def _rebuild(name: str, target: Target) -> Rebuilt:
    async with connected(target) as client:
        try:
            return await client.admin().rebuild(name)
        except Refused as refused:
            wrong = UsageError if refused.reason == "malformed" else CheckFailed
            raise wrong(refused.message) from refused
