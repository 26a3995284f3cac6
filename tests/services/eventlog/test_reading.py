"""An export is read only if every byte of it is as it was written."""

import json
from functools import cache

import pytest

from services.eventlog import canonical
from services.eventlog.commands import Leave
from services.eventlog.export import export_full, export_redacted
from services.eventlog.reading import MAX_LINE, BadExport, Export, against, lines_of, read, seat_of
from tests.services.eventlog.forging import UNCANONICAL, reclosed, shortened, with_bytes, with_line
from tests.services.eventlog.given import (
    BEN,
    CASES,
    EDITION,
    SECRET,
    SMALL_EDITION,
    YOUNG,
    Hosted,
    play_on,
    played,
    started,
)

AUDIENCES = ["full", "spectator", "seat 0", "seat 1"]


def exported(hosted: Hosted, audience: str = "full") -> bytes:
    if audience == "full":
        return b"".join(export_full(hosted.entries, hosted.edition, None if hosted.facts.over else SECRET))
    seat = None if audience == "spectator" else seat_of(audience)
    return b"".join(export_redacted(hosted.entries, hosted.edition, hosted.aggregate, seat))


@cache
def small(audience: str) -> bytes:
    """Of a match of two young explorers, one of whom leaves after a move."""
    hosted = play_on(started(2, YOUNG, SMALL_EDITION), commands=1)
    hosted.do(BEN, Leave(1))
    return exported(hosted, audience)


@cache
def running(audience: str) -> bytes:
    """Of a match in which the sides of the columns are chosen and those of the rows are not."""
    return exported(play_on(started(2), commands=3), audience)


def read_back(export: bytes) -> Export:
    return read(lines_of([export]))


def bad_version(export: bytes) -> int | None:
    """Of an export that must not read."""
    with pytest.raises(BadExport) as bad:
        read_back(export)
    return bad.value.version


@pytest.mark.parametrize(("mode", "number"), CASES[::2])
def test_exports_of_every_audience_read_back(mode, number):
    hosted = played(mode, number)
    full = read_back(exported(hosted))
    assert full.entries == tuple(hosted.entries)
    assert (full.secret, full.head) == (SECRET, str(hosted.aggregate.cursor))
    assert full.aggregate.facts == hosted.facts
    assert full.aggregate.state == hosted.state
    for audience in ("spectator", *[f"seat {seat}" for seat in range(hosted.facts.created.seats)]):
        told = read_back(exported(hosted, audience))
        assert [line.header for line in told.lines] == [entry.header for entry in hosted.entries]
        assert (told.entries, told.aggregate, told.secret) == ((), None, SECRET)
        against(told, full)


@pytest.mark.parametrize("audience", AUDIENCES)
def test_exports_of_a_match_in_play_read_back(audience):
    full, told = read_back(running("full")), read_back(running(audience))
    assert told.head == full.head
    assert told.secret == (SECRET if audience == "full" else None)
    against(told, full)


@pytest.mark.parametrize("audience", ["full", "spectator"])
def test_one_bit_changed_anywhere_is_found(audience):
    for place in range(len(small(audience))):
        changed = bytearray(small(audience))
        changed[place] ^= 1
        with pytest.raises(BadExport):
            read(bytes(changed).splitlines(keepends=True))


@pytest.mark.parametrize("step", [13, pytest.param(1, marks=pytest.mark.soak)])
@pytest.mark.parametrize("audience", AUDIENCES)
def test_one_character_replaced_by_another_is_found(audience, step):
    export = small(audience)
    for place in range(0, len(export), step):
        other = b"7" if export[place : place + 1] != b"7" else b"b"
        with pytest.raises(BadExport):
            read((export[:place] + other + export[place + 1 :]).splitlines(keepends=True))


@pytest.mark.parametrize("audience", AUDIENCES)
def test_a_line_that_is_dropped_doubled_or_moved_is_found(audience):
    lines = small(audience).splitlines(keepends=True)
    for place in range(len(lines)):
        changes = [
            lines[:place] + lines[place + 1 :],
            lines[: place + 1] + lines[place:],
            [*lines[:place], *reversed(lines[place : place + 2]), *lines[place + 2 :]],
        ]
        for changed in changes:
            if changed != lines:
                bad_version(b"".join(changed))


@pytest.mark.parametrize("audience", AUDIENCES)
def test_a_line_that_is_dropped_doubled_or_moved_is_found_under_a_fitting_closing_line(audience):
    lines = small(audience).splitlines()
    for place in range(1, len(lines) - 1):
        assert bad_version(reclosed(lines[:place] + lines[place + 1 :])) in {None, 0, *range(1, place + 1)}
        assert bad_version(reclosed(lines[: place + 1] + lines[place:])) in {None, 0, *range(1, len(lines))}
        if place < len(lines) - 2:
            swapped = [*lines[:place], lines[place + 1], lines[place], *lines[place + 2 :]]
            assert bad_version(reclosed(swapped)) in {0, place}


@pytest.mark.parametrize("audience", AUDIENCES)
def test_a_truncated_file_is_found_wherever_it_ends(audience):
    export = small(audience)
    for length in range(0, len(export), 11):
        bad_version(export[:length])
    with pytest.raises(BadExport, match="cut short"):
        read_back(export[:-1])


@pytest.mark.parametrize("audience", AUDIENCES)
@pytest.mark.parametrize("change", UNCANONICAL)
@pytest.mark.parametrize("place", [0, 5])
def test_a_line_that_is_not_canonical_is_found_under_a_fitting_closing_line(audience, change, place):
    assert bad_version(with_bytes(small(audience), place, change)) == place


@pytest.mark.parametrize("audience", AUDIENCES)
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("format", "tidelog/2"),
        ("match", "ANOTHERISLANDANOTHERISLA"),
        ("game", "black_fleet"),
        ("rules", 2),
        ("edition", EDITION.decode()),
        ("edition_hash", "0" * 64),
        ("options", {"young_explorers": True}),
        ("seats", 3),
        ("creator", BEN),
        ("commitment", "0" * 64),
        ("audience", "seat 2"),
        ("audience", "seat -1"),
        ("audience", "everybody"),
        ("secret", ""),
        ("secret", "zz"),
    ],
)
def test_a_header_that_does_not_repeat_the_creation_is_found(audience, field, value):
    def change(header):
        header[field] = value

    assert bad_version(with_line(small(audience), 0, change)) == 0


@pytest.mark.parametrize("audience", ["full", "spectator"])
def test_a_header_that_names_another_audience_does_not_read(audience):
    other = "spectator" if audience == "full" else "full"
    assert bad_version(with_line(small(audience), 0, lambda header: header.update(audience=other))) == 1


@pytest.mark.parametrize("secret", [None, "00" * 32, "zz", SECRET.hex().upper(), SECRET.hex()[:-2]])
def test_a_full_export_of_a_match_in_play_needs_its_secret(secret):
    assert bad_version(with_line(running("full"), 0, lambda header: header.update(secret=secret))) == 0


def test_a_match_that_is_over_needs_its_reveal():
    last = len(small("full").splitlines()) - 2
    export = with_line(shortened(small("full"), SECRET, last - 1), 0, lambda header: header.update(secret=None))
    assert bad_version(export) == 0


@pytest.mark.parametrize("leaf", ["", "00", "zz" * 32, "AB" * 32, "00" * 33])
def test_a_leaf_is_64_hex_digits(leaf):
    assert bad_version(with_line(small("spectator"), 3, lambda line: line.update(leaf=leaf))) == 3


@pytest.mark.parametrize("secret", ["00" * 32, "zz", "", SECRET.hex().upper()])
def test_a_reveal_of_another_secret_is_found(secret):
    last = len(small("spectator").splitlines()) - 2
    export = with_line(small("spectator"), last, lambda line: line["payload"].update(secret=secret))
    assert bad_version(export) == last


def test_damage_is_named_by_its_version_where_it_shows_there():
    lines = small("full").splitlines()
    lines[7] = lines[7].replace(b'"kind"', b'"kin"', 1)
    assert bad_version(b"\n".join([*lines, b""])) == 7


def test_damage_that_shows_nowhere_is_the_closing_lines():
    lines = small("spectator").splitlines()
    lines[3] = lines[3].replace(b"guest|ben", b"guest|bob")
    assert bad_version(b"\n".join([*lines, b""])) is None


@pytest.mark.parametrize("export", [b"", b"\n", b"{}\n", b"x", b"\x00" * 100])
def test_what_is_no_export_at_all_is_said_to_be_none(export):
    bad_version(export)


def test_an_export_of_nothing_does_not_read():
    lines = small("full").splitlines()
    assert bad_version(reclosed([lines[0], lines[-1]])) == 1
    assert bad_version(reclosed([lines[-1]])) == 0


def test_a_line_has_a_limit():
    with pytest.raises(BadExport, match="too long"):
        list(lines_of([b"x" * (MAX_LINE + 1)]))
    with pytest.raises(BadExport, match="too long"):
        read([b"x" * MAX_LINE + b"\n"])


@pytest.mark.parametrize("size", [1, 7, 4096, 1_000_000])
def test_lines_are_found_in_chunks_cut_anywhere(size):
    export = small("full")
    chunks = [export[place : place + size] for place in range(0, len(export), size)]
    assert list(lines_of(chunks)) == export.splitlines(keepends=True)


def test_the_last_line_may_lack_its_newline_and_is_given_as_it_is():
    assert list(lines_of([b"a\nb", b"c"])) == [b"a\n", b"bc"]


def test_the_lines_of_a_full_export_are_the_canonical_bytes_of_their_values():
    for line in small("full").splitlines():
        assert canonical.encode(json.loads(line)) == line
