"""One move followed through gateway, engine and store: two processes send their spans to a real OTLP receiver here."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import NamedTuple

import grpc
import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse
from opentelemetry.proto.collector.trace.v1.trace_service_pb2_grpc import (
    TraceServiceServicer,
    add_TraceServiceServicer_to_server,
)

from tests.integration.platform import SHORT, tidelog, up
from tidelog.client import connect
from tidelog.v1.matches_pb2 import PlayCommand, PlayRequest, SubmitMoveRequest
from tidelog.v1.matches_pb2_grpc import MatchServiceStub
from tidelog.v1.payload_pb2 import Payload

TRACES = [f"{number:032x}" for number in (0xA11CE, 0xB0B, 0xCA7)]
PARENT = "00f067aa0ba902b7"


class Seen(NamedTuple):
    service: str
    name: str
    trace: str
    span: str
    parent: str
    attributes: dict[str, str]


class Receiver(TraceServiceServicer):
    def __init__(self):
        self.spans = []
        self.news = asyncio.Condition()

    async def Export(self, request, _context):  # noqa: N802 - the name of the rpc
        async with self.news:
            for resource in request.resource_spans:
                named = {each.key: each.value.string_value for each in resource.resource.attributes}
                for span in (span for scope in resource.scope_spans for span in scope.spans):
                    attributes = {each.key: each.value.string_value for each in span.attributes}
                    ids = span.trace_id.hex(), span.span_id.hex(), span.parent_span_id.hex()
                    self.spans.append(Seen(named["service.name"], span.name, *ids, attributes))
            self.news.notify_all()
        return ExportTraceServiceResponse()

    async def until(self, holds):
        async with asyncio.timeout(60), self.news:
            await self.news.wait_for(lambda: holds(self.spans))

    def of(self, request):
        return [span for span in self.spans if span.attributes.get("tidelog.request") == request]


@asynccontextmanager
async def receiving() -> AsyncIterator[tuple[Receiver, str]]:
    receiver, server = Receiver(), grpc.aio.server()
    add_TraceServiceServicer_to_server(receiver, server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    yield receiver, f"http://127.0.0.1:{port}"
    await server.stop(None)


async def moves(address):
    """Three moves: by a call, by a stream with a trace of its own, and by a call that names none that can be read."""
    async with connect(address) as client:
        token = (await client.sign_in_as_guest("Ann")).token
        match = (await client.create(SHORT, 2, own_seat=0, request_id="create")).match_id
        await client.join(match, 1, request_id="join")

        async def move(seat):
            found = await client.legal_moves(match, seat)
            return {"seat": seat, "match_id": match, "move": Payload(json=json.dumps(found.legal.moves[0]))}

        async with grpc.aio.insecure_channel(address) as channel:
            stub, bearer = MatchServiceStub(channel), ("authorization", f"Bearer {token}")

            async def submit(request_id, traceparent, seat):
                asked = SubmitMoveRequest(request_id=request_id, **await move(seat))
                await stub.SubmitMove(asked, metadata=[bearer, ("traceparent", traceparent)])

            await submit("called", f"00-{TRACES[0]}-{PARENT}-01", 0)
            call = stub.Play(metadata=[bearer, ("traceparent", f"00-{TRACES[1]}-{PARENT}-01")])
            own = f"00-{TRACES[2]}-{PARENT}-01"
            asked = PlayCommand.Submit(request_id="streamed", traceparent=own, **await move(1))
            await call.write(PlayRequest(commands=[PlayCommand(submit=asked)]))
            assert (await call.read()).answers[0].HasField("accepted")
            await call.done_writing()
            await submit("plain", "nonsense", (await client.match(match)).turns[0].seat)
    return match


def chain(receiver, request):
    """The spans of a request from the outermost to the innermost, each the parent of the next."""
    spans = {span.parent: span for span in receiver.of(request)}
    inside = {span.span for span in spans.values()}
    (outermost,) = (span for span in spans.values() if span.parent not in inside)
    found = [outermost]
    while found[-1].span in spans:
        found.append(spans[found[-1].span])
    return found


async def test_a_move_is_one_trace_through_gateway_engine_and_store(tmp_path, monkeypatch):
    async with receiving() as (receiver, endpoint):
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint)
        monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "50")

        def serve():
            with up(tmp_path, "--log", "debug") as running:
                return asyncio.run(moves(running.address))

        match = await asyncio.to_thread(serve)
        await receiver.until(lambda spans: len([span for span in spans if span.name == "append"]) >= 5)
    lines = [json.loads(line) for line in (tmp_path / "up.log").read_text().splitlines()]
    engine = "tidelog engine"
    for request, rpc, trace, parent in (
        ("called", "SubmitMove", TRACES[0], PARENT),
        ("streamed", "Play", TRACES[2], PARENT),
        ("plain", "SubmitMove", None, ""),
        ("join", "JoinMatch", None, ""),
        ("create", "CreateMatch", None, ""),
    ):
        found = chain(receiver, request)
        kind = {"SubmitMove": "submit", "Play": "submit", "JoinMatch": "claim", "CreateMatch": "create"}[rpc]
        assert [(span.service, span.name) for span in found] == [
            ("tidelog gateway", rpc),
            (engine, kind),
            (engine, "append"),
        ]
        assert found[0].parent == parent
        assert {span.trace for span in found} == {trace or found[0].trace}
        assert {span.attributes.get("tidelog.match", match) for span in found} == {match}
        outcomes = [span.attributes["tidelog.outcome"] for span in found]
        assert outcomes == ["ok", "carried_out", "appended"]
        about = [line for line in lines if line.get("request") == request]
        assert [line["event"] for line in about] == ["append", "command", "call"]
        assert {line["trace"] for line in about} == {found[0].trace}
        assert {line["match"] for line in about} == {match}


async def test_without_being_asked_for_nothing_of_it_is_sent_and_lines_still_agree(tmp_path, monkeypatch):
    for name in ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_TRACES_EXPORTER"):
        monkeypatch.delenv(name, raising=False)

    def serve():
        with up(tmp_path, "--log", "debug") as running:
            return asyncio.run(moves(running.address))

    await asyncio.to_thread(serve)
    lines = [json.loads(line) for line in (tmp_path / "up.log").read_text().splitlines()]
    for request, trace in (("called", TRACES[0]), ("streamed", TRACES[2]), ("plain", None), ("create", None)):
        about = [line for line in lines if line.get("request") == request]
        assert {line["role"] for line in about} == {"gateway", "engine"}
        assert {line["trace"] for line in about} == {trace or about[0]["trace"]}


@pytest.mark.parametrize("exporter", ["zipkin", "console"])
async def test_an_exporter_that_is_none_of_ours_is_named(tmp_path, monkeypatch, exporter):
    monkeypatch.setenv("OTEL_TRACES_EXPORTER", exporter)
    told = tidelog("serve", "gateway", "--redis", "redis://127.0.0.1:1", "--data", tmp_path, status=2).stderr
    assert exporter in told
