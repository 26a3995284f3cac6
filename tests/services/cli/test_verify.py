import json
from pathlib import Path

import pytest

from services.eventlog.export import export_redacted
from services.eventlog.reading import lines_of, read
from tests.services.eventlog.forging import with_line


@pytest.fixture
def full(tidelog, tmp_path) -> Path:
    return tidelog.exports(tmp_path / "full")[0]


@pytest.fixture
def told(full, tmp_path) -> Path:
    """The same match as seat 1 was told it."""
    found = read(lines_of([full.read_bytes()]))
    path = tmp_path / "seat-1.jsonl"
    lines = export_redacted(found.entries, found.header.edition.encode(), found.aggregate, 1)
    path.write_bytes(b"".join(lines))
    return path


def test_whole_folders_check(tidelog, tmp_path):
    tidelog.exports(tmp_path, "--matches", 3)
    assert tidelog("verify", tmp_path) == 0
    assert [line.split()[0] for line in tidelog.out.splitlines()] == ["ok"] * 3


def test_the_verdicts_are_one_json_document(tidelog, full, told):
    whole, part = tidelog.json("verify", full, told)
    head = json.loads(full.read_bytes().splitlines()[-1])["head"]
    for verdict, audience, source in ((whole, "full", full), (part, "seat 1", told)):
        assert verdict == {
            "source": str(source),
            "ok": True,
            "match": json.loads(full.read_bytes().splitlines()[0])["match"],
            "audience": audience,
            "head": head,
            "opened": True,
        }


@pytest.mark.parametrize("version", [1, 7, 40])
def test_one_changed_byte_names_the_first_bad_version(tidelog, full, version):
    lines = full.read_bytes().splitlines(keepends=True)
    lines[version] = lines[version].replace(b'"kind"', b'"kinD"', 1)
    full.write_bytes(b"".join(lines))
    assert tidelog("verify", full) == 1
    assert f"BAD {full}: version {version}: " in tidelog.out
    assert f"version {version}: " in tidelog.err
    (verdict,) = tidelog.json("verify", full, status=1)
    assert (verdict["ok"], verdict["bad_version"]) == (False, version)


def test_the_good_are_told_from_the_bad(tidelog, tmp_path):
    paths = tidelog.exports(tmp_path, "--matches", 3)
    paths[1].write_bytes(paths[1].read_bytes()[:-1])
    assert [verdict["ok"] for verdict in tidelog.json("verify", tmp_path, status=1)] == [True, False, True]
    assert "1 of 3 do not check" in tidelog.err
    assert paths[1].name in tidelog.err


def test_a_damaged_header_or_closing_line_is_named(tidelog, full):
    export = full.read_bytes()
    full.write_bytes(export.replace(b'"game":"lost_seas"', b'"game":"best_seas"', 1))
    assert tidelog("verify", full) == 1
    assert "header: " in tidelog.out
    full.write_bytes(export[:-4] + b'0"}\n' if export[-4:] != b'0"}\n' else export[:-4] + b'1"}\n')
    assert tidelog("verify", full) == 1
    assert "closing line: " in tidelog.out


def test_a_redacted_export_is_checked_against_the_full_one(tidelog, full, told):
    assert tidelog("verify", told, "--against", full) == 0
    types = [json.loads(line.header)["type"] for line in read(lines_of([told.read_bytes()])).lines]
    version = types.index("lost_seas.tile_taken") + 1
    told.write_bytes(with_line(told.read_bytes(), version, lambda line: line["payload"].update(cell=15, tile="LS01")))
    assert tidelog("verify", told) == 0
    assert tidelog("verify", told, "--against", full) == 1
    assert f"version {version}: the payload is not what this audience is told" in tidelog.out


def test_a_bad_full_export_is_no_measure(tidelog, full, told):
    full.write_bytes(full.read_bytes()[:-1])
    assert str(full) in tidelog.refuses("verify", told, "--against", full, status=1)
    assert str(full) in tidelog.refuses("verify", told, "--against", f"{full}.gone", status=1)


def test_what_is_not_there_can_not_be_checked(tidelog, tmp_path):
    assert "holds no export" in tidelog.refuses("verify", tmp_path)
    assert "there is no file" in tidelog.refuses("verify", tmp_path / "gone.jsonl")
    assert "at least one" in tidelog.refuses("verify")


def test_a_secret_that_is_not_yet_revealed_is_said(tidelog, tmp_path):
    (path,) = tidelog.exports(tmp_path, "--max-turns", 4)
    found = read(lines_of([path.read_bytes()]))
    part = export_redacted(found.entries, found.header.edition.encode(), found.aggregate, None)
    path.write_bytes(b"".join(part))
    assert tidelog("verify", path) == 0
    assert "(spectator, secret not yet revealed)" in tidelog.out
