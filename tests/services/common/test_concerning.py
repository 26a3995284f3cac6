from contextvars import copy_context

import pytest

from services.common import concerning
from services.common.concerning import Concern
from tidelog.v1.engine_pb2 import EngineCommand
from tidelog.v1.matches_pb2 import ListMatchesRequest, SubmitMoveRequest

TRACE, SPAN = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
GIVEN = f"00-{TRACE}-{SPAN}-01"


@pytest.mark.parametrize("text", [GIVEN, f"{GIVEN}-more", f"01-{TRACE}-{SPAN}-00"])
def test_a_traceparent_is_taken_over(text):
    assert concerning.given(text) == text[:55]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nonsense",
        f"ff-{TRACE}-{SPAN}-01",
        f"00-{'0' * 32}-{SPAN}-01",
        f"00-{TRACE}-{'0' * 16}-01",
        f"00-{TRACE.upper()}-{SPAN}-01",
        f"00-{TRACE}-{SPAN}",
        f"00-{TRACE}-{SPAN}-01\n",
        f" {GIVEN}",
        "x" * 100_000,
    ],
)
def test_what_is_no_traceparent_is_passed_over(text):
    assert concerning.given(text) == ""


def test_the_trace_is_the_callers():
    assert Concern(SubmitMoveRequest(match_id="M", request_id="r"), GIVEN).trace == TRACE


def test_without_one_it_is_alike_wherever_the_request_is_seen():
    asked = SubmitMoveRequest(match_id="M", request_id="r")
    sent = EngineCommand(match_id="M", request_id="r", player="p")
    assert Concern(asked, "").trace == Concern(sent, "").trace
    for other in (SubmitMoveRequest(match_id="M", request_id="s"), SubmitMoveRequest(match_id="N", request_id="r")):
        assert Concern(other, "").trace != Concern(asked, "").trace


def test_a_question_has_a_trace_of_its_own():
    first, second = Concern(ListMatchesRequest(), ""), Concern(ListMatchesRequest(), "")
    assert first.trace == first.trace != second.trace
    assert first.names() == {"trace": first.trace}


def test_names_are_short():
    found = Concern(SubmitMoveRequest(match_id="M" * 1000, request_id="r" * 1000), "").names()
    assert (found["match"], found["request"]) == ("M" * 64, "r" * 64)


def test_a_made_trace_is_not_passed_on():
    found = Concern(SubmitMoveRequest(match_id="M", request_id="r"), "")
    assert found.trace
    assert found.traceparent == ""


def test_a_command_is_what_is_done_with_the_traceparent_that_it_holds():
    def carried_out():
        concerning.carry_out(EngineCommand(match_id="M", request_id="r", traceparent=GIVEN))
        return concerning.current(), concerning.current()

    first, again = copy_context().run(carried_out)
    assert first is again
    assert first.names() == {"match": "M", "request": "r", "trace": TRACE}
