import grpc
import pytest

from services.common.refusals import Reason
from services.common.wire import refused_from
from services.eventlog.export import export_full
from services.eventlog.memory import MemoryLog
from tests.gateway.floor import ids, refusal
from tests.gateway.played import EDITION, PlayedMatch
from tests.gateway.waiting import kept
from tidelog.v1.matches_pb2 import ImportMatchRequest
from tidelog.v1.updates_pb2 import INCLUDE_LEGAL


@pytest.fixture
async def exported():
    """A finished match of another store, as a file."""
    played = await (await PlayedMatch(MemoryLog(), "ELSEWHERE").started()).finish()
    return played, b"".join(export_full(played.entries, EDITION, None))


@pytest.fixture
async def admin(floor, gateway):
    return await floor.client(gateway, "operator", admin=True)


async def imported(client, data, *, request_id=None, restore=False, piece=60_000):
    start = ImportMatchRequest.Start(request_id=next(ids) if request_id is None else request_id, restore=restore)
    chunks = [ImportMatchRequest(chunk=data[place : place + piece]) for place in range(0, len(data), piece)]
    return await sent(client, [ImportMatchRequest(start=start), *chunks])


async def sent(client, requests):
    try:
        return (await client.matches.ImportMatch(iter(requests), metadata=client.metadata)).receipt
    except grpc.aio.AioRpcError as error:
        raise refused_from(error) from error


@pytest.mark.parametrize("piece", [1000, 60_000])
async def test_an_import_gets_a_new_id_and_is_read_only(ann, exported, piece):
    played, data = exported
    receipt = await imported(ann, data, piece=piece)
    match = (await ann.call("GetMatch", match_id=receipt.match_id)).match
    assert match.match_id != "ELSEWHERE"
    assert match.imported
    assert match.cursor == receipt.cursor == str(played.aggregate.cursor)
    leave = ann.call("LeaveMatch", request_id=next(ids), match_id=receipt.match_id, seat=0)
    assert (await refusal(leave)).reason is Reason.READ_ONLY


async def test_an_import_sent_again_is_the_same(ann, exported):
    first, again = [await imported(ann, exported[1], request_id="once") for _ in range(2)]
    assert (again.match_id, again.duplicate) == (first.match_id, True)


async def test_an_admin_restores_a_match_under_its_own_id(ann, admin, exported):
    _, data = exported
    assert (await refusal(imported(ann, data, restore=True))).reason is Reason.NOT_ALLOWED
    assert (await imported(admin, data, restore=True)).match_id == "ELSEWHERE"
    assert (await imported(admin, data, restore=True)).duplicate
    assert not (await ann.call("GetMatch", match_id="ELSEWHERE")).match.imported


async def test_a_changed_byte_is_found_and_named(ann, exported):
    _, data = exported
    place = data.index(b"tile_taken")
    refused = await refusal(imported(ann, data[:place] + b"x" + data[place + 1 :]))
    assert refused.reason is Reason.CORRUPT_EXPORT


@pytest.mark.parametrize(
    "data",
    [b"", b"no line", b"{}\n", b'{"game":1,"match":"x"}\n', b"x" * 70_000, b'{"x":' + b"[" * 100_000 + b"\n"],
    ids=["empty", "cut", "{}", "int", "x", "deep"],
)
async def test_what_is_no_export_is_refused(ann, data):
    assert (await refusal(imported(ann, data))).reason is Reason.CORRUPT_EXPORT


async def test_an_export_of_a_game_not_served_is_refused(ann):
    assert (await refusal(imported(ann, b'{"game":"chess","match":"x"}\n'))).reason is Reason.UNKNOWN_GAME


async def test_the_order_and_the_limits_of_pieces_are_kept(ann, exported):
    start = ImportMatchRequest(start=ImportMatchRequest.Start(request_id=next(ids)))
    chunk = ImportMatchRequest(chunk=exported[1][:60_000])
    for requests, reason in (
        ([], Reason.MALFORMED),
        ([chunk, start], Reason.MALFORMED),
        ([start, chunk, start], Reason.MALFORMED),
        ([start, ImportMatchRequest(chunk=b"x" * 65_537)], Reason.TOO_LARGE),
        ([ImportMatchRequest(start=ImportMatchRequest.Start(request_id="")), chunk], Reason.MALFORMED),
    ):
        assert (await refusal(sent(ann, requests))).reason is reason


@pytest.fixture
async def unfinished():
    """A match that waits for both of its players, as a file."""
    played = await PlayedMatch(MemoryLog(), "ELSEWHERE").started()
    assert played.aggregate.facts.owing == (0, 1)
    return b"".join(export_full(played.entries, EDITION, played.secret))


async def test_an_unfinished_import_waits_for_nobody(ann, bob, unfinished):
    match_id = (await imported(ann, unfinished)).match_id
    assert not (await ann.call("GetMatch", match_id=match_id)).turns
    for client, seat in ((ann, 0), (bob, 1)):
        legal = await client.call("ListLegalMoves", match_id=match_id, seat=seat)
        assert not legal.legal.moves
        assert not legal.HasField("decision")
        situations = client.updates(match_id, seat=seat, include=[INCLUDE_LEGAL])
        caught_up = await anext(update.caught_up async for update in situations if update.HasField("caught_up"))
        assert not caught_up.situation.HasField("decision")
        assert not caught_up.situation.legal.moves


async def test_an_unfinished_match_that_was_restored_waits_for_its_players(admin, ann, unfinished):
    match_id = (await imported(admin, unfinished, restore=True)).match_id
    assert [turn.seat for turn in (await ann.call("GetMatch", match_id=match_id)).turns] == [0, 1]


async def test_a_player_of_an_unfinished_import_does_not_hold_a_seat_in_play(gateway, ann, unfinished):
    match_id = (await imported(ann, unfinished)).match_id
    await kept(gateway)
    listed = (await ann.call("ListMatches", player=ann.player)).matches
    assert [(match.match_id, match.imported) for match in listed] == [(match_id, True)]
    assert await gateway.parts.matches.seats_of(ann.player) == []
