"""Watching, and the log: whatever breaks, each entry is told once and in order."""

import asyncio

import grpc
import pytest

from services.common import refusals
from services.common.refusals import Reason
from tests.protos.server import Log
from tidelog.client import Refused
from tidelog.client.answers import CaughtUp, Entry
from tidelog.client.trail import MATCHES, REMEMBERED, Trail
from tidelog.v1.payload_pb2 import Payload

LOST = grpc.StatusCode.UNAVAILABLE


async def grow(log: Log, count: int) -> None:
    for number in range(count):
        await log.append(Payload(json=str(number)))


async def watched(client, **how) -> list[int]:
    return [update.version async for update in client.watch("m", **how) if isinstance(update, Entry)]


async def test_a_match_that_is_over_is_told_whole(client, server):
    await grow(server.log(), 5)
    await server.log().end()
    updates = [update async for update in client.watch("m")]
    assert [type(update) for update in updates] == [Entry] * 5 + [CaughtUp]
    assert [update.event for update in updates[:5]] == [0, 1, 2, 3, 4]


async def test_a_broken_stream_is_resumed_without_gap_or_repeat(client, server):
    await grow(server.log(), 9)
    await server.log().end()
    server.break_after = [3, 0, 2, 3]
    assert await watched(client) == list(range(1, 10))
    assert server.requests == ["", *(server.log().cursor(version) for version in (3, 3, 5, 8))]


async def test_a_watch_begins_after_a_cursor_and_goes_on_live(client, server):
    await grow(server.log(), 3)
    watching = asyncio.create_task(watched(client, after=server.log().cursor(2)))
    await client.submit("m", 0, 1)
    await server.log().end()
    assert await watching == [3, 4]


async def test_a_refusal_that_would_come_again_is_raised(client, server):
    server.faults = [LOST, refusals.Refused(Reason.UNKNOWN_MATCH, "no such match")]
    with pytest.raises(Refused, match="unknown_match"):
        await watched(client)


async def test_a_slow_watcher_goes_on_where_it_was(client, server):
    await grow(server.log(), 2)
    await server.log().end()
    server.faults = [refusals.Refused(Reason.SLOW_CONSUMER, "slow")]
    assert await watched(client) == [1, 2]


async def test_after_a_rewind_the_last_common_position_is_found(client, server):
    await grow(server.log(), 4)
    await server.log().end()
    await watched(client)
    cursors = [server.log().cursor(version) for version in range(5)]
    rewound = server.logs["m"] = Log(line="bbbb", moves=server.log().moves[:3])
    rewound.cursor = lambda version: cursors[version] if version < 3 else Log.cursor(rewound, version)
    with pytest.raises(Refused) as caught:
        await watched(client, after=cursors[4])
    assert (caught.value.reason, caught.value.cursor) == ("log_rewound", rewound.head)
    common = await client.log("m").last_common()
    assert common == cursors[2]
    await rewound.end()
    assert await watched(client, after=common) == [3]


async def test_without_anything_seen_the_common_position_is_the_start(client):
    assert await client.log("m").last_common() == "0-0"


async def test_what_a_call_answers_is_no_position_that_was_told(client, server):
    """It may be beyond what a log that went back holds anew."""
    await grow(server.log(), 4)
    assert (await client.view("m")).cursor == server.log().head
    assert await client.log("m").last_common() == "0-0"


async def test_the_stored_entries_are_read_from_a_cursor(client, server):
    await grow(server.log(), 4)
    entries = [entry async for entry in client.log("m").read(after=server.log().cursor(1), limit=2)]
    assert [entry.cursor for entry in entries] == [server.log().cursor(2), server.log().cursor(3)]
    assert (entries[0].payload, entries[0].body) == (b"1", None)


async def test_an_export_comes_in_pieces(client):
    assert b"".join([chunk async for chunk in client.log("m").export(full=True)]) == b"one\ntwo\n"


async def test_an_import_is_sent_again_whole_under_the_same_request_id(client, server):
    server.faults = [LOST]
    receipt = await client.import_log([b"one\n", b"two\n"], restore=True)
    assert (receipt.match_id, server.imported) == ("imported", b"one\ntwo\n")
    assert len(server.requests) == 2
    assert server.requests[0] == server.requests[1]
    assert server.requests[0].restore


def test_a_trail_forgets_the_oldest():
    trail = Trail()
    for version in range(1, REMEMBERED + 10):
        trail.note("m", f"{version}-x")
    assert len(trail.cursors("m")) == REMEMBERED
    assert trail.cursors("m")[0] == "10-x"
    for match in range(MATCHES):
        trail.note(str(match), "1-x")
    assert trail.cursors("m") == []


def test_a_trail_ignores_the_start():
    trail = Trail()
    trail.note("m", "0-0")
    trail.note("m", "")
    assert trail.cursors("m") == []
