"""Who is answered while they still send hears the answer, and can go on asking on the same connection."""

import asyncio
import json

import pytest

from gateway.limits import MAX_RECEIVED
from gateway.web import bodies, unread

PATIENCE_S = 20
LIST = "/api/v1/GameService/ListGames"
IMPORT = "/api/v1/MatchService/ImportMatch?requestId=1"
JSON, FILE = "application/json", "application/x-ndjson"
REST = 1_000_000


@pytest.fixture
async def line(gateway):
    host, _, port = gateway.http_address.rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    async with asyncio.timeout(PATIENCE_S):
        yield reader, writer
    writer.close()


def head(method, path, kind, length, *more):
    lines = [
        f"{method} {path} HTTP/1.1",
        "host: localhost",
        f"content-type: {kind}",
        f"content-length: {length}",
        *more,
    ]
    return "".join(f"{line}\r\n" for line in (*lines, "")).encode()


async def answer(reader):
    """Status, headers and body of the next one."""
    status = int((await reader.readline()).split()[1])
    lines = (await reader.readuntil(b"\r\n\r\n")).decode().strip().splitlines()
    headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}
    return status, headers, await reader.readexactly(int(headers["content-length"]))


@pytest.mark.parametrize(
    ("method", "path", "kind", "status"),
    [
        ("POST", IMPORT, FILE, 401),
        ("POST", LIST, "text/plain", 415),
        ("PUT", LIST, JSON, 405),
        ("POST", "/api/v1/No/Where", JSON, 404),
        ("POST", "/nowhere", JSON, 404),
        ("POST", "/static/app.js", JSON, 405),
        ("GET", "/healthz", JSON, 200),
    ],
)
async def test_what_is_sent_behind_the_answer_is_dropped(line, method, path, kind, status):
    reader, writer = line
    writer.write(head(method, path, kind, 1 + REST) + b"{")
    assert (await answer(reader))[0] == status
    writer.write(b"x" * REST + head("GET", "/healthz", JSON, 0))
    assert (await answer(reader))[::2] == (200, b"ok\n")


async def test_who_is_refused_for_the_size_may_send_it_all(line):
    reader, writer = line
    writer.write(head("POST", LIST, JSON, 2 * MAX_RECEIVED) + b"{")
    status, headers, _ = await answer(reader)
    assert (status, headers["connection"]) == (413, "close")
    writer.write(b"x" * (2 * MAX_RECEIVED - 1))
    await writer.drain()
    assert await reader.read() == b""


async def test_who_sends_no_end_is_broken_off(line, monkeypatch):
    monkeypatch.setattr(unread, "UNREAD_S", 0.05)
    reader, writer = line
    writer.write(head("POST", "/nowhere", JSON, 9) + b"{")
    assert (await answer(reader))[0] == 404
    with pytest.raises((asyncio.IncompleteReadError, ConnectionError)):
        await reader.readexactly(1)


async def test_a_message_that_drips_in_is_not_waited_for(line, monkeypatch):
    monkeypatch.setattr(bodies, "WHOLE_S", 0.05)
    reader, writer = line
    writer.write(head("POST", LIST, JSON, 9) + b"{")
    assert (await answer(reader))[0] == 408


async def test_an_import_that_outlasts_its_time_is_told_so(line, ann):
    reader, writer = line
    waits = (f"authorization: Bearer {ann.token}", "timeout-ms: 200")
    writer.write(head("POST", IMPORT, FILE, 3, *waits) + b"{")
    status, _, body = await answer(reader)
    assert (status, json.loads(body)["code"]) == (504, "DEADLINE_EXCEEDED")
    writer.write(b"}\n" + head("GET", "/healthz", JSON, 0))
    assert (await answer(reader))[0] == 200
