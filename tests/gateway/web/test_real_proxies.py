"""The lines for nginx and Caddy in docs/running.md, as these run them: TLS, HTTP/2, events at once, whole addresses."""

import asyncio
import json
import os
import subprocess
from contextlib import asynccontextmanager

import pytest

from gateway.limits import MAX_RECEIVED
from tests.docs.pages import DOCS, blocks
from tests.gateway.floor import ids
from tests.gateway.played import GAME
from tests.gateway.web.test_streams import open_streams
from tests.ports import free_port
from tests.requirements import needs_command

NAME = "games.example.org"
UPSTREAM = "127.0.0.1:8080"
PATIENCE_S = 30
BURST = 2

NGINX = """
daemon off; master_process off; pid nginx.pid; error_log stderr;
events {{}}
http {{
    access_log off;
    client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi;
    scgi_temp_path scgi;
    {site}
}}
"""
CADDY = """
{{
    admin off
    auto_https disable_redirects
}}
{site}
"""


def lines_of(file):
    (found,) = (block.text for block in blocks(DOCS / "running.md") if block.name == file)
    return found


def nginx(folder, port, upstream):
    site = lines_of("tidelog.conf").replace("listen 443", f"listen {port}").replace(UPSTREAM, upstream)
    (folder / "nginx.conf").write_text(NGINX.format(site=site.replace("/etc/ssl", str(folder))))
    return [needs_command("nginx"), "-e", "stderr", "-p", folder, "-c", folder / "nginx.conf"]


def caddy(folder, port, upstream):
    address = f"https://{NAME}:{port} {{\n tls {folder}/{NAME}.pem {folder}/{NAME}.key"
    site = lines_of("Caddyfile").replace(f"{NAME} {{", address).replace(UPSTREAM, upstream)
    (folder / "Caddyfile").write_text(CADDY.format(site=site))
    return [needs_command("caddy"), "run", "--adapter", "caddyfile", "--config", folder / "Caddyfile"]


class Proxy:
    """Asked by curl, which knows the proxy's certificate."""

    def __init__(self, folder, port):
        self._folder = folder
        self._port = port

    async def curl(self, path, *words, own="127.0.0.1"):
        """A running curl that asks from the address."""
        certificate = self._folder / f"{NAME}.pem"
        asks = ["--silent", "--http2", "--cacert", certificate, "--connect-to", f"::127.0.0.1:{self._port}"]
        return await asyncio.create_subprocess_exec(
            *(needs_command("curl"), *asks, "--interface", own, *words, f"https://{NAME}{path}"),
            stdout=asyncio.subprocess.PIPE,
        )

    async def call(self, rpc, fields, *words, own="127.0.0.1", token=""):
        """Status, version of HTTP, and what was answered."""
        told = ["--header", f"authorization: Bearer {token}"] if token else []
        asking = await self.curl(f"/api/v1/{rpc}", *posted(fields), *told, *MARKED, *words, own=own)
        body, _, marks = (await asking.stdout.read()).decode().rpartition("\n")
        assert await asking.wait() == 0
        status, version = marks.split()
        return int(status), version, json.loads(body)


MARKED = ("--write-out", "\n%{http_code} %{http_version}")


def posted(fields):
    return ("--header", "content-type: application/json", "--data", json.dumps(fields))


@pytest.fixture
async def gateway(floor):
    return await floor.gateway(
        http="127.0.0.1:0",
        http_hosts=(NAME,),
        trusted_proxies=("127.0.0.1",),
        guest_burst=BURST,
        guests_per_second=0.0001,
    )


@pytest.fixture(params=[nginx, caddy], ids=["nginx", "caddy"])
async def proxy(request, gateway, tmp_path):
    async with standing(request.param, tmp_path, gateway.http_address) as found:
        yield found


@asynccontextmanager
async def standing(kind, folder, upstream):
    port = free_port()
    certify(folder)
    with (folder / "proxy.log").open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            *kind(folder, port, upstream), stderr=log, env={**os.environ, "XDG_DATA_HOME": str(folder)}
        )
    try:
        async with asyncio.timeout(PATIENCE_S):
            while not await listens(port):
                assert process.returncode is None, (folder / "proxy.log").read_text()
        yield Proxy(folder, port)
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


def certify(folder):
    key, certificate = folder / f"{NAME}.key", folder / f"{NAME}.pem"
    made = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-keyout", key, "-out", certificate]
    named = ["-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}"]
    subprocess.run([needs_command("openssl"), *made, *named], check=True, capture_output=True)


async def listens(port):
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except ConnectionError:
        return False
    writer.close()
    return True


async def test_pages_and_calls_come_over_http_2(proxy, ann):
    asking = await proxy.curl("/", *MARKED)
    assert (await asking.stdout.read()).endswith(b"\n200 2")
    status, version, answer = await proxy.call("GameService/ListGames", {}, token=ann.token)
    assert (status, version) == (200, "2")
    assert [game["name"] for game in answer["games"]] == [GAME]


async def test_events_are_told_as_they_come(gateway, proxy, ann):
    told = ("--no-buffer", "--header", f"authorization: Bearer {ann.token}")
    async with asyncio.timeout(PATIENCE_S):
        following = await proxy.curl("/api/v1/LobbyService/WatchMatches", *posted({}), *told)
        assert "present" in await event(following)
        created = await ann.call("CreateMatch", request_id=next(ids), game=GAME, seats=2)
        assert created.receipt.match_id in await event(following)
        await open_streams(gateway, 1)
        following.terminate()
        await following.wait()
        await open_streams(gateway, 0)


async def event(following):
    """The data of the next one."""
    while not (line := (await following.stdout.readline()).decode()).startswith("data:"):
        assert line, "the stream ended"
    return line


async def test_the_limit_of_guests_is_for_each_client(proxy):
    async def signed_in(own, *words):
        return (await proxy.call("IdentityService/SignInAsGuest", {"name": "Ann"}, *words, own=own))[0]

    first = [await signed_in("127.0.0.5") for _ in range(BURST + 1)]
    assert first == [200, 200, 429]
    assert await signed_in("127.0.0.5", "--header", "x-forwarded-for: 198.51.100.1") == 429
    assert await signed_in("127.0.0.6") == 200


async def test_a_refusal_comes_through(proxy, tmp_path):
    status, version, answer = await proxy.call("GameService/ListGames", {}, "--header", "timeout-ms: soon")
    assert (status, version, answer["refusal"]["reason"]) == (400, "2", "REFUSAL_REASON_MALFORMED")
    large = tmp_path / "large"
    large.write_bytes(b"x" * (MAX_RECEIVED + 1))
    status, version, answer = await proxy.call("GameService/ListGames", {}, "--data-binary", f"@{large}")
    assert (status, version, answer["refusal"]["reason"]) == (413, "2", "REFUSAL_REASON_TOO_LARGE")
