import json
from hashlib import sha256

import pytest

from engines.lost_seas.events import SidesChosen
from services.eventlog import canonical
from services.eventlog.aggregate import told
from services.eventlog.commands import Claim, Leave
from services.eventlog.entries import header_of
from services.eventlog.export import export_full, export_redacted, redacted, redacted_line, seat_audience
from services.eventlog.lifecycle import LogAfterEnd
from services.eventlog.reading import read
from tests.services.eventlog.given import (
    BEN,
    CASES,
    EDITION,
    EDITION_HASH,
    ENGINE,
    SECRET,
    Hosted,
    creating,
    play_on,
    played,
    started,
)


def audiences(hosted: Hosted) -> tuple[int | None, ...]:
    return (None, *range(hosted.facts.created.seats))


def closed_after_end() -> Hosted:
    hosted = Hosted(creating(own_seat=0, log_after_end=LogAfterEnd.CLOSED))
    hosted.do(BEN, Claim(1))
    return play_on(hosted)


@pytest.mark.parametrize(("mode", "number"), CASES)
def test_at_every_version_each_audience_is_told_what_it_may_know(mode, number):
    """LS-5: another seat's choice is told when all have chosen, and neither draws nor requests ever."""
    hosted = played(mode, number)
    reader = hosted.unborn()
    for entry in hosted.entries:
        event = reader.apply(entry).payload
        secret_of = event.seat if isinstance(event, SidesChosen) else None
        for seat in audiences(hosted):
            line = json.loads(redacted_line(reader, entry, seat))
            assert set(line) == {"header", "leaf", "payload"}
            assert (canonical.encode(line["header"]), line["leaf"]) == (entry.header, entry.leaf.hex())
            assert "draws" not in line["payload"]
            assert "req" not in line["payload"]
            if header_of(entry).type.startswith("match."):
                assert canonical.encode(line["payload"]) == canonical.encode(event)
            else:
                assert canonical.encode(line["payload"]) == canonical.encode(ENGINE.redact(event, seat))
            if secret_of is not None:
                assert (line["payload"]["laid"] is None) is (seat != secret_of)


@pytest.mark.parametrize(("mode", "number"), CASES[::3])
def test_what_is_told_opens_when_the_match_is_over(mode, number):
    hosted = played(mode, number)
    for version in range(1, hosted.facts.version + 1):
        event = hosted.event(version)[1].payload
        for seat in audiences(hosted):
            assert told(ENGINE, hosted.facts, event, seat) == event


@pytest.mark.parametrize(("mode", "number"), CASES[::3])
def test_a_redacted_export_tells_what_was_told_while_the_match_went_on(mode, number):
    hosted = played(mode, number)
    for seat in audiences(hosted):
        lines = list(export_redacted(hosted.entries, EDITION, hosted.aggregate, seat))
        reader = hosted.unborn()
        for entry, line in zip(hosted.entries, lines[1:-1], strict=True):
            reader.apply(entry)
            assert line == redacted_line(reader, entry, seat) + b"\n"


def test_the_secret_of_a_closed_log_stays_out_of_redacted_exports():
    hosted = closed_after_end()
    for seat in audiences(hosted):
        export = b"".join(export_redacted(hosted.entries, EDITION, hosted.aggregate, seat))
        assert SECRET.hex().encode() not in export
        assert read(export.splitlines(keepends=True)).secret is None
    assert SECRET.hex().encode() in b"".join(export_full(hosted.entries, EDITION, None))


def test_what_is_redacted_does_not_depend_on_when_it_is_asked():
    hosted = played("expeditions", 0)
    early = hosted.fold(12)
    for version in range(1, 13):
        event = hosted.event(version)[1].payload
        for seat in audiences(hosted):
            assert redacted(early, event, seat) == redacted(hosted.aggregate, event, seat)


def test_the_header_repeats_what_the_log_begins_with():
    hosted = started()
    header = json.loads(next(export_full(hosted.entries, EDITION, SECRET)))
    created = json.loads(canonical.encode(hosted.facts.created))
    assert header == {
        "format": "tidelog/1",
        "audience": "full",
        "edition": EDITION.decode(),
        "edition_hash": EDITION_HASH,
        "secret": SECRET.hex(),
        **{name: created[name] for name in ("match", "game", "rules", "options", "seats", "creator", "commitment")},
    }


def test_the_closing_line_holds_head_and_hash_of_all_bytes_before_it():
    hosted = started()
    *before, closing = export_full(hosted.entries, EDITION, SECRET)
    assert json.loads(closing) == {
        "head": str(hosted.entries[-1].cursor),
        "sha256": sha256(b"".join(before)).hexdigest(),
    }
    assert len(before) == 1 + len(hosted.entries)


def test_lines_are_canonical_and_hold_the_stored_bytes():
    hosted = started()
    lines = list(export_full(hosted.entries, EDITION, SECRET))
    for line in lines:
        assert line.endswith(b"\n")
        canonical.strict(line[:-1])
    for entry, line in zip(hosted.entries, lines[1:-1], strict=True):
        assert line == b'{"body":' + entry.body + b',"header":' + entry.header + b"}\n"


def test_a_log_can_be_exported_up_to_any_version():
    hosted = started()
    hosted.do(BEN, Leave(1))
    for version in range(1, len(hosted.entries)):
        assert read(export_full(hosted.entries[:version], EDITION, SECRET)).head == str(
            hosted.entries[version - 1].cursor
        )


@pytest.mark.parametrize(("seat", "name"), [(None, "spectator"), (0, "seat 0"), (3, "seat 3")])
def test_audiences_have_names(seat, name):
    assert seat_audience(seat) == name


@pytest.mark.parametrize("seat", [None, 0])
def test_an_export_says_whether_its_match_is_over_and_its_log_closed(seat):
    for hosted, over, closed in (
        (closed_after_end(), True, True),
        (played("expeditions", 0), True, False),
        (play_on(started(2), commands=3), False, False),
    ):
        told = read(export_redacted(hosted.entries, EDITION, hosted.aggregate, seat))
        full = read(export_full(hosted.entries, EDITION, None if over else SECRET))
        assert (told.over, told.closed) == (full.over, full.closed) == (over, closed)
