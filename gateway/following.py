"""How an onlooker is brought from a cursor to the present: the past from the log, then what is live."""

from collections.abc import Sequence

from gateway import news
from gateway.live import LiveMatches
from gateway.match import LiveMatch
from gateway.onlooker import Onlooker
from gateway.reading import cursor_of, read_after
from gateway.rights import check_audience
from gateway.telling import Telling
from services.common.refusals import Reason, Refused
from services.eventlog.entries import BrokenLog, Cursor, Entry
from services.eventlog.loading import quarantined
from services.eventlog.port import EventLog

PAGE = 200
TOLD_BYTES = 256
"""What a told entry takes beside its event, amply."""


async def bring_up(onlooker: Onlooker, matches: LiveMatches, event_log: EventLog) -> None:
    """Tells the past from the onlooker's cursor on, says that it has caught up, and leaves the onlooker with the match.

    An entry that comes while the past is told is told once: either it is read here, or it comes after the onlooker was
    admitted, which is at a moment when the match stood exactly where the reading had ended. Raises Refused and the
    port's errors.
    """
    after = cursor_of(onlooker.cursor)
    live = await matches.current(onlooker.match_id)
    while not onlooker.ended:
        check_audience(live.aggregate.facts, onlooker.caller, onlooker.who.seat)
        room = await onlooker.room()
        entries = await read_after(event_log, live.id, after, PAGE)
        if live.broken is None and _is_last(entries, room):
            live = await _joined(live, entries, after, matches)
            here = live.broken is None and matches.held(live.id) is live
            if here and live.version == _reached(entries, after):
                live.admit(onlooker)
                for entry in entries:
                    _tell(onlooker, live, entry)
                _arrive(onlooker, live)
                return
        await _tell_sound_part(onlooker, live, entries)
        if live.broken is not None and (len(entries) < PAGE or entries[-1].version >= live.version):
            _arrive(onlooker, live)
            return
        after = entries[-1].cursor if entries else after


def _is_last(entries: Sequence[Entry], room: int) -> bool:
    """Whether the log ended here, and it is little enough to be told at once."""
    return len(entries) < PAGE and sum(len(entry.body) + TOLD_BYTES for entry in entries) <= room


def _reached(entries: Sequence[Entry], after: Cursor) -> int:
    return entries[-1].version if entries else after.version


async def _joined(live: LiveMatch, entries: Sequence[Entry], after: Cursor, matches: LiveMatches) -> LiveMatch:
    """The match that others are told of, with these entries, which its log ended with."""
    if matches.held(live.id) is live and matches.extend(live, entries) and live.version >= _reached(entries, after):
        return live
    return await matches.current(live.id)


async def _tell_sound_part(onlooker: Onlooker, live: LiveMatch, entries: Sequence[Entry]) -> None:
    """As fast as the client reads."""
    for entry in entries:
        if live.broken is None or entry.version <= live.version:
            await onlooker.room()
            _tell(onlooker, live, entry)


def _tell(onlooker: Onlooker, live: LiveMatch, entry: Entry) -> None:
    who = onlooker.who
    try:
        telling = Telling.of(live.aggregate, entry)
    except BrokenLog as broken:
        raise quarantined(broken) from broken
    onlooker.tell(news.entry(live.id, who.seat, telling.cursor, telling.to(who)))


def _arrive(onlooker: Onlooker, live: LiveMatch) -> None:
    who = onlooker.who
    found = live.situation(who) if who.wants_situations else b""
    onlooker.tell(news.caught_up(live.id, who.seat, onlooker.cursor, found))
    if live.broken is not None:
        onlooker.end(Refused(Reason.QUARANTINED, live.broken.message, version=live.broken.version))
    elif live.aggregate.facts.over:
        onlooker.end()
