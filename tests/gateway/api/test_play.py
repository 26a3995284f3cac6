"""Play: one stream for all the matches of a client; refusals are messages."""

import asyncio
from contextlib import asynccontextmanager
from functools import partial

import grpc
import pytest
from redis.asyncio import Redis

from gateway.matches.match import LiveMatch
from gateway.streams import follows
from services.common import wire
from services.common.refusals import Reason
from services.common.wire import refused_from
from services.eventlog import hashes, keys
from services.eventlog.commands import Leave
from services.eventlog.entries import START
from services.eventlog.memory import MemoryLog
from services.eventlog.port import Append
from tests.gateway.floor import Floor, ids, play_on, refusal, started_match
from tests.gateway.played import ANN, BOB, GAME, PlayedMatch
from tests.gateway.waiting import told_so_far, until
from tidelog.v1.matches_pb2 import PlayCommand, PlayRequest
from tidelog.v1.payload_pb2 import PAYLOAD_FORM_TYPED, Payload
from tidelog.v1.updates_pb2 import INCLUDE_LEGAL, INCLUDE_VIEW


class Stream:
    """One Play stream; answers wait in the order they came."""

    def __init__(self, client):
        self.call = client.matches.Play(metadata=client.metadata)
        self._answers = []

    async def send(self, *commands):
        await self.call.write(PlayRequest(commands=commands))

    async def submit(self, match_id, seat, move, **fields):
        whole = {"request_id": next(ids), "match_id": match_id, "seat": seat, "move": move} | fields
        await self.send(PlayCommand(submit=PlayCommand.Submit(**whole)))
        return whole["request_id"]

    async def follow(self, match_id, **fields):
        await self.send(PlayCommand(follow=PlayCommand.Follow(match_id=match_id, **fields)))

    async def follow_mine(self, **fields):
        await self.send(PlayCommand(follow_mine=PlayCommand.FollowMine(**fields)))

    async def answer(self):
        """The next answer; None at the stream's end."""
        async with asyncio.timeout(30):
            while not self._answers:
                response = await self.call.read()
                if response is grpc.aio.EOF:
                    return None
                self._answers += response.answers
        return self._answers.pop(0)

    async def until(self, kind, match_id=None):
        """The answers up to one of this kind (an update's kind where it is news), which is the last."""
        seen = []
        while True:
            answer = await self.answer()
            assert answer is not None, "the stream ended"
            seen.append(answer)
            followed = answer.WhichOneof("answer") == "followed"
            found = answer.followed.update.WhichOneof("update") if followed else answer.WhichOneof("answer")
            if found == kind and (match_id is None or answer.followed.match_id == match_id):
                return seen

    async def status(self):
        """The refusal that the stream ended with; None for a plain end."""
        try:
            while await self.answer() is not None:
                pass
        except grpc.aio.AioRpcError as error:
            return refused_from(error).reason
        return None


@asynccontextmanager
async def playing(client):
    stream = Stream(client)
    yield stream
    stream.call.cancel()


def entries(answers, match_id):
    return [
        answer.followed.update.entry
        for answer in answers
        if answer.HasField("followed")
        and answer.followed.match_id == match_id
        and answer.followed.update.HasField("entry")
    ]


def reason(answer):
    return wire.from_proto(answer.refused.refusal).reason


async def legal(client, match_id, seat):
    return (await client.call("ListLegalMoves", match_id=match_id, seat=seat)).legal.moves


async def test_a_move_is_accepted_and_told_to_those_who_follow(ann, bob):
    match_id = await started_match(ann, bob)
    (move, *_) = await legal(ann, match_id, 0)
    async with playing(ann) as mine, playing(bob) as other:
        for stream, seat in ((mine, 0), (other, 1)):
            await stream.follow(match_id, seat=seat)
            await stream.until("caught_up")
        request_id = await mine.submit(match_id, 0, move)
        seen = [await mine.answer(), await mine.answer()]
        accepted = next(answer.accepted for answer in seen if answer.HasField("accepted"))
        assert accepted.request_id == request_id
        assert entries(seen, match_id)[0].cursor == accepted.receipt.cursor
        (told,) = entries(await other.until("entry"), match_id)
        assert told.cursor == accepted.receipt.cursor


async def test_sixty_four_moves_of_sixty_four_matches_share_one_link_in_few_messages(gateway, ann, bob):
    matches = await asyncio.gather(*(started_match(ann, bob) for _ in range(64)))
    (move, *_) = await legal(ann, matches[0], 0)
    moves = {match_id: (await legal(ann, match_id, 0))[0] for match_id in matches}
    assert move in moves.values()
    counts = gateway.parts.engines.counts
    before = counts.messages
    async with playing(ann) as stream:
        await stream.send(
            *(
                PlayCommand(
                    submit=PlayCommand.Submit(request_id=next(ids), match_id=match_id, seat=0, move=moves[match_id])
                )
                for match_id in matches
            )
        )
        accepted = [(await stream.until("accepted"))[-1].accepted for _ in matches]
        assert {found.receipt.match_id for found in accepted} == set(matches)
    assert counts.opened == 1
    assert counts.messages - before < 16


async def test_commands_of_one_match_are_carried_out_in_the_order_sent(floor, ann, bob):
    match_id = await started_match(ann, bob)
    other = await floor.gateway()  # it has not seen the match, and must find its game first
    fresh = await floor.client(other, "ann")
    (move, *_) = await legal(ann, match_id, 0)
    async with playing(fresh) as stream:
        submits = [
            PlayCommand(submit=PlayCommand.Submit(request_id=f"in order {n}", match_id=match_id, seat=0, move=move))
            for n in range(6)
        ]
        await stream.send(*submits[:3])
        await stream.send(*submits[3:])
        answers = [await stream.answer() for _ in submits]
        kinds = [getattr(found, found.WhichOneof("answer")).request_id for found in answers]
        assert kinds == [f"in order {n}" for n in range(6)]
        assert answers[0].HasField("accepted")


@pytest.mark.parametrize("include", [[INCLUDE_VIEW], [INCLUDE_LEGAL], [INCLUDE_VIEW, INCLUDE_LEGAL]])
async def test_a_move_is_answered_with_the_situation_asked_for(ann, bob, include):
    match_id = await started_match(ann, bob)
    (move, *_) = await legal(ann, match_id, 0)
    async with playing(ann) as stream:
        await stream.submit(match_id, 0, move, include=include)
        accepted = (await stream.until("accepted"))[-1].accepted
    assert accepted.situation.cursor == accepted.receipt.cursor
    assert accepted.situation.HasField("view") == (INCLUDE_VIEW in include)


async def test_refusals_are_messages_and_the_stream_goes_on(ann, bob):
    match_id = await started_match(ann, bob)
    (move, *_) = await legal(ann, match_id, 0)
    async with playing(ann) as stream:
        for fields, expected in (
            ({"match_id": "NONE"}, Reason.UNKNOWN_MATCH),
            ({"seat": 1}, Reason.NOT_YOUR_SEAT),
            ({"seat": 9}, Reason.UNKNOWN_SEAT),
            ({"decision": 1}, Reason.STALE),
            ({"move": Payload()}, Reason.MALFORMED),
            ({"move": Payload(json="x" * 70_000)}, Reason.TOO_LARGE),
            ({"request_id": ""}, Reason.MALFORMED),
        ):
            whole = {"match_id": match_id, "seat": 0, "move": move} | fields
            request_id = await stream.submit(**whole)
            answer = await stream.answer()
            assert reason(answer) is expected
            assert answer.refused.request_id == request_id
            assert answer.refused.match_id == whole["match_id"]
            assert answer.refused.seat == whole["seat"]
        await stream.send(PlayCommand())
        assert reason(await stream.answer()) is Reason.MALFORMED
        await stream.submit(match_id, 0, move)
        assert (await stream.answer()).HasField("accepted")


async def test_each_move_of_a_message_too_large_is_refused(ann):
    async with playing(ann) as stream:
        move = Payload(json="x" * 60_000)
        submits = [PlayCommand.Submit(request_id=f"large {n}", match_id="M", seat=0, move=move) for n in range(5)]
        await stream.send(*(PlayCommand(submit=submit) for submit in submits))
        answers = [await stream.answer() for _ in submits]
        assert [reason(answer) for answer in answers] == [Reason.TOO_LARGE] * 5
        assert [answer.refused.request_id for answer in answers] == [submit.request_id for submit in submits]


async def test_what_can_not_be_followed_is_refused_by_a_message(ann, log):
    await PlayedMatch(log, "MATCH").started()
    async with playing(ann) as stream:
        for fields, expected in (
            ({"match_id": "NONE"}, Reason.UNKNOWN_MATCH),
            ({"match_id": "MATCH", "seat": 1}, Reason.NOT_YOUR_SEAT),
            ({"match_id": "MATCH", "seat": 9}, Reason.UNKNOWN_SEAT),
            ({"match_id": "MATCH", "after": "x"}, Reason.MALFORMED),
            ({"match_id": "MATCH", "after": "3-0000000000000000"}, Reason.LOG_REWOUND),
        ):
            await stream.follow(**fields)
            answer = await stream.answer()
            assert reason(answer) is expected
            assert answer.refused.match_id == fields["match_id"]
            assert answer.refused.HasField("seat") == ("seat" in fields)


async def test_a_match_is_followed_once_for_each_audience_and_begins_anew_when_asked(gateway, ann, log):
    played = await PlayedMatch(log, "MATCH").started()
    async with playing(ann) as stream:
        for _ in range(3):
            await stream.follow("MATCH", seat=0)
            await stream.until("caught_up")
        await stream.follow("MATCH")
        await stream.until("caught_up")
        live = gateway.parts.live.held("MATCH")
        assert sorted(len(found) for found in live._audiences.values()) == [1, 1]
        (entry,) = await played.move()
        told = [await stream.answer(), await stream.answer()]
        assert [found.cursor for found in entries(told, "MATCH")] == [str(entry.cursor)] * 2
        assert sorted(found.followed.HasField("seat") for found in told) == [False, True]


async def test_unfollow_is_answered_by_the_end(ann, log):
    played = await PlayedMatch(log, "MATCH").started()
    async with playing(ann) as stream:
        await stream.follow("MATCH", seat=0)
        await stream.until("caught_up")
        await stream.send(PlayCommand(unfollow=PlayCommand.Unfollow(match_id="MATCH")))  # not followed so
        await stream.send(PlayCommand(unfollow=PlayCommand.Unfollow(match_id="MATCH", seat=0)))
        end = (await stream.answer()).followed.update.end
        assert end.cursor == str(played.aggregate.cursor)
        assert not end.HasField("refusal")
        await played.move()
        await stream.send(PlayCommand())
        assert (await stream.answer()).HasField("refused")


async def test_all_matches_of_the_caller_are_followed_and_those_claimed_later(ann, bob, log):
    for name in "ABC":
        await PlayedMatch(log, name).started()
    await (await PlayedMatch(log, "OVER").started()).finish()
    async with playing(bob) as stream:
        await stream.follow_mine(include=[INCLUDE_LEGAL])
        seated = {}
        for _ in range(3):
            answers = await stream.until("caught_up")
            found = next(answer.seated for answer in answers if answer.HasField("seated"))
            seated[found.match_id] = (found.seat, found.game)
            assert answers[-1].followed.update.caught_up.situation.HasField("legal")
        assert seated == dict.fromkeys("ABC", (1, GAME))
        match_id = await started_match(ann, bob)
        answers = await stream.until("seated")
        assert answers[-1].seated.match_id == match_id
        await stream.until("caught_up", match_id)
        await play_on([ann, bob], match_id, 1)
        assert entries(await stream.until("entry", match_id), match_id)


async def test_what_is_followed_already_goes_on_and_other_games_are_left_out(floor, log):
    gateway = await floor.gateway(engines=(f"{GAME}={floor.engine.address}", "south_seas=127.0.0.1:1"))
    bob = await floor.client(gateway, "bob")
    played = await PlayedMatch(log, "MATCH").started()
    async with playing(bob) as stream:
        await stream.follow("MATCH", seat=1, after=str(played.entries[3].cursor))
        answers = await stream.until("caught_up")
        assert [found.version for found in entries(answers, "MATCH")] == [5, 6, 7]
        await stream.follow_mine()
        await stream.follow_mine(game="south_seas")
        await PlayedMatch(log, "LATER").started()
        (entry,) = await played.move()
        (told,) = entries(await stream.until("entry"), "MATCH")
        assert told.cursor == str(entry.cursor)


async def test_a_game_that_is_not_served_is_refused_and_what_was_followed_goes_on(bob, log):
    async with playing(bob) as stream:
        await stream.follow_mine()
        await stream.follow_mine(game="chess")
        refused = await stream.answer()
        assert (reason(refused), refused.refused.match_id) == (Reason.UNKNOWN_GAME, "")
        played = await PlayedMatch(log, "MATCH").started()
        await stream.until("caught_up", "MATCH")
        (entry,) = await played.move()
        assert entries(await stream.until("entry", "MATCH"), "MATCH")[-1].cursor == str(entry.cursor)


async def test_the_end_of_a_match_is_told_and_then_nothing_more(bob, gateway, log):
    played = await PlayedMatch(log, "MATCH").started()
    async with playing(bob) as stream:
        await stream.follow("MATCH", seat=1)
        await stream.until("caught_up")
        await played.carry_out(ANN, Leave(0))
        answers = await stream.until("end")
        assert [found.type for found in entries(answers, "MATCH")] == [
            "match.resigned",
            "match.finished",
            "match.secret_revealed",
        ]
        assert not answers[-1].followed.update.end.HasField("refusal")
        assert not gateway.parts.live.held("MATCH").watched


async def test_a_slow_client_is_told_where_to_go_on_and_the_stream_stays(floor, log):
    gateway = await floor.gateway(outbox_bytes=10_000)
    bob = await floor.narrow_client(gateway, "bob")
    played = await PlayedMatch(log, "MATCH").started()
    async with playing(bob) as stream:
        await stream.follow("MATCH", seat=1, include=[INCLUDE_VIEW])
        await stream.until("caught_up")
        live = gateway.parts.live.held("MATCH")
        while not played.aggregate.facts.over:  # nobody reads
            await played.move()
            await until(partial(told_so_far, live, played))
        answers = await stream.until("end")
        end = answers[-1].followed.update.end
        assert wire.from_proto(end.refusal).reason is Reason.SLOW_CONSUMER
        assert end.cursor == entries(answers, "MATCH")[-1].cursor
        await stream.follow("MATCH", seat=1, after=end.cursor)
        rest = await stream.until("end")
        told = [found.version for found in entries(answers + rest, "MATCH")]
        assert told == list(range(8, len(played.entries) + 1))


async def test_idle_follows_are_told_that_nothing_is_missing(floor, log):
    played = await PlayedMatch(log, "MATCH").started()
    gateway = await floor.gateway(checkpoint_s=0.02)
    async with playing(await floor.client(gateway, "bob")) as stream:
        await stream.follow("MATCH")
        await stream.until("caught_up")
        checkpoint = (await stream.until("checkpoint"))[-1].followed.update.checkpoint
        assert checkpoint.cursor == str(played.aggregate.cursor)


async def test_a_client_that_has_sent_all_gets_its_answers_before_the_end(ann, bob):
    match_id = await started_match(ann, bob)
    (move, *_) = await legal(ann, match_id, 0)
    async with playing(ann) as stream:
        await stream.submit(match_id, 0, move)
        await stream.call.done_writing()
        assert (await stream.answer()).HasField("accepted")
        assert await stream.status() is None


async def test_a_stream_ends_when_its_token_does(floor, gateway):
    async with playing(await floor.client(gateway, "ann", lifetime_s=1.5)) as stream:
        assert await stream.status() is Reason.UNAUTHENTICATED


async def test_a_stream_without_a_good_token_is_not_begun(floor, gateway):
    async with playing(await floor.client(gateway, "ann", lifetime_s=-5)) as stream:
        assert await stream.status() is Reason.UNAUTHENTICATED


async def test_a_draining_gateway_answers_what_was_sent_and_ends(ann, bob, gateway):
    match_id = await started_match(ann, bob)
    (move, *_) = await legal(ann, match_id, 0)
    async with playing(ann) as stream:
        await stream.submit(match_id, 0, move)
        assert (await stream.answer()).HasField("accepted")
        await gateway._servicer.drain()
        assert await stream.status() is Reason.DRAINING


async def test_typed_payloads_go_in_and_out(ann, bob):
    match_id = await started_match(ann, bob)
    async with playing(bob) as stream:
        await stream.follow(match_id, seat=1, accept=PAYLOAD_FORM_TYPED, include=[INCLUDE_VIEW, INCLUDE_LEGAL])
        situation = (await stream.until("caught_up"))[-1].followed.update.caught_up.situation
        assert situation.view.HasField("typed")
        assert all(move.HasField("typed") for move in situation.legal.moves)
        await stream.submit(match_id, 1, situation.legal.moves[0], decision=situation.decision)
        assert (await stream.until("accepted"))[-1].accepted.receipt.match_id == match_id


async def test_a_client_that_leaves_leaves_nothing_behind(gateway, bob, log):
    await PlayedMatch(log, "MATCH").started()
    async with playing(bob) as stream:
        await stream.follow_mine()
        await stream.until("caught_up")
    live = gateway.parts.live.held("MATCH")
    await until(lambda: not live.watched and not gateway._servicer._open)
    assert gateway.parts.matches.claims._listeners == {}
    assert bob.player == BOB


async def test_an_import_is_no_match_of_mine(ann, log):
    """Neither when its claims are heard, nor when the seats of a player are listed."""
    played = await PlayedMatch(MemoryLog(), "ELSEWHERE").started()
    secret = played.secret
    async with playing(ann) as stream:
        await stream.follow_mine()
        await log.append(Append("COPY", START, tuple(played.entries), secret))
        await PlayedMatch(log, "MATCH", seed=2).started()
        assert (await stream.answer()).seated.match_id == "MATCH"
    async with playing(ann) as stream:
        await stream.follow_mine()
        assert (await stream.answer()).seated.match_id == "MATCH"


async def test_as_many_are_followed_as_may_be_however_they_are_asked_for(ann, log, monkeypatch):
    monkeypatch.setattr(follows, "MAX_FOLLOWED", 2)
    for name in "ABC":
        await PlayedMatch(log, name).started()
    async with playing(ann) as stream:
        await stream.send(*(PlayCommand(follow=PlayCommand.Follow(match_id=name)) for name in "ABBC"))
        refused = (await stream.until("refused"))[-1]
        assert (refused.refused.match_id, reason(refused)) == ("C", Reason.TOO_MUCH)
        await stream.until("caught_up", "B")
        await stream.follow("C")
        assert reason((await stream.until("refused"))[-1]) is Reason.TOO_MUCH
        await stream.send(PlayCommand(unfollow=PlayCommand.Unfollow(match_id="A")))
        await stream.follow("C")
        await stream.until("caught_up", "C")


async def test_a_number_that_no_enum_has_is_refused_wherever_it_stands(ann, log):
    await PlayedMatch(log, "MATCH").started()
    submit = PlayCommand.Submit(request_id="odd", match_id="MATCH", accept=99)
    async with playing(ann) as stream:
        for command, names in (
            (PlayCommand(submit=submit), ("odd", "MATCH")),
            (PlayCommand(follow=PlayCommand.Follow(match_id="MATCH", include=[9])), ("", "MATCH")),
            (PlayCommand(follow_mine=PlayCommand.FollowMine(accept=99)), ("", "")),
        ):
            await stream.send(command)
            answer = await stream.answer()
            assert reason(answer) is Reason.MALFORMED
            assert (answer.refused.request_id, answer.refused.match_id) == names


async def test_moves_of_a_match_whose_key_is_no_log_are_answered(redis_log, clean_store, tmp_path):
    """And nobody waits for them when the gateway stops."""
    async with Floor(redis_log, tmp_path) as floor, Redis.from_url(clean_store) as client:
        gateway = await floor.gateway()
        await client.set(keys.match("MATCH"), "no log")
        ann = await floor.client(gateway, "ann")
        match_id = await started_match(ann, await floor.client(gateway, "bob"))
        (move, *_) = await legal(ann, match_id, 0)
        async with playing(ann) as stream:
            for request in ("first", "second"):
                await stream.submit("MATCH", 0, move, request_id=request)
                answer = await stream.answer()
                assert (answer.refused.request_id, reason(answer)) == (request, Reason.STORE_AWAY)
            await stream.send(PlayCommand(follow=PlayCommand.Follow(match_id="MATCH")))
            assert reason(await stream.answer()) is Reason.STORE_AWAY
            await stream.submit(match_id, 0, move)
            assert (await stream.answer()).HasField("accepted")
            async with asyncio.timeout(30):
                await gateway._servicer.drain()


async def test_a_store_that_is_another_one_is_told_alike_by_every_call(redis_log, clean_store, tmp_path):
    async with Floor(redis_log, tmp_path) as floor, Redis.from_url(clean_store) as client:
        gateway = await floor.gateway()
        ann = await floor.client(gateway, "ann")
        match_id = await started_match(ann, await floor.client(gateway, "bob"))
        await client.set(keys.match(match_id), "no log")
        gateway.parts.live.compare(hashes.shard(match_id))
        asked = [
            ann.call("GetMatch", match_id=match_id),
            ann.call("StartMatch", match_id=match_id, request_id="start"),
            ann.drained("ReadLog", match_id=match_id),
            ann.drained("ExportMatch", match_id=match_id),
            ann.drained("WatchMatch", match_id=match_id),
        ]
        assert [(await refusal(call)).reason for call in asked] == [Reason.STORE_AWAY] * len(asked)


@pytest.mark.parametrize("held", [True, False])
async def test_a_move_is_answered_where_its_situation_fails(gateway, ann, bob, held, monkeypatch):
    match_id = await started_match(ann, bob)
    (move, *_) = await legal(ann, match_id, 0)
    live = gateway.parts.live

    def fail(*_):
        raise RuntimeError("broken by the test")

    monkeypatch.setattr(LiveMatch, "situation", fail)
    if not held:
        monkeypatch.setattr(live, "at", lambda _: None)
        monkeypatch.setattr(live, "reach", fail)
    async with playing(ann) as stream:
        await stream.submit(match_id, 0, move, include=[INCLUDE_VIEW])
        answer = await stream.answer()
        assert answer.HasField("accepted")
        assert not answer.accepted.HasField("situation")
