"""Whoever is refused before a handler is asked is counted and told of, as one whom a handler refuses is."""

import asyncio

import pytest
from structlog.testing import capture_logs

from gateway.limits import MAX_RECEIVED
from gateway.web import app, bodies, server
from services.common import logs
from tests.gateway.web.test_refusals import JSON, LIST
from tests.metered import Metered, samples

REFUSALS = "tidelog_gateway_http_refusals_total"
PRIVATE = "my-own-hand"
LISTS = "ListGames"

TURNED_AWAY = {
    "a page that is none": ("GET", f"/{PRIVATE}", b"", {}, "", 404),
    "a file that is none": ("GET", f"/static/{PRIVATE}.js", b"", {}, "", 404),
    "an rpc that is none": ("POST", f"/api/v1/GameService/{PRIVATE}", b"{}", JSON, "", 404),
    "a method of pages": ("POST", f"/table/{PRIVATE}", b"{}", JSON, "", 405),
    "a method of rpcs": ("PUT", f"{LIST}?{PRIVATE}", b"{}", JSON, LISTS, 405),
    "another type": ("POST", LIST, b"{}", {"content-type": PRIVATE}, LISTS, 415),
    "no message": ("POST", LIST, PRIVATE.encode(), JSON, LISTS, 400),
    "a time that is none": ("POST", LIST, b"{}", {**JSON, "timeout-ms": PRIVATE}, LISTS, 400),
    "too large": ("POST", LIST, b"x" * (MAX_RECEIVED + 1), JSON, LISTS, 413),
}


@pytest.fixture
def told(monkeypatch):
    monkeypatch.setattr(logs._Told, "debug", True)
    with capture_logs() as lines:
        yield lines


@pytest.mark.parametrize("case", TURNED_AWAY.values(), ids=TURNED_AWAY)
async def test_who_is_turned_away_is_counted_and_told_of_once(ann_web, told, case):
    method, path, body, headers, rpc, status = case
    metered = Metered()
    answer = await ann_web.http.request(method, path, content=body, headers=headers)
    assert answer.status_code == status
    assert metered.since(REFUSALS, rpc=rpc, status=str(status)) == grown(metered) == 1
    named = {"rpc": rpc} if rpc else {}
    (line,) = [line for line in told if line["event"] == "HTTP refusal"]
    assert line == {"event": "HTTP refusal", "log_level": "debug", "status": status, **named}
    assert PRIVATE not in repr(told)


async def test_what_a_handler_says_is_told_as_a_call_alone(ann_web, web, told):
    metered = Metered()
    await web.call("GameService/ListGames")
    await ann_web.call("MatchService/GetMatch", matchId="none")
    await ann_web.call("MatchService/WatchMatch", matchId="none")
    await ann_web.http.post(
        "/api/v1/MatchService/ImportMatch", content=b"{}", headers={"content-type": "application/x-ndjson"}
    )
    assert [line["rpc"] for line in told if line["event"] == "call"] == [
        *("ListGames", "GetMatch", "WatchMatch", "ImportMatch")
    ]
    assert not [line for line in told if line["event"] == "HTTP refusal"]
    assert grown(metered) == 0


async def test_what_is_answered_is_no_refusal(ann_web, told):
    metered = Metered()
    page = await ann_web.http.get("/")
    await ann_web.http.get("/", headers={"if-none-match": page.headers["etag"]})
    await ann_web.call("GameService/ListGames")
    assert grown(metered) == 0
    assert [line["event"] for line in told if line["log_level"] == "debug"] == ["call"]


async def test_what_is_no_http_is_counted(gateway, told):
    metered = Metered()
    host, _, port = gateway.http_address.rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(b"\x16\x03\x01 hello\r\n\r\n")
    assert b" 400 " in await reader.readline()
    writer.close()
    assert metered.since(REFUSALS, rpc="", status="400") == grown(metered) == 1
    assert [line["status"] for line in told if line["event"] == "HTTP refusal"] == [400]


async def test_a_body_that_does_not_come_is_counted(gateway, monkeypatch):
    monkeypatch.setattr(bodies, "BODY_S", 0.05)
    metered = Metered()
    host, _, port = gateway.http_address.rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    head = f"POST {LIST} HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{{"
    writer.write(head.encode())
    assert b" 408 " in await reader.readline()
    writer.close()
    assert metered.since(REFUSALS, rpc=LISTS, status="408") == grown(metered) == 1


@pytest.mark.parametrize(("module", "limit"), [(app, "MAX_OPEN"), (server, "CONNECTIONS")], ids=["open", "connected"])
async def test_where_too_much_is_open_it_is_counted(ann_web, monkeypatch, module, limit):
    metered = Metered()
    monkeypatch.setattr(module, limit, 0)
    answer = await ann_web.call("GameService/ListGames")
    assert (answer.status_code, answer.headers["connection"]) == (503, "close")
    assert answer.json()["refusal"]["reason"] == "REFUSAL_REASON_TOO_MUCH"
    assert "content-security-policy" in answer.headers
    assert metered.since(REFUSALS, rpc="", status="503") == 1
    monkeypatch.undo()
    assert (await ann_web.call("GameService/ListGames")).status_code == 200


def grown(metered):
    """How many were counted, under whichever labels; all of them are bounded."""
    found = [dict(labels) for name, labels in samples() if name == REFUSALS]
    assert {frozenset(labels) for labels in found} <= {frozenset({"rpc", "status"})}
    assert PRIVATE not in repr(found)
    return sum(metered.since(REFUSALS, **labels) for labels in found)
