"""An entry that can't be folded, written straight into a real store, stops its own match and nothing else."""

import asyncio

import grpc
import pytest
from prometheus_client import REGISTRY

from services.common.refusals import Reason
from services.eventlog import hashes, snapshots
from services.eventlog.entries import Entry
from services.eventlog.port import Append, Appended
from tests.gateway.floor import ids, refusal, started_match, told
from tests.gateway.played import PlayedMatch
from tests.gateway.watching import Watching
from tests.poison import POISONS, body, event_of_tomorrow, fold_that_raises, header, poison, poisoned
from tests.rewinding import dumped, replace
from tidelog.v1 import refusal_pb2
from tidelog.v1.updates_pb2 import INCLUDE_LEGAL, INCLUDE_VIEW

SITUATIONS = (INCLUDE_VIEW, INCLUDE_LEGAL)


@pytest.fixture
def log(redis_log):
    return redis_log


@pytest.fixture
async def admin(floor, gateway):
    return await floor.client(gateway, "root", admin=True)


def quarantined() -> float:
    return REGISTRY.get_sample_value("tidelog_log_quarantined_total")


async def move(ann, bob, match: str):
    """The next move, or how it was refused."""
    turn = (await ann.call("GetMatch", match_id=match)).turns[0]
    player = (ann, bob)[turn.seat]
    legal = await player.call("ListLegalMoves", match_id=match, seat=turn.seat)
    return player, {"match_id": match, "seat": turn.seat, "move": legal.legal.moves[0], "decision": turn.decision}


async def submitted(ann, bob, match: str):
    player, fields = await move(ann, bob, match)
    return (await player.call("SubmitMove", request_id=next(ids), **fields)).receipt


@pytest.mark.parametrize("make", POISONS, ids=lambda make: make.__name__)
async def test_in_a_match_that_is_played_and_watched(log, ann, bob, admin, make):
    match, other = await started_match(ann, bob), await started_match(ann, bob)
    good = (await log.head(match)).version
    player, fields = await move(ann, bob, match)
    watching, beside = Watching(ann, match, seat=0, include=SITUATIONS), Watching(bob, other)
    await watching.heard(good)
    before = quarantined()

    entry = await poison(log, match, make)
    end = await watching.ended()
    assert end.refusal.reason == refusal_pb2.REFUSAL_REASON_QUARANTINED
    assert end.refusal.message == f"the log can't be folded at version {good + 1}", "and nothing of what it holds"
    assert (end.refusal.version, end.cursor) == (good, str((await log.read(match))[good - 1].cursor))
    assert watching.versions == list(range(1, good + 1))
    assert quarantined() > before

    refused, receipt = await asyncio.gather(
        refusal(player.call("SubmitMove", request_id=next(ids), **fields)), submitted(ann, bob, other)
    )
    assert (refused.reason, refused.version) == (Reason.QUARANTINED, good)
    await beside.heard(receipt.last_version)
    await beside.stop()
    assert beside.end is None

    await reads_up_to(good, ann, admin, log, match, entry)
    await lists(ann, {match, other})


async def reads_up_to(good: int, ann, admin, log, match: str, entry) -> None:
    """Views, the log and a new stream give all that is sound; admins read the rest as it is stored."""
    assert (await ann.call("GetView", match_id=match, version=good, seat=0)).version == good
    assert (await ann.call("GetView", match_id=match, version=2)).version == 2
    for fields in ({}, {"version": good + 1}):
        refused = await refusal(ann.call("GetView", match_id=match, **fields))
        assert (refused.reason, refused.version) == (Reason.QUARANTINED, good)
    piece = await ann.call("ListScores", match_id=match)
    assert (piece.cursor, piece.more) == (str((await log.read(match))[good - 1].cursor), True)
    refused = await refusal(ann.call("ListScores", match_id=match, after=piece.cursor))
    assert (refused.reason, refused.version) == (Reason.QUARANTINED, good)
    again = Watching(ann, match, seat=0, include=SITUATIONS)
    assert (await again.ended()).refusal.reason == refusal_pb2.REFUSAL_REASON_QUARANTINED
    assert again.versions == list(range(1, good + 1))
    assert again.situation.HasField("view")
    assert not again.situation.HasField("legal")
    assert not again.situation.HasField("decision")
    found = []
    assert (await refusal(keep(ann.stream("ReadLog", match_id=match), found))).reason is Reason.QUARANTINED
    assert len(found) == good
    raw = [stored for piece in await admin.drained("ReadLog", match_id=match, full=True) for stored in piece.entries]
    assert (raw[-1].header, raw[-1].body, raw[-1].cursor) == (entry.header, entry.body, str(entry.cursor))
    headers = await ann.drained("ReadLog", match_id=match, headers_only=True)
    assert sum(len(piece.entries) for piece in headers) == good + 1


async def keep(stream, found: list) -> None:
    """All that comes before the refusal. Raises Refused."""
    try:
        async for piece in stream:
            found += piece.entries
    except grpc.aio.AioRpcError as error:
        raise told(error) from error


async def lists(client, wanted: set[str]) -> None:
    page = await client.call("ListMatches")
    assert {match.match_id for match in page.matches} == wanted


@pytest.mark.parametrize("make", POISONS, ids=lambda make: make.__name__)
async def test_a_gateway_that_begins_anew_passes_over_it(log, floor, ann, bob, make, tmp_path):
    """With a file that knows the matches, and with none; through the feed, and without it."""
    match, other = await started_match(ann, bob), await started_match(ann, bob)
    ghost = "GHOST" + "A" * 19
    await poison(log, match, make)
    await poison(log, ghost, make)
    late = await started_match(ann, bob)
    for trimmed in (False, True):
        if trimmed:
            await log.trim_feeds(await log.time_ms() + 1000)
        gateway = await floor.gateway(data_dir=tmp_path / f"anew {trimmed}")
        carl = await floor.client(gateway, "carl")
        await lists(carl, {match, other, late})
        await gateway.parts.matches.settled()
        await gateway.stop()
        again = await floor.gateway(data_dir=tmp_path / f"anew {trimmed}")
        carl = await floor.client(again, "carl")
        await lists(carl, {match, other, late})
        receipt = await submitted(ann, bob, other)
        watching = Watching(carl, other)
        await watching.heard(receipt.last_version)
        await watching.stop()


@pytest.mark.parametrize("make", POISONS, ids=lambda make: make.__name__)
async def test_in_the_first_entry(log, ann, bob, admin, make):
    match = "GHOST" + "A" * 19
    entry = await poison(log, match, make)
    other = await started_match(ann, bob)
    for rpc, fields in (("GetMatch", {}), ("GetView", {}), ("ListLegalMoves", {}), ("GetView", {"version": 1})):
        assert (await refusal(ann.call(rpc, match_id=match, **fields))).reason is Reason.QUARANTINED
    joining = ann.call("JoinMatch", request_id=next(ids), match_id=match)
    assert (await refusal(joining)).reason is Reason.QUARANTINED
    assert (await refusal(ann.drained("ReadLog", match_id=match))).reason is Reason.QUARANTINED
    assert (await refusal(ann.drained("ReadLog", match_id=match, full=True))).reason is Reason.QUARANTINED
    assert (await refusal(ann.drained("WatchMatch", match_id=match))).reason is Reason.QUARANTINED
    (piece,) = await admin.drained("ReadLog", match_id=match, full=True)
    assert [(stored.header, stored.body) for stored in piece.entries] == [(entry.header, entry.body)]
    assert (await refusal(admin.drained("ReadLog", match_id="NONE", full=True))).reason is Reason.UNKNOWN_MATCH
    await submitted(ann, bob, other)
    await lists(ann, {other})


async def test_an_engine_takes_commands_of_other_matches_in_the_same_message(log, ann, bob):
    matches = [await started_match(ann, bob) for _ in range(8)]
    moves = [await move(ann, bob, match) for match in matches]
    for match in matches[::2]:
        await poison(log, match, event_of_tomorrow)
    asked = [player.call("SubmitMove", request_id=next(ids), **fields) for player, fields in moves]
    answers = await asyncio.gather(*asked, return_exceptions=True)
    assert [getattr(answer, "reason", "carried out") for answer in answers] == [Reason.QUARANTINED, "carried out"] * 4


async def test_under_a_snapshot_the_match_goes_on_and_its_past_is_told_up_to_there(log, ann, bob):
    """Whoever folded it, as a release that knew the entry, left a snapshot behind it."""
    played = await PlayedMatch(log, "MATCH").started()
    bad = await poison(log, "MATCH", event_of_tomorrow)
    played.aggregate.facts.version, played.aggregate.facts.hash = bad.version, bad.hash
    played.entries.append(bad)
    await played.move()
    await log.put_snapshot("MATCH", snapshots.dump(played.aggregate))
    await submitted(ann, bob, "MATCH")
    watching = Watching(ann, "MATCH")
    end = await watching.ended()
    assert (end.refusal.reason, end.refusal.version) == (refusal_pb2.REFUSAL_REASON_QUARANTINED, bad.version - 1)
    assert watching.versions == list(range(1, bad.version))
    assert (await ann.call("GetView", match_id="MATCH")).version == (await log.head("MATCH")).version
    assert (await refusal(ann.call("GetView", match_id="MATCH", version=bad.version))).reason is Reason.QUARANTINED
    after = str((await log.read("MATCH"))[bad.version - 1].cursor)
    behind = Watching(ann, "MATCH", after=after)
    await behind.heard((await log.head("MATCH")).version)
    await behind.stop()


async def test_an_entry_of_no_line_is_no_concern_of_a_gateway(log, ann, bob):
    """A chain that breaks is for `verify`: what is stored is folded and told."""
    match = await started_match(ann, bob)
    watching = Watching(ann, match)
    head = await log.head(match)
    await watching.heard(head.version)
    version = head.version + 1
    stray = Entry(version, header(version, "match.started"), body(kind="started"), bytes(32), bytes([7]) * 32)
    assert isinstance(await log.append(Append(match, head, (stray,))), Appended)
    await watching.heard(head.version + 1)
    await watching.stop()
    assert (await ann.call("GetMatch", match_id=match)).match.version == head.version + 1


async def test_a_store_that_went_back_before_it_heals_the_match(log, clean_store, ann, bob):
    match = await started_match(ann, bob)
    good, held = await log.read(match), await dumped(clean_store)
    await poison(log, match, fold_that_raises)
    assert (await refusal(ann.call("GetMatch", match_id=match))).reason is Reason.QUARANTINED
    await replace(clean_store, held)
    receipt = await submitted(ann, bob, match)
    assert receipt.first_version == len(good) + 1


def test_poison_is_chained():
    for make in POISONS:
        first = poisoned(make, "M", None)
        second = poisoned(make, "M", first)
        assert second.hash == hashes.entry(first.hash, second.header, second.leaf)
