"""A table in a browser, and what it tells."""

from playwright.async_api import Page

from tests.browser.floor import Visitor, until

GAME = "lost_seas"
LIT = "() => document.querySelectorAll('ul.choices button').length"
VERSION = "Number(document.querySelector('main').dataset.version)"
SIGN = f"""(what) => JSON.stringify([{VERSION},
  [...document.querySelectorAll(what)].map((each) => each.dataset.do ?? each.dataset.choice)])"""


async def seated(visitor: Visitor, **more: object) -> tuple[str, Page]:
    """A table with a bot, at the visitor's first decision."""
    match = await visitor.create(GAME, 2, bots={1: "greedy"}, own_seat=0, **more)
    page = await visitor.open_table(match)
    await until(page, LIT)
    return match, page


async def told(page: Page) -> list[str]:
    return await page.evaluate(
        "() => [...document.querySelectorAll('ol.log > li')].map((line) => line.textContent.trim())"
    )


async def choose(page: Page, times: int = 1) -> None:
    """Chooses the first of what is lit, until so many moves have been sent; confirms what is weighty."""
    what = "button[data-do=confirm], ul.choices button"
    sent = []
    note = lambda request: request.url.endswith("/SubmitMove") and sent.append(request)  # noqa: E731
    page.on("request", note)
    while len(sent) < times:
        await until(page, "(what) => document.querySelector(what)", what)
        signed = await page.evaluate(SIGN, what)
        await page.locator(what).first.click()
        await until(page, f"([what, signed]) => ({SIGN})(what) !== signed", [what, signed])
    page.remove_listener("request", note)
