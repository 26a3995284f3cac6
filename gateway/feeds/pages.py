"""The feeds from a position on, page by page, and what a position is worth."""

from collections.abc import Sequence

from gateway.feeds.positions import UNKNOWN, Places, ShardPlace, feed_hash
from services.common.refusals import Reason, Refused
from services.eventlog.port import UNREADABLE, EventLog, FeedEntry

PAGE = 200


async def ends(event_log: EventLog) -> list[ShardPlace]:
    """Where every feed ends now."""
    numbers = await event_log.feed_numbers()
    held = await event_log.feed_hashes(numbers)
    return [
        ShardPlace(number, feed_hash(digest)) if number else ShardPlace()
        for number, digest in zip(numbers, held, strict=True)
    ]


async def check(event_log: EventLog, places: Places) -> None:
    """Whether the feeds go on from there. Raises Refused(LOG_REWOUND, CURSOR_EXPIRED) and the port's errors."""
    for shard, place in enumerate(places):
        if place is not None:
            await beyond(event_log, shard, place, 1)


async def beyond(event_log: EventLog, shard: int, place: ShardPlace, limit: int = PAGE) -> list[FeedEntry]:
    """The next entries of the feed. Raises Refused and the port's errors as `check` does."""
    after = max(place.number - 1, 0)
    entries = await event_log.read_feed(shard, after, limit + 1)
    if not entries:
        end = (await event_log.feed_numbers())[shard]
        if end < place.number:
            raise rewound()
        if end == place.number:
            return []
        entries = await event_log.read_feed(shard, after, limit + 1)  # appended meanwhile, or trimmed long since
        if not entries:
            raise _expired()
    first = entries[0]
    if first.number > place.number + 1:
        raise _expired()
    if first.number < place.number:
        raise rewound()
    if first.number == place.number:
        if place.hash not in (UNKNOWN, feed_hash(first.entry.hash)):
            raise rewound()
        return entries[1:]
    return entries[:limit]


async def first_versions(event_log: EventLog, shard: int, place: ShardPlace) -> dict[str, int]:
    """The first version of each match that the feed holds beyond the place. Raises as `check` does."""
    found: dict[str, int] = {}
    at: Sequence[FeedEntry] = await beyond(event_log, shard, place)
    while at:
        for fed in at:
            if fed.match not in found:
                found[fed.match] = await _version(event_log, fed)
        last = at[-1]
        at = await beyond(event_log, shard, ShardPlace(last.number, feed_hash(last.entry.hash)))
    return found


async def _version(event_log: EventLog, fed: FeedEntry) -> int:
    """Of an entry whose header can't be read too: its log knows where it stands."""
    if fed.entry.version != UNREADABLE:
        return fed.entry.version
    log = await event_log.read(fed.match)
    return next((place for place, entry in enumerate(log, start=1) if entry.hash == fed.entry.hash), 1)


def rewound() -> Refused:
    return Refused(Reason.LOG_REWOUND, "the position is not of these feeds, or the store went back")


def _expired() -> Refused:
    return Refused(Reason.CURSOR_EXPIRED, "the feeds do not go back so far any more; begin from the start, or from now")
