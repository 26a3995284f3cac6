"""Refusals keep their reason, their status and their details on the way to a client."""

import re
from pathlib import Path

import grpc
import pytest
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status

from services.common import refusals, wire
from services.common.refusals import Reason, Refused
from tests.requirements import PROTOS
from tidelog.v1.refusal_pb2 import Refusal, RefusalReason

FULL = Refused(Reason.STALE, "too late", rule="XX-1", version=7, cursor="7-00", retry_after_ms=40)
BARE = Refused(Reason.UNKNOWN_MATCH, "no such match")


def test_the_published_reasons_are_those_of_the_services():
    published = [value.name for value in RefusalReason.DESCRIPTOR.values][1:]
    assert published == [f"REFUSAL_REASON_{reason.name}" for reason in Reason]


def test_every_comment_states_the_status_of_the_table():
    proto = (PROTOS / "tidelog" / "v1" / "refusal.proto").read_text()
    source = Path(refusals.__file__).read_text()
    in_python = dict(re.findall(r'^    ([A-Z_]+) = "\w+"  # ([A-Z_]+)', source, re.MULTILINE))
    stated = re.findall(r"// ([A-Z_]+): (?:[^\n]|\n  //)*\n  REFUSAL_REASON_(\w+) =", proto)
    table = {reason.name: status.name for reason, status in wire.STATUS.items()}
    assert {name: status for status, name in stated} == table
    assert in_python == table


@pytest.mark.parametrize("reason", Reason)
def test_a_refusal_survives_the_message(reason):
    returned = wire.from_proto(wire.to_proto(Refused(reason, "no")))
    assert (returned.reason, returned.message, returned.rule, returned.version) == (reason, "no", "", None)


def test_every_field_survives_the_message():
    assert vars(wire.from_proto(wire.to_proto(FULL))) == vars(FULL)


def test_a_reason_of_a_later_release_is_none():
    assert wire.from_proto(Refusal(reason=999)) is None


def unpacked(status: Status, kind):
    for detail in status.details:
        message = kind()
        if detail.Unpack(message):
            return message
    return None


def test_the_details_hold_the_refusal_and_the_error_info():
    status = wire.details(FULL)
    assert status.code == grpc.StatusCode.ABORTED.value[0]
    assert unpacked(status, Refusal) == wire.to_proto(FULL)
    info = unpacked(status, ErrorInfo)
    assert (info.reason, info.domain, dict(info.metadata)) == ("STALE", "tidelog", {"rule": "XX-1"})
    assert unpacked(status, RetryInfo).retry_delay.ToMilliseconds() == 40


def test_a_malformed_request_names_its_field():
    status = wire.details(Refused(Reason.MALFORMED, "move: Expected `int`, got `str` - at `$.cell`"))
    assert unpacked(status, BadRequest).field_violations[0].field == "cell"
    assert unpacked(wire.details(BARE), BadRequest) is None


@pytest.mark.parametrize("reason", [Reason.ENGINE_AWAY, Reason.STORE_AWAY, Reason.DRAINING, Reason.TOO_MUCH])
def test_where_waiting_helps_the_details_say_how_long(reason):
    assert unpacked(wire.details(Refused(reason, "later")), RetryInfo).retry_delay.ToMilliseconds() == 1000
    assert unpacked(wire.details(BARE), RetryInfo) is None


@pytest.fixture
async def refusing():
    """A channel to a server that refuses every call with what `refusing` holds."""

    async def answer(request: bytes, context) -> bytes:
        del request
        await wire.abort(context, FULL)

    server = grpc.aio.server()
    handler = grpc.unary_unary_rpc_method_handler(answer)
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("test.Refusing", {"Ask": handler}),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        yield channel
    await server.stop(None)


async def test_a_call_that_is_aborted_carries_the_refusal(refusing):
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await refusing.unary_unary("/test.Refusing/Ask")(b"")
    assert caught.value.code() is grpc.StatusCode.ABORTED
    assert vars(wire.refused_from(caught.value)) == vars(FULL)


async def test_another_error_is_no_refusal(refusing):
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await refusing.unary_unary("/test.Refusing/Other")(b"")
    assert wire.refused_from(caught.value) is None
