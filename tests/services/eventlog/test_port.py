"""What every event log promises, on the memory adapter and on a real store."""

import asyncio
import time

import pytest
from msgspec.structs import replace

from services.eventlog import hashes
from services.eventlog.entries import START
from services.eventlog.port import Append, Appended, Conflict
from tests.services.eventlog.logs import SECRET, MatchLog, first


async def test_an_unknown_match_has_nothing(event_log):
    assert await event_log.read("nowhere") == []
    assert await event_log.head("nowhere") == START
    assert await event_log.secret("nowhere") is None
    assert await event_log.snapshot("nowhere") is None


async def test_entries_are_read_in_order_to_the_byte(event_log):
    log = MatchLog()
    for events in (1, 3, 2):
        assert await event_log.append(log.command(events)) == Appended(log.entries[-1].cursor)
    assert await event_log.read(log.match) == log.entries
    assert await event_log.head(log.match) == log.entries[-1].cursor


async def test_reading_goes_on_from_any_version(event_log):
    log = MatchLog()
    await event_log.append(log.command(5))
    for after in range(6):
        assert await event_log.read(log.match, after) == log.entries[after:]
        assert await event_log.read(log.match, after, 2) == log.entries[after : after + 2]
    assert await event_log.read(log.match, 9) == []
    assert await event_log.read(log.match, 0, 0) == []


async def test_a_long_log_is_read_whole(event_log):
    log = MatchLog()
    for _ in range(3):
        await event_log.append(log.command(512))
    assert await event_log.read(log.match) == log.entries
    assert await event_log.read(log.match, 100, 1200) == log.entries[100:1300]


async def test_a_conflict_tells_the_head(event_log):
    log, other = MatchLog(), MatchLog()
    late = MatchLog("other-match")
    late.command(2)
    assert await event_log.append(late.command()) == Conflict(START)
    await event_log.append(log.command(2))
    head = Conflict(log.entries[-1].cursor)
    assert await event_log.append(other.command()) == head  # behind
    assert await event_log.append(other.command()) == head
    other.command(7)
    assert await event_log.append(other.command()) == head  # ahead


async def test_a_log_that_went_back_and_grew_again_takes_nothing_of_the_line_it_was(event_log):
    """Its length is what the stale append expects."""
    log, was = MatchLog(), MatchLog()
    for line, note in ((log, "now"), (was, "before")):
        line.command()
        line.command(2, note=note)
    await event_log.append(replace(log.command(), after=START, entries=tuple(log.entries), secret=SECRET))
    was.command(note="before")
    assert len(was.entries) == len(log.entries)
    assert await event_log.append(was.command()) == Conflict(log.entries[-1].cursor)
    assert await event_log.read(log.match) == log.entries
    assert await event_log.append(log.command()) == Appended(log.entries[-1].cursor)


async def test_a_conflict_writes_nothing(event_log):
    log = MatchLog()
    await event_log.append(log.command())
    before = await event_log.feed_numbers()
    stale = MatchLog()
    assert isinstance(await event_log.append(stale.command(3, note="stale")), Conflict)
    lost = MatchLog("lost")
    lost.command()
    assert await event_log.append(lost.command(3)) == Conflict(START)
    assert await event_log.read(log.match) == log.entries
    assert await event_log.read("lost") == []
    assert await event_log.feed_numbers() == before
    assert await event_log.heads(hashes.shard("lost")) == (
        {log.match: log.entries[-1].cursor} if hashes.shard("lost") == hashes.shard(log.match) else {}
    )


async def test_the_same_append_sent_again_is_a_conflict_with_our_bytes_after_expected(event_log):
    log = MatchLog()
    await event_log.append(log.command())
    again = log.command(2)
    await event_log.append(again)
    await event_log.append(log.command())
    assert await event_log.append(again) == Conflict(log.entries[-1].cursor)
    assert await event_log.read(log.match, again.expected, 2) == list(again.entries)


async def test_the_secret_is_the_first_appends(event_log):
    log = MatchLog()
    created = log.command()
    await event_log.append(created)
    usurper = Append(log.match, START, MatchLog(log.match).command(note="usurper").entries, b"another")
    assert isinstance(await event_log.append(usurper), Conflict)
    await event_log.append(log.command())
    assert await event_log.secret(log.match) == SECRET


def test_an_append_has_dense_versions_and_a_secret_with_the_first_alone():
    log = MatchLog()
    created, second = log.command(), log.command(2)
    for entries in ((), second.entries[1:], second.entries[::-1], second.entries + second.entries):
        with pytest.raises(ValueError, match="do not follow 1"):
            Append(log.match, created.entries[0].cursor, entries)
    with pytest.raises(ValueError, match="secret"):
        Append(log.match, START, created.entries)
    with pytest.raises(ValueError, match="secret"):
        Append(log.match, created.entries[0].cursor, second.entries, SECRET)


async def test_of_concurrent_appends_of_one_match_exactly_one_wins(event_log):
    log = MatchLog()
    await event_log.append(log.command())
    rivals = [MatchLog() for _ in range(12)]
    for rival in rivals:
        rival.command()
    asked = [rival.command(2, note=str(n)) for n, rival in enumerate(rivals)]
    answers = await asyncio.gather(*map(event_log.append, asked))
    (winner,) = [n for n, answer in enumerate(answers) if isinstance(answer, Appended)]
    assert await event_log.read(log.match, 1) == list(asked[winner].entries)
    assert {answer.head for answer in answers} == {asked[winner].entries[-1].cursor}


async def test_heads_are_those_of_the_shard(event_log):
    logs = [MatchLog(f"match-{n}") for n in range(40)]
    await asyncio.gather(*(event_log.append(log.command(n % 3 + 1)) for n, log in enumerate(logs)))
    await asyncio.gather(*(event_log.append(log.command()) for log in logs[::2]))
    for shard in range(hashes.SHARDS):
        expected = {log.match: log.entries[-1].cursor for log in logs if hashes.shard(log.match) == shard}
        assert await event_log.heads(shard) == expected


async def test_snapshots_are_replaced_and_dropped(event_log):
    await event_log.put_snapshot("a", b"\x00one")
    await event_log.put_snapshot("b", b"other")
    await event_log.put_snapshot("a", b"\xfftwo")
    assert await event_log.snapshot("a") == b"\xfftwo"
    await event_log.drop_snapshot("a")
    await event_log.drop_snapshot("a")
    assert await event_log.snapshot("a") is None
    assert await event_log.snapshot("b") == b"other"


async def test_editions_are_kept_by_their_hash(event_log):
    assert await event_log.edition("0" * 64) is None
    await event_log.put_edition("0" * 64, b"{}")
    await event_log.put_edition("0" * 64, b"{}")
    assert await event_log.edition("0" * 64) == b"{}"


async def test_the_stores_clock_is_a_clock(event_log):
    first_time = await event_log.time_ms()
    assert abs(first_time - time.time() * 1000) < 60_000
    assert await event_log.time_ms() >= first_time


async def test_names_of_any_letters(event_log):
    created = first("Zürich {s03} 🏝")
    await event_log.append(created)
    assert await event_log.read(created.match) == list(created.entries)
    assert list(await event_log.heads(hashes.shard(created.match))) == [created.match]
