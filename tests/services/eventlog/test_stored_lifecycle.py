"""One of the platform's events of each kind and version, as a log has it: kept for ever, never rewritten."""

from pathlib import Path
from typing import get_args

import msgspec

from services.eventlog.entries import Body, Header
from services.eventlog.lifecycle import Lifecycle
from services.eventlog.match import new_match, note

STORED = (Path(__file__).parent / "stored_lifecycle.jsonl").read_bytes().splitlines()


def events():
    return [msgspec.json.decode(line, type=Lifecycle) for line in STORED]


def test_every_kind_of_event_is_stored():
    assert {type(event) for event in events()} == set(get_args(Lifecycle))


def test_stored_events_still_fold():
    first, *others = events()
    note(new_match(first.match, first), Header(1, None, "match.stored", 1), Body((), first, "00" * 16, "00" * 8), ())
    match = new_match(others[0].match, others[0])
    for version, event in enumerate(others, start=1):
        header = Header(version, getattr(event, "seat", None), "match.stored", version)
        note(match, header, Body((), event, version.to_bytes(16, "big").hex(), "00" * 8), ())
    assert (match.version, match.over, match.secret, match.quarantine) == (len(others), True, "0102", None)
