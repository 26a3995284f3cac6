"""The feeds of every event log: dense numbers, holes that show, and waiting that ends at once."""

import asyncio

from services.eventlog import hashes
from tests.services.eventlog.logs import EVERY_FEED, MatchLog, first, same_shard

LONG_MS = 60_000


async def test_a_feed_carries_its_shards_entries_in_order_under_dense_numbers(event_log):
    logs = [MatchLog(match) for match in same_shard(3)]
    appended = []
    for turn in range(4):
        for log in logs:
            command = log.command(turn % 2 + 1)
            await event_log.append(command)
            appended += [(log.match, entry) for entry in command.entries]
    feed = await event_log.read_feed(0, 0)
    assert [entry.number for entry in feed] == list(range(1, len(appended) + 1))
    assert [(entry.match, entry.entry) for entry in feed] == appended
    assert await event_log.read_feed(0, 5, 3) == feed[5:8]
    assert await event_log.read_feed(0, len(feed)) == []
    assert await event_log.feed_numbers() == (len(feed), *EVERY_FEED[1:])


async def test_following_gives_what_lies_beyond_the_numbers_of_each_feed(event_log):
    commands = [first(f"match-{n}") for n in range(50)]
    await asyncio.gather(*map(event_log.append, commands))
    found = await event_log.follow(EVERY_FEED, 0)
    assert {(feed.match, feed.entry) for _, feed in found} == {(c.match, c.entries[0]) for c in commands}
    assert all(shard == hashes.shard(feed.match) for shard, feed in found)
    numbers = await event_log.feed_numbers()
    assert await event_log.follow(numbers, 0) == []
    one_less = (max(numbers[0] - 1, 0), *numbers[1:])
    assert [feed.number for _, feed in await event_log.follow(one_less, 0)] == [numbers[0]]


async def test_following_ends_without_news_when_the_time_is_up(event_log):
    assert await event_log.follow(EVERY_FEED, 1) == []


async def test_every_follower_is_woken_by_an_append(event_log):
    following = [asyncio.create_task(event_log.follow(EVERY_FEED, LONG_MS)) for _ in range(3)]
    created = first("island-42")
    await event_log.append(created)
    async with asyncio.timeout(30):
        for found in await asyncio.gather(*following):
            ((shard, feed),) = found
            assert (shard, feed.number, feed.entry) == (hashes.shard("island-42"), 1, created.entries[0])


async def test_a_follower_is_not_woken_by_what_it_has_seen(event_log):
    await event_log.append(first("island-42"))
    numbers = await event_log.feed_numbers()
    following = asyncio.create_task(event_log.follow(numbers, LONG_MS))
    new = first("island-43")
    await event_log.append(new)
    async with asyncio.timeout(30):
        ((_, feed),) = await following
    assert feed.entry == new.entries[0]


async def test_a_follower_that_leaves_disturbs_nobody(event_log):
    leaving = asyncio.create_task(event_log.follow(EVERY_FEED, LONG_MS))
    staying = asyncio.create_task(event_log.follow(EVERY_FEED, LONG_MS))
    await event_log.time_ms()
    leaving.cancel()
    await event_log.append(first("island-42"))
    async with asyncio.timeout(30):
        assert len(await staying) == 1
        assert len(await event_log.follow(EVERY_FEED, LONG_MS)) == 1


async def test_the_entry_of_a_number_is_told_by_its_hash(event_log):
    log = MatchLog(same_shard(1)[0])
    await event_log.append(log.command(3))
    for number, entry in enumerate(log.entries, start=1):
        assert await event_log.feed_hashes((number, *EVERY_FEED[1:])) == (entry.hash, *[b""] * 15)
    assert (await event_log.feed_hashes((4, *EVERY_FEED[1:])))[0] == b""
    await event_log.trim_feeds(await event_log.time_ms() + 86_400_000)
    assert (await event_log.feed_hashes((3, *EVERY_FEED[1:])))[0] == b""


async def test_trimming_drops_what_is_older_and_shows_as_a_hole(event_log):
    log = MatchLog(same_shard(1)[0])
    await event_log.append(log.command(5))
    between = await event_log.time_ms() + 1
    while await event_log.time_ms() < between:
        pass
    await event_log.append(log.command(4))
    assert await event_log.trim_feeds(between) == 5
    assert [feed.number for feed in await event_log.read_feed(0, 0)] == [6, 7, 8, 9]
    assert [feed.number for _, feed in await event_log.follow(EVERY_FEED, 0)] == [6, 7, 8, 9]
    assert [feed.number for feed in await event_log.read_feed(0, 7)] == [8, 9]
    assert await event_log.trim_feeds(between) == 0


async def test_numbers_go_on_after_a_feed_is_trimmed_to_nothing(event_log):
    log = MatchLog(same_shard(1)[0])
    await event_log.append(log.command(3))
    tomorrow = await event_log.time_ms() + 86_400_000
    assert await event_log.trim_feeds(tomorrow) == 3
    assert await event_log.trim_feeds(tomorrow) == 0
    assert await event_log.read_feed(0, 0) == []
    assert (await event_log.feed_numbers())[0] == 3
    await event_log.append(log.command())
    assert [feed.number for feed in await event_log.read_feed(0, 0)] == [4]


async def test_trimming_leaves_logs_and_heads_alone(event_log):
    log = MatchLog()
    await event_log.append(log.command(6))
    await event_log.trim_feeds(await event_log.time_ms() + 86_400_000)
    assert await event_log.read(log.match) == log.entries
    assert await event_log.head(log.match) == log.entries[-1].cursor
