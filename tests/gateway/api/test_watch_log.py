"""The logs of all matches in one stream."""

import grpc
import msgspec
import pytest

from gateway.feeds import pages
from gateway.feeds.log_filter import LogFilter
from gateway.feeds.positions import ShardPlace
from services.common.refusals import Reason
from services.eventlog import hashes
from services.eventlog.commands import Leave
from services.eventlog.entries import START, Entry
from services.eventlog.lifecycle import LogAfterEnd
from services.eventlog.memory import MemoryLog
from services.eventlog.port import UNREADABLE, Append
from services.eventlog.terms import Delay, DelayUnit, Terms
from tests.gateway.floor import Floor
from tests.gateway.log_watching import LogWatching, version
from tests.gateway.played import ANN, BOB, GAME, PlayedMatch
from tests.gateway.waiting import until
from tidelog.v1 import lifecycle_pb2
from tidelog.v1.logs_pb2 import WatchLogRequest

NAMES = ["MATCH", "OTHER", "THIRD"]


@pytest.fixture
async def admin(floor, gateway):
    return await floor.client(gateway, "operator", admin=True)


@pytest.fixture
async def stranger(floor, gateway):
    return await floor.client(gateway, "stranger")


@pytest.fixture
def watching():
    """Makes streams; the gateways end them."""
    found: list[LogWatching] = []

    def watch(client, **fields):
        found.append(LogWatching(client, **fields))
        return found[-1]

    return watch


def whole(played):
    return list(range(1, played.aggregate.facts.version + 1))


async def finished(log, name, seed=1, **more):
    return await (await PlayedMatch(log, name, seed).started(**more)).finish()


async def test_admins_are_told_every_entry_as_it_comes(admin, log, watching):
    old = await finished(log, "OLD")
    stream = await watching(admin, full=True).arrived()
    played = [await PlayedMatch(log, name, seed).started() for seed, name in enumerate(NAMES)]
    for _ in range(4):
        for one in played:
            await one.move()
    for one in played:
        await stream.heard(one.id, one.aggregate.facts.version)
        assert stream.of(one.id) == whole(one)
        assert [entry.body for entry in stream.stored(one.id)] == [entry.body for entry in one.entries]
    assert not stream.of(old.id)
    assert {piece.game for piece in stream.pieces} == {GAME}


async def test_without_bodies_admins_are_told_headers_and_leaves(admin, log, watching):
    stream = await watching(admin).arrived()
    played = await PlayedMatch(log, "MATCH").started()
    await stream.heard("MATCH", played.aggregate.facts.version)
    for told, entry in zip(stream.stored("MATCH"), played.entries, strict=True):
        assert (told.header, told.leaf) == (entry.header, entry.leaf)
        assert told.WhichOneof("contents") is None


async def test_others_are_told_a_match_whole_once_it_is_over(stranger, log, watching):
    stream = await watching(stranger).arrived()
    played = [await PlayedMatch(log, name, seed).started() for seed, name in enumerate(NAMES)]
    await played[1].finish()
    await stream.heard("OTHER", played[1].aggregate.facts.version)
    assert stream.of("OTHER") == whole(played[1])
    await played[0].carry_out(BOB, Leave(1))
    await stream.heard("MATCH", played[0].aggregate.facts.version)
    assert {match for match, _ in stream.entries} == {"MATCH", "OTHER"}
    assert [entry.payload for entry in stream.stored("OTHER")] == [
        msgspec.json.format(bytes(msgspec.json.decode(entry.body, type=dict[str, msgspec.Raw])["payload"]), indent=-1)
        for entry in played[1].entries
    ], "an open log is told whole"


async def test_what_is_not_public_is_told_to_admins_alone(admin, stranger, log, watching):
    closed = await finished(log, "CLOSED", after_end=LogAfterEnd.CLOSED)
    private = await finished(log, "PRIVATE", terms=Terms(private=True, reserved=("", BOB)))
    delayed = await PlayedMatch(log, "DELAYED").started(terms=Terms(spectator_delay=Delay(DelayUnit.EVENTS, 1)))
    await delayed.move()
    copy = await finished(log, "COPIED")
    await log.append(Append("COPY", after=START, entries=tuple(copy.entries), secret=copy.secret))
    seen = await watching(stranger, from_start=True, full=True).arrived()
    assert sorted({match for match, _ in seen.entries}) == ["CLOSED", "COPIED"]
    assert all(entry.WhichOneof("contents") == "payload" for entry in seen.stored("CLOSED"))
    assert closed.secret.hex().encode() not in b"".join(entry.payload for entry in seen.stored("CLOSED"))
    assert b'"laid":null' in b"".join(entry.payload for entry in seen.stored("CLOSED"))
    assert [entry.body for entry in seen.stored("COPIED")] == [entry.body for entry in copy.entries]
    every = await watching(admin, from_start=True, full=True).arrived()
    for one in (closed, private, delayed, copy):
        assert every.of(one.id) == whole(one)
        assert [entry.body for entry in every.stored(one.id)] == [entry.body for entry in one.entries]
    assert every.of("COPY") == whole(copy)


@pytest.mark.parametrize("is_admin", [True, False])
async def test_from_every_position_it_goes_on_without_gap_or_repeat(floor, gateway, log, watching, is_admin):
    """On another gateway, while all logs are gone through and where only the feeds are read."""
    first, second = [await floor.client(one, "reader", admin=is_admin) for one in (gateway, await floor.gateway())]
    for seed, name in enumerate(NAMES):
        await finished(log, name, seed)
    stream = await watching(first, from_start=True, full=True).arrived()
    for seed, name in enumerate(("FOURTH", "FIFTH")):
        late = await finished(log, name, seed)
        await stream.heard(name, late.aggregate.facts.version)
    every = stream.entries
    assert len(set(every)) == len(every)
    told = 0
    for piece in stream.pieces:
        told += len(piece.entries)
        rest = watching(second, after=piece.position, full=True)
        await rest.until(lambda told=told, rest=rest: len(rest.entries) >= len(every) - told)
        await rest.arrived()
        assert sorted(every[:told] + rest.entries) == sorted(every)
        for name in (*NAMES, "FOURTH", "FIFTH"):
            numbers = [number for match, number in every[:told] if match == name] + rest.of(name)
            assert numbers == sorted(numbers), "each log in order"
        await rest.stop()


async def test_a_match_that_is_told_in_pieces_is_gone_on_with_in_its_middle(
    floor, gateway, stranger, log, watching, monkeypatch
):
    monkeypatch.setattr("gateway.api.log_watch.PIECE_BYTES", 1000)
    played = await finished(log, "MATCH")
    walk = await watching(stranger, from_start=True).arrived()
    await stranger_follows(floor, gateway, watching, walk, played)
    stream = await watching(stranger).arrived()
    other = await finished(log, "OTHER", 2)
    await stream.heard("OTHER", other.aggregate.facts.version)
    await stranger_follows(floor, gateway, watching, stream, other)


async def stranger_follows(floor, gateway, watching, stream, played):
    client = await floor.client(gateway, "another")
    assert len(stream.pieces) > 5
    for place in (0, len(stream.pieces) // 2, len(stream.pieces) - 2):
        told = sum(len(piece.entries) for piece in stream.pieces[: place + 1])
        rest = await watching(client, after=stream.positions[place]).heard(played.id, played.aggregate.facts.version)
        assert rest.of(played.id) == whole(played)[told:]


async def test_what_ends_while_logs_are_gone_through_is_told_once(admin, stranger, log, watching):
    """The heads are read behind the feed's place: what is in both counts as the feed's."""
    played = [await PlayedMatch(log, name, seed).started() for seed, name in enumerate(NAMES)]
    done = await finished(log, "DONE")
    heads = log.heads

    async def busy(shard):
        for one in played:
            if hashes.shard(one.id) == shard and not one.aggregate.facts.over:
                await one.finish()
        return await heads(shard)

    log.heads = busy
    every = await watching(admin, from_start=True).arrived()
    log.heads = heads
    for one in (*played, done):
        await every.heard(one.id, one.aggregate.facts.version)
        assert every.of(one.id) == whole(one)
    seen = await watching(stranger, from_start=True).arrived()
    for one in (*played, done):
        assert seen.of(one.id) == whole(one)


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({"game": GAME}, ("MATCH", "OTHER", "THIRD")),
        ({"matches": ["OTHER", "NONE"]}, ("OTHER",)),
        ({"players": [BOB]}, ("MATCH", "OTHER", "THIRD")),
        ({"players": ["tidelog|zoe"]}, ()),
        ({"matches": ["OTHER"], "players": [ANN]}, ("OTHER",)),
    ],
    ids=str,
)
@pytest.mark.parametrize("is_admin", [True, False])
async def test_a_filter_leaves_matches_out(floor, gateway, log, watching, asked, expected, is_admin):
    client = await floor.client(gateway, "reader", admin=is_admin)
    live = await watching(client, filter=asked).arrived()
    for seed, name in enumerate(NAMES):
        last = await finished(log, name, seed)
    walk = await watching(client, filter=asked, from_start=True).arrived()
    await until(lambda: gateway.parts.follower.places[hashes.shard("THIRD")].hash == last.entries[-1].hash)
    for name in expected:
        await live.until(lambda name=name: len(live.of(name)) == len(walk.of(name)) > 0)
    assert {match for match, _ in walk.entries} == {match for match, _ in live.entries} == set(expected)


async def test_a_filter_leaves_entries_out(stranger, admin, log, watching):
    played = await finished(log, "MATCH")
    kinds = ["match.started", "match.finished", f"{GAME}.tile_taken"]
    expected = [
        entry.version for entry in played.entries if any(f'"{kind}"'.encode() in entry.header for kind in kinds)
    ]
    for client in (stranger, admin):
        stream = await watching(client, from_start=True, filter={"types": kinds}).arrived()
        assert stream.of("MATCH") == expected
        assert len(expected) > 2


async def test_a_game_that_is_not_the_filters_is_left_out(admin, log, gateway, watching):
    await finished(log, "MATCH")
    gateway.parts.games.remember("MATCH", "another", lifecycle_pb2.Terms())
    stream = await watching(admin, from_start=True, filter={"game": GAME}).arrived()
    assert stream.entries == []


@pytest.mark.parametrize(
    ("fields", "reason", "words"),
    [
        ({"filter": {"game": "chess"}}, Reason.UNKNOWN_GAME, "chess"),
        ({"filter": {"types": ["started"]}}, Reason.MALFORMED, "filter.types[0]"),
        ({"filter": {"types": ["match.started", "Match.Started"]}}, Reason.MALFORMED, "filter.types[1]"),
        ({"filter": {"types": [""]}}, Reason.MALFORMED, "filter.types"),
        ({"filter": {"matches": [""]}}, Reason.MALFORMED, "filter.matches"),
        ({"filter": {"players": [""]}}, Reason.MALFORMED, "filter.players"),
        ({"filter": {"matches": ["M"] * 201}}, Reason.TOO_LARGE, "filter.matches"),
        ({"filter": {"players": ["p"] * 201}}, Reason.TOO_LARGE, "filter.players"),
        ({"filter": {"types": ["a.b"] * 201}}, Reason.TOO_LARGE, "filter.types"),
        ({"after": ""}, Reason.MALFORMED, "after"),
        ({"after": "12-0f1e2d3c4b5a6978"}, Reason.MALFORMED, "after"),
        ({"after": "A" * 800}, Reason.MALFORMED, "after"),
        ({"after": "A" * 9000}, Reason.MALFORMED, "after"),
        ({"after": "\u00e9"}, Reason.MALFORMED, "after"),
    ],
    ids=str,
)
async def test_what_can_not_be_told_is_refused(stranger, log, watching, fields, reason, words):
    await finished(log, "MATCH")
    refused = await watching(stranger, **fields).refusal()
    assert refused.reason is reason
    assert words in refused.message


@pytest.mark.parametrize("place", [ShardPlace(9000, "0f1e2d3c4b5a6978"), ShardPlace(1, "0f1e2d3c4b5a6978")], ids=str)
async def test_a_position_that_the_feeds_do_not_hold_is_refused(stranger, gateway, log, watching, place):
    await finished(log, "MATCH")
    places = list(await pages.ends(log))
    places[hashes.shard("MATCH")] = place
    position = gateway.parts.positions.write(places, b"public" + LogFilter().digest)
    assert (await watching(stranger, after=position).refusal()).reason is Reason.LOG_REWOUND


async def test_a_position_counts_under_its_own_filter_alone(stranger, admin, log, watching):
    await finished(log, "MATCH")
    position = (await watching(stranger, filter={"players": [BOB]}).arrived()).position
    await watching(stranger, after=position, filter={"players": [BOB]}).arrived()
    for client, asked in ((stranger, {}), (stranger, {"players": [ANN]}), (admin, {"players": [BOB]})):
        assert (await watching(client, after=position, filter=asked).refusal()).reason is Reason.MALFORMED


async def test_a_position_of_another_store_is_refused(stranger, log, watching, tmp_path):
    await finished(log, "MATCH")
    other = MemoryLog()
    async with Floor(other, tmp_path / "other") as elsewhere:
        await finished(other, "MATCH", seed=2)
        client = await elsewhere.client(await elsewhere.gateway(), "stranger")
        stream = await watching(client).arrived()
        foreign = stream.position
        await stream.stop()
    assert (await watching(stranger, after=foreign).refusal()).reason is Reason.MALFORMED


async def test_a_position_older_than_the_feeds_has_expired(stranger, gateway, log, watching):
    """One at their very end has not, whatever was trimmed: nothing is missing."""
    await finished(log, "MATCH")
    early = await watching(stranger).arrived()
    old = early.position
    await early.stop()
    await finished(log, "OTHER", 2)
    await log.append(await another_match())
    await log.trim_feeds(1 << 60)
    beginning = gateway.parts.positions.write([ShardPlace()] * 16, b"public" + LogFilter().digest)
    for position in (old, beginning):
        assert (await watching(stranger, after=position).refusal()).reason is Reason.CURSOR_EXPIRED
    neighbour = next(name for name in map(str, range(1000)) if hashes.shard(name) == hashes.shard("MATCH"))
    await finished(log, neighbour, 4)
    for position in (old, beginning):
        assert (await watching(stranger, after=position).refusal()).reason is Reason.CURSOR_EXPIRED
    late = await watching(stranger).arrived()
    again = await watching(stranger, after=late.position).arrived()
    played = await finished(log, "THIRD", 3)
    for stream in (late, again):
        await stream.heard("THIRD", played.aggregate.facts.version)
        assert stream.entries == [("THIRD", number) for number in whole(played)]


async def another_match():
    played = await PlayedMatch(MemoryLog(), "MORE").started()
    return Append("MORE", after=START, entries=tuple(played.entries), secret=played.secret)


async def test_a_feed_that_went_back_ends_the_stream(floor, log, watching):
    gateway = await floor.gateway()
    admin = await floor.client(gateway, "operator", admin=True)
    played = await PlayedMatch(log, "MATCH").started()
    stream = await watching(admin).arrived()
    await played.move()
    await stream.heard("MATCH", played.aggregate.facts.version)
    feed = log._feeds[hashes.shard("MATCH")]
    del feed.entries[3:], feed.times[3:]
    log._logs["MATCH"] = played.entries[:3]
    refused = await stream.refusal()
    assert refused.reason is Reason.LOG_REWOUND


async def test_a_reader_of_nothing_ends_typed_and_goes_on_later(floor, log, watching, monkeypatch):
    monkeypatch.setattr("gateway.api.log_watch.PIECE_BYTES", 1000)
    gateway = await floor.gateway(log_patience_s=0.05, outbox_bytes=4000)
    played = [await finished(log, f"MATCH{seed}", seed) for seed in range(8)]
    client = await floor.narrow_client(gateway, "reader")
    call = client.logs.WatchLog(WatchLogRequest(from_start=True), metadata=client.metadata)
    open_streams = gateway._servicer._open
    await until(lambda: len(open_streams) == 1)
    (outbox,) = open_streams
    await until(lambda: outbox.ended)
    updates = []
    while (response := await call.read()) is not grpc.aio.EOF:
        updates += response.updates
    end = updates[-1].end
    assert end.refusal.reason == 26
    assert end.position == updates[-2].entries.position
    entries = [update.entries for update in updates[:-1]]
    told = [(piece.match_id, version(entry)) for piece in entries for entry in piece.entries]
    rest = watching(await floor.client(await floor.gateway(), "reader"), after=end.position)
    await rest.arrived()
    assert rest.entries
    assert sorted(told + rest.entries) == sorted((one.id, number) for one in played for number in whole(one))


async def test_a_draining_gateway_ends_the_stream_so_that_another_goes_on(floor, log, watching):
    first, second = await floor.gateway(), await floor.gateway()
    stream = await watching(await floor.client(first, "reader")).arrived()
    await first._servicer.drain()
    assert (await stream.refusal()).reason is Reason.DRAINING
    played = await finished(log, "MATCH")
    rest = watching(await floor.client(second, "reader"), after=stream.position)
    await rest.heard("MATCH", played.aggregate.facts.version)
    late = watching(await floor.client(first, "reader"))
    assert (await late.refusal()).reason is Reason.DRAINING


async def test_checkpoints_bring_newer_positions_where_nothing_is_told(floor, log, watching):
    gateway = await floor.gateway(checkpoint_s=0.02)
    stream = await watching(await floor.client(gateway, "reader")).arrived()
    before = stream.position
    played = await PlayedMatch(log, "MATCH").started()
    await stream.until(lambda: stream.position != before)
    await played.finish()
    await stream.heard("MATCH", played.aggregate.facts.version)
    seen = stream.checkpoints
    await stream.until(lambda: stream.checkpoints > seen)
    assert stream.of("MATCH") == whole(played)


async def test_the_stream_ends_with_its_token(floor, gateway, watching):
    client = await floor.client(gateway, "reader", lifetime_s=1.0)
    assert (await watching(client).refusal()).reason is Reason.UNAUTHENTICATED


async def test_an_entry_that_can_not_be_read_is_no_gap_for_admins(admin, log, watching):
    stream = await watching(admin, full=True).arrived()
    played = await PlayedMatch(log, "MATCH").started()
    last = played.entries[-1]
    bad = Entry(last.version + 1, b"no header", b"{}", last.leaf, b"x" * 32)
    await log.append(Append("MATCH", last.cursor, (bad,)))
    await stream.heard("MATCH", bad.version)
    assert stream.stored("MATCH")[-1].header == b"no header"
    assert UNREADABLE == 0
