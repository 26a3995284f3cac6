"""Quick match and rematch, over real gateways, an engine host and one log."""

import asyncio
import random
from collections import Counter

import pytest

from gateway.callers.identity import mint
from services.common.refusals import Reason, Refused
from tests.gateway.floor import Client, Floor, ids, play_on, refusal, started_match
from tests.gateway.matches.test_live import corrupt
from tests.gateway.played import GAME
from tests.gateway.waiting import kept
from tidelog.v1.lifecycle_pb2 import ABSENCE_POLICY_FORFEIT, LOG_AFTER_END_CLOSED, Clock, Terms
from tidelog.v1.matches_pb2 import MATCH_STATUS_ABORTED, MATCH_STATUS_OPEN, MATCH_STATUS_RUNNING
from tidelog.v1.payload_pb2 import Payload

YOUNG = Payload(json='{"young_explorers": true}')
AS_USUAL = Payload(json='{"young_explorers": false}')


async def quick(client, request_id=None, *, seats=2, **fields):
    return await client.call("QuickMatch", request_id=request_id or next(ids), game=GAME, seats=seats, **fields)


async def cancel(client, match_id, request_id=None):
    return await client.call("CancelQuickMatch", request_id=request_id or next(ids), match_id=match_id)


def players(match):
    return [seat.player for seat in match.seats]


@pytest.fixture
async def cara(floor, gateway):
    return await floor.client(gateway, "cara")


async def test_two_who_ask_for_the_same_play_each_other(ann, bob):
    waiting = await quick(ann)
    assert (waiting.seat, waiting.match.status) == (0, MATCH_STATUS_OPEN)
    paired = await quick(bob)
    assert paired.match.match_id == waiting.match.match_id
    assert (paired.seat, paired.match.status) == (1, MATCH_STATUS_RUNNING)
    assert players(paired.match) == [ann.player, bob.player]
    assert paired.match.terms.quick
    assert paired.match.creator == "service:lobby"


@pytest.mark.parametrize(
    "other",
    [
        {"seats": 3},
        {"options": YOUNG},
        {"clock": Clock(move_ms=60_000)},
        {"absence": ABSENCE_POLICY_FORFEIT},
        {"log_after_end": LOG_AFTER_END_CLOSED},
    ],
    ids=str,
)
async def test_those_who_ask_for_something_else_do_not_meet(ann, bob, other):
    waiting, elsewhere = await quick(ann), await quick(bob, **other)
    assert waiting.match.match_id != elsewhere.match.match_id
    assert elsewhere.match.status == MATCH_STATUS_OPEN


async def test_the_same_said_otherwise_is_the_same(ann, bob):
    waiting = await quick(ann, options=AS_USUAL, edition="house")
    paired = await quick(bob, options=Payload(json="{}"), edition=waiting.match.edition)
    assert paired.match.match_id == waiting.match.match_id


async def test_asked_again_the_answer_is_the_same_seat_at_every_gateway(floor, ann, bob):
    elsewhere = await floor.client(await floor.gateway(), "ann")
    waiting = await quick(ann, "mine")
    for client in (ann, elsewhere):
        again = await quick(client, "mine")
        assert (again.match.match_id, again.seat) == (waiting.match.match_id, waiting.seat)
    paired = await quick(bob)
    for client in (ann, elsewhere):
        again = await quick(client, "mine")
        assert (again.match.match_id, again.seat) == (paired.match.match_id, 0)
        assert again.match.status == MATCH_STATUS_RUNNING
    await play_on([ann, bob], paired.match.match_id)
    assert (await quick(elsewhere, "mine")).match.match_id == paired.match.match_id


async def test_a_gateway_answers_again_what_it_saw_before_its_read_model_did(floor, ann, bob):
    behind = await floor.gateway(projection_pause_s=600)
    first = (await quick(ann, "mine")).match.match_id
    await quick(bob)
    elsewhere = await floor.client(behind, "cara")
    assert (await quick(elsewhere)).match.match_id != first
    again = await quick(await floor.client(behind, "ann"), "mine")
    assert (again.match.match_id, again.seat) == (first, 0)


async def test_the_same_request_for_something_else_is_refused(ann, gateway):
    await quick(ann, "mine")
    await kept(gateway)
    assert (await refusal(quick(ann, "mine", seats=3))).reason is Reason.REQUEST_ID_REUSED


async def test_a_match_that_can_not_be_read_holds_nobody_up(log, tmp_path):
    async with Floor(log, tmp_path / "before") as floor:
        spoilt = (await quick(await floor.client(await floor.gateway(), "ann"))).match.match_id
    log._logs[spoilt][0] = corrupt(log._logs[spoilt][0])
    async with Floor(log, tmp_path / "after") as floor:
        gateway = await floor.gateway()
        waiting = await quick(await floor.client(gateway, "bob"))
        paired = await quick(await floor.client(gateway, "cara"))
    assert waiting.match.match_id == paired.match.match_id != spoilt
    assert paired.match.status == MATCH_STATUS_RUNNING


async def test_who_waits_has_one_seat_however_often_they_ask(floor, ann, bob):
    elsewhere = await floor.client(await floor.gateway(), "ann")
    waiting = await quick(ann)
    answers = await asyncio.gather(*(quick(client) for client in (ann, elsewhere) * 5))
    assert {(answer.match.match_id, answer.seat) for answer in answers} == {(waiting.match.match_id, 0)}
    await quick(bob)
    assert (await quick(ann)).match.match_id != waiting.match.match_id


async def test_a_seat_is_held_for_a_time(ann, log, gateway):
    before = await gateway.parts.log.time_ms()
    answer = await quick(ann, expires_after_ms=90_000)
    claim = (await log.read(answer.match.match_id))[1]
    until = int(claim.body.split(b'"until":')[1].split(b"}")[0])
    assert before + 90_000 <= until <= await gateway.parts.log.time_ms() + 90_000


async def test_who_asks_again_after_that_time_is_held_a_seat_anew(ann, bob, gateway):
    late = (await quick(ann, expires_after_ms=1)).match.match_id
    passed = await gateway.parts.log.time_ms() + 1
    while await gateway.parts.log.time_ms() <= passed:
        """Each look asks the store."""
    assert (await quick(ann)).match.match_id == late
    paired = await quick(bob)
    assert (paired.match.match_id, paired.match.status) == (late, MATCH_STATUS_RUNNING)


async def test_a_cancel_gives_the_seat_up(ann, bob, cara):
    waiting = (await quick(ann, "mine")).match.match_id
    receipt = (await cancel(ann, waiting, "enough")).receipt
    assert (await cancel(ann, waiting, "enough")).receipt.cursor == receipt.cursor
    assert (await refusal(quick(ann, "mine"))).reason is Reason.REQUEST_ID_REUSED
    assert (await refusal(cancel(ann, waiting))).reason is Reason.NOT_YOUR_SEAT
    assert (await quick(bob)).match.match_id == waiting
    paired = await quick(cara)
    assert players(paired.match) == [bob.player, cara.player]
    for client in (bob, ann):
        assert (await refusal(cancel(client, waiting))).reason in (Reason.ALREADY_STARTED, Reason.NOT_YOUR_SEAT)
    assert (await refusal(cancel(bob, waiting))).reason is Reason.ALREADY_STARTED


async def test_only_a_quick_match_is_cancelled(ann, bob):
    match_id = await started_match(ann, bob)
    assert (await refusal(cancel(ann, match_id))).reason is Reason.MALFORMED
    assert (await refusal(cancel(ann, "NONE"))).reason is Reason.UNKNOWN_MATCH


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"game": "chess"}, Reason.UNKNOWN_GAME),
        ({"seats": 0}, Reason.MALFORMED),
        ({"seats": -1}, Reason.MALFORMED),
        ({"seats": 1}, Reason.ILLEGAL_OPTIONS),
        ({"seats": 101}, Reason.MALFORMED),
        ({"options": Payload(json='{"dragons": 1}')}, Reason.MALFORMED),
        ({"edition": "no such"}, Reason.UNKNOWN_EDITION),
        ({"expires_after_ms": -1}, Reason.MALFORMED),
        ({"expires_after_ms": 3_600_001}, Reason.TOO_LARGE),
        ({"request_id": ""}, Reason.MALFORMED),
        ({"absence": 77}, Reason.MALFORMED),
        ({"clock": Clock()}, Reason.MALFORMED),
        ({"clock": Clock(move_ms=10 * 366 * 24 * 3600 * 1000)}, Reason.MALFORMED),
    ],
    ids=str,
)
async def test_what_no_match_can_be_made_of_is_refused(ann, log, fields, reason):
    asked = {"request_id": next(ids), "game": GAME, "seats": 2} | fields
    assert (await refusal(ann.call("QuickMatch", **asked))).reason is reason
    assert not log._logs


@pytest.mark.parametrize("fours", [25, pytest.param(125, marks=pytest.mark.soak)])
async def test_many_who_ask_at_once_at_two_gateways_all_play(floor, gateway, log, fours):
    """Their number leaves nobody alone: one with a seat and nobody to play with would show a pairing that was lost."""
    gateways = [gateway, await floor.gateway()]
    channels = [await floor.channel(each) for each in gateways]
    crowd = [await guest(gateways, channels, number) for number in range(fours * 8)]
    seats = (2, 4)
    answers = await asyncio.gather(*(patient(client, seats[place % 2]) for place, client in enumerate(crowd)))
    found = Counter(answer.match.match_id for answer in answers)
    assert sorted(found.values()) == [2] * 2 * fours + [4] * fours
    for match_id, count in found.items():
        match = (await crowd[0].call("GetMatch", match_id=match_id)).match
        assert match.status == MATCH_STATUS_RUNNING
        assert len(set(players(match))) == count
    assert len(log._logs) == 3 * fours


async def patient(client, seats):
    """Asks again, with the same request, as long as too many do."""
    while True:
        try:
            return await quick(client, "mine", seats=seats)
        except Refused as refused:
            if refused.reason is not Reason.TOO_MUCH:
                raise


async def guest(gateways, channels, number):
    place = number // 2 % 2
    token = mint(gateways[place].parts.guest_key, f"guest{number}")
    return Client(channels[place], token, f"tidelog|guest{number}")


async def test_whoever_cancels_while_others_are_paired_has_either_cancelled_or_plays(floor, gateway):
    gateways = [gateway, await floor.gateway()]
    channels = [await floor.channel(each) for each in gateways]
    crowd = [await guest(gateways, channels, number) for number in range(60)]
    dice = random.Random(5)
    fickle = set(dice.sample(crowd, 25))
    gone, late, playing = set(), [], {}

    async def ask(client):
        match_id = (await quick(client)).match.match_id
        playing[client] = match_id
        if client in fickle:
            try:
                await cancel(client, match_id)
                gone.add(client)
            except Refused as refused:
                late.append(refused.reason)

    await asyncio.gather(*(ask(client) for client in crowd))
    assert set(late) <= {Reason.ALREADY_STARTED}
    waiting = Counter()
    for client, match_id in playing.items():
        match = (await client.call("GetMatch", match_id=match_id)).match
        assert (client.player in players(match)) is (client not in gone)
        if client not in gone and match.status == MATCH_STATUS_OPEN:
            waiting[match_id] += 1
    assert sum(waiting.values()) == (60 - len(gone)) % 2, "at most one has nobody to play with"


@pytest.fixture
async def over(ann, bob):
    """Ann sat first."""
    match_id = await started_match(ann, bob, options=YOUNG, terms=Terms(clock=Clock(move_ms=60_000)))
    await play_on([ann, bob], match_id)
    return match_id


async def again(client, match_id, request_id=None):
    return await client.call("Rematch", request_id=request_id or next(ids), match_id=match_id)


async def test_a_rematch_waits_for_the_others_one_seat_on(ann, bob, cara, over):
    asked = await again(ann, over)
    match = asked.match
    assert (asked.seat, match.status, players(match)) == (1, MATCH_STATUS_OPEN, ["", ann.player])
    assert (match.terms.rematch_of, list(match.terms.reserved)) == (over, [bob.player, ann.player])
    assert match.terms.clock.move_ms == 60_000
    refused = await refusal(cara.call("JoinMatch", request_id=next(ids), match_id=match.match_id))
    assert refused.reason is Reason.SEAT_TAKEN
    joined = await again(bob, over)
    assert (joined.seat, joined.match.match_id, joined.match.status) == (0, match.match_id, MATCH_STATUS_RUNNING)
    old, new = [await ann.call("GetMatch", match_id=match_id) for match_id in (over, match.match_id)]
    assert new.options == old.options
    assert new.match.edition == old.match.edition


async def test_it_is_found_among_the_invitations(ann, bob, cara, over, gateway):
    match_id = (await again(ann, over)).match.match_id
    await kept(gateway)
    for client, expected in ((bob, [match_id]), (ann, []), (cara, [])):
        found = await client.call("ListMatches", invited=True)
        assert [match.match_id for match in found.matches] == expected
    joined = await bob.call("JoinMatch", request_id=next(ids), match_id=match_id)
    assert joined.seat == 0


async def test_nobody_else_is_invited_to_a_reserved_seat(ann, bob, cara, over):
    match_id = (await again(ann, over)).match.match_id
    for asked in ({}, {"seat": 0}, {"player": cara.player}, {"seat": 0, "player": cara.player}):
        refused = await refusal(ann.call("CreateInvitation", match_id=match_id, **asked))
        assert refused.reason is Reason.SEAT_TAKEN
    for asked in ({"player": bob.player}, {"seat": 0, "player": bob.player}):
        assert (await ann.call("CreateInvitation", match_id=match_id, **asked)).invitation


async def test_asked_twice_or_by_both_at_once_it_is_one_match(floor, ann, bob, over, log):
    elsewhere = await floor.client(await floor.gateway(), "bob")
    before = len(log._logs)
    answers = await asyncio.gather(*(again(client, over) for client in (ann, elsewhere, bob, ann, elsewhere)))
    assert len({answer.match.match_id for answer in answers}) == 1
    assert len(log._logs) == before + 1
    final = await again(ann, over)
    assert players(final.match) == [bob.player, ann.player]
    assert final.match.status == MATCH_STATUS_RUNNING


async def test_one_that_ended_without_a_result_may_be_asked_for_anew(ann, bob, over, floor, gateway):
    operator = await floor.client(gateway, "operator", admin=True)
    first = (await again(ann, over)).match.match_id
    await operator.call("AbortMatch", request_id=next(ids), match_id=first, reason="nobody came")
    assert (await ann.call("GetMatch", match_id=first)).match.status == MATCH_STATUS_ABORTED
    second = (await again(bob, over)).match.match_id
    assert second != first
    assert (await again(ann, over)).match.match_id == second


async def test_bots_sit_down_at_once(ann):
    created = await ann.call(
        "CreateMatch", request_id=next(ids), game=GAME, seats=2, own_seat=0, bots=[{"seat": 1, "policy": "random"}]
    )
    match_id = created.receipt.match_id
    await ann.call("LeaveMatch", request_id=next(ids), match_id=match_id, seat=0)
    asked = await again(ann, match_id)
    assert (asked.seat, asked.match.status) == (1, MATCH_STATUS_RUNNING)
    assert [seat.bot for seat in asked.match.seats] == [True, False]


async def test_a_private_match_is_repeated_in_private(ann, bob, cara):
    match_id = (
        await ann.call("CreateMatch", request_id=next(ids), game=GAME, seats=2, own_seat=0, terms=Terms(private=True))
    ).receipt.match_id
    invitation = (await ann.call("CreateInvitation", match_id=match_id)).invitation
    await bob.call("JoinMatch", request_id=next(ids), match_id=match_id, invitation=invitation)
    await bob.call("LeaveMatch", request_id=next(ids), match_id=match_id, seat=1)
    new = (await again(bob, match_id)).match.match_id
    assert (await refusal(cara.call("GetMatch", match_id=new))).reason is Reason.UNKNOWN_MATCH
    assert (await ann.call("GetMatch", match_id=new)).match.terms.private


async def test_what_can_not_be_repeated_is_refused(ann, bob, cara, over):
    running = await started_match(ann, bob)
    for client, match_id, reason in (
        (ann, running, Reason.NOT_OVER),
        (cara, running, Reason.NOT_YOUR_SEAT),
        (cara, over, Reason.NOT_YOUR_SEAT),
        (ann, "NONE", Reason.UNKNOWN_MATCH),
    ):
        assert (await refusal(again(client, match_id))).reason is reason
    assert (await refusal(again(ann, over, "x" * 65))).reason is Reason.TOO_LARGE


async def test_a_seat_of_a_rematch_that_was_given_up_is_not_found_elsewhere(ann, over, log):
    """The same request under a seat given up makes no second match; a new one takes the seat again."""
    asked = await again(ann, over, "once")
    await ann.call("LeaveMatch", request_id=next(ids), match_id=asked.match.match_id, seat=asked.seat)
    before = len(log._logs)
    assert (await refusal(again(ann, over, "once"))).reason is Reason.REQUEST_ID_REUSED
    assert len(log._logs) == before
    anew = await again(ann, over)
    assert (anew.match.match_id, anew.seat) == (asked.match.match_id, asked.seat)
