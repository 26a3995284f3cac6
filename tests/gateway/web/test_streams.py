"""Streams over HTTP: they begin and end as over gRPC, keep the connection alive, and leave nothing behind."""

import asyncio
import socket
from contextlib import contextmanager, suppress
from functools import partial

from gateway import metrics
from gateway.limits import MAX_CHUNK
from gateway.web import app, calls, streams
from services.eventlog.commands import Claim, Leave
from tests.gateway.floor import ids, play_on, started_match
from tests.gateway.played import BOB, GAME, PlayedMatch
from tests.gateway.waiting import told_so_far, until
from tests.gateway.web.browser import Browser
from tests.gateway.web.events import events_of

PATIENCE_S = 20


async def open_streams(gateway, count):
    """Returns once so many are open."""
    await until(lambda: len(gateway._servicer._open) == count)


async def test_who_leaves_is_told_nothing_more(gateway, ann_web, ann, bob):
    match_id = await started_match(ann, bob)
    async with ann_web.following("MatchService/WatchMatch", matchId=match_id) as response:
        await anext(events_of(response))
        await open_streams(gateway, 1)
    await open_streams(gateway, 0)


async def test_an_idle_stream_is_kept_alive_by_comments(ann_web, monkeypatch):
    monkeypatch.setattr(streams, "KEEP_ALIVE_S", 0.02)
    async with asyncio.timeout(PATIENCE_S), ann_web.following("LobbyService/WatchMatches") as response:
        comments = 0
        async for line in response.aiter_lines():
            comments += line == ":"
            if comments == 3:
                break


async def test_the_list_is_told_as_it_changes(ann_web, ann):
    async with asyncio.timeout(PATIENCE_S), ann_web.following("LobbyService/WatchMatches") as response:
        assert response.headers["content-type"] == "text/event-stream"
        assert response.headers["cache-control"] == "no-store"
        told = events_of(response)
        assert "present" in (await anext(told)).data["news"][-1]
        created = await ann.call("CreateMatch", request_id=next(ids), game=GAME, seats=2)
        (news,) = (await anext(told)).data["news"]
    assert news["appeared"]["matchId"] == created.receipt.match_id


@contextmanager
def narrow(gateway, client, rpc, body, *headers):
    """A connection that holds little of what nobody reads, on which the rpc was asked."""
    host, _, port = gateway.http_address.rpartition(":")
    (listening,) = gateway._http._server.servers[0].sockets
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)  # connections inherit it
    lines = [
        f"POST /api/v1/MatchService/{rpc} HTTP/1.1",
        "host: localhost",
        "connection: close",
        f"authorization: Bearer {client.token}",
        "content-type: application/json",
        f"content-length: {len(body)}",
        *headers,
        "",
        body,
    ]
    with socket.socket() as slow:
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        slow.connect((host, int(port)))
        slow.sendall("\r\n".join(lines).encode())
        slow.settimeout(PATIENCE_S)
        yield slow


async def test_a_slow_reader_is_ended_and_its_connection_broken_off(floor, log):
    gateway = await floor.gateway(http="127.0.0.1:0", outbox_bytes=10_000)
    ann = await floor.client(gateway, "ann")
    played = await PlayedMatch(log, "MATCH").started()
    before = metrics.SLOW_CONSUMERS._value.get()
    with narrow(gateway, ann, "WatchMatch", '{"matchId":"MATCH","include":["INCLUDE_VIEW"]}') as slow:
        await until(lambda: gateway.parts.live.held("MATCH") is not None and gateway.parts.live.held("MATCH").watched)
        live = gateway.parts.live.held("MATCH")
        while not played.aggregate.facts.over:  # nobody reads
            await played.move()
            await until(partial(told_so_far, live, played))
        await open_streams(gateway, 0)
        rest = await asyncio.to_thread(read_all, slow)
    assert metrics.SLOW_CONSUMERS._value.get() > before
    assert b"REFUSAL_REASON_SLOW_CONSUMER" in rest or not rest.endswith(b"0\r\n\r\n")


async def test_a_download_that_can_not_be_finished_is_broken_off(gateway, ann, log, monkeypatch):
    """At once: an end would make it look like a whole file."""
    monkeypatch.setattr(calls, "FLUSH_S", 3600)
    played = await PlayedMatch(log, "MATCH", seats=3).create()
    while sum(len(entry.body) for entry in played.entries) < 4 * MAX_CHUNK:
        await played.carry_out(BOB, Claim(1, "Bob"))
        await played.carry_out(BOB, Leave(1))
    with narrow(gateway, ann, "ExportMatch", '{"matchId":"MATCH"}', "timeout-ms: 1000") as slow:
        await asyncio.to_thread(slow.recv, 1)
        await until(lambda: not gateway._http._server.server_state.connections)  # its time is over, and nobody reads
        rest = await asyncio.to_thread(read_all, slow)
    assert b"application/x-ndjson" in rest
    assert not rest.endswith(b"0\r\n\r\n")


def read_all(slow):
    data = b""
    with suppress(ConnectionError):
        while piece := slow.recv(65_536):
            data += piece
    return data


async def test_many_are_told_the_same_from_one_conversion(gateway, ann, bob, monkeypatch):
    converted = []
    whole = streams.Events._converted
    monkeypatch.setattr(streams.Events, "_converted", lambda self, data: converted.append(data) or whole(self, data))
    match_id = await started_match(ann, bob)
    async with Browser(gateway, ann.token) as web, asyncio.timeout(PATIENCE_S):
        listening = [
            asyncio.create_task(_heard(web.events("MatchService/WatchMatch", matchId=match_id))) for _ in range(5)
        ]
        await open_streams(gateway, 5)
        await play_on([ann, bob], match_id)
        heard = [await task for task in listening]
    assert heard[0] == heard[1] == heard[2] == heard[3] == heard[4]
    assert len(converted) == len(set(converted))


async def _heard(events):
    """The entries in order."""
    return [
        update["entry"]
        async for event in events
        if event.kind == "message"
        for update in event.data["updates"]
        if "entry" in update
    ]


async def test_no_more_is_open_than_may_be(ann_web, web, monkeypatch):
    monkeypatch.setattr(app, "MAX_OPEN", 1)
    async with asyncio.timeout(PATIENCE_S):
        async with ann_web.following("LobbyService/WatchMatches") as response:
            await anext(events_of(response))
            full = await web.http.get("/healthz")
            assert full.status_code == 503
            assert full.json()["refusal"]["reason"] == "REFUSAL_REASON_TOO_MUCH"
            assert full.headers["retry-after"] == "1"
            assert "content-security-policy" in full.headers
        while (await web.http.get("/healthz")).status_code != 200:
            pass
