"""What each seat had scored after every entry of a match, as one audience sees it."""

import asyncio
from collections.abc import Sequence

from gateway.matches.match import LiveMatch, closes, whole_commands
from gateway.matches.shown import Shown
from services.eventlog.aggregate import Aggregate
from services.eventlog.entries import MAX_COMMAND_EVENTS, BrokenLog, Cursor, Entry
from services.eventlog.loading import quarantined
from tidelog.v1.matches_pb2 import ListScoresResponse, Scored

PAGE = 400
"""Entries that an answer looks at, and those of a command that goes on behind."""


async def scores(live: LiveMatch, shown: Shown, seat: int | None, after: Cursor) -> ListScoresResponse:
    """The piece behind the cursor, without its delay. Raises Refused and the port's errors."""
    page = PAGE + MAX_COMMAND_EVENTS
    entries = await shown.read(live, after, page)
    looked_at = whole_commands(entries) if len(entries) == page else entries
    count = sum(entry.version <= live.version for entry in looked_at)
    if not count:
        if live.broken is not None:
            raise live.broken
        return ListScoresResponse(cursor=str(after))
    last = entries[count - 1]
    return ListScoresResponse(
        scored=await _scored(live.id, shown, seat, entries, count),
        cursor=str(last.cursor),
        more=last.version < live.version or live.broken is not None,
    )


async def _scored(match_id: str, shown: Shown, seat: int | None, entries: Sequence[Entry], count: int) -> list[Scored]:
    """The first `count` entries; those behind them tell whether their command goes on."""
    found: list[Scored] = []
    fold = await shown.past.at(match_id, entries[0].version)
    for place, entry in enumerate(entries[:count]):
        try:
            if place:
                fold.apply(entry)
        except BrokenLog as broken:
            raise quarantined(broken) from broken
        goes_on = not closes(entries, place)
        here = _after(fold, seat, goes_on=goes_on)
        if not (goes_on and found and (here.turn, here.scores) == (found[-1].turn, found[-1].scores)):
            found.append(here)
        await asyncio.sleep(0)  # views take time: others come in between
    shown.past.give_back(fold)
    return found


def _after(fold: Aggregate, seat: int | None, *, goes_on: bool) -> Scored:
    engine = fold.engine
    counted = () if engine.scores is None else engine.scores(engine.view(fold.state, seat))
    return Scored(version=fold.facts.version, turn=engine.turns(fold.state), scores=counted, goes_on=goes_on)
