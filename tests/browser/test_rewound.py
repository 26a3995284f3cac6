"""A store that goes back under open pages: they say so, and show nothing that the match has not been."""

import json
from contextlib import asynccontextmanager

import msgspec
import pytest

from engines.core import games
from tests.browser.conftest import visiting
from tests.browser.floor import until
from tests.browser.replaying import AT, SURVEYED, last_version, open_replay, view
from tests.browser.test_replay import legend
from tests.browser.test_resilience import LINES, SUBMIT
from tests.browser.test_table import LIT, choose
from tests.integration.serving import serving
from tests.integration.test_rewound import LOST_MOVES, SHORT, Party
from tests.rewinding import RestoredStore

BOARDS = """() => {
  const main = document.querySelector("main");
  globalThis.boards = new Map();
  const note = () => {
    const { status, version } = main.dataset;
    globalThis.boards.set(`${version} ${JSON.stringify(main.shownView)}`, status);
  };
  new MutationObserver(note).observe(document, { attributes: true, childList: true, subtree: true });
  note();
}"""
"""From now on each board that stands on the page is noted, with its version."""


@asynccontextmanager
async def platform(playwright, browser, folder):
    """A store that can go back, what serves it, and visitors, who may lose their line meanwhile."""
    async with (
        RestoredStore.serving() as store,
        serving(SHORT, store.url, folder / "gateway", "127.0.0.1:0") as (_, gateway),
        visiting(playwright, browser, f"http://{gateway.http_address}") as visit,
    ):

        async def come(name):
            visitor = await visit(name)
            visitor.watched.pardon("ERR_|Failed to load resource")
            return visitor

        yield store, gateway, come


async def begun(ada, ben):
    match = await ada.create(SHORT, 2, own_seat=0)
    await ben.join(match, 1)
    return Party([ada.token, ben.token], match)


async def boards(visitor, match, seat):
    """The log's own, by version."""
    return {(version, json.dumps(await view(visitor, match, version, seat), sort_keys=True))
            for version in range(1, await last_version(visitor, match) + 1)}  # fmt: skip


async def seen(page):
    found = [each.partition(" ") for each in await page.evaluate("() => [...globalThis.boards.keys()]")]
    return {(int(version), json.dumps(json.loads(shown), sort_keys=True)) for version, _, shown in found}


@pytest.mark.parametrize("more", [None, 0, 3], ids=["shorter", "as long", "longer"])
async def test_a_table_and_a_replay_go_on_with_what_is_left_and_say_so(playwright, browser, tmp_path, more):
    async with platform(playwright, browser, tmp_path) as (store, gateway, come):
        ada, ben, eve = await come("Ada"), await come("Ben"), await come("Eve")
        party = await begun(ada, ben)
        await party.play(gateway.address, 4)
        await store.keep_copy()
        kept = await last_version(ada, party.match)
        await party.play(gateway.address, LOST_MOVES)
        lost = await last_version(ada, party.match)
        table, replay = await ada.open_table(party.match), await open_replay(eve, party.match)
        pages = {table: (ada, 0), replay: (eve, None)}
        told = {page: await boards(visitor, party.match, seat) for page, (visitor, seat) in pages.items()}
        for page in pages:
            await until(page, f"() => document.querySelector('main').dataset.version === '{lost}'")
            assert await page.locator(".notice.rewound").count() == 0
            await page.evaluate(BOARDS)

        async def grow(url):
            async with serving(SHORT, url, tmp_path / "aside") as (_, aside):
                await party.play(aside.address, LOST_MOVES + more, last=True)

        await store.go_back(None if more is None else grow)
        for page in pages:
            await until(page, "() => document.querySelector('.notice.rewound')", None, 60_000)
            assert str(kept) in await page.text_content(".notice.rewound")
        await party.play(gateway.address, 2, last=True)
        head = await last_version(ada, party.match)
        for page, (visitor, seat) in pages.items():
            now = await boards(visitor, party.match, seat)
            assert {board for board in now if board[0] > kept}.isdisjoint(told[page])
            await until(page, f"() => document.querySelector('main').dataset.version === '{head}'")
            assert await seen(page) <= told[page] | now, "a board that never was"
        assert await table.evaluate(f"() => {LINES}") == [str(version) for version in range(1, head + 1)]
        await until(replay, SURVEYED)
        shown = msgspec.convert(await view(eve, party.match, head), games.engine(SHORT).View, strict=False)
        await until(replay, AT, head)
        assert await legend(replay) == list(games.engine(SHORT).scores(shown))


async def test_a_move_that_was_lost_with_its_answer_under_way_is_chosen_again(playwright, browser, tmp_path):
    async with platform(playwright, browser, tmp_path) as (store, _, come):
        ada, ben = await come("Ada"), await come("Ben")
        party = await begun(ada, ben)
        page = await ada.open_table(party.match)
        await until(page, LIT)
        kept = await last_version(ada, party.match)
        await store.keep_copy()
        held = []

        async def answered_later(route):
            held.append((route, await route.fetch()))

        await page.route(SUBMIT, answered_later)
        await choose(page)
        await until(page, f"() => Number(document.querySelector('main').dataset.version) > {kept}")
        await store.go_back()
        await until(page, f"() => document.querySelector('main').dataset.version === '{kept}'", None, 60_000)
        (route, response) = held.pop()
        await route.fulfill(response=response)
        await page.unroute(SUBMIT)
        await until(page, LIT)
        await choose(page)
        await until(page, f"() => Number(document.querySelector('main').dataset.version) > {kept}")
