"""WatchMatch: from any cursor, on any gateway, without gap or repeat, and only what the audience may see."""

import asyncio
from functools import partial

import grpc
import msgspec
import pytest

from services.common import wire
from services.common.refusals import Reason
from services.eventlog.commands import Leave
from services.eventlog.lifecycle import LogAfterEnd
from tests.gateway.floor import play_on, refusal, started_match
from tests.gateway.played import ANN, ENGINE, PlayedMatch
from tests.gateway.waiting import told_so_far, until
from tidelog.v1.payload_pb2 import PAYLOAD_FORM_JSON, PAYLOAD_FORM_TYPED
from tidelog.v1.updates_pb2 import INCLUDE_LEGAL, INCLUDE_SENTENCE, INCLUDE_VIEW

BOTH = [INCLUDE_VIEW, INCLUDE_LEGAL]


async def collected(client, match_id, **fields):
    """All updates up to the end of the stream."""
    async with asyncio.timeout(30):
        return [update async for update in client.updates(match_id, **fields)]


async def until_caught_up(updates):
    """The entries told before, and the update that says it; the stream stays open."""
    entries = []
    async for update in updates:
        if update.HasField("caught_up"):
            return entries, update.caught_up
        entries.append(update.entry)
    raise AssertionError("the stream ended")


async def next_entry(updates):
    async with asyncio.timeout(30):
        async for update in updates:
            if update.HasField("entry"):
                return update.entry
    raise AssertionError("the stream ended")


def cursors(updates):
    return [update.entry.cursor for update in updates if update.HasField("entry")]


async def test_a_match_is_told_from_its_first_entry_to_its_end_while_it_is_played(ann, bob):
    match_id = await started_match(ann, bob)
    watching = asyncio.create_task(collected(bob, match_id, seat=1))
    await play_on([ann, bob], match_id)
    updates = await watching
    log = await ann.call("GetMatch", match_id=match_id)
    versions = [update.entry.version for update in updates if update.HasField("entry")]
    assert versions == list(range(1, log.match.version + 1))
    assert updates[-1].end.cursor == log.match.cursor
    assert not updates[-1].end.HasField("refusal")
    assert sum(update.HasField("caught_up") for update in updates) == 1


@pytest.mark.parametrize("seat", [None, 0, 1])
async def test_a_watch_resumes_from_every_version_on_another_gateway(floor, gateway, log, seat):
    other = await floor.gateway()
    played = await PlayedMatch(log, "MATCH", seed=3).started()
    for _ in range(12):
        await played.move()
    every = [str(entry.cursor) for entry in played.entries]
    clients = [await floor.client(found, "bob" if seat == 1 else "ann") for found in (gateway, other)]
    fields = {} if seat is None else {"seat": seat}
    for version in range(len(every) + 1):
        after = every[version - 1] if version else ""
        updates = clients[version % 2].updates("MATCH", after=after, **fields)
        entries, caught_up = await until_caught_up(updates)
        assert [entry.cursor for entry in entries] == every[version:]
        assert caught_up.cursor == every[-1]
        await updates.aclose()


async def test_live_entries_follow_the_past_without_gap_or_repeat_on_every_gateway(floor, gateway, log):
    other = await floor.gateway()
    played = await PlayedMatch(log, "MATCH", seed=4).started()
    clients = [await floor.client(found, "bob") for found in (gateway, other)]
    watching = []
    while not played.aggregate.facts.over:
        after = str(played.aggregate.cursor)
        client = clients[len(watching) % 2]
        watching.append((after, asyncio.create_task(collected(client, "MATCH", after=after, seat=1))))
        await played.move()
        await asyncio.sleep(0)
    every = ["", *(str(entry.cursor) for entry in played.entries)]
    for after, task in watching:
        updates = await task
        assert cursors(updates) == every[every.index(after) + 1 :]
        assert updates[-1].end.cursor == every[-1]


async def test_each_audience_is_told_what_the_engine_redacts_for_it(floor, gateway, log):
    played = await PlayedMatch(log, "MATCH", seed=5).started()
    clients = {0: await floor.client(gateway, "ann"), 1: await floor.client(gateway, "bob"), None: None}
    clients[None] = await floor.client(gateway, "stranger")
    for _ in range(8):
        moved = await played.move()
        whole = [msgspec.json.decode(entry.body)["payload"] for entry in moved]
        for seat, client in clients.items():
            updates = client.updates("MATCH", **({} if seat is None else {"seat": seat}))
            entries, _ = await until_caught_up(updates)
            told = [msgspec.json.decode(entry.event.json, type=ENGINE.Event) for entry in entries[-len(moved) :]]
            expected = [ENGINE.redact(msgspec.convert(event, ENGINE.Event), seat) for event in whole]
            assert told == expected
            await updates.aclose()


async def test_live_entries_are_redacted_for_each_audience(floor, gateway, ann, bob, log):
    played = await PlayedMatch(log, "MATCH").started()
    stranger = await floor.client(gateway, "stranger")
    streams = {0: ann.updates("MATCH", seat=0), 1: bob.updates("MATCH", seat=1), None: stranger.updates("MATCH")}
    for stream in streams.values():
        await until_caught_up(stream)
    (chosen,) = await played.move()
    assert b"sides_chosen" in chosen.header
    for seat, stream in streams.items():
        event = msgspec.json.decode((await next_entry(stream)).event.json, type=ENGINE.Event)
        assert (event.laid is not None) == (seat == 0)
        await stream.aclose()


async def test_after_the_end_the_log_is_told_whole_unless_it_stays_closed(floor, gateway, log):
    stranger = await floor.client(gateway, "stranger")
    for name, after_end in (("OPEN", LogAfterEnd.OPEN), ("CLOSED", LogAfterEnd.CLOSED)):
        await (await PlayedMatch(log, name).started(after_end)).finish()
        updates = await collected(stranger, name)
        events = [update.entry.event.json for update in updates if update.HasField("entry")]
        secret = [event for event in events if '"kind":"sides_chosen"' in event]
        opened = after_end is LogAfterEnd.OPEN
        assert all(('"laid":null' in event) != opened for event in secret)
        assert ('"secret":null' in events[-1]) != opened


@pytest.mark.parametrize("accept", [PAYLOAD_FORM_JSON, PAYLOAD_FORM_TYPED])
async def test_situations_come_with_the_last_entry_of_each_command(ann, log, accept):
    played = await PlayedMatch(log, "MATCH").create()
    stream = ann.updates("MATCH", seat=0, include=BOTH, accept=accept)
    _, caught_up = await until_caught_up(stream)
    assert caught_up.situation.cursor == caught_up.cursor
    assert caught_up.situation.HasField("view")
    assert not caught_up.situation.HasField("legal")
    await played.join()
    entries = [await next_entry(stream) for _ in range(5)]
    assert [entry.HasField("situation") for entry in entries] == [False, False, False, False, True]
    situation = entries[-1].situation
    assert situation.cursor == entries[-1].cursor
    assert situation.decision == played.aggregate.facts.decisions[0]
    legal = list(ENGINE.legal_moves(played.aggregate.state, 0))
    assert len(situation.legal.moves) == len(legal)
    if accept == PAYLOAD_FORM_JSON:
        assert msgspec.json.decode(situation.view.json, type=ENGINE.View) == ENGINE.view(played.aggregate.state, 0)
        moves = [msgspec.json.decode(move.json, type=ENGINE.Move) for move in situation.legal.moves]
        assert moves == legal
    await stream.aclose()


async def test_a_watch_that_can_not_begin_is_refused_with_a_status(ann, log):
    await PlayedMatch(log, "MATCH").started()
    for fields, reason in (
        ({"seat": 1}, Reason.NOT_YOUR_SEAT),
        ({"seat": 5}, Reason.UNKNOWN_SEAT),
        ({"after": "nonsense"}, Reason.MALFORMED),
        ({"after": "3-0000000000000000"}, Reason.LOG_REWOUND),
    ):
        assert (await refusal(collected(ann, "MATCH", **fields))).reason is reason
    assert (await refusal(collected(ann, "NONE"))).reason is Reason.UNKNOWN_MATCH


async def test_an_idle_watch_is_told_that_nothing_is_missing(floor, log):
    await PlayedMatch(log, "MATCH").started()
    gateway = await floor.gateway(checkpoint_s=0.02)
    stream = (await floor.client(gateway, "ann")).updates("MATCH")
    _, caught_up = await until_caught_up(stream)
    async with asyncio.timeout(20):
        for _ in range(2):
            update = await anext(stream)
            assert update.checkpoint.cursor == caught_up.cursor
    await stream.aclose()


async def test_a_watch_ends_when_its_token_does(floor, gateway, log):
    await PlayedMatch(log, "MATCH").started()
    client = await floor.client(gateway, "ann", lifetime_s=1.5)
    refused = await refusal(collected(client, "MATCH"))
    assert refused.reason is Reason.UNAUTHENTICATED
    assert (await refusal(client.call("GetMatch", match_id="MATCH"))).reason is Reason.UNAUTHENTICATED


async def test_a_seat_given_up_is_told_no_more(ann, log):
    played = await PlayedMatch(log, "MATCH").create()
    stream = ann.updates("MATCH", seat=0)
    await until_caught_up(stream)
    await played.carry_out(ANN, Leave(0))
    rest = [update async for update in stream]
    assert rest[0].entry.type == "match.seat_released"
    assert wire_reason(rest[-1].end.refusal) is Reason.NOT_YOUR_SEAT
    assert (await refusal(collected(ann, "MATCH", seat=0))).reason is Reason.NOT_YOUR_SEAT


async def test_a_draining_gateway_ends_watches_so_that_another_goes_on(floor, log):
    played = await PlayedMatch(log, "MATCH").started()
    first, second = await floor.gateway(), await floor.gateway()
    stream = (await floor.client(first, "ann")).updates("MATCH")
    _, caught_up = await until_caught_up(stream)
    await first._servicer.drain()
    assert (await refusal(anext(stream))).reason is Reason.DRAINING
    await played.move()
    entries, _ = await until_caught_up((await floor.client(second, "ann")).updates("MATCH", after=caught_up.cursor))
    assert [entry.version for entry in entries] == [8]
    late = await floor.client(first, "bob")
    assert (await refusal(collected(late, "MATCH"))).reason is Reason.DRAINING


async def test_a_slow_reader_is_ended_with_the_cursor_to_go_on_from(floor, log):
    gateway = await floor.gateway(outbox_bytes=10_000)
    played = await PlayedMatch(log, "MATCH").started()
    client = await floor.narrow_client(gateway, "bob")
    call = client.stream("WatchMatch", match_id="MATCH", seat=1, include=[INCLUDE_VIEW])
    first = await call.read()
    while not first.updates[-1].HasField("caught_up"):
        first = await call.read()
    live = gateway.parts.live.held("MATCH")
    while not played.aggregate.facts.over:  # nobody reads
        await played.move()
        await until(partial(told_so_far, live, played))
    updates = []
    while (response := await call.read()) is not grpc.aio.EOF:
        updates += response.updates
    end = updates[-1].end
    assert wire_reason(end.refusal) is Reason.SLOW_CONSUMER
    assert end.refusal.cursor == end.cursor
    told = [update.entry.cursor for update in updates if update.HasField("entry")]
    assert end.cursor == told[-1]
    rest = await collected(client, "MATCH", seat=1, after=end.cursor)
    every = [str(entry.cursor) for entry in played.entries]
    assert told + cursors(rest) == every[every.index(told[0]) :]


def wire_reason(refusal_message):
    return wire.from_proto(refusal_message).reason


async def test_a_long_past_is_told_to_a_small_outbox_as_fast_as_it_is_read(floor, log):
    gateway = await floor.gateway(outbox_bytes=2000)
    played = await (await PlayedMatch(log, "MATCH").started()).finish()
    client = await floor.client(gateway, "ann")
    updates = await collected(client, "MATCH")
    assert cursors(updates) == [str(entry.cursor) for entry in played.entries]
    assert not updates[-1].end.HasField("refusal")


async def test_a_client_that_leaves_leaves_nothing_behind(gateway, ann, log):
    await PlayedMatch(log, "MATCH").started()
    call = ann.stream("WatchMatch", match_id="MATCH")
    await call.read()
    live = gateway.parts.live.held("MATCH")
    call.cancel()
    await until(lambda: not live.watched)
    assert gateway._servicer._open == {}


async def test_many_watch_and_each_audience_is_encoded_once(gateway, ann, log):
    played = await PlayedMatch(log, "MATCH").started()
    streams = [ann.updates("MATCH", seat=0, include=BOTH) for _ in range(20)]
    for stream in streams:
        await until_caught_up(stream)
    live = gateway.parts.live.held("MATCH")
    assert [len(onlookers) for onlookers in live._audiences.values()] == [20]
    await played.move()
    told = [await next_entry(stream) for stream in streams]
    assert all(entry == told[0] for entry in told)
    for stream in streams:
        await stream.aclose()


def sides_chosen(entries):
    """Seat that chose -> key of the sentence that tells it."""
    return {entry.seat: entry.sentence.key for entry in entries if entry.type == "lost_seas.sides_chosen"}


@pytest.mark.parametrize("live", [False, True])
async def test_an_audience_is_told_in_words_what_it_is_told(ann, bob, live):
    match_id = await started_match(ann, bob)
    audiences = [(ann, {"seat": 0}), (bob, {"seat": 1}), (bob, {})]
    if not live:
        await play_on([ann, bob], match_id, 2)
    streams = [who.updates(match_id, include=[INCLUDE_SENTENCE], **fields) for who, fields in audiences]
    heard = [(await until_caught_up(stream))[0] for stream in streams]
    if live:
        await play_on([ann, bob], match_id, 2)
        for stream, entries in zip(streams, heard, strict=True):
            while len(sides_chosen(entries)) < 2:
                entries.append(await next_entry(stream))
    assert [sides_chosen(entries) for entries in heard] == [
        {0: "sides_chosen.laid", 1: "sides_chosen"},
        {0: "sides_chosen", 1: "sides_chosen.laid"},
        {0: "sides_chosen", 1: "sides_chosen"},
    ]
    for entries in heard:
        assert entries[0].sentence.key == "match.created"
        assert not any(entry.HasField("situation") for entry in entries)
        for entry in entries:
            event, args = (msgspec.json.decode(text) for text in (entry.event.json, entry.sentence.args))
            if entry.type == "lost_seas.sides_chosen":
                assert args["seat"] == {"seat": event["seat"]}
                assert ("laid" in args) is (event["laid"] is not None)
    for stream in streams:
        await stream.aclose()


async def test_sentences_come_only_to_who_asks_for_them(ann, bob):
    match_id = await started_match(ann, bob)
    both, none = ann.updates(match_id, seat=0, include=[*BOTH, INCLUDE_SENTENCE]), ann.updates(match_id, seat=0)
    (spoken, at), (silent, _) = await until_caught_up(both), await until_caught_up(none)
    assert at.situation.HasField("view")
    await play_on([ann, bob], match_id, 1)
    live = await next_entry(both), await next_entry(none)
    assert live[0].HasField("situation")
    live[0].ClearField("situation")
    spoken, silent = [*spoken, live[0]], [*silent, live[1]]
    assert all(entry.HasField("sentence") for entry in spoken)
    assert not any(entry.HasField("sentence") for entry in silent)
    for entry in spoken:
        entry.ClearField("sentence")
    assert spoken == silent
    for stream in both, none:
        await stream.aclose()
