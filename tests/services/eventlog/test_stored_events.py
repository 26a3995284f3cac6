"""One of the platform's events of each kind and version, as a log has it: kept for ever, never rewritten."""

import json
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from services.common.codec import MatchEventCodec
from services.eventlog.entries import Body, Header
from services.eventlog.lifecycle import Created, Lifecycle
from services.eventlog.match import new_match, note
from services.eventlog.terms import Clock, Terms
from tidelog.v1.lifecycle_pb2 import MatchEvent
from tidelog.v1.payload_pb2 import PAYLOAD_FORM_TYPED

STORED = (Path(__file__).parent / "stored_events.jsonl").read_bytes().splitlines()
CREATED = Created(
    "M", "lost_seas", 1, "e", msgspec.Raw(b"{}"), 3, "guest|ann", "c", terms=Terms(clock=Clock(move_ms=1000))
)


def test_every_kind_of_event_is_stored():
    kinds = {type(msgspec.json.decode(line, type=Lifecycle)) for line in STORED}
    assert kinds == set(get_args(Lifecycle))


@pytest.mark.parametrize("line", STORED)
def test_stored_events_still_fold_and_have_a_typed_form(line):
    event = msgspec.json.decode(line, type=Lifecycle)
    match = new_match("M", event if isinstance(event, Created) else CREATED)
    note(match, Header(1, None, "match.x", 1), Body((), event, None, None), ())
    payload = MatchEventCodec(Lifecycle).payload(line, PAYLOAD_FORM_TYPED)
    assert MatchEvent.FromString(payload.typed.value).WhichOneof("event") == json.loads(line)["kind"]
