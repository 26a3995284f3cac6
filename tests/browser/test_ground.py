"""The ground itself: what it waits for, and what it does not let pass."""

import asyncio
from contextlib import asynccontextmanager

import pytest
from playwright.async_api import Error

from tests.browser.floor import axe, until
from tests.browser.playing import play_lit
from tests.browser.watched import Watched

STRICT = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'"
GOOD = '<!doctype html><html lang="en"><title>A page</title><main><h1>A page</h1>BODY</main>'
ELSEWHERE = "http://127.0.0.2:9/stranger.png"

BOARD = """
const main = document.querySelector("main");
const moves = [["a", "b"], ["c", "d", "e"], ["f"]];
Object.assign(main.dataset, { page: "table", version: "1", status: "running" });
globalThis.clicks = [];
const draw = () => {
  const lit = moves[0] ?? [];
  const shown = lit.map((name, at) =>
    `<rect data-target="${name}" data-lit="" x="${30 * at}" width="20" height="20"></rect>`);
  const buttons = lit.map((name) => `<li><button data-choice="${name}">${name}</button></li>`);
  main.innerHTML = `<svg width="200" height="50">${shown.join("")}</svg><ul class="choices">${buttons.join("")}</ul>`;
  for (const each of main.querySelectorAll("[data-target], [data-choice]"))
    each.addEventListener("click", () => {
      globalThis.clicks.push([each.localName, each.dataset.target ?? each.dataset.choice]);
      moves.shift();
      main.dataset.version = String(Number(main.dataset.version) + 1);
      if (moves.length === 0) main.dataset.status = "finished";
      main.innerHTML = "";
      queueMicrotask(draw);
    });
};
draw();
"""


@asynccontextmanager
async def serving(files):
    """A server of these texts by path; its origin. Anything else is not found, below /api/ it is refused."""

    async def answer(reader, writer):
        path = (await reader.readline()).split()[1].decode()
        while (await reader.readline()).strip():
            pass
        text = files.get(path, "").encode()
        kind = {"js": "text/javascript"}.get(path.rpartition(".")[2], "text/html")
        status = "200 OK" if text or path == "/favicon.ico" else "404 Not Found"
        head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(text)}\r\nConnection: close\r\n"
        writer.write(f"{head}Content-Security-Policy: {STRICT}\r\n\r\n".encode() + text)
        writer.close()
        await writer.wait_closed()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


@asynccontextmanager
async def looking_at(browser, body, script=""):
    """A page of this body under a strict policy, and what is watched at it."""
    files = {"/": GOOD.replace("BODY", f'{body}<script type="module" src="/s.js"></script>'), "/s.js": script or "0"}
    async with serving(files) as origin:
        context = await browser.new_context()
        watched = Watched(context, origin)
        page = await context.new_page()
        await page.goto(origin)
        yield page, watched
        await context.close()


@pytest.mark.parametrize(
    ("script", "fault"),
    [
        ("setTimeout(() => { throw new Error('torn') })", "torn"),
        ("Promise.reject(new Error('torn'))", "torn"),
        ("console.error('odd')", "odd"),
        ("document.body.append(Object.assign(new Image(), {src: '/gone.png'}))", "404"),
        (f"fetch('{ELSEWHERE}').catch(() => 0)", "violates"),
        ("fetch('/?token=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.x')", "a token in an address"),
        ("document.body.innerHTML = '<p onclick=\"1\">text</p>'", "violates"),
    ],
    ids=["uncaught", "unhandled", "console", "not found", "stranger", "token", "inline script"],
)
async def test_a_fault_of_a_page_is_seen(browser, script, fault):
    async with looking_at(browser, "", script) as (_, watched), asyncio.timeout(20):
        await watched.found.wait()
    assert any(fault in found for found in watched.faults), watched.faults


async def test_a_request_to_a_stranger_is_seen_even_where_no_policy_is_against_it(browser):
    async with serving({"/": "0"}) as origin:
        context = await browser.new_context(bypass_csp=True)
        watched = Watched(context, origin)
        page = await context.new_page()
        await page.goto(origin)
        await page.evaluate("(url) => fetch(url).catch(() => 0)", ELSEWHERE)
        await context.close()
    assert f"request to a stranger: {ELSEWHERE}" in watched.faults


async def test_a_refusal_of_the_api_is_no_fault(browser):
    async with looking_at(browser, "") as (page, watched):
        assert (
            await page.evaluate("() => fetch('/api/v1/MatchService/SubmitMove').then((answer) => answer.status)") == 404
        )
    assert watched.faults == []


async def test_what_a_test_causes_itself_is_pardoned(browser):
    async with looking_at(browser, "") as (page, watched):
        watched.pardon("^console: odd")
        await page.evaluate("() => { console.error('odd'); console.error('torn'); }")
        await until(page, "() => true")
    assert len(watched.faults) == 1
    assert "torn" in watched.faults[0]


async def test_axe_finds_a_button_without_a_name_under_a_strict_policy(browser):
    async with looking_at(browser, "<button></button>") as (page, _):
        with pytest.raises(AssertionError, match="button-name"):
            await axe(page)
    async with looking_at(browser, "<button>Go</button>") as (page, _):
        await axe(page)


async def test_waiting_ends_with_what_never_came(browser):
    async with looking_at(browser, "") as (page, _):
        with pytest.raises(Error, match=r"never: .*nowhere"):
            await until(page, "() => document.querySelector('nowhere')", limit_ms=50)


async def test_lit_targets_are_clicked_until_the_match_is_over(browser):
    async with looking_at(browser, "", BOARD) as (page, _):
        played = await play_lit(page, 1, prefer=lambda lit: [name for name in lit if name != "d"])
        clicks = await page.evaluate("() => globalThis.clicks")
    assert [len(clicks), played.board, played.listed] == [
        3,
        *map([kind for kind, _ in clicks].count, ("rect", "button")),
    ]
    assert "d" not in [name for _, name in clicks]
    assert min(played) > 0, "both kinds of clicks"
