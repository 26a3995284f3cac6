import msgspec
import pytest

from services.eventlog import hashes
from services.eventlog.canonical import NotCanonical
from services.eventlog.entries import (
    MAX_ENTRY_BYTES,
    START,
    BadCursor,
    Body,
    BrokenLog,
    Cursor,
    Entry,
    Header,
    Sealer,
    body_of,
    header_of,
    type_of,
)
from services.eventlog.lifecycle import SeatClaimed, Started
from tests.services.eventlog.logs import check_chain

MATCH = "island-42"
SECRET = bytes(range(32))


def sealer() -> Sealer:
    return Sealer(SECRET, 0, hashes.genesis(MATCH))


def body(payload: object) -> Body[object]:
    return Body((), payload, None, None)


def header(version: int, kind: str = "match.seat_claimed") -> Header:
    return Header(1_700_000_000_000 + version, 0, kind, version)


def small_log(length: int = 4) -> list[Entry]:
    seal = sealer().seal
    return [seal(header(n), body(SeatClaimed(n, f"guest|{n}"))) for n in range(1, length + 1)]


def test_a_sealed_log_checks():
    log = small_log()
    check_chain(log, MATCH)
    assert [entry.version for entry in log] == [1, 2, 3, 4]


def test_a_log_goes_on_from_the_hash_of_its_last_entry():
    log = small_log(2)
    resumed = Sealer(SECRET, 2, log[-1].hash)
    assert resumed.seal(header(3), body(SeatClaimed(3, "guest|3"))) == small_log(3)[-1]


def test_the_body_opens_the_leaf_with_the_salt_of_its_version():
    entry = small_log()[2]
    assert hashes.leaf(hashes.salt(SECRET, 3), entry.body) == entry.leaf


def test_an_entry_over_the_limit_is_refused_and_the_sealer_goes_on():
    seal = sealer()
    with pytest.raises(ValueError, match="limit"):
        seal.seal(header(1), body(SeatClaimed(1, "x" * MAX_ENTRY_BYTES)))
    assert seal.seal(header(1), body(SeatClaimed(1, "guest|1"))) == small_log(1)[0]


def test_a_lone_surrogate_in_a_payload_is_refused():
    with pytest.raises(NotCanonical):
        sealer().seal(header(1), body(SeatClaimed(1, "guest|1", name="\ud800")))


def test_headers_and_bodies_are_read_back():
    entry = small_log(1)[0]
    assert header_of(entry) == header(1)
    assert body_of(None, header_of(entry), entry.body) == body(SeatClaimed(1, "guest|1"))


@pytest.mark.parametrize("data", [b"", b"{}", b'{"at":"1","seat":0,"type":"a","version":1}', b"\xff"])
def test_an_unreadable_header_or_body_names_the_version(data):
    entry = msgspec.structs.replace(small_log()[2], header=data, body=data)
    with pytest.raises(BrokenLog, match="version 3: unreadable header"):
        header_of(entry)
    with pytest.raises(BrokenLog, match="version 3: unreadable body"):
        body_of(None, header(3), data)


def test_the_type_of_an_event_says_whose_it_is():
    class TileTaken(msgspec.Struct, frozen=True, tag_field="kind", tag="tile_taken"):
        pass

    assert type_of("lost_seas", Started()) == "match.started"
    assert type_of("lost_seas", TileTaken()) == "lost_seas.tile_taken"


def test_cursors_are_ordered_by_version_and_start_comes_first():
    cursors = [entry.cursor for entry in small_log()]
    assert sorted([*reversed(cursors), START]) == [START, *cursors]
    assert Cursor.parse(str(cursors[2])) == cursors[2]


@pytest.mark.parametrize("text", ["", "12", "12-", "-0f1e2d3c4b5a6978", "\uff19-0f1e2d3c4b5a6978", "1" * 400])
def test_a_text_that_is_no_cursor_is_refused_with_an_example(text):
    with pytest.raises(BadCursor, match="12-0f1e2d3c4b5a6978"):
        Cursor.parse(text)
