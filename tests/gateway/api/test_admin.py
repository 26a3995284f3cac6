"""AdminService: what operators may do, that it holds everywhere, and that it is logged."""

import asyncio

import grpc
import pytest
from structlog.testing import capture_logs

from engines.lost_seas.evolve import EVOLVE
from gateway.rewinds import Rewind, note
from services.common.refusals import Reason, Refused
from services.eventlog import hashes, snapshots
from services.eventlog.entries import START, Cursor
from tests.gateway.engine import EngineReplica
from tests.gateway.floor import Floor, ids, play_on, refusal, started_match, told
from tests.gateway.played import GAME, PlayedMatch
from tests.gateway.watching import Watching
from tests.poison import POISONS, event_of_tomorrow, poison
from tidelog.v1 import admin_pb2
from tidelog.v1.admin_pb2_grpc import AdminServiceStub
from tidelog.v1.matches_pb2 import MATCH_STATUS_ABORTED
from tidelog.v1.payload_pb2 import Payload
from tidelog.v1.updates_pb2 import INCLUDE_LEGAL

OPERATOR = "tidelog|operator"
ORDERS = ("AbortMatch", "QuarantineMatch", "ReleaseMatch")


class Operator:
    def __init__(self, channel, client):
        self._stub = AdminServiceStub(channel)
        self._metadata = client.metadata

    async def call(self, rpc, **fields):
        if rpc in ORDERS:
            fields = {"request_id": next(ids), "reason": "looked into"} | fields
        try:
            request = getattr(admin_pb2, f"{rpc}Request")(**fields)
            return await getattr(self._stub, rpc)(request, metadata=self._metadata)
        except grpc.aio.AioRpcError as error:
            raise told(error) from error


async def operating(floor, gateway, subject="operator", *, admin=True):
    return Operator(await floor.channel(gateway), await floor.client(gateway, subject, admin=admin))


@pytest.fixture
async def operator(floor, gateway):
    return await operating(floor, gateway)


async def test_an_aborted_match_is_over_for_all_who_watch(operator, ann, bob):
    match_id = await started_match(ann, bob)
    watching = Watching(ann, match_id)
    receipt = (await operator.call("AbortMatch", match_id=match_id)).receipt
    assert not (await watching.ended()).HasField("refusal")
    assert watching.versions[-1] == receipt.last_version
    match = (await bob.call("GetMatch", match_id=match_id)).match
    assert (match.status, match.version) == (MATCH_STATUS_ABORTED, receipt.last_version)
    assert (await refusal(operator.call("AbortMatch", match_id=match_id))).reason is Reason.MATCH_OVER


async def test_a_match_out_of_service_is_so_on_every_server_and_after_restarts(floor, log, operator, ann, bob):
    match_id = await started_match(ann, bob)
    await play_on([ann, bob], match_id, 3)
    turns = (await ann.call("GetMatch", match_id=match_id)).turns
    await operator.call("QuarantineMatch", match_id=match_id)
    spare = await EngineReplica(log, GAME).start()
    second = await floor.gateway(engines=(f"{GAME}={spare.address}",))
    elsewhere = await floor.client(second, "ann")
    for player in (ann, elsewhere):
        found = await player.call("GetMatch", match_id=match_id)
        assert (found.match.quarantined, list(found.turns)) == (True, [])
        legal = await player.call("ListLegalMoves", match_id=match_id, seat=0)
        assert not legal.legal.moves
        left = await refusal(player.call("LeaveMatch", request_id=next(ids), match_id=match_id, seat=0))
        assert left.reason is Reason.QUARANTINED
    receipt = await operator.call("ReleaseMatch", match_id=match_id)
    assert receipt.receipt.last_version == found.match.version + 1
    assert (await elsewhere.call("GetMatch", match_id=match_id)).turns == turns
    await play_on([elsewhere, await floor.client(second, "bob")], match_id)
    await spare.stop()


async def test_those_who_play_are_told_when_the_match_is_back(operator, ann, bob):
    match_id = await started_match(ann, bob)
    watching = Watching(ann, match_id, seat=0, include=[INCLUDE_LEGAL])
    out = (await operator.call("QuarantineMatch", match_id=match_id)).receipt
    back = (await operator.call("ReleaseMatch", match_id=match_id)).receipt
    await watching.heard(back.last_version)
    assert watching.versions[-2:] == [out.last_version, back.last_version]
    await watching.stop()


@pytest.mark.parametrize("rpc", [*ORDERS, "InspectMatch", "ListQuarantined", "ListRewound"])
async def test_it_is_all_for_admins(floor, gateway, ann, bob, rpc):
    match_id = await started_match(ann, bob)
    player = await operating(floor, gateway, "ann", admin=False)
    fields = {} if rpc.startswith("List") else {"match_id": match_id}
    assert (await refusal(player.call(rpc, **fields))).reason is Reason.NOT_ALLOWED


@pytest.mark.parametrize("rpc", [*ORDERS, "InspectMatch"])
@pytest.mark.parametrize("match_id", ["", "NOWHERE"])
async def test_a_match_that_is_not_there(operator, rpc, match_id):
    assert (await refusal(operator.call(rpc, match_id=match_id))).reason is Reason.UNKNOWN_MATCH


@pytest.mark.parametrize("rpc", ORDERS)
@pytest.mark.parametrize("reason", ["", " ", "x" * 201])
async def test_a_reason_is_given_and_short(log, operator, ann, bob, rpc, reason):
    match_id = await started_match(ann, bob)
    head = await log.head(match_id)
    refused = await refusal(operator.call(rpc, match_id=match_id, reason=reason))
    assert (refused.reason, await log.head(match_id)) == (Reason.MALFORMED, head)


@pytest.mark.parametrize("rpc", ORDERS)
async def test_a_request_id_is_given(operator, ann, bob, rpc):
    match_id = await started_match(ann, bob)
    refused = await refusal(operator.call(rpc, match_id=match_id, request_id=""))
    assert refused.reason is Reason.MALFORMED


async def test_what_is_in_service_is_not_released_and_what_is_out_not_taken_out(operator, ann, bob):
    match_id = await started_match(ann, bob)
    in_service = await refusal(operator.call("ReleaseMatch", match_id=match_id))
    assert in_service.reason is Reason.NOT_QUARANTINED
    await operator.call("QuarantineMatch", match_id=match_id)
    out = await refusal(operator.call("QuarantineMatch", match_id=match_id))
    assert out.reason is Reason.QUARANTINED


@pytest.mark.parametrize("rpc", ["AbortMatch", "QuarantineMatch"])
async def test_what_is_sent_again_has_one_effect(log, operator, ann, bob, rpc):
    match_id = await started_match(ann, bob)
    first = (await operator.call(rpc, match_id=match_id, request_id="once")).receipt
    again = (await operator.call(rpc, match_id=match_id, request_id="once")).receipt
    assert (again.cursor, again.duplicate) == (first.cursor, True)
    assert str(await log.head(match_id)) == first.cursor
    other = await refusal(operator.call(rpc, match_id=match_id, request_id="once", reason="another"))
    assert other.reason is Reason.REQUEST_ID_REUSED


async def test_an_inspection_tells_all_but_secrets(log, gateway, operator, ann, bob):
    match_id = await started_match(ann, bob)
    await play_on([ann, bob], match_id, 26)
    await operator.call("QuarantineMatch", match_id=match_id)
    found = await operator.call("InspectMatch", match_id=match_id)
    match = (await ann.call("GetMatch", match_id=match_id)).match
    live = gateway.parts.live.held(match_id).aggregate
    shard = hashes.shard(match_id)
    assert (found.match, found.head, found.shard) == (match, match.cursor, shard)
    assert (found.feed_number, found.secret_held) == ((await log.feed_numbers())[shard], True)
    assert {each.player: each.requests for each in found.remembered}.keys() == {ann.player, bob.player, OPERATOR}
    assert sum(each.requests for each in found.remembered) == 2 + 26 + 1
    kept = snapshots.parse(await log.snapshot(match_id))
    assert (found.snapshot.cursor, found.snapshot.unusable) == (str(kept.facts.cursor), "")
    assert (found.quarantine.by, found.quarantine.why, found.broken) == (OPERATOR, "looked into", "")
    secret = await log.secret(match_id)
    for form in (secret, secret.hex().encode()):
        assert form not in found.SerializeToString()
    assert live.facts.quarantine is not None


async def test_an_inspection_says_why_a_snapshot_is_not_used(log, operator, ann, bob):
    match_id = await started_match(ann, bob)
    assert not (await operator.call("InspectMatch", match_id=match_id)).HasField("snapshot")
    await log.put_snapshot(match_id, b"nothing of the kind")
    assert (await operator.call("InspectMatch", match_id=match_id)).snapshot.unusable == "its bytes were changed"
    other = await started_match(ann, bob)
    played = await PlayedMatch(log, "PLAYED").started()
    await log.put_snapshot(other, snapshots.dump(played.aggregate))
    assert (await operator.call("InspectMatch", match_id=other)).snapshot.unusable == "it is not of this log"


@pytest.mark.parametrize("make", POISONS)
async def test_a_log_that_can_not_be_folded_is_inspected_and_listed(log, operator, make):
    played = await PlayedMatch(log, "SOUND").started()
    await poison(log, played.id, make)
    await poison(log, "BROKEN", make)
    found = await operator.call("InspectMatch", match_id=played.id)
    assert (found.match.version, found.broken != "") == (len(played.entries), True)
    assert found.head == str(await log.head(played.id))
    nothing = await operator.call("InspectMatch", match_id="BROKEN")
    assert (nothing.HasField("match"), nothing.broken != "") == (False, True)
    listed = (await operator.call("ListQuarantined")).matches
    assert [(item.match_id, item.broken != "", item.HasField("quarantine")) for item in listed] == [
        ("BROKEN", True, False),
        ("SOUND", True, False),
    ]


async def test_a_broken_log_takes_no_order_either(log, operator):
    """And says what helps; behind what nobody can fold no entry would be seen, nor could one be judged."""
    played = await PlayedMatch(log, "MATCH").started()
    await poison(log, played.id, event_of_tomorrow)
    await poison(log, "BROKEN", event_of_tomorrow)
    heads = [await log.head(match_id) for match_id in (played.id, "BROKEN")]
    for rpc in ORDERS:
        for match_id, sound in ((played.id, len(played.entries)), ("BROKEN", 0)):
            refused = await refusal(operator.call(rpc, match_id=match_id))
            assert (refused.reason, refused.version) == (Reason.QUARANTINED, sound)
            assert f"at version {sound + 1}, so that nothing can stand behind it" in refused.message
            assert "a release that folds it, or the store is back to a sound copy" in refused.message
    assert heads == [await log.head(match_id) for match_id in (played.id, "BROKEN")]


def raising(*_):
    raise ValueError("an old release's fault")


async def test_a_release_that_folds_the_log_takes_the_order(log, tmp_path, monkeypatch):
    played = await PlayedMatch(log, "MATCH").started()
    for kind in EVOLVE:
        monkeypatch.setitem(EVOLVE, kind, raising)
    async with Floor(log, tmp_path / "old") as old:
        operator = await operating(old, await old.gateway())
        assert (await refusal(operator.call("AbortMatch", match_id=played.id))).reason is Reason.QUARANTINED
    monkeypatch.undo()
    async with Floor(log, tmp_path / "new") as new:
        operator = await operating(new, await new.gateway())
        receipt = (await operator.call("AbortMatch", match_id=played.id)).receipt
        assert receipt.first_version == len(played.entries) + 1
        found = await operator.call("InspectMatch", match_id=played.id)
        assert (found.match.status, found.broken) == (MATCH_STATUS_ABORTED, "")


async def test_matches_out_of_service_are_listed_page_by_page(operator, ann, bob):
    matches = sorted([await started_match(ann, bob) for _ in range(5)])
    for match_id in (*matches, await started_match(ann, bob)):
        await operator.call("QuarantineMatch", match_id=match_id)
    await operator.call("ReleaseMatch", match_id=match_id)
    over = await started_match(ann, bob)
    await operator.call("QuarantineMatch", match_id=over)
    await operator.call("AbortMatch", match_id=over)
    listed, token = [], ""
    while True:
        page = await operator.call("ListQuarantined", page_size=2, page_token=token)
        listed += page.matches
        token = page.next_page_token
        if not token:
            break
    assert [item.match_id for item in listed] == matches
    assert {(item.quarantine.by, item.quarantine.why) for item in listed} == {(OPERATOR, "looked into")}


async def test_logs_that_went_back_are_listed_and_shown(gateway, operator, ann, bob):
    match_id = await started_match(ann, bob)
    older, newer = (
        Rewind("OTHER", Cursor(3, "00" * 8), START),
        Rewind(match_id, Cursor(9, "11" * 8), Cursor(7, "22" * 8)),
    )
    for at, found in enumerate((older, newer), start=1):
        await gateway.parts.database.run(lambda connection, at=at, found=found: note(connection, [found], at))
    listed = (await operator.call("ListRewound")).rewinds
    assert [(each.match_id, each.known, each.head, each.at_ms) for each in listed] == [
        (match_id, str(newer.known), str(newer.head), 2),
        ("OTHER", str(older.known), "0-0", 1),
    ]
    assert [each.match_id for each in (await operator.call("ListRewound", page_size=1)).rewinds] == [match_id]
    assert (await operator.call("InspectMatch", match_id=match_id)).rewind == listed[0]


async def test_a_page_is_no_larger_than_it_may_be(operator):
    for rpc in ("ListQuarantined", "ListRewound"):
        assert (await refusal(operator.call(rpc, page_size=-1))).reason is Reason.MALFORMED


async def test_every_action_is_logged_with_who_and_why(floor, gateway, operator, ann, bob):
    match_id = await started_match(ann, bob)
    player = await operating(floor, gateway, "ann", admin=False)
    with capture_logs() as lines:
        await operator.call("AbortMatch", match_id=match_id, reason="cheats")
        await refusal(player.call("AbortMatch", match_id=match_id, reason="I lose"))
        await operator.call("InspectMatch", match_id=match_id)
    told = [
        {key: line.get(key) for key in ("action", "by", "match", "why", "outcome")}
        for line in lines
        if line["event"] == "admin action"
    ]
    common = {"match": match_id}
    assert told == [
        common | {"action": "AbortMatch", "by": OPERATOR, "why": "cheats", "outcome": "carried_out"},
        common | {"action": "AbortMatch", "by": ann.player, "why": "I lose", "outcome": "not_allowed"},
        common | {"action": "InspectMatch", "by": OPERATOR, "why": None, "outcome": "carried_out"},
    ]


async def played_until_out(players, match_id):
    """The versions that moves were accepted at, until the match takes no more."""
    accepted = []
    while turns := (await players[0].call("GetMatch", match_id=match_id)).turns:
        player, seat = players[turns[0].seat], turns[0].seat
        legal = await player.call("ListLegalMoves", match_id=match_id, seat=seat)
        move = legal.legal.moves[0] if legal.legal.moves else Payload(json='{"kind":"choose_sides","sides":[]}')
        try:
            done = await player.call("SubmitMove", request_id=next(ids), match_id=match_id, seat=seat, move=move)
        except Refused as refused:
            assert refused.reason is Reason.QUARANTINED  # noqa: PT017 - whether it comes so far is the race
            break
        accepted.append(done.receipt.last_version)
    return accepted


async def test_no_move_stands_behind_a_quarantine(log, operator, ann, bob):
    """Moves and the operator's word race; whatever was accepted stands before it."""
    match_id = await started_match(ann, bob)
    playing = asyncio.create_task(played_until_out([ann, bob], match_id))
    watching = Watching(ann, match_id)
    await watching.heard(12)
    out = (await operator.call("QuarantineMatch", match_id=match_id)).receipt
    assert max(await playing) < out.last_version
    assert str(await log.head(match_id)) == out.cursor
    await watching.stop()
