import msgspec
import pytest
from prometheus_client import REGISTRY

from services.common.refusals import Reason
from services.eventlog import hashes
from services.eventlog.export import FULL
from services.eventlog.lifecycle import LogAfterEnd
from services.eventlog.reading import against, lines_of, read
from tests.gateway.floor import refusal
from tests.gateway.played import ENGINE, PlayedMatch


@pytest.fixture
async def played(log):
    """Begun, with one secret choice that the other seat is not told."""
    found = await PlayedMatch(log, "MATCH").started()
    await found.move()
    return found


@pytest.fixture
async def admin(floor, gateway):
    return await floor.client(gateway, "operator", admin=True)


async def stream(client, rpc, **fields):
    """All that the stream gives; raises Refused."""
    return await client.drained(rpc, match_id="MATCH", **fields)


async def entries(client, **fields):
    return [entry for response in await stream(client, "ReadLog", **fields) for entry in response.entries]


async def file(client, **fields):
    chunks = [response.chunk for response in await stream(client, "ExportMatch", **fields)]
    assert all(0 < len(chunk) <= 64 * 1024 for chunk in chunks)
    return b"".join(chunks)


async def test_everybody_can_check_order_and_headers(bob, played):
    previous = hashes.genesis("MATCH")
    for found, entry in zip(await entries(bob, headers_only=True), played.entries, strict=True):
        assert (found.cursor, found.header, found.leaf) == (str(entry.cursor), entry.header, entry.leaf)
        assert found.WhichOneof("contents") is None
        previous = hashes.entry(previous, found.header, found.leaf)
    assert previous == played.entries[-1].hash


@pytest.mark.usefixtures("played")
async def test_a_seat_is_told_what_it_may_see(ann, bob):
    mine, other, spectator = [
        (await entries(client, **fields))[-1].payload
        for client, fields in ((ann, {"seat": 0}), (bob, {"seat": 1}), (bob, {}))
    ]
    assert msgspec.json.decode(mine, type=ENGINE.Event).laid is not None
    assert msgspec.json.decode(other, type=ENGINE.Event).laid is None
    assert other == spectator


async def test_a_log_is_read_from_any_place_for_any_length(ann, played):
    count = len(played.entries)
    for start in range(count + 1):
        cursor = str(played.entries[start - 1].cursor) if start else "0-0"
        expected = [str(entry.cursor) for entry in played.entries[start:]]
        assert [entry.cursor for entry in await entries(ann, after=cursor)] == expected
        assert [entry.cursor for entry in await entries(ann, from_version=start + 1)] == expected
        assert [entry.cursor for entry in await entries(ann, after=cursor, limit=2)] == expected[:2]


@pytest.mark.parametrize("cursor", ["3-0000000000000000", "900-0123456789abcdef"])
async def test_a_cursor_of_another_log_is_refused_with_the_heads(ann, played, cursor):
    """A client that knows something else proves nothing: only mismatches are counted."""
    mismatches, rewinds = counted("tidelog_cursor_mismatch_total"), counted("tidelog_log_rewound_total")
    for rpc in ("ReadLog", "WatchMatch"):
        refused = await refusal(stream(ann, rpc, after=cursor))
        assert refused.reason is Reason.LOG_REWOUND
        assert refused.cursor == str(played.aggregate.cursor)
    assert (await refusal(stream(ann, "ReadLog", after="nonsense"))).reason is Reason.MALFORMED
    assert counted("tidelog_cursor_mismatch_total") == mismatches + 2
    assert counted("tidelog_log_rewound_total") == rewinds


def counted(name):
    return REGISTRY.get_sample_value(name)


async def test_the_whole_log_is_for_admins_until_it_is_open(ann, admin, played):
    assert (await refusal(stream(ann, "ReadLog", full=True))).reason is Reason.NOT_ALLOWED
    assert [found.body for found in await entries(admin, full=True)] == [entry.body for entry in played.entries]
    await played.finish()
    assert [found.body for found in await entries(ann, full=True)] == [entry.body for entry in played.entries]


@pytest.mark.usefixtures("played")
@pytest.mark.parametrize("version", [0, -1])
async def test_a_version_before_the_first_is_refused(ann, version):
    refused = await refusal(stream(ann, "ReadLog", from_version=version))
    assert refused.reason is Reason.MALFORMED
    assert "from_version" in refused.message


async def test_a_closed_log_stays_closed(ann, admin, log):
    played = await (await PlayedMatch(log, "MATCH").started(LogAfterEnd.CLOSED)).finish()
    refused = await refusal(stream(ann, "ReadLog", full=True))
    assert refused.reason is Reason.NOT_ALLOWED
    assert refused.message == "the log of this match stays closed: the whole of it is for admins"
    assert b'"secret":null' in (await entries(ann))[-1].payload
    assert played.secret.hex().encode() not in b"".join(entry.payload for entry in await entries(ann, seat=0))
    assert (await entries(admin, full=True))[-1].body == played.entries[-1].body


async def test_a_seats_export_checks_and_agrees_with_the_full_one(ann, bob, played):
    await played.finish()
    full = read(lines_of([await file(ann, full=True)]))
    assert full.header.audience == FULL
    assert full.head == str(played.aggregate.cursor)
    for client, fields in ((ann, {"seat": 0}), (bob, {"seat": 1}), (bob, {})):
        told = read(lines_of([await file(client, **fields)]))
        against(told, full)


async def test_an_export_of_a_match_that_goes_on_needs_an_admin_and_the_secret(ann, admin, played):
    assert read(lines_of([await file(ann, seat=0)])).header.audience == "seat 0"
    assert (await refusal(stream(ann, "ExportMatch", full=True))).reason is Reason.NOT_ALLOWED
    assert (await refusal(stream(ann, "ExportMatch", full=True, with_secrets=True))).reason is Reason.NOT_ALLOWED
    assert (await refusal(stream(admin, "ExportMatch", full=True))).reason is Reason.MALFORMED
    assert (await refusal(stream(admin, "ExportMatch", with_secrets=True))).reason is Reason.MALFORMED
    assert read(lines_of([await file(admin, full=True, with_secrets=True)])).secret == played.secret


@pytest.mark.usefixtures("played")
@pytest.mark.parametrize("rpc", ["ReadLog", "ExportMatch"])
async def test_another_seats_log_is_refused(ann, rpc):
    assert (await refusal(stream(ann, rpc, seat=1))).reason is Reason.NOT_YOUR_SEAT
    assert (await refusal(stream(ann, rpc, seat=9))).reason is Reason.UNKNOWN_SEAT
    assert (await refusal(stream(ann, rpc, seat=0, full=True))).reason is Reason.MALFORMED


async def test_a_long_log_comes_in_pieces(ann, log):
    played = await (await PlayedMatch(log, "MATCH").started()).finish()
    log._logs["MATCH"] = played.entries
    pieces = await stream(ann, "ReadLog", full=True)
    assert all(piece.ByteSize() < 128 * 1024 for piece in pieces)
    assert sum(len(piece.entries) for piece in pieces) == len(played.entries)
