"""`tidelog replay`: what happened in a match, event by event."""

from collections.abc import Iterator
from math import inf
from pathlib import Path
from time import sleep
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from engines.core.games import UnknownGame
from engines.core.outcome import Outcome
from engines.core.words import Sentence
from services.cli.connection import HERE, Target
from services.cli.errors import CheckFailed, UsageError
from services.cli.output import say, say_json, say_lines
from services.cli.sources import export, sources
from services.cli.telling import Storyteller, chosen, wording
from services.eventlog.aggregate import Aggregate, told
from services.eventlog.entries import Header, header_of
from services.eventlog.reading import BadExport, Export
from services.eventlog.words import ranked

EVERYTHING = -1
"""The audience `all`: every event as it was emitted."""


class Step(Struct, frozen=True):
    """`text` is `sentence` in the language chosen."""

    version: int
    at: int
    seat: int | None
    type: str
    event: Any
    sentence: Sentence
    text: str = ""


class Replay(Struct, frozen=True):
    """`view` is the table after the last step as the audience sees it; None for a redacted export, which can't fold.

    `ranking` is `outcome` in the language chosen, line by line.
    """

    match: str
    game: str
    audience: str
    head: str
    steps: list[Step]
    view: Any
    outcome: Outcome | None
    ranking: list[str]


def replay(  # noqa: PLR0913 - the command's own options
    source: str,
    *,
    at: int | None = None,
    seat: str = "all",
    speed: float | None = None,
    language: str = "",
    json: bool = False,
    target: Target = HERE,
) -> None:
    """Tell what happened in a match, and its final ranking.

    Parameters
    ----------
    source
        an export, or the id of a match on a running platform
    at
        stop after this version
    seat
        as seat N, `spectator` or `all` saw it
    speed
        wait between events as the players did, so many times faster; at once without it
    language
        `en`, `cs`; by default that of the environment (LANG), else English
    json
        print one JSON document, with the events themselves
    """
    if speed is not None and not 0 < speed < inf:
        raise UsageError("speed is a number above 0")
    found = _export(source, target)
    result = replayed(found, _audience(seat, found), at, language)
    if json:
        say_json(result)
        return
    for step in _paced(result.steps, speed):
        say(f"{step.version:>5} {step.text}")
    if at is not None and result.view is not None:
        say_lines(msgspec.json.format(msgspec.json.encode(result.view), indent=1).decode())
    for text in result.ranking:
        say(text)


def replayed(found: Export, audience: int | None, at: int | None = None, language: str = "") -> Replay:
    """The steps up to version `at` for a seat, None (a spectator) or EVERYTHING. Raises UsageError."""
    name = _name(audience) if found.entries else found.header.audience
    if audience != EVERYTHING and name != _name(audience):
        raise UsageError(f"this export holds what {name} was told, and nothing for {_name(audience)}")
    last = len(found.entries) or len(found.lines)
    if at is not None and not 1 <= at <= last:
        raise UsageError(f"the versions of this log are 1 to {last}")
    stop = last if at is None else at
    try:
        words = wording(found.header.game, chosen(language, found.header.game))
        steps, view, outcome = _full(found, audience, stop) if found.entries else _redacted(found, stop)
    except UnknownGame as error:
        raise UsageError(str(error)) from error
    steps = [replace(step, text=words.say(msgspec.to_builtins(step.sentence))) for step in steps]
    ranking = [] if outcome is None else [words.say(msgspec.to_builtins(line)) for line in ranked(outcome)]
    return Replay(found.header.match, found.header.game, name, found.head, steps, view, outcome, ranking)


def _export(source: str, target: Target) -> Export:
    if Path(source).is_dir():
        raise UsageError(f"there is no file {source}: one export is replayed at a time")
    try:
        return export(sources((source,), target)[0])
    except BadExport as bad:
        raise CheckFailed(f"{source}: {bad}") from bad


def _audience(text: str, found: Export) -> int | None:
    if text == "spectator":
        return None
    if text == "all":
        return EVERYTHING
    if not text.isdecimal() or int(text) >= found.header.seats:
        raise UsageError(f"seat is 0 to {found.header.seats - 1}, spectator or all, not {text!r}")
    return int(text)


def _name(audience: int | None) -> str:
    return "spectator" if audience is None else "all" if audience == EVERYTHING else f"seat {audience}"


def _full(found: Export, audience: int | None, stop: int) -> tuple[list[Step], Any, Outcome | None]:
    """Folds the log once more, to the version asked for; before its reveal an event is told as it was then."""
    header = found.header
    assert found.aggregate is not None
    aggregate = Aggregate.recorded(header.match, found.aggregate.facts.created, header.edition.encode())
    story = Storyteller(header.game, header.edition.encode())
    steps: list[Step] = []
    for entry in found.entries[:stop]:
        event = aggregate.apply(entry).payload
        shown = event if audience == EVERYTHING else told(aggregate.engine, aggregate.facts, event, audience)
        steps.append(_step(header_of(entry), shown, story.told(shown)))
    viewer = None if audience == EVERYTHING else audience
    return steps, aggregate.engine.view(aggregate.state, viewer), aggregate.facts.outcome


def _redacted(found: Export, stop: int) -> tuple[list[Step], Any, Outcome | None]:
    story = Storyteller(found.header.game, found.header.edition.encode())
    steps: list[Step] = []
    for line in found.lines[:stop]:
        header = msgspec.json.decode(line.header, type=Header)
        sentence = story.read(header.type, line.payload)
        steps.append(_step(header, msgspec.json.decode(line.payload), sentence))
    ends = [step.event["outcome"] for step in steps if step.type == "match.finished"]
    return steps, None, msgspec.convert(ends[-1], Outcome) if ends else None


def _step(header: Header, event: Any, sentence: Sentence) -> Step:
    return Step(header.version, header.at, header.seat, header.type, event, sentence)


def _paced(steps: list[Step], speed: float | None) -> Iterator[Step]:
    before = steps[0].at
    for step in steps:
        if speed:
            sleep(max(0, step.at - before) / 1000 / speed)
        before = step.at
        yield step
