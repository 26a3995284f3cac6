"""A Play session outlives its streams: one effect a move, each entry once."""

import asyncio

import grpc
import pytest

from services.common import refusals
from services.common.refusals import Reason
from tidelog.client import LEGAL, Refused, Seated, Told, connect
from tidelog.client.answers import CaughtUp, End, Entry
from tidelog.client.following import MINE, Following
from tidelog.client.sending import BUSY, Sending
from tidelog.v1.matches_pb2 import PlayCommand
from tidelog.v1.payload_pb2 import Payload

PATIENCE_S = 60
"""Only a session that hangs needs so long, also on a busy machine."""


def commands(server) -> list[str]:
    return [command.WhichOneof("command") for request in server.requests for command in request.commands]


def soon(reason: Reason, retry_after_ms: int = 1) -> refusals.Refused:
    return refusals.Refused(reason, "so it is", retry_after_ms=retry_after_ms)


async def take(play, count: int) -> list[Told | Seated]:
    async def taken() -> list[Told | Seated]:
        return [await anext(play) for _ in range(count)]

    return await asyncio.wait_for(taken(), PATIENCE_S)


def versions(news) -> list[int]:
    return [told.update.version for told in news if isinstance(told.update, Entry)]


async def test_a_move_is_answered_with_its_receipt(client, server):
    async with client.play() as play:
        accepted = await play.submit("m", 0, {"a": 1}, decision=3, include=[LEGAL])
    assert accepted.receipt.cursor == server.log().head
    submit = server.requests[0].commands[0].submit
    assert (submit.decision, submit.move.json, list(submit.include)) == (3, '{"a":1}', [LEGAL])


async def test_a_refusal_does_not_end_the_stream(client, server):
    async with client.play() as play:
        with pytest.raises(Refused) as caught:
            await play.submit("m", 0, '"illegal"')
        assert caught.value.rule == "XX-1"
        await play.submit("m", 0, 1)
    assert len(server.tokens) == 1


async def test_moves_made_together_travel_together(client, server):
    async with client.play() as play:
        await asyncio.gather(*(play.submit(f"m{number}", 0, number) for number in range(64)))
    assert len(server.applied) == 64
    assert len(server.requests) < 16


@pytest.mark.parametrize(("under_way", "waits"), [(BUSY - 1, False), (BUSY, True)])
async def test_only_a_busy_stream_waits_for_more_to_gather(under_way, waits):
    sending = Sending()
    moves = [PlayCommand(submit={"request_id": str(number)}) for number in range(under_way)]
    asking = [asyncio.ensure_future(sending.ask(move, PATIENCE_S)) for move in moves]
    await sending.batch()
    gathering = asyncio.ensure_future(sending.gathered())
    await asyncio.sleep(0)
    assert gathering.done() is not waits
    sending.fail(Refused("unavailable", "over"))
    await asyncio.gather(gathering, *asking, return_exceptions=True)


async def test_no_message_is_larger_than_a_server_takes(client, server):
    async with client.play() as play:
        await asyncio.gather(*(play.submit("m", 0, "x" * 40_000) for _ in range(10)))
    assert max(request.ByteSize() for request in server.requests) < 128 * 1024
    assert len(server.log().moves) == 10


async def test_a_move_that_no_server_takes_is_not_sent(client, server):
    async with client.play() as play:
        with pytest.raises(Refused, match="too_large"):
            await play.submit("m", 0, "x" * 300_000)
        await play.submit("m", 0, 1)
    assert len(server.tokens) == 1


async def test_moves_without_an_answer_are_sent_again_as_they_were(client, server):
    server.break_after = [2, 1, 0]
    async with client.play() as play:
        await asyncio.gather(*(play.submit("m", 0, number) for number in range(5)))
    assert len(server.log().moves) == 5
    sent = {(command.submit.request_id, command.submit.move.json) for r in server.requests for command in r.commands}
    assert len(sent) == 5


async def test_a_passing_refusal_is_tried_again(client, server):
    server.faults = [grpc.StatusCode.UNAVAILABLE, refusals.Refused(Reason.OUTCOME_UNKNOWN, "who knows")]
    async with client.play() as play:
        await play.submit("m", 0, 1, request_id="mine")
    assert list(server.applied) == ["mine"]


async def test_a_request_id_in_use_is_refused_at_once(client):
    async with client.play() as play:
        first = asyncio.create_task(play.submit("m", 0, 1, request_id="mine"))
        await asyncio.sleep(0)
        with pytest.raises(Refused, match="request_id_reused"):
            await play.submit("m", 0, 2, request_id="mine")
        await first


async def test_a_followed_match_is_told_and_then_live(client, server):
    await client.submit("m", 0, 1)
    async with client.play() as play:
        play.follow("m", seat=0)
        first, caught_up = await take(play, 2)
        await play.submit("m", 0, 2)
        (second,) = await take(play, 1)
        await server.log().end()
        (last,) = await take(play, 1)
    assert versions([first, second]) == [1, 2]
    assert caught_up.update == CaughtUp(server.log().cursor(1), None)
    assert last == Told("m", 0, End(server.log().head, None))


async def test_a_followed_match_is_resumed_without_gap_or_repeat(client, server):
    server.break_after = [2, 3, 1]
    async with client.play() as play:
        play.follow("m")
        for number in range(6):
            await play.submit("m", 0, number)
        news = []
        while len(versions(news)) < 6:
            news += await take(play, 1)
    assert versions(news) == [1, 2, 3, 4, 5, 6]
    assert len(server.tokens) == 4


async def test_following_anew_begins_from_the_given_cursor(client, server):
    for number in range(3):
        await client.submit("m", 0, number)
    async with client.play() as play:
        play.follow("m", after=server.log().cursor(3))
        assert versions(await take(play, 1)) == []
        play.follow("m", after=server.log().cursor(1))
        assert versions(await take(play, 2)) == [2, 3]


async def test_own_matches_are_followed_from_their_head_and_resumed_from_their_cursor(client, server):
    await server.log().append(Payload(json="1"))
    server.mine = [("m", 0)]
    server.break_after = [2]
    async with client.play() as play:
        play.follow_mine(include=[LEGAL])
        seated, _ = await take(play, 2)
        await play.submit("m", 0, 2)
        assert versions(await take(play, 1)) == [2]
        await play.submit("m", 0, 3)
        news = await take(play, 2)
    assert seated == Seated("m", "test", 0, server.log().cursor(1))
    assert versions(news) == [3]
    assert commands(server) == ["follow_mine", "submit", "submit", "follow", "follow_mine", "submit"]
    follow = server.requests[-1].commands[0].follow
    assert (follow.after, list(follow.include)) == (server.log().cursor(2), [LEGAL])


async def test_a_match_no_longer_followed_is_told_no_more(client, server):
    async with client.play() as play:
        play.follow("m")
        await take(play, 1)
        play.unfollow("m")
        await play.submit("m", 0, 1)
        play.follow("n")
        assert [told.match_id for told in await take(play, 1)] == ["n"]
    assert commands(server) == ["follow", "unfollow", "submit", "follow"]


async def test_a_follow_that_is_refused_ends_with_the_refusal(client):
    async with client.play() as play:
        play.follow("m", after="9-00")
        (told,) = await take(play, 1)
    assert told.update.refused.reason == "log_rewound"


@pytest.mark.parametrize("reason", [Reason.STORE_AWAY, Reason.STORE_READ_ONLY, Reason.OUTCOME_UNKNOWN, Reason.INTERNAL])
async def test_after_a_passing_end_a_match_is_followed_again(client, server, reason):
    await server.log().append(Payload(json="1"))
    server.follow_faults = [soon(reason), soon(reason)]
    async with client.play() as play:
        play.follow("m", seat=0)
        assert versions(await take(play, 1)) == [1]
    assert commands(server) == ["follow"] * 3


async def test_own_matches_that_could_not_be_looked_for_are_looked_for_again(client, server):
    server.mine = [("m", 0)]
    server.mine_faults = [soon(Reason.STORE_AWAY), soon(Reason.STORE_AWAY)]
    async with client.play() as play:
        play.follow_mine()
        assert await take(play, 2) == [Seated("m", "test", 0, "0-0"), Told("m", 0, CaughtUp("0-0", None))]


def test_own_matches_of_a_game_that_is_not_served_leave_those_asked_for_before():
    following = Following()
    served = following.begin_mine(PlayCommand.FollowMine(game="served"))
    following.begin_mine(PlayCommand.FollowMine(game="not_served"))
    assert following.mine_again(MINE, Refused("unknown_game", "not served here")) is None
    assert following.again() == [served]


@pytest.mark.parametrize("reason", [Reason.STORE_AWAY, Reason.ENGINE_AWAY, Reason.INTERNAL, Reason.TOO_MUCH])
async def test_an_own_match_that_could_not_be_begun_is_begun_later(client, server, reason):
    server.mine = [("m", 0), ("n", 1)]
    server.seat_faults = [soon(reason)]
    async with client.play() as play:
        play.follow_mine()
        news = await take(play, 4)
    assert [seated.match_id for seated in news if isinstance(seated, Seated)] == ["n", "m"]


async def test_an_own_match_whose_log_went_back_is_followed_from_its_head(client, server):
    server.mine = [("m", 0)]
    server.follow_faults = [soon(Reason.LOG_REWOUND)]
    async with client.play() as play:
        play.follow_mine()
        _, end, seated, caught_up = await take(play, 4)
    assert end.update.refused.reason == "log_rewound"
    assert (seated, caught_up.update) == (Seated("m", "test", 0, "0-0"), CaughtUp("0-0", None))


async def test_an_own_seat_that_is_lost_is_not_looked_for_again(client, server):
    server.mine = [("m", 0)]
    server.follow_faults = [soon(Reason.NOT_YOUR_SEAT)]
    async with client.play() as play:
        play.follow_mine()
        _, end = await take(play, 2)
        await play.submit("n", 0, 1)
    assert end.update.refused.reason == "not_your_seat"
    assert commands(server) == ["follow_mine", "submit"]


async def test_an_own_match_found_again_goes_on_from_the_last_entry_told(client, server):
    server.mine, server.break_after = [("m", 0)], [1]
    async with client.play() as play:
        play.follow_mine()
        await take(play, 2)
        server.follow_faults = [soon(Reason.STORE_AWAY)]
        server.log().moves.append(Payload(json="1"))
        play.follow("n")
        news = await take(play, 2)
    assert sorted(told.match_id for told in news) == ["m", "n"]
    assert versions(news) == [1]


async def test_a_token_that_has_expired_ends_the_session(client, server):
    server.faults = [refusals.Refused(Reason.UNAUTHENTICATED, "expired")]
    async with client.play() as play:
        with pytest.raises(Refused, match="unauthenticated"):
            await play.submit("m", 0, 1)
        with pytest.raises(Refused, match="unauthenticated"):
            await anext(play)
        with pytest.raises(Refused, match="unauthenticated"):
            await play.submit("m", 0, 1)


async def test_without_an_answer_in_time_the_outcome_is_unknown(place):
    server, address = place
    server.faults = [grpc.StatusCode.UNAVAILABLE] * 1000
    async with connect(address, token="t", deadline_s=0.2) as client, client.play() as play:
        with pytest.raises(Refused, match="outcome_unknown"):
            await play.submit("m", 0, 1)


async def test_an_attempt_without_an_answer_leaves_the_outcome_unknown_whatever_was_said_before(place):
    server, address = place
    async with connect(address, token="t", deadline_s=2) as client, client.play() as play:
        await play.submit("m", 0, 0)
        server.faults = [soon(Reason.ENGINE_AWAY), None]
        with pytest.raises(Refused, match=r"outcome_unknown: .*engine_away: so it is"):
            await play.submit("m", 0, 1)


@pytest.mark.usefixtures("without_pauses")
async def test_a_move_refused_to_the_end_is_refused_for_that_reason(place):
    server, address = place
    async with connect(address, token="t", deadline_s=30) as client, client.play() as play:
        await play.submit("m", 0, 1)
        server.faults = [soon(Reason.ENGINE_AWAY, retry_after_ms=200)] * 1000
        with pytest.raises(Refused, match="engine_away: so it is"):
            await play.submit("m", 0, 2)
