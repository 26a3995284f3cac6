"""Browsers ask under names that the gateway serves: a rebound page, whose name is its own, is let in to nothing."""

import asyncio

import pytest

from services.common import config
from tests.gateway.web.browser import Browser
from tests.gateway.web.test_refusals import JSON, LIST, refused
from tests.metered import Metered

PATIENCE_S = 20
OWN = ("localhost", "LocalHost", "localhost:8080", "localhost.", "127.0.0.1", "127.0.0.1:80", "[::1]:8080", "[::1]")
ADDRESSES = ("192.168.1.9:8080", "[fe80::1]", "10.0.0.1")
STRANGE = (
    *(
        "evil.test",
        "evil.test:8080",
        "localhost.evil.test",
        "evil.localhost.test:1",
        "127.0.0.1.evil.test",
        "xlocalhost",
    ),
    *("127.0.0.1@evil.test", "localhost,evil.test", "localhost evil.test", "[::1].evil.test", "[evil]", "[::1", "::1"),
    *("localhost:80:80", "localhost:x", "0x7f.1", "127.1", "localhost/", "*", "", "..", "lo\xe9", "localhost%00"),
)
SERVED = [*(("get", path) for path in ("/", "/healthz", "/static/app.js", "/nowhere", LIST)), ("post", LIST)]


@pytest.mark.parametrize("host", [*OWN, *ADDRESSES])
async def test_an_address_and_localhost_are_served(ann_web, host):
    assert (await ann_web.http.get("/", headers={"host": host})).status_code == 200
    assert (await ann_web.http.post(LIST, content=b"{}", headers=JSON | {"host": host})).status_code == 200


@pytest.mark.parametrize("host", STRANGE)
async def test_another_name_is_refused(ann_web, host):
    answer = await ann_web.http.post(LIST, content=b"{}", headers=JSON | {"host": host.encode("latin-1")})
    message = refused(answer, 421)
    assert "TIDELOG_HTTP_HOST" in message
    assert host not in answer.text or len(host) < 3, "what is not ours is not repeated"


@pytest.mark.parametrize(("method", "path"), SERVED)
async def test_a_rebound_page_is_let_in_to_nothing(ann_web, method, path):
    metered = Metered()
    answer = await ann_web.http.request(method, path, headers=JSON | {"host": "evil.test:8080"})
    refused(answer, 421)
    assert answer.headers["cache-control"] == "no-store"
    assert "content-security-policy" in answer.headers
    assert metered.since("tidelog_gateway_http_refusals_total", rpc="", status="421") == 1


async def test_names_are_served_that_the_operator_gives(floor):
    given = config.host_names("Games.example.org, other.test.")
    gateway = await floor.gateway(http="127.0.0.1:0", http_hosts=given)
    async with Browser(gateway) as web:
        for host, status in {
            "games.EXAMPLE.org": 200,
            "games.example.org.:443": 200,
            "other.test": 200,
            "localhost": 200,
            "127.0.0.1": 200,
            "example.org": 421,
            "www.games.example.org": 421,
        }.items():
            assert (await web.http.get("/healthz", headers={"host": host})).status_code == status, host


async def test_any_name_is_served_where_that_was_asked_for(floor):
    gateway = await floor.gateway(http="127.0.0.1:0", http_hosts=config.host_names("*"))
    async with Browser(gateway) as web:
        assert (await web.http.get("/healthz", headers={"host": "evil.test"})).status_code == 200


async def test_the_name_that_it_listens_at_is_served(floor):
    gateway = await floor.gateway(http="127.1:0")  # which resolves, and is no address as such
    async with Browser(gateway) as web:
        assert (await web.http.get("/healthz", headers={"host": "127.1"})).status_code == 200
        assert (await web.http.get("/healthz", headers={"host": "evil.test"})).status_code == 421


@pytest.mark.parametrize(
    ("head", "status"),
    [
        ("GET /healthz HTTP/1.1\r\n", 400),
        ("GET /healthz HTTP/1.1\r\nhost: localhost\r\nhost: localhost\r\n", 400),
        ("GET /healthz HTTP/1.1\r\nhost: evil.test\r\nhost: localhost\r\n", 400),
        ("GET http://localhost/healthz HTTP/1.1\r\nhost: evil.test\r\n", 421),
        ("GET /healthz HTTP/1.0\r\n", 200),
        ("GET /healthz HTTP/1.0\r\nhost: evil.test\r\n", 421),
    ],
    ids=["none", "twice", "two", "in the address", "of an old client", "a strange one of an old client"],
)
async def test_a_request_names_one_host(gateway, head, status):
    host, _, port = gateway.http_address.rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(f"{head}\r\n".encode())
    async with asyncio.timeout(PATIENCE_S):
        assert int((await reader.readline()).split()[1]) == status
    writer.close()


@pytest.mark.parametrize("given", ["https://a.test", "a.test:80", "*.a.test", "a/b", "a b", "ž.test", "[::1]"])
def test_what_is_no_name_is_refused(given):
    with pytest.raises(config.BadSetting, match="is no host's name"):
        config.host_names(f"good.test,{given}")


def test_nothing_is_no_name():
    assert config.host_names("") == config.host_names(" , ") == ()
