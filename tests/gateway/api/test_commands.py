"""Every rpc that changes a match, through a gateway, its link, a real host and a log."""

import pytest

from services.common.refusals import Reason, Refused
from services.eventlog.port import StoreAway
from tests.gateway.floor import ids, play_on, refusal, started_match
from tests.gateway.played import GAME
from tidelog.v1.matches_pb2 import MATCH_STATUS_ABORTED, MATCH_STATUS_FINISHED, MATCH_STATUS_OPEN, MATCH_STATUS_RUNNING
from tidelog.v1.payload_pb2 import PAYLOAD_FORM_TYPED, Payload
from tidelog.v1.updates_pb2 import INCLUDE_LEGAL, INCLUDE_VIEW


async def create(client, **fields):
    return await client.call("CreateMatch", **{"request_id": next(ids), "game": GAME, "seats": 2} | fields)


async def state(client, match_id):
    return (await client.call("GetMatch", match_id=match_id)).match


async def legal(client, match_id, seat, **fields):
    return await client.call("ListLegalMoves", match_id=match_id, seat=seat, **fields)


async def test_a_match_is_created_joined_and_begun(ann, bob):
    created = await create(ann, own_seat=0)
    match = await state(ann, created.receipt.match_id)
    assert (match.status, match.creator, match.seats[0].name) == (MATCH_STATUS_OPEN, ann.player, "Ann")
    joined = await bob.call("JoinMatch", request_id=next(ids), match_id=match.match_id)
    assert joined.seat == 1
    match = await state(bob, match.match_id)
    assert (match.status, match.cursor) == (MATCH_STATUS_RUNNING, joined.receipt.cursor)
    assert [seat.player for seat in match.seats] == [ann.player, bob.player]


async def test_a_command_sent_twice_is_carried_out_once(ann, bob):
    request_id = next(ids)
    first, again = [await create(ann, request_id=request_id, own_seat=0) for _ in range(2)]
    assert again.receipt.duplicate
    again.receipt.duplicate = False
    assert first == again
    other = await create(bob, request_id=request_id, own_seat=0)
    assert other.receipt.match_id != first.receipt.match_id
    assert (await refusal(create(ann, request_id=request_id, own_seat=1))).reason is Reason.REQUEST_ID_REUSED


async def test_bots_are_given_seats_at_once(ann):
    created = await create(ann, own_seat=0, bots=[{"seat": 1, "policy": "random"}])
    seat = (await state(ann, created.receipt.match_id)).seats[1]
    assert (seat.player, seat.name, seat.bot) == ("tidelog|bot:random", "random", True)
    first = await create(ann, own_seat=1, bots=[{"seat": 0}])
    assert (await state(ann, first.receipt.match_id)).seats[0].player == "tidelog|bot:greedy"


async def test_a_bot_that_joins_is_told_from_persons(floor, gateway, ann):
    match_id = (await create(ann, own_seat=0)).receipt.match_id
    bot = await floor.client(gateway, "bot:greedy")
    await bot.call("JoinMatch", request_id=next(ids), match_id=match_id)
    assert [seat.bot for seat in (await state(ann, match_id)).seats] == [False, True]


async def test_a_message_too_large_is_refused_with_the_limit(ann):
    refused = await refusal(ann.call("GetMatch", match_id="x" * 300_000))
    assert refused.reason is Reason.TOO_LARGE
    assert "262144" in refused.message


async def test_a_match_without_auto_start_waits_for_its_creator(ann, bob):
    match_id = (await create(ann, own_seat=0, auto_start=False)).receipt.match_id

    async def start(client):
        return await client.call("StartMatch", request_id=next(ids), match_id=match_id)

    assert (await refusal(start(ann))).reason is Reason.SEATS_OPEN
    await bob.call("JoinMatch", request_id=next(ids), match_id=match_id)
    assert (await refusal(start(bob))).reason is Reason.NOT_ALLOWED
    await start(ann)
    assert (await refusal(start(ann))).reason is Reason.ALREADY_STARTED


async def test_a_seat_left_before_the_start_is_free_and_afterwards_resigned(ann, bob):
    match_id = (await create(ann, own_seat=0, auto_start=False)).receipt.match_id

    async def leave(client, seat):
        return await client.call("LeaveMatch", request_id=next(ids), match_id=match_id, seat=seat)

    assert (await refusal(leave(bob, 0))).reason is Reason.NOT_YOUR_SEAT
    await leave(ann, 0)
    assert (await state(ann, match_id)).seats[0].player == ""
    for client in (bob, ann):
        await client.call("JoinMatch", request_id=next(ids), match_id=match_id)
    await ann.call("StartMatch", request_id=next(ids), match_id=match_id)
    await leave(bob, 0)
    match = await state(ann, match_id)
    assert (match.status, match.seats[0].vacant) == (MATCH_STATUS_FINISHED, True)
    assert [standing.seat for standing in match.outcome.ranking] == [1, 0]


async def test_a_match_that_all_persons_left_is_aborted(ann):
    match_id = (await create(ann, own_seat=0, bots=[{"seat": 1}])).receipt.match_id
    await ann.call("LeaveMatch", request_id=next(ids), match_id=match_id, seat=0)
    assert (await state(ann, match_id)).status == MATCH_STATUS_ABORTED


@pytest.mark.parametrize("accept", [0, PAYLOAD_FORM_TYPED])
async def test_a_move_is_answered_with_the_situation_asked_for(ann, bob, accept):
    match_id = await started_match(ann, bob)
    found = await legal(ann, match_id, 0, accept=accept)
    answer = await ann.call(
        "SubmitMove",
        request_id=next(ids),
        match_id=match_id,
        seat=0,
        move=found.legal.moves[0],
        decision=found.decision,
        accept=accept,
        include=[INCLUDE_VIEW, INCLUDE_LEGAL],
    )
    assert answer.situation.cursor == answer.receipt.cursor
    assert answer.situation.view.WhichOneof("form") == ("typed" if accept else "json")
    assert not answer.situation.HasField("decision")
    view = await ann.call("GetView", match_id=match_id, seat=0, accept=accept)
    assert (view.view, view.cursor) == (answer.situation.view, answer.situation.cursor)


@pytest.mark.parametrize(
    "failure", [StoreAway("away"), Refused(Reason.QUARANTINED, "no"), RuntimeError("a fault of ours")]
)
async def test_a_move_that_stands_is_acknowledged_though_its_situation_can_not_be_had(
    gateway, ann, bob, monkeypatch, failure
):
    match_id = await started_match(ann, bob)
    move = (await legal(ann, match_id, 0)).legal.moves[0]

    async def reach(*_args):
        raise failure

    monkeypatch.setattr(gateway.parts.live, "reach", reach)
    asked = {"match_id": match_id, "seat": 0, "move": move, "include": [INCLUDE_VIEW]}
    answer = await ann.call("SubmitMove", request_id=next(ids), **asked)
    assert answer.receipt.last_version
    assert not answer.HasField("situation")


async def test_a_match_is_played_to_its_end(ann, bob):
    match_id = await started_match(ann, bob)
    assert await play_on([ann, bob], match_id) > 20
    match = await state(ann, match_id)
    assert match.status == MATCH_STATUS_FINISHED
    assert match.outcome.ranking[0].place == 1
    late = ann.call("SubmitMove", request_id=next(ids), match_id=match_id, seat=0, move=Payload(json="{}"))
    assert (await refusal(late)).reason in (Reason.MATCH_OVER, Reason.MALFORMED)


async def test_a_move_is_refused_with_its_reason(ann, bob):
    match_id = await started_match(ann, bob)
    move = (await legal(ann, match_id, 0)).legal.moves[0]

    async def submit(client, **fields):
        whole = {"request_id": next(ids), "match_id": match_id, "seat": 0, "move": move} | fields
        return await refusal(client.call("SubmitMove", **whole))

    assert (await submit(ann, match_id="NONE")).reason is Reason.UNKNOWN_MATCH
    assert (await submit(ann, match_id="")).reason is Reason.UNKNOWN_MATCH
    assert (await submit(ann, seat=7)).reason is Reason.UNKNOWN_SEAT
    assert (await submit(ann, seat=1)).reason is Reason.NOT_YOUR_SEAT
    assert (await submit(ann, decision=1)).reason is Reason.STALE
    assert (await submit(ann, expected_version=3)).reason is Reason.STALE
    assert (await submit(ann, request_id="")).reason is Reason.MALFORMED
    assert (await submit(ann, request_id="x" * 65)).reason is Reason.TOO_LARGE
    assert (await submit(ann, move=Payload())).reason is Reason.MALFORMED
    assert (await submit(ann, move=Payload(json='{"kind":"fly"}'))).reason is Reason.MALFORMED
    assert (await submit(ann, move=Payload(json="x" * 70_000))).reason is Reason.TOO_LARGE
    illegal = await submit(ann, move=Payload(json='{"kind":"return_tile","tile":"T1"}'))
    assert illegal.reason in (Reason.ILLEGAL_MOVE, Reason.NOT_YOUR_TURN)
    assert illegal.rule.startswith("LS-")


async def test_a_request_id_used_for_another_move_is_refused(ann, bob):
    match_id = await started_match(ann, bob)
    first, other = (await legal(ann, match_id, 0)).legal.moves[:2]
    request_id = next(ids)

    async def submit(move):
        return await ann.call("SubmitMove", request_id=request_id, match_id=match_id, seat=0, move=move)

    receipt = (await submit(first)).receipt
    assert (await submit(first)).receipt.cursor == receipt.cursor
    assert (await refusal(submit(other))).reason is Reason.REQUEST_ID_REUSED


async def test_a_move_is_judged_without_being_played(ann, bob):
    match_id = await started_match(ann, bob)
    move = (await legal(ann, match_id, 0)).legal.moves[0]
    before = await state(ann, match_id)
    verdict = await ann.call("ValidateMove", match_id=match_id, seat=0, move=move)
    assert (verdict.version, verdict.HasField("refusal")) == (before.version, False)
    bad = await ann.call(
        "ValidateMove", match_id=match_id, seat=0, move=Payload(json='{"kind":"return_tile","tile":"T1"}')
    )
    assert bad.refusal.rule.startswith("LS-")
    assert await state(ann, match_id) == before


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"game": "chess"}, Reason.UNKNOWN_GAME),
        ({"game": ""}, Reason.UNKNOWN_GAME),
        ({"edition": "none"}, Reason.UNKNOWN_EDITION),
        ({"own_seat": 2}, Reason.UNKNOWN_SEAT),
        ({"own_seat": 0, "bots": [{"seat": 0}]}, Reason.SEAT_TAKEN),
        ({"bots": [{"seat": 0, "policy": "cheater"}]}, Reason.MALFORMED),
        ({"bots": [{"seat": 0, "policy": "random-open"}]}, Reason.MALFORMED),
        ({"log_after_end": 7}, Reason.MALFORMED),
        ({"options": Payload(json='{"speed":1}')}, Reason.MALFORMED),
        ({"options": Payload(json='{"arrange_expeditions":true,"young_explorers":true}')}, Reason.ILLEGAL_OPTIONS),
        ({"request_id": ""}, Reason.MALFORMED),
    ],
)
async def test_a_match_that_can_not_be_is_refused(ann, fields, reason):
    assert (await refusal(create(ann, **fields))).reason is reason
