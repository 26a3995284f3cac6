import asyncio

import msgspec
import pytest

from services.common.refusals import Reason
from services.eventlog.commands import Leave
from tests.gateway.floor import play_on, refusal, started_match
from tests.gateway.matches.test_live import corrupt
from tests.gateway.played import ANN, ENGINE, PlayedMatch
from tidelog.v1.payload_pb2 import PAYLOAD_FORM_TYPED


@pytest.fixture
async def played(log):
    return await PlayedMatch(log, "MATCH").started()


def view(played, seat):
    return ENGINE.view(played.aggregate.state, seat)


async def seen(client, **fields):
    answer = await client.call("GetView", match_id="MATCH", **fields)
    return msgspec.json.decode(answer.view.json, type=ENGINE.View)


async def test_a_read_is_never_behind_the_log(ann, played):
    for _ in range(5):
        found = await ann.call("GetMatch", match_id="MATCH")
        assert found.match.cursor == str(played.aggregate.cursor)
        assert [(turn.seat, turn.decision) for turn in found.turns] == [
            (seat, played.aggregate.facts.decisions[seat]) for seat in played.aggregate.facts.owing
        ]
        assert await seen(ann, seat=0) == view(played, 0)
        await played.move()


@pytest.mark.usefixtures("played")
async def test_options_are_given_in_the_form_asked_for(ann):
    assert msgspec.json.decode((await ann.call("GetMatch", match_id="MATCH")).options.json, type=ENGINE.Options)
    typed = await ann.call("GetMatch", match_id="MATCH", accept=PAYLOAD_FORM_TYPED)
    assert typed.options.typed.type_url.endswith(".Options")


async def test_a_seats_view_is_for_its_player_and_admins_until_the_log_is_open(floor, gateway, ann, bob, played):
    admin = await floor.client(gateway, "operator", admin=True)
    stranger = await floor.client(gateway, "stranger")
    assert await seen(bob, seat=1) == view(played, 1)
    assert await seen(admin, seat=1) == view(played, 1)
    assert await seen(stranger) == view(played, None)
    for client, seat in ((ann, 1), (stranger, 0)):
        refused = await refusal(client.call("GetView", match_id="MATCH", seat=seat))
        assert refused.reason is Reason.NOT_YOUR_SEAT
    assert (await refusal(ann.call("GetView", match_id="MATCH", seat=2))).reason is Reason.UNKNOWN_SEAT
    await played.finish()
    assert await seen(stranger, seat=1) == view(played, 1)


async def test_who_left_still_sees_what_their_seat_sees(ann, log):
    played = await PlayedMatch(log, "MATCH").create(bots=1)
    await played.carry_out(ANN, Leave(0))
    assert await seen(ann, seat=0) == view(played, 0)


async def test_a_view_at_any_version_is_that_of_the_fold(ann, played):
    await played.finish()
    versions = range(1, len(played.entries) + 1)
    for version, entry in zip(versions, played.entries, strict=True):
        answer = await ann.call("GetView", match_id="MATCH", version=version, seat=1)
        assert answer.cursor == str(entry.cursor)
        assert answer.version == version
    for version in (0, -1, len(played.entries) + 1):
        refused = await refusal(ann.call("GetView", match_id="MATCH", version=version))
        assert refused.reason is Reason.UNKNOWN_VERSION


async def test_legal_moves_are_for_the_seats_player(ann, bob, played):
    legal = await ann.call("ListLegalMoves", match_id="MATCH", seat=0)
    state, facts = played.aggregate.state, played.aggregate.facts
    assert len(legal.legal.moves) == len(list(ENGINE.legal_moves(state, 0)))
    assert legal.decision == facts.decisions[0]
    assert legal.cursor == str(played.aggregate.cursor)
    assert (await refusal(bob.call("ListLegalMoves", match_id="MATCH", seat=0))).reason is Reason.NOT_YOUR_SEAT
    assert (await refusal(bob.call("ListLegalMoves", match_id="MATCH", seat=-1))).reason is Reason.UNKNOWN_SEAT


async def test_a_seat_with_nothing_to_decide_has_no_moves_and_no_decision(ann, played):
    player, submit = played.next_move()
    assert player == ANN
    await played.carry_out(player, submit)
    legal = await ann.call("ListLegalMoves", match_id="MATCH", seat=0)
    assert not legal.legal.moves
    assert not legal.HasField("decision")


async def test_the_list_follows_the_logs(ann, bob, gateway):
    match_id = await started_match(ann, bob)
    await play_on([ann, bob], match_id, 2)
    cursor = (await ann.call("GetMatch", match_id=match_id)).match.cursor
    async with asyncio.timeout(20):
        while True:
            listed = (await bob.call("ListMatches", player=ann.player)).matches
            if listed and listed[0].cursor == cursor:
                break
            await gateway.parts.matches.settled()
    assert listed[0] == (await ann.call("GetMatch", match_id=match_id)).match


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"page_size": 201}, Reason.TOO_LARGE),
        ({"page_size": -1}, Reason.MALFORMED),
        ({"page_token": "x"}, Reason.MALFORMED),
        ({"status": 77}, Reason.MALFORMED),
    ],
)
async def test_a_list_that_can_not_be_is_refused(ann, fields, reason):
    assert (await refusal(ann.call("ListMatches", **fields))).reason is reason


@pytest.mark.usefixtures("played")
@pytest.mark.parametrize("rpc", ["GetMatch", "GetView", "ListLegalMoves", "WatchMatch", "SubmitMove"])
async def test_a_form_that_no_one_knows_is_refused(ann, rpc):
    call = ann.drained if rpc == "WatchMatch" else ann.call
    refused = await refusal(call(rpc, match_id="MATCH", accept=99))
    assert refused.reason is Reason.MALFORMED
    assert "$.accept" in refused.message


@pytest.mark.parametrize("rpc", ["GetMatch", "GetView", "ListLegalMoves"])
async def test_an_unknown_match_is_not_found(ann, rpc):
    for match_id in ("", "NONE", "x" * 1000):
        assert (await refusal(ann.call(rpc, match_id=match_id))).reason is Reason.UNKNOWN_MATCH


async def test_a_match_that_does_not_fold_is_readable_up_to_its_last_good_version(ann, played):
    good = played.aggregate.facts.version
    await played.append((corrupt(played.decide(*played.next_move())[0]),))
    for rpc in ("GetMatch", "GetView", "ListLegalMoves"):
        refused = await refusal(ann.call(rpc, match_id="MATCH"))
        assert (refused.reason, refused.version) == (Reason.QUARANTINED, good)
    for version in (good, good - 1):
        assert (await ann.call("GetView", match_id="MATCH", version=version)).version == version
    assert (await refusal(ann.call("GetView", match_id="MATCH", version=good + 1))).reason is Reason.QUARANTINED
