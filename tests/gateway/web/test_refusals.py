"""What is wrong with a request over HTTP: a status and a typed refusal, and nothing changed."""

import asyncio
import json
import random

import httpx
import pytest

from gateway.limits import MAX_MESSAGE, MAX_RECEIVED
from gateway.web import bodies, protocol
from tests.gateway.floor import ids, started_match
from tests.gateway.played import GAME
from tests.gateway.web.browser import Browser
from tests.gateway.web.test_unread import answer

LIST = "/api/v1/GameService/ListGames"
JSON = {"content-type": "application/json"}
PATIENCE_S = 20


def refused(answer, status, reason="MALFORMED", code="INVALID_ARGUMENT"):
    """What the refusal says of it."""
    assert answer.status_code == status, answer.text
    said = answer.json()
    assert said["code"] == code
    assert said["refusal"]["reason"] == f"REFUSAL_REASON_{reason}"
    assert said["refusal"]["message"] in said["message"]
    return said["refusal"]["message"]


BAD = {
    "no JSON": b"{",
    "nothing": b"",
    "a list": b"[]",
    "a text": b'"x"',
    "null": b"null",
    "a number": b"1",
    "an unknown field": b'{"pageSizes": 1}',
    "a field of another type": b'{"pageSize": "many"}',
    "an object for a number": b'{"pageSize": {}}',
    "a field twice": b'{"pageSize": 1, "pageSize": 2}',
    "a number too large": b'{"pageSize": 2147483648}',
    "a number beyond all": b'{"pageSize": 1e999}',
    "not a number": b'{"pageSize": NaN}',
    "a long number": b'{"pageSize": ' + b"9" * 10_000 + b"}",
    "half of a character": b'{"pageToken": "\\ud800"}',
    "no UTF-8": b'{"pageToken": "\xff"}',
    "another encoding": '{"pageSize": 1}'.encode("utf-16"),
    "deep lists": b'{"pageSize":' + b"[" * 100_000,
    "deep objects": b'{"a":' * 50_000 + b"1" + b"}" * 50_000,
    "more behind it": b"{} {}",
}


@pytest.mark.parametrize("body", BAD.values(), ids=BAD)
async def test_a_body_that_is_no_message_is_refused(ann_web, body):
    message = refused(await ann_web.http.post(LIST, content=body, headers=JSON), 400)
    assert "ListGamesRequest" in message
    assert len(message) < 300


async def test_an_enum_that_there_is_not_is_refused(ann_web):
    refused(await ann_web.call("MatchService/GetView", matchId="x", accept="PAYLOAD_FORM_ODD"), 400)
    refused(await ann_web.call("MatchService/GetView", matchId="x", accept=99), 400)


async def test_a_body_of_another_type_is_refused(ann_web):
    for kind in ("text/plain", "application/x-www-form-urlencoded", "application/json; charset=latin-1", ""):
        message = refused(await ann_web.http.post(LIST, content=b"{}", headers={"content-type": kind}), 415)
        assert "application/json" in message
    allowed = await ann_web.http.post(LIST, content=b"{}", headers={"content-type": "application/json; charset=UTF-8"})
    assert allowed.status_code == 200


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "PATCH", "OPTIONS"])
async def test_rpcs_are_called_by_post_alone(ann_web, method):
    answer = await ann_web.http.request(method, LIST)
    refused(answer, 405)
    assert answer.headers["allow"] == "POST"


@pytest.mark.parametrize("path", [LIST, "/api/v1/MatchService/ImportMatch", "/", "/static/app.js", "/nowhere"])
async def test_pages_of_another_origin_are_let_in_to_nothing(web, path):
    """They may send what forms send, which is of no type that we take; for the rest browsers ask first."""
    stranger = {"origin": "https://elsewhere.test"}
    asks = {"access-control-request-method": "POST", "access-control-request-headers": "authorization, content-type"}
    first = await web.http.options(path, headers=stranger | asks)
    assert first.status_code in (404, 405)
    answers = [first, await web.http.get(path, headers=stranger)]
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
        answers.append(await web.http.post(path, content=b"{}", headers=stranger | {"content-type": kind}))
        assert answers[-1].status_code in (404, 405, 415)
    assert not [name for answer in answers for name in answer.headers if name.startswith("access-control-")]
    assert all(answer.headers["cross-origin-resource-policy"] == "same-origin" for answer in answers)


@pytest.mark.parametrize(
    "name",
    [
        "GameService/None",
        "None/ListGames",
        "MatchService/Play",
        "EngineService/Link",
        "tidelog.v1.GameService/ListGames",
    ],
)
async def test_an_rpc_that_is_not_served_over_http_is_not_found(ann_web, name):
    refused(await ann_web.call(name), 404)


async def test_a_message_over_the_limit_is_refused_and_so_is_a_body(ann_web):
    text = "x" * MAX_MESSAGE
    said = refused(await ann_web.call("MatchService/GetMatch", matchId=text), 400, "TOO_LARGE")
    assert str(MAX_MESSAGE) in said
    declared = await ann_web.http.post(LIST, content=b"x" * (MAX_RECEIVED + 1), headers=JSON)
    assert str(MAX_RECEIVED) in refused(declared, 413, "TOO_LARGE")

    async def pieces():
        for _ in range(MAX_RECEIVED // 65_536 + 1):
            yield b"x" * 65_536

    refused(await ann_web.http.post(LIST, content=pieces(), headers=JSON), 413, "TOO_LARGE")


@pytest.mark.parametrize("given", ["", "0", "-1", "1.5", "ten", "1e3", "٣", "9" * 30, "86400001"])
async def test_a_time_to_wait_that_is_none_is_refused(ann_web, given):
    headers = JSON | {"timeout-ms": given.encode()}
    assert "timeout-ms" in refused(await ann_web.http.post(LIST, content=b"{}", headers=headers), 400)


async def test_who_stops_waiting_is_told_so(ann_web, ann, bob):
    match_id = await started_match(ann, bob)
    events = [
        event async for event in ann_web.events("MatchService/WatchMatch", {"timeout-ms": "300"}, matchId=match_id)
    ]
    assert (events[-1].kind, events[-1].data["code"]) == ("error", "DEADLINE_EXCEEDED")


@pytest.mark.parametrize("token", ["", "Bearer", "Bearer x", "Basic YTpi", "Bearer \xe9", "bearer " + "x" * 5000])
async def test_a_token_that_does_not_check_is_refused(web, token):
    answer = await web.http.post(LIST, content=b"{}", headers=JSON | {"authorization": token.encode("latin-1")})
    refused(answer, 401, "UNAUTHENTICATED", "UNAUTHENTICATED")
    assert answer.headers["www-authenticate"] == "Bearer"


async def test_what_is_refused_changes_nothing(ann_web, ann):
    asked = {"requestId": next(ids), "game": GAME, "seats": 2, "ownSeat": 0}
    refused(await ann_web.call("MatchService/CreateMatch", **asked, odd=1), 400)
    async with Browser.at(ann_web.place) as nobody:
        refused(await nobody.call("MatchService/CreateMatch", **asked), 401, "UNAUTHENTICATED", "UNAUTHENTICATED")
    assert not (await ann.call("ListMatches", player=ann.player)).matches
    created = (await ann_web.call("MatchService/CreateMatch", **asked)).json()["receipt"]
    assert "repeated" not in created


async def test_a_refused_move_names_its_rule_and_its_version(ann_web, ann, bob):
    match_id = await started_match(ann, bob)
    move = {"json": '{"kind":"choose_sides","order":["EX01"],"sides":["easy","easy","easy","easy"]}'}
    answer = await ann_web.call("MatchService/SubmitMove", requestId=next(ids), matchId=match_id, seat=0, move=move)
    said = answer.json()
    assert (answer.status_code, said["code"]) == (400, "FAILED_PRECONDITION")
    assert said["refusal"]["rule"] == "LS-3"
    head = await ann.call("GetMatch", match_id=match_id)
    stale = await ann_web.call(
        "MatchService/SubmitMove", requestId=next(ids), matchId=match_id, seat=0, move=move, expectedVersion=1
    )
    refused(stale, 409, "STALE", "ABORTED")
    assert stale.json()["refusal"]["version"] == head.match.version


async def test_guests_are_limited_by_their_address(floor):
    gateway = await floor.gateway(http="127.0.0.1:0", guest_burst=2, guests_per_second=0.01)
    async with Browser(gateway) as web:
        answers = [await web.call("IdentityService/SignInAsGuest", name="A") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert "TOO_MUCH" in answers[2].json()["refusal"]["reason"]
    wait_ms = answers[2].json()["refusal"]["retryAfterMs"]
    assert int(answers[2].headers["retry-after"]) == -(-int(wait_ms) // 1000)


UPLOADS = [
    ({}, 400),  # no request id
    ({"requestId": "1", "restore": "yes"}, 400),
    ({"requestId": "1", "odd": "1"}, 400),
    ([("requestId", "1"), ("requestId", "2")], 400),
    ({"requestId": "1", "restore": "true"}, 403),
    ({"requestId": "1"}, 400),  # the file is none
]


@pytest.mark.parametrize(("query", "status"), UPLOADS)
async def test_an_import_that_is_none_is_refused(ann_web, query, status):
    headers = {"content-type": "application/x-ndjson"}
    answer = await ann_web.http.post("/api/v1/MatchService/ImportMatch", params=query, content=b"{}\n", headers=headers)
    assert answer.status_code == status, answer.text
    assert answer.json()["refusal"]["reason"]


async def test_odd_bodies_are_refused_whatever_they_are(ann_web):
    """Texts near a request: each is answered or refused as malformed, none is a fault of the server."""
    rng = random.Random(9)
    whole = json.dumps(
        {
            "requestId": "1",
            "game": GAME,
            "seats": 2,
            "options": {"json": "{}"},
            "terms": {"spectatorDelay": {"unit": 1}},
        }
    )
    for number in range(150):
        text = list(whole.replace('"1"', f'"{number}"'))
        for _ in range(rng.randint(1, 4)):
            text[rng.randrange(len(text))] = rng.choice('{}[]",:0x\\ué\x00')
        answer = await ann_web.http.post(
            "/api/v1/MatchService/CreateMatch", content="".join(text).encode(), headers=JSON
        )
        assert answer.status_code in (200, 400, 404), (text, answer.text)


async def test_who_says_nothing_is_not_waited_for(gateway, monkeypatch):
    monkeypatch.setattr(protocol, "HEAD_S", 0.05)
    host, _, port = gateway.http_address.rpartition(":")
    for begun in (b"", b"POST /api/v1/a/b HTTP/1.1\r\nhost:"):
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(begun)
        async with asyncio.timeout(PATIENCE_S):
            with pytest.raises((asyncio.IncompleteReadError, ConnectionError)):
                await reader.readexactly(1)
        writer.close()


async def test_a_body_that_does_not_come_is_not_waited_for(gateway, monkeypatch):
    monkeypatch.setattr(bodies, "BODY_S", 0.05)
    host, _, port = gateway.http_address.rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(
        f"POST {LIST} HTTP/1.1\r\nhost: localhost\r\n".encode()
        + b"content-type: application/json\r\ncontent-length: 9\r\n\r\n{"
    )
    async with asyncio.timeout(PATIENCE_S):
        assert b" 408 " in await reader.readline()
    writer.close()


async def test_what_is_no_http_is_answered_so(gateway):
    host, _, port = gateway.http_address.rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(b"\x16\x03\x01 hello\r\n\r\n")
    async with asyncio.timeout(PATIENCE_S):
        status, headers, body = await answer(reader)
        assert await reader.read() == b""
    assert (status, json.loads(body)["refusal"]["reason"]) == (400, "REFUSAL_REASON_MALFORMED")
    assert {"content-security-policy", "cache-control"} <= set(headers)
    writer.close()
    async with httpx.AsyncClient(verify=False) as other:
        assert (await other.get(f"http://{gateway.http_address}/healthz")).status_code == 200
