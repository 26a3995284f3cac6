"""How an onlooker is brought from a cursor to the present: the past from the log, then what is live."""

from collections.abc import Sequence

from gateway.callers.rights import check_audience
from gateway.matches import news
from gateway.matches.delayed import DelayedMatch
from gateway.matches.match import LiveMatch, closes, whole_commands
from gateway.matches.onlooker import Onlooker
from gateway.matches.pacing import Pacing
from gateway.matches.reading import cursor_of
from gateway.matches.shown import Shown
from gateway.matches.telling import Telling
from services.common.refusals import Reason, Refused
from services.eventlog.entries import MAX_COMMAND_EVENTS, BrokenLog, Cursor, Entry
from services.eventlog.loading import quarantined

PAGE = 200
WHOLE_PAGE = PAGE + MAX_COMMAND_EVENTS
"""Holds a whole command at least."""

TOLD_BYTES = 256
"""What a told entry takes beside its event, amply."""


async def bring_up(onlooker: Onlooker, shown: Shown) -> None:
    """Tells the past from the onlooker's cursor on, says that it has caught up, and leaves the onlooker with the match.

    An entry that comes while the past is told is told once: either it is read here, or it comes after the onlooker was
    admitted, which is at a moment when the match stood exactly where the reading had ended. Raises Refused and the
    port's errors.
    """
    live = await shown.current(onlooker.match_id, onlooker.caller)
    pacing = Pacing(onlooker.replay, live.version, shown.timer, shown.past)
    try:
        await _bring_up(onlooker, live, shown, pacing)
    finally:
        pacing.close()


async def _bring_up(onlooker: Onlooker, live: LiveMatch, shown: Shown, pacing: Pacing) -> None:
    after, page = cursor_of(onlooker.cursor), WHOLE_PAGE if onlooker.replay.situations else PAGE
    while not onlooker.ended:
        if live.aggregate.facts.terms.spectator_delay is not None:
            # Who may be told the next page is decided anew: seats are given up meanwhile.
            live = await shown.current(onlooker.match_id, onlooker.caller)
        check_audience(live.aggregate.facts, onlooker.caller, onlooker.who.seat)
        onlooker.delay = live.delay
        room = await onlooker.room()
        entries = await shown.read(live, after, page)
        at_once = not entries or onlooker.replay.is_plain
        if live.broken is None and at_once and _is_last(entries, room):
            live = await _joined(live, entries, after, shown)
            here = live.broken is None and shown.stands(live, onlooker.caller)
            if here and live.version == _reached(entries, after):
                live.admit(onlooker)
                for entry in entries:
                    _tell(onlooker, live, entry)
                _arrive(onlooker, live)
                return
        ends_here = len(entries) < page
        if onlooker.replay.situations and not ends_here:
            entries = whole_commands(entries)
        await _tell_sound_part(onlooker, live, entries, pacing)
        if live.broken is not None and (ends_here or entries[-1].version >= live.version):
            _arrive(onlooker, live)
            return
        after = entries[-1].cursor if entries else after


def _is_last(entries: Sequence[Entry], room: int) -> bool:
    """Whether the log ended here, and it is little enough to be told at once."""
    return len(entries) < PAGE and sum(len(entry.body) + TOLD_BYTES for entry in entries) <= room


def _reached(entries: Sequence[Entry], after: Cursor) -> int:
    return entries[-1].version if entries else after.version


async def _joined(live: LiveMatch, entries: Sequence[Entry], after: Cursor, shown: Shown) -> LiveMatch:
    """The match that others are told of, with these entries, which its log ended with."""
    if isinstance(live, DelayedMatch):
        return live
    matches = shown.live
    if matches.held(live.id) is live and matches.extend(live, entries) and live.version >= _reached(entries, after):
        return live
    return await matches.current(live.id)


async def _tell_sound_part(onlooker: Onlooker, live: LiveMatch, entries: Sequence[Entry], pacing: Pacing) -> None:
    """As fast as the client reads, or as slowly as it asked for."""
    for place, entry in enumerate(entries):
        if onlooker.ended:
            return
        if live.broken is None or entry.version <= live.version:
            await pacing.pause(entry)
            await onlooker.room()
            found = await pacing.situation(live.id, entry, onlooker.who, closes=closes(entries, place))
            _tell(onlooker, live, entry, found)


def _tell(onlooker: Onlooker, live: LiveMatch, entry: Entry, situation: bytes = b"") -> None:
    who = onlooker.who
    try:
        telling = Telling.of(live.aggregate, entry)
    except BrokenLog as broken:
        raise quarantined(broken) from broken
    onlooker.tell(news.entry(live.id, who.seat, telling.cursor, telling.to(who), situation))


def _arrive(onlooker: Onlooker, live: LiveMatch) -> None:
    if onlooker.ended:
        return
    who = onlooker.who
    found = live.situation(who) if who.wants_situations else b""
    onlooker.tell(news.caught_up(live.id, who.seat, onlooker.cursor, found, live.delay))
    if live.broken is not None:
        onlooker.end(Refused(Reason.QUARANTINED, live.broken.message, version=live.broken.version))
    elif live.aggregate.facts.over:
        onlooker.end()
