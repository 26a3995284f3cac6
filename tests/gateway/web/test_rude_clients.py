"""Clients who send what no client should are answered or cut off, hold nothing for long, and harm nobody else."""

import asyncio
import json
from contextlib import asynccontextmanager, suppress

import pytest

from gateway.web import protocol
from tests.gateway.waiting import until
from tests.gateway.web.test_refusals import LIST
from tests.gateway.web.test_streams import open_streams
from tests.gateway.web.test_unread import answer
from tests.metered import Metered

PATIENCE_S = 20
ENDLESS = 40 * protocol.HEAD_BYTES
WATCH = "/api/v1/LobbyService/WatchMatches"
H2C = ("connection: Upgrade, HTTP2-Settings", "upgrade: h2c", "http2-settings: AAMAAABkAAQCAAAAAAIAAAAA")
WEBSOCKET = ("connection: Upgrade", "upgrade: websocket", "sec-websocket-key: x", "sec-websocket-version: 13")


def asked(method, path, *headers, body=b"", token=""):
    lines = [f"{method} {path} HTTP/1.1", "host: localhost", *headers]
    if token:
        lines.append(f"authorization: Bearer {token}")
    if body:
        lines += ["content-type: application/json", f"content-length: {len(body)}"]
    return "".join(f"{line}\r\n" for line in (*lines, "")).encode() + body


HEALTH = asked("GET", "/healthz")


@asynccontextmanager
async def connected(gateway):
    host, _, port = gateway.http_address.rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    try:
        async with asyncio.timeout(PATIENCE_S):
            yield reader, writer
    finally:
        writer.close()


@pytest.fixture
async def line(gateway):
    async with connected(gateway) as found:
        yield found


async def cut_off(reader):
    """Whether nothing more comes, and the connection is at its end."""
    try:
        return await reader.read() == b""
    except ConnectionError:
        return True


async def sends_on(reader, writer, piece):
    """Sends without end until it is cut off; how many bytes went out."""
    sent = 0
    try:
        while sent < ENDLESS and not reader.at_eof():
            writer.write(piece)
            sent += len(piece)
            await writer.drain()
            await asyncio.sleep(0)
    except ConnectionError:
        pass
    return sent


async def test_a_head_that_is_too_long_is_refused(line):
    reader, writer = line
    metered = Metered()
    begun = b"GET / HTTP/1.1\r\nhost: localhost\r\n"
    writer.write(begun + b"x" * (protocol.HEAD_BYTES + 1 - len(begun)))
    status, headers, body = await answer(reader)
    assert (status, headers["connection"]) == (431, "close")
    assert str(protocol.HEAD_BYTES) in json.loads(body)["refusal"]["message"]
    assert await cut_off(reader)
    assert metered.since("tidelog_gateway_http_refusals_total", rpc="", status="431") == 1


async def test_the_longest_head_is_read(line):
    reader, writer = line
    begun, end = b"GET /healthz HTTP/1.1\r\nhost: localhost\r\nx: ", b"\r\n\r\n"
    writer.write(begun + b"x" * (protocol.HEAD_BYTES - len(begun + end)) + end + HEALTH)
    assert [(await answer(reader))[::2] for _ in range(2)] == [(200, b"ok\n")] * 2


@pytest.mark.parametrize("piece", [b"x-more: y\r\n" * 100, b"x" * 1000], ids=["many", "one"])
async def test_a_head_without_end_is_not_read_on(line, piece):
    reader, writer = line
    writer.write(b"GET / HTTP/1.1\r\n")
    assert await sends_on(reader, writer, piece) < ENDLESS


@pytest.mark.parametrize("piece", [b"x-more: y\r\n" * 100, b"x" * 1000], ids=["many", "one"])
async def test_trailers_without_end_are_not_read_on(line, piece):
    reader, writer = line
    head = asked("POST", LIST, "content-type: application/json", "transfer-encoding: chunked")
    writer.write(head + b"2\r\n{}\r\n0\r\n")
    assert await sends_on(reader, writer, piece) < ENDLESS


async def test_an_extension_of_a_chunk_without_end_is_not_read_on(line):
    reader, writer = line
    writer.write(asked("POST", LIST, "content-type: application/json", "transfer-encoding: chunked") + b"2;")
    assert await sends_on(reader, writer, b"x" * 1000) < ENDLESS


async def test_a_body_in_the_smallest_chunks_is_read(line, ann):
    reader, writer = line
    headers = ("content-type: application/json", "transfer-encoding: chunked")
    head = asked("POST", LIST, *headers, token=ann.token)
    body = b"{" + b" " * (protocol.HEAD_BYTES // 2) + b"}"
    writer.write(head + b"".join(b"1\r\n%c\r\n" % byte for byte in body) + b"0\r\nx-trailer: y\r\n\r\n" + HEALTH)
    assert (await answer(reader))[0] == 200
    assert (await answer(reader))[::2] == (200, b"ok\n")


async def test_behind_a_stream_no_head_is_read_on_without_end(gateway, line, ann):
    reader, writer = line
    writer.write(asked("POST", WATCH, body=b"{}", token=ann.token))
    assert b" 200 " in await reader.readline()
    await open_streams(gateway, 1)
    writer.write(b"GET / HTTP/1.1\r\n")
    assert await sends_on(reader, writer, b"x-more: y\r\n" * 100) < ENDLESS
    await open_streams(gateway, 0)


async def test_behind_a_stream_what_is_no_request_breaks_it_off(gateway, line, ann):
    """A refusal would look like a part of what is told."""
    reader, writer = line
    writer.write(asked("POST", WATCH, body=b"{}", token=ann.token))
    await reader.readuntil(b"present")
    writer.write(b"\x00\r\n\r\n")
    try:
        rest = await reader.read()
    except ConnectionError:
        rest = b""
    assert b"HTTP/1.1" not in rest
    await open_streams(gateway, 0)


async def test_a_broken_chunk_is_refused_in_words(line):
    reader, writer = line
    head = asked("POST", LIST, "content-type: application/json", "transfer-encoding: chunked")
    writer.write(head + b"2\r\n{}\r\n")
    writer.write(b"no size\r\n")
    status, _, body = await answer(reader)
    assert (status, json.loads(body)["refusal"]["reason"]) == (400, "REFUSAL_REASON_MALFORMED")
    assert await cut_off(reader)


@pytest.mark.parametrize("end", ["half", "whole"])
async def test_a_reader_of_a_stream_who_closes_is_gone(gateway, line, ann, end):
    reader, writer = line
    writer.write(asked("POST", WATCH, body=b"{}", token=ann.token))
    await reader.readuntil(b"present")
    await open_streams(gateway, 1)
    if end == "half":
        writer.write_eof()
    else:
        writer.close()
    await open_streams(gateway, 0)
    await until(lambda: not gateway._http._server.server_state.connections)


async def test_requests_one_behind_the_other_are_answered_in_order(line):
    reader, writer = line
    asks = [HEALTH, asked("GET", "//evil.test/"), asked("POST", LIST, body=b"{}"), asked("GET", "/static/core/html.js")]
    writer.write(b"".join(asks * 50))
    assert [(await answer(reader))[0] for _ in asks * 50] == [200, 404, 401, 200] * 50


@pytest.mark.parametrize("offer", [H2C, WEBSOCKET], ids=["h2c", "websocket"])
async def test_who_offers_another_protocol_is_answered_in_this_one(line, ann, offer):
    """As clients of HTTP/2 do with every request, the Java library's among them."""
    reader, writer = line
    call = asked("POST", LIST, *offer, body=b'{"pageSize": 1}', token=ann.token)
    writer.write(call + asked("GET", "/healthz", *offer) + call[:-5])
    status, headers, body = await answer(reader)
    assert (status, len(json.loads(body)["games"])) == (200, 1)
    assert "upgrade" not in headers
    assert (await answer(reader))[::2] == (200, b"ok\n")
    writer.write(call[-5:] + HEALTH)
    assert (await answer(reader))[0] == 200
    assert (await answer(reader))[::2] == (200, b"ok\n")


async def test_very_many_offers_are_answered_each(line):
    reader, writer = line
    offers = 2000
    writer.write(asked("GET", "/healthz", *H2C) * offers)
    assert [(await answer(reader))[0] for _ in range(offers)] == [200] * offers


NO_REQUESTS = {
    "a proxy's": b"CONNECT a.test:443 HTTP/1.1\r\nhost: localhost\r\n\r\n",
    "HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "a later version": b"GET /healthz HTTP/1.2\r\nhost: localhost\r\n\r\n",
    "two lengths": asked("POST", LIST, "content-length: 2", "content-length: 3") + b"{} ",
    "an odd length": asked("POST", LIST).replace(b"\r\n\r\n", b"\r\ncontent-length: \xb2\r\n\r\n{}"),
    "length and chunks": asked("POST", LIST, "content-length: 3", "transfer-encoding: chunked") + b"0\r\n\r\n",
    "chunks not last": asked("POST", LIST, "transfer-encoding: chunked, identity") + b"0\r\n\r\n",
    "lines without returns": HEALTH.replace(b"\r\n", b"\n"),
    "a folded header": asked("GET", "/healthz", "a: b\r\n c"),
    "a name with a space": asked("GET", "/healthz", "a : b"),
    "no address": b"GET  HTTP/1.1\r\nhost: localhost\r\n\r\n",
    "no path": asked("GET", "?x"),
    "an address not encoded": asked("GET", "/žluť"),
}


@pytest.mark.parametrize("sent", NO_REQUESTS.values(), ids=NO_REQUESTS)
async def test_what_is_no_request_is_refused_and_nothing_behind_it_is_read(line, sent):
    reader, writer = line
    metered = Metered()
    writer.write(sent + HEALTH)
    status, headers, body = await answer(reader)
    assert (status, headers["connection"], headers["cache-control"]) == (400, "close", "no-store")
    assert json.loads(body)["refusal"]["reason"] == "REFUSAL_REASON_MALFORMED"
    assert await cut_off(reader)
    assert metered.since("tidelog_gateway_http_refusals_total", rpc="", status="400") == 1


async def test_who_waits_to_be_asked_for_a_body_is_told_before(line):
    reader, writer = line
    large = asked("POST", LIST, "expect: 100-continue", "content-type: application/json", "content-length: 9999999")
    writer.write(large)
    assert (await answer(reader))[0] == 413


async def test_idle_connections_end_and_hold_up_nobody(gateway, web, monkeypatch):
    monkeypatch.setattr(protocol, "HEAD_S", 0.5)
    host, _, port = gateway.http_address.rpartition(":")
    idle = [await asyncio.open_connection(host, int(port)) for _ in range(200)]
    for number, (_, writer) in enumerate(idle):
        writer.write(b"GET / HTTP/1.1\r\nhost: localhost\r\nx: "[: number % 40])
    assert (await web.http.get("/healthz")).status_code == 200
    async with asyncio.timeout(PATIENCE_S):
        assert all([await cut_off(reader) for reader, _ in idle])
    for _, writer in idle:
        writer.close()


@pytest.mark.parametrize("begun", [b"", b"GET / HTTP/1.1\r\nx: "], ids=["empty lines", "a header"])
async def test_a_head_that_drips_in_is_cut_off(gateway, web, monkeypatch, begun):
    """Its time is one for all of it."""
    monkeypatch.setattr(protocol, "HEAD_S", 0.2)
    async with connected(gateway) as (reader, writer):
        writer.write(begun)
        with suppress(ConnectionError):
            while not reader.at_eof():
                writer.write(b"x" if begun else b"\r\n")
                await writer.drain()
                assert (await web.http.get("/healthz")).status_code == 200, "who asks meanwhile is answered"
