"""The log's format against its frozen vectors, which another implementation wrote (make_log_vectors.py)."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engines.core.chance import MatchChance
from engines.core.digest import Part, digest, framed, keyed
from services.eventlog import canonical, hashes, keys
from services.eventlog.entries import START, BadCursor, Body, Cursor, Entry, Header, Sealer, body_of, header_of
from tests.contract import make_log_vectors
from tests.services.eventlog.logs import check_chain

VECTORS = Path(__file__).parent / "vectors"


def vectors(name: str) -> Any:
    return json.loads((VECTORS / f"{name}.json").read_text())


def parts(shown: list[Any]) -> list[Part]:
    return [bytes.fromhex(part["hex"]) if isinstance(part, dict) else part for part in shown]


def entries() -> list[Entry]:
    return [
        Entry(
            version=case["version"],
            header=case["header"].encode(),
            body=case["body"].encode(),
            leaf=bytes.fromhex(case["leaf"]),
            hash=bytes.fromhex(case["hash"]),
        )
        for case in vectors("log")["entries"]
    ]


@pytest.mark.parametrize("name", make_log_vectors.MAKERS)
def test_the_files_are_what_the_second_implementation_writes(name):
    assert (VECTORS / f"{name}.json").read_text() == make_log_vectors.text(name)


@pytest.mark.parametrize("case", vectors("framing"))
def test_framing_digest_and_hmac(case):
    given = parts(case["parts"])
    assert framed(*given).hex() == case["framed"]
    assert digest(*given).hex() == case["digest"]
    assert keyed(bytes(range(32)), *given).hex() == case["keyed"]


def test_genesis_commitments_and_draw_keys():
    found = vectors("hashes")
    for case in found["genesis"]:
        assert hashes.genesis(case["match"]).hex() == case["genesis"]
    for case in found["commitments"]:
        assert hashes.commitment(case["match"], bytes.fromhex(case["secret"])).hex() == case["commitment"]
    for case in found["draw_keys"]:
        assert hashes.draw_key(bytes.fromhex(case["secret"])).hex() == case["draw_key"]


def test_salts_leaves_and_entries():
    found = vectors("hashes")
    for case in found["salts"]:
        assert hashes.salt(bytes.fromhex(case["secret"]), case["version"]).hex() == case["salt"]
    for case in found["leaves"]:
        assert hashes.leaf(bytes.fromhex(case["salt"]), case["body"].encode()).hex() == case["leaf"]
    for case in found["entries"]:
        previous, leaf = bytes.fromhex(case["previous"]), bytes.fromhex(case["leaf"])
        assert hashes.entry(previous, case["header"].encode(), leaf).hex() == case["hash"]


@pytest.mark.parametrize("case", vectors("draws"))
def test_draws_of_a_command(case):
    chance = MatchChance(bytes.fromhex(case["draw_key"]), case["version"])
    assert [chance.draw(draw["label"], draw["n"]) for draw in case["draws"]] == [d["result"] for d in case["draws"]]


def test_the_draws_reach_far_into_rejection():
    rejected = [draw["rejected"] for case in vectors("draws") for draw in case["draws"]]
    assert max(rejected) >= 3


def test_requests_and_match_ids():
    found = vectors("requests")
    for case in found["requests"]:
        assert hashes.request_key(case["player"], case["request_id"]).hex() == case["req"]
        store_key = bytes.fromhex(found["store_key"])
        assert hashes.match_id(store_key, case["player"], case["request_id"]) == case["match_id"]
    for case in found["commands"]:
        assert canonical.encode(json.loads(case["command"])) == case["command"].encode()
        assert hashes.request_digest(case["command"].encode()).hex() == case["req_digest"]


@pytest.mark.parametrize("case", vectors("names")["matches"])
def test_the_names_of_keys(case):
    match = case["match"]
    assert hashes.shard(match) == case["shard"]
    assert keys.match(match) == case["log"]
    assert keys.secret(match) == case["secret"]
    assert keys.snapshot(match) == case["snapshot"]
    assert keys.feed(case["shard"]) == case["feed"]
    assert keys.heads(case["shard"]) == case["heads"]
    assert keys.meta(case["shard"]) == case["meta"]


def test_the_name_of_the_format():
    found = vectors("names")["format"]
    assert found["key"] == keys.FORMAT
    assert found["value"].encode() == keys.FORMAT_VALUE


def test_cursors():
    found = vectors("names")
    for case in found["cursors"]:
        entry = Entry(case["version"], b"", b"", b"", bytes.fromhex(case["hash"]))
        assert str(entry.cursor) == case["cursor"]
        assert Cursor.parse(case["cursor"]) == entry.cursor
    assert Cursor.parse(found["start"]) == START
    assert str(START) == found["start"]


@pytest.mark.parametrize("text", vectors("names")["refused_cursors"])
def test_texts_that_are_no_cursor(text):
    with pytest.raises(BadCursor):
        Cursor.parse(text)


@pytest.mark.parametrize("case", vectors("canonical")["written"], ids=lambda case: case["bytes"][:24])
def test_canonical_json(case):
    assert canonical.encode(case["value"]).hex() == case["bytes"]
    assert canonical.strict(bytes.fromhex(case["bytes"])) == case["value"]


@pytest.mark.parametrize("case", vectors("canonical")["refused"], ids=lambda case: case["why"])
def test_bytes_that_are_not_canonical(case):
    with pytest.raises(canonical.NotCanonical):
        canonical.strict(bytes.fromhex(case["bytes"]))


def test_the_small_log_checks():
    check_chain(entries(), vectors("log")["match"])
    for entry, case in zip(entries(), vectors("log")["entries"], strict=True):
        assert str(entry.cursor) == case["cursor"]


def test_the_small_log_is_sealed_again_to_the_byte():
    found = vectors("log")
    sealer = Sealer(bytes.fromhex(found["secret"]), 0, hashes.genesis(found["match"]))
    for entry in entries():
        header = msgspec.json.decode(entry.header, type=Header)
        assert sealer.seal(header, msgspec.json.decode(entry.body, type=Body[Any])) == entry


def test_the_platforms_events_of_the_small_log_are_read_and_written_with_every_field():
    """Fields may be added to an event, never taken away or renamed."""
    for entry in entries():
        header = header_of(entry)
        if not header.type.startswith("match."):
            continue
        written = json.loads(canonical.encode(body_of(None, header, entry.body)))["payload"]
        stored = json.loads(entry.body)["payload"]
        assert {name: written[name] for name in stored} == stored
