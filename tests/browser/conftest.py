"""One platform of real processes and one Chromium for the session; each visitor has a browser profile of their own."""

from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Playwright, async_playwright

from tests.browser.floor import Visit, Visitor
from tests.browser.watched import Watched
from tests.integration.platform import Up, up
from tests.requirements import needs_chromium

ARGUMENTS = (
    "--headless=new",
    "--no-sandbox",  # in containers, as root; only our own pages are opened
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def pytest_collection_modifyitems(items):
    """The browser lives in the session's loop, so whoever uses it does."""
    for item in items:
        if item.path.is_relative_to(__file__.rpartition("/")[0]) and pytest_asyncio.is_async_test(item):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest.fixture(scope="session")
def platform(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    """`tidelog up` on free ports, with a store of its own; `http` is where browsers find it."""
    with up(tmp_path_factory.mktemp("up")) as running:
        yield running


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def playwright() -> AsyncIterator[Playwright]:
    async with async_playwright() as running:
        yield running


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser(playwright: Playwright) -> AsyncIterator[Browser]:
    browser = await playwright.chromium.launch(executable_path=needs_chromium(), args=ARGUMENTS)
    yield browser
    await browser.close()


@pytest_asyncio.fixture(loop_scope="session")
async def visit(playwright: Playwright, browser: Browser, platform: Up) -> AsyncIterator[Visit]:
    async with visiting(playwright, browser, platform.http) as visit:
        yield visit


@asynccontextmanager
async def visiting(playwright: Playwright, browser: Browser, http: str) -> AsyncIterator[Visit]:
    """Brings one more visitor, a guest unless told otherwise. The test fails on what `Watched` finds at any of them."""
    came: list[Visitor] = []
    async with AsyncExitStack() as leaving:

        async def visit(name: str = "Ada", *, guest: bool = True, **settings: object) -> Visitor:
            context = await browser.new_context(base_url=http, locale="en", **settings)
            leaving.push_async_callback(context.close)
            api = await playwright.request.new_context(base_url=http)
            leaving.push_async_callback(api.dispose)
            visitor = Visitor(await context.new_page(), Watched(context, http), api)
            came.append(visitor)
            if guest:
                await visitor.sign_in(name)
            return visitor

        yield visit
        faults = {number: visitor.watched.faults for number, visitor in enumerate(came) if visitor.watched.faults}
    assert faults == {}
