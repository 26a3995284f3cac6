"""The client's files, and the headers that keep its pages safe."""

import gzip
import re

import pytest

from gateway.web.pages import SHOWN, STATIC, Page, read_pages
from tests.web.client import reached

STRICT = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


@pytest.mark.parametrize("path", ["/", "/table/ABC", "/replay/ABC", "/verify", "/player/https://one.test%7Cann"])
async def test_every_page_is_the_one_page(web, path):
    answer = await web.http.get(path)
    assert answer.status_code == 200
    assert answer.content == (STATIC / "index.html").read_bytes()
    assert answer.headers["content-type"] == "text/html; charset=utf-8"


@pytest.mark.parametrize(
    "path", ["/", "/static/core/html.js", "/healthz", "/nowhere", "/api/v1/GameService/ListGames", "/api/v1/No/Where"]
)
async def test_every_answer_carries_the_strict_headers(web, path):
    headers = (await web.http.get(path)).headers
    assert headers["content-security-policy"] == STRICT
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-opener-policy"] == "same-origin"


async def test_a_file_is_sent_once(web):
    first = await web.http.get("/static/core/html.js")
    assert first.content == (STATIC / "core/html.js").read_bytes()
    assert first.headers["content-type"] == "text/javascript; charset=utf-8"
    again = await web.http.get("/static/core/html.js", headers={"if-none-match": f'"other", {first.headers["etag"]}'})
    assert again.status_code == 304
    assert again.content == b""
    assert again.headers["etag"] == first.headers["etag"]


@pytest.mark.parametrize(
    ("given", "status"),
    [("*", 304), ("ETAG", 304), ('"a", W/ETAG', 304), ("W/ETAG, *", 304), ("", 200), ('"a"', 200), ("etag", 200)],
)
@pytest.mark.parametrize("method", ["GET", "HEAD"])
async def test_who_has_a_file_already_is_told_so(web, given, status, method):
    first = await web.http.get("/static/core/html.js")
    given = given.replace("ETAG", first.headers["etag"].removeprefix("W/"))
    again = await web.http.request(method, "/static/core/html.js", headers={"if-none-match": given})
    assert again.status_code == status
    assert again.content == (b"" if method == "HEAD" or status == 304 else first.content)
    assert {again.headers[name] for name in ("cache-control", "vary")} == {"no-cache", "Accept-Encoding"}


async def test_one_name_is_for_the_packed_and_for_the_plain(web):
    """A weak one, as the bytes differ."""
    packed, plain = [
        await web.http.get("/static/core/types.js", headers={"accept-encoding": takes})
        for takes in ("gzip", "identity")
    ]
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.headers["etag"] == plain.headers["etag"]
    assert plain.headers["etag"].startswith('W/"')


@pytest.mark.parametrize("given", ["bytes=0-0", "bytes=5-", "bytes=-1", "bytes=9-1", "bytes=0-0,2-3", "odd"])
async def test_a_part_of_a_file_is_not_given(web, given):
    answer = await web.http.get("/static/core/html.js", headers={"range": given})
    assert (answer.status_code, answer.content) == (200, (STATIC / "core/html.js").read_bytes())
    assert "content-range" not in answer.headers


@pytest.mark.parametrize("path", ["/", "/static/core/html.js", "/healthz", "/api/v1/openapi.json", "/verify"])
async def test_a_head_is_what_the_whole_has(web, path):
    whole, head = await web.http.get(path), await web.http.head(path)
    assert head.content == b""
    assert {**head.headers, "date": ""} == {**whole.headers, "date": ""}


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
@pytest.mark.parametrize("path", ["/", "/static/core/html.js", "/healthz", "/api/v1/openapi.json"])
async def test_pages_and_files_are_only_read(web, method, path):
    answer = await web.http.request(method, path)
    assert answer.status_code == 405
    assert set(answer.headers["allow"].split(", ")) == {"GET", "HEAD"}
    assert answer.headers["cache-control"] == "no-store"
    assert answer.json()["refusal"]["reason"] == "REFUSAL_REASON_MALFORMED"


@pytest.mark.parametrize(
    ("takes", "packed"),
    [("gzip, br", True), ("br;q=1, gzip;q=0.5", True), ("gzip;q=0", False), ("identity", False), ("", False)],
)
async def test_a_file_is_compressed_for_who_takes_it(web, takes, packed):
    async with web.http.stream("GET", "/static/core/types.js", headers={"accept-encoding": takes}) as answer:
        raw = b"".join([piece async for piece in answer.aiter_raw()])
    whole = (STATIC / "core/types.js").read_bytes()
    assert answer.headers.get("content-encoding", "") == ("gzip" if packed else "")
    assert (gzip.decompress(raw) if packed else raw) == whole
    assert len(raw) < len(whole) or not packed


@pytest.mark.parametrize(
    "path",
    [
        "/static/",
        "/static/core",
        "/static/../pages.py",
        "/static/%2e%2e/pages.py",
        "/static/core/types.d.ts",
        "/static//etc/passwd",
        "/static/%2fetc/passwd",
        "/static/core/..%2f..%2fpages.py",
        "/static/core/%2e%2e/%2e%2e/pages.py",
        "/static/core\\html.js",
        "/static/core/html.js%00",
        "/static/core/html.js/",
        "/static/core/HTML.js",
        "/static/%ff",
        "/%zz",
        "/.git/config",
        "/%0d%0aset-cookie:x",
        "/tables/1",
        "/table/a/b",
        "/static",
        "/verify/",
        "/api/v1/GameService/ListGames/",
    ],
)
async def test_what_is_no_file_of_the_client_is_not_found(web, path):
    answer = await web.http.get(path)
    assert answer.status_code == 404
    assert answer.headers["cache-control"] == "no-store"
    assert answer.json()["refusal"]["reason"] == "REFUSAL_REASON_MALFORMED"


async def test_a_person_is_told_on_a_page_that_nothing_is_there(web):
    answer = await web.http.get("/nowhere", headers={"accept": "text/html,application/xhtml+xml,*/*;q=0.8"})
    assert answer.status_code == 404
    assert answer.content == (STATIC / "index.html").read_bytes()
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["content-security-policy"] == STRICT


async def test_a_server_says_that_it_is_healthy(web):
    answer = await web.http.get("/healthz")
    assert (answer.status_code, answer.text) == (200, "ok\n")


def test_files_with_one_content_have_one_name():
    assert Page.of("a.js", b"x" * 99).etag == Page.of("b.js", b"x" * 99).etag != Page.of("a.js", b"y" * 99).etag


def test_pages_load_nothing_from_elsewhere():
    for path, page in read_pages().files.items():
        if path.endswith((".html", ".css")):
            assert not re.search(rb"(src|href|url\()\s*=?\s*[\"']?(https?:)?//", page.data), path


def announced(answer):
    return {
        path
        for path, rel in re.findall(r"<(/static/[^>]+)>; rel=(\w+)", answer.headers["link"])
        if rel == "modulepreload"
    }


@pytest.mark.parametrize("path", sorted(SHOWN))
async def test_the_page_says_at_once_which_modules_its_path_takes(web, path):
    answer = await web.http.get(re.sub(r"{.*}", "ABC", path))
    taken = reached(STATIC / "app.js", STATIC / SHOWN[path])
    assert len(taken) > 15
    assert announced(answer) == {f"/static/{module.relative_to(STATIC)}" for module in taken}
    assert answer.content == (STATIC / "index.html").read_bytes()


def test_the_paths_are_those_that_the_client_shows():
    routes = re.findall(r'\["(/[^"]*)", "\./([^"]+)"\]', (STATIC / "app.js").read_text())
    assert {re.sub(r":(\w+)", "{}", path): module for path, module in routes} == {
        re.sub(r"{.*}", "{}", path): module for path, module in SHOWN.items()
    }
