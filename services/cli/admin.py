"""`tidelog admin`: what operators do to matches. Each action stands in the gateway's log with who did it, and why."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeVar

from cyclopts import App

from services.cli.connection import HERE, Target, connected
from services.cli.errors import CheckFailed, UsageError
from services.cli.output import say, say_json

if TYPE_CHECKING:
    from tidelog.client.admin import Admin, Inspection
    from tidelog.client.answers import Receipt

Result = TypeVar("Result")

admin = App(name="admin", help="Look at matches, end them, and take them out of service.")

LISTS = ("quarantined", "rewound")


@admin.command
def inspect(match: str, *, json: bool = False, target: Target = HERE) -> None:
    """Print what the platform holds of a match; never a secret.

    Parameters
    ----------
    match
        its id
    json
        print one JSON document
    """
    found = _asked(target, lambda asking: asking.inspect(match))
    if json:
        say_json(found)
        return
    for line in _lines(found):
        say(line)


@admin.command
def abort(match: str, *, reason: str = "", json: bool = False, target: Target = HERE) -> None:
    """End a match without a result; its secret is revealed.

    Parameters
    ----------
    match
        its id
    reason
        told to everybody who may watch the match
    json
        print one JSON document
    """
    _require(reason)
    _tell(_asked(target, lambda asking: asking.abort(match, reason)), "is over", json=json)


@admin.command
def quarantine(match: str, *, reason: str = "", lift: bool = False, json: bool = False, target: Target = HERE) -> None:
    """Take a match out of service: it can be watched, and takes no moves, until that is lifted.

    Parameters
    ----------
    match
        its id
    reason
        told to everybody who may watch the match
    lift
        put it back into service
    json
        print one JSON document
    """
    _require(reason)
    if lift:
        _tell(_asked(target, lambda asking: asking.release(match, reason)), "is back in service", json=json)
    else:
        _tell(_asked(target, lambda asking: asking.quarantine(match, reason)), "is out of service", json=json)


@admin.command(name="list")
def list_(what: str, *, json: bool = False, target: Target = HERE) -> None:
    """List matches that take no commands, or whose logs went back.

    Parameters
    ----------
    what
        quarantined, or rewound
    json
        print one JSON document
    """
    if what not in LISTS:
        raise UsageError(f"there is no list of {what!r}; there are: {', '.join(LISTS)}")
    if what == "quarantined":
        held = _asked(target, _all_held)
        lines = [f"{item.match_id} {f'by {item.by}: {item.why}' if item.by else item.broken}" for item in held]
    else:
        held = _asked(target, lambda asking: asking.rewound(page_size=200))
        lines = [f"{item.match_id} was known up to {item.known} and ended at {item.head}" for item in held]
    if json:
        say_json(held)
        return
    for line in lines:
        say(line)


async def _all_held(asking: "Admin") -> list[Any]:
    return [item async for item in asking.quarantined(page_size=200)]


def _require(reason: str) -> None:
    if not reason.strip():
        raise UsageError("say why with --reason: it is told to the players, and logged")


def _asked(target: Target, work: "Callable[[Admin], Awaitable[Result]]") -> Result:
    """Raises CheckFailed with the refusal."""
    from tidelog.client import Refused

    async def ask() -> Result:
        async with connected(target) as client:
            return await work(client.admin())

    try:
        return asyncio.run(ask())
    except Refused as refused:
        raise CheckFailed(str(refused)) from refused


def _tell(receipt: "Receipt", became: str, *, json: bool) -> None:
    if json:
        say_json(receipt)
    else:
        say(f"{receipt.match_id} {became} at {receipt.cursor}")


def _lines(found: "Inspection") -> list[str]:
    lines = [f"log ends at {found.head}; feed {found.shard}: {found.kept_number} of {found.feed_number} kept"]
    if found.match is not None:
        known = found.match
        lines.append(f"{known.match_id} of {known.game}, rules {known.rules}: {known.status} at {known.cursor}")
        for seat in known.seats:
            who = f"{seat.player} ({seat.name})" if seat.player else "open"
            marks = [mark for mark, holds in (("bot", seat.bot), ("vacant", seat.vacant)) if holds]
            owes = [f"decision {turn.decision}" for turn in found.turns if turn.seat == seat.seat]
            lines.append(f"seat {seat.seat}: {', '.join([who, *marks, *owes])}")
    lines += [f"remembers {count} requests of {player}" for player, count in found.remembered.items()]
    if found.snapshot is not None:
        state = found.snapshot.unusable or f"at {found.snapshot.cursor}"
        lines.append(f"snapshot of {found.snapshot.bytes} bytes: {state}")
    lines.append(f"secret {'held' if found.secret_held else 'not held: it can only be read'}")
    if found.quarantine is not None:
        lines.append(f"out of service by {found.quarantine.by}: {found.quarantine.why}")
    if found.broken:
        lines.append(f"broken: {found.broken}")
    if found.rewind is not None:
        lines.append(f"went back: known up to {found.rewind.known}, ended at {found.rewind.head}")
    return lines
