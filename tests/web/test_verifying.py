"""The page that verifies says of every export what `tidelog verify` says, but for what needs a game's rules."""

import gzip
import json
import random
import re
import subprocess
from base64 import b64encode
from functools import cache
from pathlib import Path

import pytest

from services.eventlog import canonical
from services.eventlog.export import export_full
from services.eventlog.reading import MAX_LINE, BadExport, lines_of, read
from tests.requirements import needs_node
from tests.services.eventlog.forging import UNCANONICAL, forged, rechained, reclosed, shortened, with_bytes, with_line
from tests.services.eventlog.given import BEN, EDITION, SECRET, play_on, played, started
from tests.services.eventlog.test_reading import exported, small

SCRIPT = Path(__file__).with_name("verify.mjs")
DOCUMENT = Path(__file__).parents[2] / "docs" / "log-format.md"
AUDIENCES = ["full", "spectator", "seat 0", "seat 1"]

RULES = re.compile(r"does not fold|unreadable body|outcome|unknown field|this code knows|deadline|decision")
"""What is said only by whoever knows the game's rules, the clocks, and each field of each event."""


def run(**asked: object) -> dict:
    done = subprocess.run([needs_node(), SCRIPT], input=json.dumps(asked), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def verdicts(exports: list[bytes]) -> list[tuple[bool, int | None]]:
    found = run(exports=[b64encode(export).decode() for export in exports])["verdicts"]
    return [(verdict["ok"], verdict.get("bad", -1)) for verdict in found]


def told(export: bytes) -> tuple[bool, int | None, str]:
    try:
        read(lines_of([export]))
    except BadExport as bad:
        return False, bad.version, bad.message
    return True, -1, ""


def assert_alike(exports: list[bytes], *, most_good: int = 0) -> None:
    """Of these exports no more than so many are good, and both say the same of all."""
    ours = [told(export) for export in exports]
    theirs = verdicts(exports)
    differing = [
        (place, mine, its)
        for place, (mine, its) in enumerate(zip(ours, theirs, strict=True))
        if mine[:2] != its and not (RULES.search(mine[2]) and is_later(its, mine[1]))
    ]
    assert differing == []
    assert sum(ok for ok, _ in theirs) <= most_good


def is_later(verdict: tuple[bool, int | None], version: int | None) -> bool:
    ok, bad = verdict
    return ok or bad is None or (version is not None and bad >= version)


@cache
def running(audience: str) -> bytes:
    return exported(play_on(started(2), commands=3), audience)


@cache
def whole() -> bytes:
    return b"".join(export_full(played("expeditions", 1).entries, EDITION, None))


def test_hashes_and_draws_are_those_of_the_documents_vectors():
    vectors = json.loads(re.search(r"```json vectors.json\n(.*?)```", DOCUMENT.read_text(), re.DOTALL)[1])
    names = ["framing", "genesis", "commitments", "salts", "leaves", "entries", "draws"]
    asked = {name: vectors[name] for name in names}
    for case in asked["draws"]:
        for draw in case["draws"]:
            draw.update(n=str(draw["n"]), result=str(draw["result"]))
    assert run(vectors=asked)["vectors"] == asked


def test_good_exports_of_every_audience_check():
    hosted = [played(mode, number) for mode, number in (("expeditions", 1), ("young", 2), ("arranged", 3))]
    over = [exported(match, audience) for match in hosted for audience in ("full", "spectator", "seat 1")]
    under_way = [running(audience) for audience in AUDIENCES]
    assert verdicts([*over, *under_way]) == [(True, -1)] * 13


def test_it_is_said_what_was_checked():
    exports = [small("full"), small("seat 1"), running("full"), running("spectator")]
    found = run(exports=[b64encode(export).decode() for export in exports])["verdicts"]
    heads = [json.loads(export.splitlines()[-1])["head"] for export in exports]
    assert [verdict["head"] for verdict in found] == heads
    assert [verdict["entries"] for verdict in found] == [int(head.partition("-")[0]) for head in heads]
    assert [(verdict["audience"], verdict["over"], verdict["opened"]) for verdict in found] == [
        ("full", True, True),
        ("seat 1", True, True),
        ("full", False, True),
        ("spectator", False, False),
    ]


@pytest.mark.parametrize("audience", AUDIENCES)
def test_changed_and_cut_bytes_are_named_alike(audience):
    export = small(audience)
    bits = []
    for place in random.Random(3).sample(range(len(export)), 120):
        changed = bytearray(export)
        changed[place] ^= 1 << (place % 7)
        bits.append(bytes(changed))
    cut = [export[:length] for length in range(0, len(export), 101)]
    assert_alike([*bits, *cut, export[:-1]])


@pytest.mark.parametrize("audience", AUDIENCES)
def test_lines_dropped_doubled_and_moved_are_named_alike(audience):
    whole_lines = small(audience).splitlines()
    changed = []
    for place in range(len(whole_lines)):
        dropped, doubled = (
            whole_lines[:place] + whole_lines[place + 1 :],
            whole_lines[: place + 1] + whole_lines[place:],
        )
        swapped = [*whole_lines[:place], *reversed(whole_lines[place : place + 2]), *whole_lines[place + 2 :]]
        as_they_are = [b"".join(line + b"\n" for line in lines) for lines in (dropped, doubled, swapped)]
        fitting = [
            reclosed(lines) for lines in (dropped, doubled, swapped) if b"sha256" in lines[-1] and len(lines) > 1
        ]
        changed += [each for each in (*as_they_are, *fitting) if each != small(audience)]
    assert_alike(changed)


@pytest.mark.parametrize("audience", AUDIENCES)
def test_lines_that_are_not_canonical_are_named_alike(audience):
    changes = [
        *UNCANONICAL,
        lambda line: line.replace(b'"version":5', b'"version":5.5').replace(b'"seats":2', b'"seats":2.5'),
        lambda line: re.sub(rb'"(version|seats)":\d+', rb'"\1":9007199254740993', line, count=1),
        lambda line: line.replace(b'"kind":"', b'"kind":"\\ud800', 1).replace(b'"game":"', b'"game":"\\ud800', 1),
    ]
    assert_alike([with_bytes(small(audience), place, change) for place in (0, 5) for change in changes])


@pytest.mark.parametrize("audience", AUDIENCES)
def test_headers_that_tell_another_match_are_named_alike(audience):
    fields = {
        "format": ["tidelog/2"],
        "match": ["ANOTHERISLANDANOTHERISLA", 7],
        "game": ["black_fleet"],
        "rules": [2],
        "edition": [EDITION.decode()],
        "edition_hash": ["0" * 64],
        "options": [{"young_explorers": True}],
        "seats": [3, None],
        "creator": [BEN],
        "commitment": ["0" * 64],
        "audience": ["seat 2", "seat -1", "seat 0001", "everybody", "spectator" if audience == "full" else "full"],
        "secret": ["", "zz", "00" * 32, SECRET.hex().upper()],
    }

    def changing(field, value):
        return lambda header: header.update({field: value})

    assert_alike(
        [with_line(small(audience), 0, changing(field, value)) for field, values in fields.items() for value in values]
    )
    assert_alike(
        [
            with_line(running(audience), 0, changing("secret", value))
            for value in (None, "00" * 32, "zz", "")
            if audience == "full" or value is not None
        ]
    )


def test_leaves_and_reveals_that_were_changed_are_named_alike():
    lines = small("spectator").splitlines()
    last = len(lines) - 2
    leaves = [
        with_line(small("spectator"), 3, lambda line, leaf=leaf: line.update(leaf=leaf))
        for leaf in ("", "00", "zz" * 32, "AB" * 32, "00" * 33, "00" * 32)
    ]
    reveals = [
        with_line(small("spectator"), last, lambda line, secret=secret: line["payload"].update(secret=secret))
        for secret in ("00" * 32, "zz", "", SECRET.hex().upper())
    ]
    headers = [
        with_line(small("spectator"), 4, lambda line, change=change: line["header"].update(change))
        for change in ({"at": 1}, {"version": 5}, {"seat": 3}, {"type": "match.resigned"}, {"more": 1})
    ]
    assert_alike([*leaves, *reveals, *headers])


def test_logs_forged_with_all_their_hashes_are_named_alike():
    """By whoever knows the secret: nothing but the draws and the form of the log is against them."""
    types = [json.loads(line)["header"]["type"] for line in whole().splitlines()[1:-1]]
    turned_up = next(at for at, kind in enumerate(types, 1) if at > 15 and kind.endswith("tiles_turned_up"))
    last = len(types)

    def drawn_otherwise(line):
        draw = line["body"]["draws"][0]
        draw["result"] = (draw["result"] + 1) % draw["n"]

    changes = {
        turned_up: [
            drawn_otherwise,
            *[
                lambda line, n=n: line["body"].update(draws=[{"label": "tile", "n": n, "result": 0}])
                for n in (0, -1, 64, 2**53 - 1)
            ],
            *[lambda line, seat=seat: line["header"].update(seat=seat) for seat in (3, 300, -3)],
            *[lambda line, at=at: line["header"].update(at=at) for at in (-1, 0, 9 * 10**15)],
            *[
                lambda line, kind=kind: line["header"].update(type=kind)
                for kind in ("match.started", "black_fleet.tile_taken", "tile_taken", "")
            ],
            *[lambda line, req=req: line["body"].update(req=req) for req in ("00", "zz" * 16)],
            lambda line: line["body"].update(req_digest="00" * 8),
            lambda line: line["body"].update(more=1),
            lambda line: line["body"].update(draws=None),
            lambda line: line["header"].update(version=1),
            lambda line: line["header"].pop("seat"),
            lambda line: (
                line["header"].update(type="match.secret_revealed"),
                line["body"].update(payload={"kind": "secret_revealed", "secret": SECRET.hex()}, draws=[]),
            ),
            lambda line: (
                line["header"].update(type="match.created"),
                line["body"].update(payload=json.loads(whole().splitlines()[1])["body"]["payload"]),
            ),
        ],
        1: [
            lambda line: line["body"].update(req=None, req_digest=None),
            lambda line: line["header"].update(type="match.started"),
            lambda line: line["header"].update(at=-1),
            lambda line: line["body"]["payload"].update(commitment="00" * 32),
            lambda line: line["body"]["payload"].pop("creator"),
        ],
        last: [
            lambda line: line["body"]["payload"].update(secret=None),
            lambda line: line["body"]["payload"].update(secret="00" * 32),
        ],
    }
    exports = [forged(whole(), SECRET, version, change) for version, made in changes.items() for change in made]
    with_header = with_line(whole(), 0, lambda header: header.update(secret=SECRET.hex()))
    exports.append(forged(with_header, SECRET, last, changes[last][1]))
    exports.append(shortened(whole(), SECRET, last - 1)[:-9])
    assert_alike(exports)
    assert_alike([rechained(whole(), SECRET), shortened(whole(), SECRET, last - 3)], most_good=2)


def test_entries_beyond_the_reveal_are_named_alike():
    lines = whole().splitlines()
    last = len(lines) - 2
    exports = []
    for place in (2, last):
        taken = json.loads(lines[place])
        taken["header"].update(version=last + 1, at=json.loads(lines[last])["header"]["at"])
        header = json.loads(lines[0]) | {"secret": SECRET.hex()}
        changed = [canonical.encode(header), *lines[1:-1], canonical.encode(taken), lines[-1], b""]
        exports.append(rechained(b"\n".join(changed), SECRET))
    assert_alike(exports)


def test_what_is_no_export_at_all_is_named_alike():
    closing = small("full").splitlines()[-1] + b"\n"
    assert_alike(
        [
            b"",
            b"\n",
            b"{}\n",
            b"x",
            b"\x00" * 100,
            b"[]\n[]\n",
            b"null\n",
            closing,
            small("full") + b"\n",
            reclosed(small("full").splitlines()[:: len(small("full").splitlines()) - 1]),
            b"x" * MAX_LINE + b"\n",
        ]
    )


def test_a_compressed_file_is_said_to_be_one():
    packed = gzip.compress(small("full"))
    assert not told(packed)[0]
    (verdict,) = run(exports=[b64encode(packed).decode()])["verdicts"]
    assert verdict == {"ok": False, "bad": 0, "fault": "packed"}
