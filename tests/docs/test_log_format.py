"""The vectors of docs/log-format.md are the frozen ones, and its reader finds what is wrong."""

import json
import subprocess
import sys
from hashlib import sha256

import pytest

from tests.contract.test_log_vectors import vectors
from tests.docs.pages import DOCS, blocks
from tests.integration.platform import tidelog

FILES = {block.name: block.text for block in blocks(DOCS / "log-format.md") if "." in block.name}


def test_the_vectors_are_among_the_frozen_ones():
    shown = json.loads(FILES["vectors.json"])
    frozen = {"framing": vectors("framing"), "draws": vectors("draws"), **vectors("hashes"), **vectors("requests")}
    frozen |= {"names": vectors("names")["matches"], "cursors": vectors("names")["cursors"]}
    assert len(shown) == 13
    assert shown.pop("store_key") == frozen["store_key"]
    for name, cases in shown.items():
        assert cases, name
        assert all(case in frozen[name] for case in cases), name


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("reader")
    for name, text in FILES.items():
        (folder / name).write_text(text)
    tidelog("simulate", "lost_seas", "--seed", "7", "--out", folder / "logs")
    return folder


def check(place, data):
    (place / "given.jsonl").write_bytes(data)
    done = subprocess.run(
        [sys.executable, "check.py", "given.jsonl"], cwd=place, capture_output=True, text=True, check=False
    )
    return done.returncode


def sealed(lines):
    """With a closing line that fits, as whoever changes a log would write it."""
    data = b"".join(lines[:-1])
    closing = json.loads(lines[-1]) | {"sha256": sha256(data).hexdigest()}
    return data + json.dumps(closing, separators=(",", ":")).encode() + b"\n"


def test_its_reader_finds_what_was_changed(place):
    (export,) = (place / "logs").iterdir()
    lines = export.read_bytes().splitlines(keepends=True)
    assert check(place, sealed(lines)) == 0
    changes = 0
    for number, line in enumerate(lines[1:-1], 1):
        for there, instead in ((b'"seat":1', b'"seat":0'), (b'"result":', b'"result":1'), (b'"at":', b'"at":1')):
            if there in line and changes < 30:
                changes += 1
                assert check(place, sealed([*lines[:number], line.replace(there, instead, 1), *lines[number + 1 :]]))
    assert changes == 30
    assert check(place, sealed([*lines[:5], lines[6], lines[5], *lines[7:]]))
    assert check(place, b"".join(lines)[:-9])
