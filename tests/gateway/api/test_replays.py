"""The past told with its pauses, up to a version, with its situations."""

import asyncio
from itertools import pairwise

import msgspec
import pytest

from services.common.refusals import Reason
from services.eventlog.entries import header_of
from tests.gateway.floor import refusal
from tests.gateway.played import ENGINE, PlayedMatch
from tests.gateway.timers import HastyTimer, TestsTimer
from tests.gateway.waiting import until
from tests.gateway.watching import Watching
from tidelog.v1.matches_pb2 import PlayCommand, PlayRequest
from tidelog.v1.updates_pb2 import INCLUDE_LEGAL, INCLUDE_VIEW, Replay


@pytest.fixture
def timer():
    return HastyTimer()


@pytest.fixture
async def gateway(floor, timer):
    return await floor.gateway(timer, outbox_bytes=5000)


@pytest.fixture
async def played(log):
    """Over, with a command a second."""
    return await (await PlayedMatch(log, "MATCH").started()).finish()


async def told(client, **fields):
    async with asyncio.timeout(60):
        return [update async for update in client.updates("MATCH", **fields)]


def versions(updates):
    return [update.entry.version for update in updates if update.HasField("entry")]


def pauses(played, after=0):
    times = [header_of(entry).at for entry in played.entries[after:]]
    return [(later - earlier) / 1000 for earlier, later in pairwise(times) if later != earlier]


@pytest.mark.parametrize("speed", [1, 4, 0.5])
async def test_entries_come_with_the_pauses_between_them(ann, timer, played, speed):
    """Those of one command come together."""
    updates = await told(ann, replay=Replay(speed=speed))
    assert versions(updates) == list(range(1, len(played.entries) + 1))
    assert [update.WhichOneof("update") for update in updates[-2:]] == ["caught_up", "end"]
    assert timer.slept == [pause / speed for pause in pauses(played)]


@pytest.mark.usefixtures("played")
async def test_without_a_speed_there_are_none(ann, timer):
    await told(ann)
    await told(ann, replay=Replay(situations=True), include=[INCLUDE_VIEW])
    assert timer.slept == []


async def test_long_pauses_are_cut(ann, timer, played):
    await told(ann, replay=Replay(speed=2, longest_pause_ms=100))
    assert timer.slept == [0.1] * len(pauses(played))


async def test_a_replay_goes_on_in_its_middle(floor, played, log):
    """On another gateway, with the pauses that are left."""
    assert log
    watching = Watching(
        await floor.client(await floor.gateway(slow := TestsTimer()), "ann"), "MATCH", replay=Replay(speed=1)
    )
    await until(lambda: slow.pass_by(1) or len(watching.versions) >= 20)
    await watching.stop()
    heard = watching.versions
    assert heard == list(range(1, len(heard) + 1))
    hasty = HastyTimer()
    ann = await floor.client(await floor.gateway(hasty), "ann")
    cursor = str(played.entries[heard[-1] - 1].cursor)
    rest = versions(await told(ann, after=cursor, replay=Replay(speed=1)))
    assert heard + rest == list(range(1, len(played.entries) + 1))
    assert hasty.slept == pauses(played, heard[-1])


async def test_what_is_appended_meanwhile_comes_at_once_and_then_live(floor, log):
    played = await PlayedMatch(log, "MATCH").started()
    for _ in range(3):
        await played.move()
    slow = TestsTimer()
    watching = Watching(await floor.client(await floor.gateway(slow), "ann"), "MATCH", replay=Replay(speed=1))
    await until(lambda: slow.slept)
    past = played.aggregate.facts.version
    while not played.aggregate.facts.over:
        await played.move()
    await until(lambda: slow.pass_by(1) or watching.end is not None)
    assert not (await watching.ended()).HasField("refusal")
    assert watching.versions == list(range(1, len(played.entries) + 1))
    assert len(slow.slept) == len({header_of(entry).at for entry in played.entries[:past]}) - 1


@pytest.mark.parametrize("replay", [{}, {"speed": 1.0}, {"situations": True}], ids=str)
async def test_a_replay_ends_where_it_was_asked_to(ann, played, replay):
    for until_version in (1, 6, len(played.entries)):
        updates = await told(ann, include=[INCLUDE_VIEW], replay=Replay(until=until_version, **replay))
        assert versions(updates) == list(range(1, until_version + 1))
        assert updates[-1].end.cursor == str(played.entries[until_version - 1].cursor)
        assert not updates[-1].end.HasField("refusal")
        assert not any(update.HasField("caught_up") for update in updates)


async def test_an_end_that_is_yet_to_come_is_waited_for(ann, log):
    played = await PlayedMatch(log, "MATCH").started()
    watching = Watching(ann, "MATCH", replay=Replay(until=9))
    await watching.heard(7)
    await played.move()
    await played.move()
    await played.move()
    await watching.ended()
    assert watching.versions[-1] == 9 < played.aggregate.facts.version


async def test_situations_come_after_each_command_of_the_past(ann, played):
    updates = await told(ann, seat=0, include=[INCLUDE_VIEW, INCLUDE_LEGAL], replay=Replay(situations=True))
    entries = [update.entry for update in updates if update.HasField("entry")]
    ends = {command[-1].version for command in played.commands()}
    assert {entry.version for entry in entries if entry.HasField("situation")} == ends
    fold = played.fresh()
    for stored, entry in zip(played.entries, entries, strict=True):
        fold.apply(stored)
        if not entry.HasField("situation"):
            continue
        assert entry.situation.cursor == entry.cursor
        view = msgspec.json.decode(entry.situation.view.json, type=ENGINE.View)
        assert view == ENGINE.view(fold.state, 0)
        moves = [msgspec.json.decode(move.json, type=ENGINE.Move) for move in entry.situation.legal.moves]
        assert moves == (list(ENGINE.legal_moves(fold.state, 0)) if 0 in fold.facts.owing else [])


async def test_a_followed_match_is_replayed_too(ann, timer, played):
    follow = PlayCommand.Follow(match_id="MATCH", replay=Replay(speed=2, until=12))
    call = ann.matches.Play(metadata=ann.metadata)
    await call.write(PlayRequest(commands=[PlayCommand(follow=follow)]))
    updates = []
    async with asyncio.timeout(60):
        while not updates or not updates[-1].HasField("end"):
            updates += [answer.followed.update for answer in (await call.read()).answers]
    assert versions(updates) == list(range(1, 13))
    assert timer.slept == [pause / 2 for pause in pauses(played)][: len(timer.slept)]
    await call.done_writing()


async def test_a_pause_holds_up_nobody_else(floor, log):
    played = await PlayedMatch(log, "MATCH").started()
    slow = TestsTimer()
    ann = await floor.client(await floor.gateway(slow, checkpoint_s=0.02), "ann")
    waiting = Watching(ann, "MATCH", replay=Replay(speed=0.01))
    await until(lambda: slow.slept)
    other = Watching(ann, "MATCH")
    await other.heard(played.aggregate.facts.version)
    await played.move()
    await other.heard(played.aggregate.facts.version)
    await until(lambda: waiting.checkpoint)
    assert waiting.versions[-1] < played.aggregate.facts.version
    assert int(waiting.checkpoint.partition("-")[0]) == waiting.versions[-1]
    for watching in (waiting, other):
        await watching.stop()


@pytest.mark.parametrize(
    ("replay", "field"),
    [
        ({"speed": -1.0}, "speed"),
        ({"speed": float("nan")}, "speed"),
        ({"speed": float("inf")}, "speed"),
        ({"speed": 0.001}, "speed"),
        ({"speed": 1e9}, "speed"),
        ({"longest_pause_ms": -1}, "longest_pause_ms"),
        ({"until": -1}, "until"),
        ({"until": 6}, "until"),
    ],
    ids=str,
)
async def test_a_replay_that_makes_no_sense_is_refused(ann, played, replay, field):
    cursor = str(played.entries[5].cursor)
    refused = await refusal(told(ann, after=cursor, replay=Replay(**replay)))
    assert refused.reason is Reason.MALFORMED
    assert f"replay.{field}" in refused.message
    call = ann.matches.Play(metadata=ann.metadata)
    follow = PlayCommand.Follow(match_id="MATCH", after=cursor, replay=Replay(**replay))
    await call.write(PlayRequest(commands=[PlayCommand(follow=follow)]))
    (answer,) = (await call.read()).answers
    assert answer.refused.refusal.message == refused.message
    await call.done_writing()


async def test_legal_moves_of_the_past_are_told(ann, bob, played):
    fold = played.fresh()
    for entry in played.entries:
        fold.apply(entry)
        answer = await bob.call("ListLegalMoves", match_id="MATCH", seat=0, version=entry.version)
        assert answer.cursor == str(entry.cursor)
        owes = 0 in fold.facts.owing
        assert len(answer.legal.moves) == (len(list(ENGINE.legal_moves(fold.state, 0))) if owes else 0)
        assert answer.HasField("decision") == owes
    for version in (0, -1, len(played.entries) + 1):
        for rpc in ("ListLegalMoves", "GetView"):
            refused = await refusal(ann.call(rpc, match_id="MATCH", seat=0, version=version))
            assert (refused.reason, refused.version) == (Reason.UNKNOWN_VERSION, len(played.entries))


async def test_legal_moves_of_a_seats_past_are_its_players_while_it_plays(ann, bob, log):
    played = await PlayedMatch(log, "MATCH").started()
    first = played.aggregate.facts.version
    await played.move()
    asked = {"match_id": "MATCH", "seat": 0, "version": first}
    assert (await ann.call("ListLegalMoves", **asked)).legal.moves
    assert (await refusal(bob.call("ListLegalMoves", **asked))).reason is Reason.NOT_YOUR_SEAT
