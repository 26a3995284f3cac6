"""`tidelog watch`: a match of a running platform, as it goes on."""

import asyncio
from math import isfinite
from typing import Any

import msgspec
from msgspec import Struct

from services.cli.connection import HERE, Target, connected
from services.cli.errors import CheckFailed, UsageError
from services.cli.output import say, say_json
from services.cli.telling import chosen
from services.eventlog.entries import BadCursor, Cursor
from services.eventlog.words import told_later
from tidelog.client import SENTENCE, Refused, Wording
from tidelog.client.answers import CaughtUp, Entry


class Step(Struct, frozen=True):
    version: int
    at: int
    seat: int | None
    type: str
    event: Any
    text: str


def seat_of(text: str) -> int | None:
    """Raises UsageError."""
    if text != "spectator" and not text.isdecimal():
        raise UsageError(f"seat is a number or spectator, not {text!r}")
    return None if text == "spectator" else int(text)


def watch(  # noqa: PLR0913 - the command's own options
    match: str,
    *,
    seat: str = "spectator",
    speed: float | None = None,
    after: str = "",
    until: int | None = None,
    language: str = "",
    json: bool = False,
    target: Target = HERE,
) -> None:
    """Tell a match of a running platform, the past first, then live until it is over.

    Parameters
    ----------
    match
        id of the match
    seat
        as seat N or `spectator` is told it
    speed
        tell the past with its pauses, so many times faster; at once without it
    after
        begin after this cursor
    until
        stop after this version
    language
        `en`, `cs`; by default that of the environment (LANG), else English
    json
        print one JSON document at the end, with the events themselves
    """
    if speed is not None and not (isfinite(speed) and speed > 0):
        raise UsageError("speed is a number above 0")
    _check_cursor(after)
    if until is not None and until < 1:
        raise UsageError("versions are numbered from 1")
    asked = {"seat": seat_of(seat), "speed": speed or 0, "after": after, "until": until or 0}
    steps = asyncio.run(_watched(match, asked, language, target, quiet=json))
    if json:
        say_json({"match": match, "steps": steps})


def _check_cursor(text: str) -> None:
    try:
        Cursor.parse(text or "0-0")
    except BadCursor as error:
        raise UsageError(str(error)) from error


async def _watched(match: str, asked: dict[str, Any], language: str, target: Target, *, quiet: bool) -> list[Step]:
    """What was told; kept only where it is not printed."""
    steps: list[Step] = []
    async with connected(target) as client:
        try:
            game = (await client.match(match)).match.game
            words = await client.wording(match, chosen(language, game))
            async for update in client.watch(match, include=(SENTENCE,), **asked):
                if isinstance(update, Entry) and quiet:
                    steps.append(_step(update, words))
                elif isinstance(update, Entry):
                    say(f"{update.version:>5} {_text(update, words)}")
                elif isinstance(update, CaughtUp) and update.delay is not None and not quiet:
                    told = told_later(update.delay.unit, update.delay.count)
                    say(f"      {words.say(msgspec.to_builtins(told))}")
        except Refused as refused:
            wrong = UsageError if refused.reason == "malformed" else CheckFailed
            raise wrong(f"{match}: {refused.message}") from refused
    return steps


def _step(entry: Entry, words: Wording) -> Step:
    return Step(entry.version, entry.at_ms, entry.seat, entry.type, entry.event, _text(entry, words))


def _text(entry: Entry, words: Wording) -> str:
    return entry.type if entry.sentence is None else words.say(entry.sentence)
