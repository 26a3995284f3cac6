"""Spectators who are kept behind: where they stand as moves are made and time goes by, and when they are told more."""

import asyncio

import pytest

from services.common import wire
from services.common.refusals import Reason, Refused
from services.eventlog.commands import Claim, Leave
from services.eventlog.terms import Delay, DelayUnit, Terms
from tests.gateway.floor import play_on, refusal
from tests.gateway.played import ANN, BOB, ENGINE, GAME, PlayedMatch
from tests.gateway.scripted import ScriptedEngine
from tests.gateway.timers import TestsTimer
from tests.gateway.waiting import until
from tests.gateway.watching import Watching
from tidelog.v1.lifecycle_pb2 import DELAY_UNIT_EVENTS, DELAY_UNIT_SECONDS
from tidelog.v1.matches_pb2 import PlayCommand, PlayRequest
from tidelog.v1.payload_pb2 import Payload
from tidelog.v1.updates_pb2 import INCLUDE_VIEW, Replay

STARTED = 4
"""The version of match.started, behind match.created and two claims."""


def by(unit, count=0):
    return Terms(spectator_delay=Delay(unit, count))


EVENTS, SECONDS, TURN = by(DelayUnit.EVENTS, 5), by(DelayUnit.SECONDS, 60), by(DelayUnit.TURN)


@pytest.fixture
def timer():
    return TestsTimer()


@pytest.fixture
async def gateway(floor, timer):
    return await floor.gateway(timer, checkpoint_s=0.02)


@pytest.fixture
async def stranger(floor, gateway):
    return await floor.client(gateway, "stranger")


async def reach(client, match_id="MATCH"):
    return (await client.call("GetMatch", match_id=match_id)).match.version


def turn_began(played):
    """The version with which the turn under way began."""
    fold, turns, began = played.fresh(), 0, 0
    for entry in played.entries:
        fold.apply(entry)
        if ENGINE.turns(fold.state) != turns:
            turns, began = ENGINE.turns(fold.state), entry.version
    return began


async def test_so_many_events_are_kept_back(log, ann, stranger):
    played = await PlayedMatch(log, "MATCH").started(terms=EVENTS)
    while not played.aggregate.facts.over:
        head = played.aggregate.facts.version
        assert await reach(stranger) == max(head - 5, STARTED)
        assert await reach(ann) == head
        await played.move()
    assert await reach(stranger) == played.aggregate.facts.version


async def test_the_turn_under_way_is_kept_back(floor, log, ann, stranger):
    played = await PlayedMatch(log, "MATCH").started(terms=TURN)
    seen = set()
    while not played.aggregate.facts.over:
        shown = await reach(stranger)
        assert shown == max(turn_began(played) - 1, STARTED)
        seen.add(shown)
        await played.move()
        if len(seen) == 3:  # another one, which has to find where the turn began
            another = await floor.client(await floor.gateway(TestsTimer()), "stranger")
            assert await reach(another) == max(turn_began(played) - 1, STARTED)
    assert len(seen) > 5
    assert await reach(stranger) == await reach(ann)


async def test_so_many_seconds_are_kept_back(log, stranger, timer):
    played = await PlayedMatch(log, "MATCH").started(terms=SECONDS)
    for _ in range(3):
        await played.move()
    timer.pass_by(61)  # of the commands, one second apart each, two are a minute old: the creation and the claim
    assert await reach(stranger) == played.entries[6].version == 7
    timer.pass_by(1)
    assert await reach(stranger) == 8
    timer.pass_by(2)
    assert await reach(stranger) == played.aggregate.facts.version


@pytest.mark.parametrize("terms", [EVENTS, SECONDS, TURN], ids=["events", "seconds", "turn"])
async def test_before_the_start_and_after_the_end_nothing_is_kept_back(log, stranger, terms):
    played = await PlayedMatch(log, "MATCH").create(terms=terms)
    assert await reach(stranger) == 2
    watching = Watching(stranger, "MATCH")
    await watching.heard(2)
    await played.carry_out(BOB, Claim(1, "Bob"))
    await watching.heard(STARTED)
    for _ in range(3):
        await played.move()
    assert max(watching.versions) < played.aggregate.facts.version
    await played.carry_out(BOB, Leave(1))
    end = await watching.ended()
    assert not end.HasField("refusal")
    assert watching.versions == list(range(1, played.aggregate.facts.version + 1))


async def test_time_alone_tells_what_was_kept_back(log, stranger, timer):
    played = await PlayedMatch(log, "MATCH").started(terms=SECONDS)
    watching = Watching(stranger, "MATCH", include=[INCLUDE_VIEW])
    await watching.heard(STARTED)
    assert watching.delay.count == 60
    await played.move()
    for seconds, version in ((61, 7), (1, 8)):
        await until(lambda: timer.slept)
        assert max(watching.versions) < version
        timer.pass_by(seconds)
        await watching.heard(version)
    assert watching.versions == list(range(1, 9))
    await watching.stop()


async def test_what_is_told_to_watchers_moves_on_with_the_match(floor, log, gateway, stranger):
    played = await PlayedMatch(log, "MATCH").started(terms=EVENTS)
    second = Watching(await floor.client(await floor.gateway(TestsTimer()), "stranger"), "MATCH")
    first = Watching(stranger, "MATCH")
    for watching in (first, second):
        await watching.heard(STARTED)
    while not played.aggregate.facts.over:
        await played.move()
        shown = max(played.aggregate.facts.version - 5, STARTED)
        for watching in (first, second):
            await watching.heard(shown)
            assert played.aggregate.facts.over or max(watching.versions) == shown
    for watching in (first, second):
        assert not (await watching.ended()).HasField("refusal")
        assert watching.versions == list(range(1, played.aggregate.facts.version + 1))
    assert not gateway.parts.live.held("MATCH").watched


async def test_nothing_is_left_behind_once_nobody_watches(log, gateway, stranger):
    await PlayedMatch(log, "MATCH").started(terms=EVENTS)
    watching = Watching(stranger, "MATCH")
    await watching.heard(STARTED)
    live = gateway.parts.live.held("MATCH")
    await until(lambda: live.watched)
    await watching.stop()
    await until(lambda: not live.watched)


async def test_who_resigns_is_a_spectator_from_then_on(floor, log, gateway):
    """Also of their own seat, whose moves are played for them."""
    terms = Terms(spectator_delay=Delay(DelayUnit.EVENTS, 1000))
    cat = await floor.client(gateway, "cat")
    played = await PlayedMatch(log, "MATCH", seats=3).create(terms=terms)
    await played.carry_out(BOB, Claim(1, "Bob"))
    await played.carry_out(cat.player, Claim(2, "Cat"))
    started = played.aggregate.facts.version
    watching = Watching(cat, "MATCH", seat=2)
    await watching.heard(started)
    resigned = await played.carry_out(cat.player, Leave(2))
    end = await watching.ended()
    assert end.refusal.reason == 18
    assert watching.versions[-1] == resigned[0].version
    await played.move()
    assert await reach(cat) < started
    for seat in (None, 2):
        view = await cat.call("GetView", match_id="MATCH", seat=seat)
        assert (view.version, view.delay.unit, view.delay.count) == (await reach(cat), DELAY_UNIT_EVENTS, 1000)
    refused = await refusal(cat.drained("WatchMatch", match_id="MATCH", seat=2, after=end.cursor))
    assert refused.reason is Reason.LOG_REWOUND
    assert refused.cursor == view.cursor


async def test_who_resigns_while_the_past_is_told_is_told_no_more_than_that(floor, log):
    """What is told slowly was read before; the next page is a spectator's."""
    slow = TestsTimer()
    cat = await floor.client(await floor.gateway(slow), "cat")
    played = await PlayedMatch(log, "MATCH", seats=3).create(terms=by(DelayUnit.EVENTS, 1000))
    await played.carry_out(BOB, Claim(1, "Bob"))
    await played.carry_out(cat.player, Claim(2, "Cat"))
    for _ in range(4):
        await played.move()
    watching = Watching(cat, "MATCH", seat=2, replay=Replay(speed=1))
    await until(lambda: slow.slept)
    then = played.aggregate.facts.version
    await played.carry_out(cat.player, Leave(2))
    await played.move()
    await until(lambda: slow.pass_by(1) or watching.end is not None)
    assert watching.versions == list(range(1, then + 1))
    assert watching.end.refusal.reason == 33


async def test_who_gives_a_seat_up_before_the_start_is_one_too(log, ann):
    played = await PlayedMatch(log, "MATCH").create(terms=by(DelayUnit.EVENTS, 1000))
    watching = Watching(ann, "MATCH")
    await watching.heard(2)
    await played.carry_out(ANN, Leave(0))
    assert (await watching.ended()).refusal.reason == 18
    await played.carry_out(BOB, Claim(1, "Bob"))
    await played.carry_out("tidelog|cat", Claim(0, "Cat"))
    assert await reach(ann) < played.aggregate.facts.version


async def test_asking_for_the_seat_again_tells_who_resigned_no_more_than_a_spectator(floor, gateway, ann, bob):
    cat = await floor.client(gateway, "cat")
    clients = [ann, bob, cat]
    late = {"unit": DELAY_UNIT_EVENTS, "count": 1000}

    async def paired(client):
        asked = {"game": GAME, "seats": 3, "spectator_delay": late}
        return (await client.call("QuickMatch", request_id=f"of {client.player}", **asked)).match

    async def repeated(client):
        return (await client.call("Rematch", request_id=f"of {client.player}", match_id=first.match_id)).match

    first = [await paired(client) for client in clients][-1]
    await resigned_and_gone_on(clients, first.match_id)
    assert (await paired(cat)).version == await reach(cat, first.match_id) < await reach(ann, first.match_id)
    await play_on(clients, first.match_id)
    second = [await repeated(client) for client in clients][-1]
    await resigned_and_gone_on(clients, second.match_id)
    assert (await repeated(cat)).version == await reach(cat, second.match_id) < await reach(ann, second.match_id)


async def resigned_and_gone_on(clients, match_id):
    """The last one resigns, and the others play on for a while."""
    match = (await clients[0].call("GetMatch", match_id=match_id)).match
    seats = {seat.player: seat.seat for seat in match.seats}
    await clients[-1].call(
        "LeaveMatch", request_id=f"left {match_id}", match_id=match_id, seat=seats[clients[-1].player]
    )
    await play_on(sorted(clients, key=lambda client: seats[client.player]), match_id, 3)


async def test_admins_and_players_are_not_delayed(floor, log, gateway, ann):
    played = await PlayedMatch(log, "MATCH").started(terms=SECONDS)
    admin = await floor.client(gateway, "operator", admin=True)
    for client in (ann, admin):
        answer = await client.call("GetMatch", match_id="MATCH")
        assert answer.match.version == played.aggregate.facts.version
        assert not answer.HasField("delay")


async def test_the_delay_is_declared(log, stranger):
    await PlayedMatch(log, "MATCH").started(terms=SECONDS)
    answer = await stranger.call("GetMatch", match_id="MATCH")
    view = await stranger.call("GetView", match_id="MATCH")
    read = await stranger.drained("ReadLog", match_id="MATCH")
    updates = stranger.updates("MATCH")
    told = [update async for update in first(updates, 6)]
    caught_up, checkpoint = told[STARTED].caught_up, told[STARTED + 1].checkpoint
    for said in (answer.delay, answer.match.terms.spectator_delay, view.delay, read[0].delay, caught_up.delay):
        assert (said.unit, said.count) == (DELAY_UNIT_SECONDS, 60)
    assert checkpoint.delay == caught_up.delay
    assert checkpoint.cursor == caught_up.cursor == answer.match.cursor
    await updates.aclose()


async def first(updates, count):
    async with asyncio.timeout(30):
        for _ in range(count):
            yield await anext(updates)


async def test_a_cursor_beyond_the_delay_is_as_unknown_as_a_forged_one(log, stranger):
    played = await PlayedMatch(log, "MATCH").started(terms=EVENTS)
    for _ in range(4):
        await played.move()
    head = played.entries[-1]
    shown = str(played.entries[head.version - 6].cursor)
    for rpc in ("WatchMatch", "ReadLog"):
        said = []
        for cursor in (str(head.cursor), f"{head.version}-{'0' * 16}", f"{head.version + 9}-{'0' * 16}"):
            refused = await refusal(stranger.drained(rpc, match_id="MATCH", after=cursor))
            assert (refused.reason, refused.cursor) == (Reason.LOG_REWOUND, shown)
            said.append(refused.message.replace(cursor, ""))
        assert len(set(said)) == 1
    refused = await refusal(stranger.call("GetView", match_id="MATCH", version=head.version))
    assert (refused.reason, refused.version) == (Reason.UNKNOWN_VERSION, head.version - 5)


async def test_a_store_that_went_back_ends_delayed_watches_with_where_it_stands(log, gateway, stranger):
    played = await PlayedMatch(log, "MATCH").started(terms=EVENTS)
    for _ in range(6):
        await played.move()
    watching = Watching(stranger, "MATCH")
    await watching.heard(played.aggregate.facts.version - 5)
    twin = await PlayedMatch(type(log)(), "MATCH", seed=2).started(terms=EVENTS)
    for _ in range(4):
        await twin.move()
    log._logs["MATCH"] = twin.entries
    gateway.parts.live.compare(0)
    for shard in range(16):
        gateway.parts.live.compare(shard)
    end = await watching.ended()
    assert end.refusal.reason == 33
    assert end.refusal.cursor == str(twin.entries[-6].cursor)


@pytest.fixture
async def scripted():
    engine = await ScriptedEngine().start()
    yield engine
    await engine.stop()


async def refuse_move(engine):
    """Answers what else comes before it: old matches may expire."""
    await engine.has(1)
    while not engine.commands[0].HasField("submit"):
        await engine.answer()
        await engine.has(1)
    await engine.answer(refusal=wire.to_proto(Refused(Reason.STALE, "as scripted", version=7)))


async def test_a_refusal_does_not_say_where_the_match_stands(floor, log, scripted):
    """Whatever the engine says to one who is kept behind, in `Play` and in calls of their own."""
    gateway = await floor.gateway(engines=(f"lost_seas={scripted.address}",))
    ann, stranger = [await floor.client(gateway, name) for name in ("ann", "stranger")]
    await PlayedMatch(log, "MATCH").started(terms=EVENTS)
    said = {"match_id": "MATCH", "request_id": "1", "seat": 0, "move": Payload(json="{}")}
    for client, version in ((ann, 7), (stranger, None)):
        call = client.matches.Play(metadata=client.metadata)
        await call.write(PlayRequest(commands=[PlayCommand(submit=PlayCommand.Submit(**said))]))
        await refuse_move(scripted)
        assert wire.from_proto((await call.read()).answers[0].refused.refusal).version == version
        await call.done_writing()
        asking = asyncio.create_task(refusal(client.call("SubmitMove", **said)))
        await refuse_move(scripted)
        assert (await asking).version == version


@pytest.mark.parametrize(
    ("unit", "count"), [("EVENTS", 0), ("EVENTS", 1001), ("SECONDS", 0), ("SECONDS", 86401), ("TURN", 1), ("TURN", -1)]
)
async def test_a_delay_out_of_bounds_makes_no_match(ann, log, unit, count):
    terms = {"spectator_delay": {"unit": f"DELAY_UNIT_{unit}", "count": count}}
    refused = await refusal(ann.call("CreateMatch", request_id="1", game="lost_seas", seats=2, terms=terms))
    assert refused.reason is Reason.MALFORMED
    assert "terms.spectator_delay.count" in refused.message
    assert log._logs == {}


@pytest.mark.parametrize(("unit", "count"), [("EVENTS", 1), ("EVENTS", 1000), ("SECONDS", 86400), ("TURN", 0)])
async def test_a_delay_within_bounds_is_public(ann, stranger, unit, count):
    terms = {"spectator_delay": {"unit": f"DELAY_UNIT_{unit}", "count": count}}
    made = await ann.call("CreateMatch", request_id="1", game="lost_seas", seats=2, terms=terms)
    match = (await stranger.call("GetMatch", match_id=made.receipt.match_id)).match
    assert match.terms.spectator_delay.count == count
