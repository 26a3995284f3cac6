"""Writes the frozen vectors of the log's format, as a second implementation: nothing of the project is imported.

`python tests/contract/make_log_vectors.py` writes the files that are missing and touches no other: vectors never
change. Bytes stand in them as hex where they are not text.
"""

import hashlib
import hmac
import json
from base64 import b32encode
from collections.abc import Callable
from pathlib import Path
from typing import Any

import rfc8785

FOLDER = Path(__file__).parent / "vectors"
SECRET = bytes(range(32))
OTHER_SECRET = hashlib.sha256(b"another secret").digest()
STORE_KEY = hashlib.sha256(b"a store key").digest()
MATCHES = ("A", "M7KJ2Q4ZP6WDXH3BVYTCN5RA", "island-42", "Zürich 7")
Part = bytes | str | int


def number(value: int) -> bytes:
    return bytes((value >> shift) & 0xFF for shift in range(56, -8, -8))


def raw(part: Part) -> bytes:
    return number(part) if isinstance(part, int) else part.encode("utf-8") if isinstance(part, str) else part


def frame(parts: tuple[Part, ...]) -> bytes:
    framed = bytearray()
    for part in parts:
        framed += number(len(raw(part))) + raw(part)
    return bytes(framed)


def h(*parts: Part) -> bytes:
    return hashlib.sha256(frame(parts)).digest()


def mac(key: bytes, *parts: Part) -> bytes:
    return hmac.new(key, frame(parts), hashlib.sha256).digest()


def shown(part: Part) -> Any:
    return {"hex": part.hex()} if isinstance(part, bytes) else part


def framing() -> Any:
    cases: list[tuple[Part, ...]] = [
        (),
        ("",),
        (b"",),
        ("", ""),
        ("a",),
        ("a", "b"),
        ("ab",),
        (b"\x00\xff", "é", "日本"),
        (0,),
        (1, 2**32, 2**64 - 1),
        ("tidelog/1/entry", bytes(32), b"{}", bytes([255] * 32)),
    ]
    return [
        {
            "parts": [shown(part) for part in parts],
            "framed": frame(parts).hex(),
            "digest": h(*parts).hex(),
            "keyed": mac(SECRET, *parts).hex(),
        }
        for parts in cases
    ]


def hashes() -> Any:
    salts = [(secret, version) for secret in (SECRET, OTHER_SECRET) for version in (1, 2, 255, 256, 10_000, 2**40)]
    return {
        "secret": SECRET.hex(),
        "genesis": [{"match": match, "genesis": h("tidelog/1/genesis", match).hex()} for match in MATCHES],
        "commitments": [
            {"match": match, "secret": secret.hex(), "commitment": h("tidelog/1/commit", match, secret).hex()}
            for match in MATCHES
            for secret in (SECRET, OTHER_SECRET)
        ],
        "draw_keys": [
            {"secret": secret.hex(), "draw_key": mac(secret, "draw").hex()} for secret in (SECRET, OTHER_SECRET)
        ],
        "salts": [
            {"secret": secret.hex(), "version": version, "salt": mac(secret, "salt", version).hex()}
            for secret, version in salts
        ],
        "leaves": [
            {"salt": salt.hex(), "body": body, "leaf": h("tidelog/1/leaf", salt, body).hex()}
            for salt in (mac(SECRET, "salt", 1), bytes(32))
            for body in ("", "{}", '{"draws":[],"payload":{"kind":"passed"},"req":null,"req_digest":null}', "é")
        ],
        "entries": [
            {
                "previous": previous.hex(),
                "header": header,
                "leaf": leaf.hex(),
                "hash": h("tidelog/1/entry", previous, header, leaf).hex(),
            }
            for previous in (bytes(32), h("tidelog/1/genesis", "A"))
            for header in ('{"at":0,"seat":null,"type":"match.created","version":1}', "{}")
            for leaf in (bytes([255] * 32), h("tidelog/1/leaf", bytes(32), b"{}"))
        ],
    }


def draw_numbers(key: bytes, version: int, asked: list[tuple[str, int]]) -> Any:
    found = []
    for k, (label, n) in enumerate(asked):
        attempt = 0
        while (x := int(mac(key, version, label, k, attempt)[:8].hex(), 16)) >= (2**64 // n) * n:
            attempt += 1
        found.append({"label": label, "n": n, "rejected": attempt, "result": x % n})
    return found


def draws() -> Any:
    half = 2**63 + 1  # every second number is rejected
    commands: list[tuple[int, list[tuple[str, int]]]] = [
        (0, [("die", 6)]),
        (1, [("die", 6), ("die", 6), ("die", 6)]),
        (2, [("tile", 1), ("tile", 2), ("card", 3), ("card", 52)]),
        (12, [("half", half)] * 12),
        (13, [("whole", 2**64), ("almost", 2**64 - 1), ("third", 2**64 // 3 + 1), ("power", 2**63)]),
        (10_000, [("Würfel", 6), ("", 1_000_000)]),
    ]
    found = []
    for secret in (SECRET, OTHER_SECRET):
        key = mac(secret, "draw")
        found += [{"draw_key": key.hex(), "version": v, "draws": draw_numbers(key, v, asked)} for v, asked in commands]
    return found


def command(kind: str, move: Any, decision: int | None, expected_version: int | None) -> str:
    value = {"kind": kind, "move": move, "decision": decision, "expected_version": expected_version}
    return rfc8785.dumps(value).decode()


def requests() -> Any:
    asked = [
        ("https://id.example|7f3a", "r-1"),
        ("guest|" + "0" * 32, "x" * 64),
        ("service:clock", "expire:M7KJ2Q4ZP6WDXH3BVYTCN5RA:12"),
        ("admin:jo", "Ä"),
    ]
    commands = [
        command("submit", {"kind": "explore", "cell": 17, "tile": "S17"}, 12, None),
        command("submit", {"kind": "passed"}, None, 40),
        command("join", None, None, None),
    ]
    return {
        "store_key": STORE_KEY.hex(),
        "requests": [
            {
                "player": player,
                "request_id": request,
                "req": h(player, request)[:16].hex(),
                "match_id": b32encode(mac(STORE_KEY, player, request)[:15]).decode(),
            }
            for player, request in asked
        ],
        "commands": [{"command": text, "req_digest": h(text)[:8].hex()} for text in commands],
    }


def names() -> Any:
    found = []
    for match in (*MATCHES, *(f"match-{n}" for n in range(12))):
        shard = hashlib.sha256(match.encode()).digest()[0] % 16
        tag = f"tidelog:{{s{shard:02d}}}:"
        found.append(
            {
                "match": match,
                "shard": shard,
                "log": f"{tag}match:{match}",
                "secret": f"{tag}secret:{match}",
                "snapshot": f"{tag}snap:{match}",
                "feed": f"{tag}feed",
                "heads": f"{tag}heads",
                "meta": f"{tag}meta",
            }
        )
    cursors = [
        {"version": version, "hash": digest.hex(), "cursor": f"{version}-{digest.hex()[:16]}"}
        for version, digest in ((1, h("one")), (12, bytes(32)), (10_000, h("ten thousand")))
    ]
    refused = ["", "0", "-", "0-0-0", "00-0", "1-", "1-0", "01-0123456789abcdef", "+1-0123456789abcdef"]
    refused += ["1-0123456789ABCDEF", "1-0123456789abcde", "1-0123456789abcdef0", "-1-0123456789abcdef"]
    refused += ["0-0123456789abcdef", "1 -0123456789abcdef", "1-0123456789abcdeg", "1_0-0123456789abcdef"]
    return {
        "format": {"key": "tidelog:format", "value": "tidelog/1"},
        "matches": found,
        "cursors": cursors,
        "start": "0-0",
        "refused_cursors": refused,
    }


def canonical() -> Any:
    values: list[Any] = [
        None,
        True,
        0,
        -1,
        2**53 - 1,
        -(2**53 - 1),
        "",
        'quote " backslash \\ slash /',
        "".join(chr(code) for code in range(0x20)) + "\x7f",
        "é ü 日本 🏝 \u2028\u2029",
        [],
        {},
        {"b": 1, "a": [{"d": None, "c": False}], "a_b": 2, "aa": 3, "a1": 4},
        {"at": 1_700_000_000_000, "seat": 2, "type": "lost_seas.tile_taken", "version": 17},
        [[], [[]], {"kind": "offer", "give": [0, 1, 2], "want": None}],
    ]
    refused = {
        "space": b'{"a": 1}',
        "unsorted": b'{"b":1,"a":2}',
        "doubled key": b'{"a":1,"a":1}',
        "doubled key, nested": b'[{"a":{"b":1,"b":2}}]',
        "float": b"1.5",
        "whole float": b"1.0",
        "exponent": b"1e2",
        "minus zero": b"-0",
        "NaN": b"NaN",
        "Infinity": b"-Infinity",
        "2^53": b"9007199254740992",
        "-2^53": b"[-9007199254740992]",
        "lone surrogate": b'"\\ud800"',
        "escaped slash": b'"\\/"',
        "escaped letter": b'"\\u0041"',
        "long escape of a newline": b'"\\u000a"',
        "capitals in an escape": b'"\\u001F"',
        "raw control character": b'"\x01"',
        "not UTF-8": b'"\xff"',
        "UTF-16": '"a"'.encode("utf-16-le"),
        "byte order mark": b"\xef\xbb\xbf1",
        "trailing newline": b"1\n",
        "two values": b"1 2",
        "nothing": b"",
        "cut": b'{"a":',
    }
    return {
        "written": [{"value": value, "bytes": rfc8785.dumps(value).hex()} for value in values],
        "refused": [{"why": why, "bytes": data.hex()} for why, data in refused.items()],
    }


def log_events(match: str) -> list[dict[str, Any]]:
    """One small match; `req` marks the entries that begin a command."""
    player = "https://id.example|ada"
    created = {
        "kind": "created",
        "match": match,
        "game": "lost_seas",
        "rules": 1,
        "edition": hashlib.sha256(b"an edition").hexdigest(),
        "options": {"majority_ties": "share", "young_explorers": False},
        "seats": 2,
        "creator": player,
        "commitment": h("tidelog/1/commit", match, SECRET).hex(),
        "auto_start": True,
        "log_after_end": "open",
    }
    scores = [{"category": "islands", "points": 9}, {"category": "treasures", "points": -2}]
    ranking = [
        {"seat": 1, "place": 1, "points": 7, "scores": scores},
        {"seat": 0, "place": 2, "points": 0, "scores": []},
    ]
    finished = {"kind": "finished", "outcome": {"ranking": ranking, "tie_breaks": ["LS-9.4"]}}
    first = draw_numbers(mac(SECRET, "draw"), 3, [("tile", 60), ("tile", 59)])
    drawn = [{"label": draw["label"], "n": draw["n"], "result": draw["result"]} for draw in first]
    claimed = {"kind": "seat_claimed", "seat": 0, "player": player, "name": "Ada 🏝", "bot": False}
    bot = {"kind": "seat_claimed", "seat": 1, "player": "service:bots", "name": "", "bot": True}
    opened = {"kind": "row_filled", "tiles": ["S01", "S17"], "left": 58}
    taken = {"kind": "tile_taken", "seat": 1, "cell": -3, "secret": None}
    return [
        {"at": 1_700_000_000_000, "seat": None, "payload": created, "draws": [], "req": "r-1"},
        {"at": 1_700_000_000_000, "seat": 1, "payload": bot, "draws": [], "req": None},
        {"at": 1_700_000_001_250, "seat": 0, "payload": claimed, "draws": [], "req": "r-2"},
        {"at": 1_700_000_001_250, "seat": None, "payload": {"kind": "started"}, "draws": [], "req": None},
        {"at": 1_700_000_001_250, "seat": None, "payload": opened, "draws": drawn, "req": None, "game": True},
        {"at": 1_700_000_009_999, "seat": 1, "payload": taken, "draws": [], "req": "r-3", "game": True},
        {"at": 1_700_000_009_999, "seat": None, "payload": finished, "draws": [], "req": None},
        {
            "at": 1_700_000_009_999,
            "seat": None,
            "payload": {"kind": "secret_revealed", "secret": SECRET.hex()},
            "draws": [],
            "req": None,
        },
    ]


def log() -> Any:
    match = MATCHES[1]
    previous = h("tidelog/1/genesis", match)
    entries = []
    for version, event in enumerate(log_events(match), start=1):
        prefix = "lost_seas" if "game" in event else "match"
        kind = f"{prefix}.{event['payload']['kind']}"
        header = rfc8785.dumps({"at": event["at"], "seat": event["seat"], "type": kind, "version": version})
        req = h("https://id.example|ada", event["req"])[:16].hex() if event["req"] else None
        digest = h(command("submit", event["req"], None, None))[:8].hex() if event["req"] else None
        body = rfc8785.dumps({"draws": event["draws"], "payload": event["payload"], "req": req, "req_digest": digest})
        leaf = h("tidelog/1/leaf", mac(SECRET, "salt", version), body)
        previous = h("tidelog/1/entry", previous, header, leaf)
        entries.append(
            {
                "version": version,
                "header": header.decode(),
                "body": body.decode(),
                "leaf": leaf.hex(),
                "hash": previous.hex(),
                "cursor": f"{version}-{previous.hex()[:16]}",
            }
        )
    return {"match": match, "secret": SECRET.hex(), "entries": entries}


MAKERS: dict[str, Callable[[], Any]] = {
    "framing": framing,
    "hashes": hashes,
    "draws": draws,
    "requests": requests,
    "names": names,
    "canonical": canonical,
    "log": log,
}


def text(name: str) -> str:
    return json.dumps(MAKERS[name](), indent=1, ensure_ascii=True) + "\n"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name in MAKERS:
        file = FOLDER / f"{name}.json"
        if not file.exists():
            file.write_text(text(name))
