"""What a person does in the lobby."""

from typing import Any

from playwright.async_api import Locator, Page

from tests.browser.floor import Visitor

CREATE = "form[data-form=create]"
READ = "[data-list] .matches, [data-list] .notice:not([aria-busy])"


async def lobby(visitor: Visitor, path: str = "/") -> Page:
    """The lobby with its lists read."""
    page = await visitor.open(path, "lobby")
    await page.wait_for_selector(READ)
    return page


async def lobby_tab(visitor: Visitor) -> Page:
    """The lobby in one more tab of the visitor's browser."""
    page = await visitor.page.context.new_page()
    await page.goto("/")
    await page.wait_for_selector(READ)
    return page


def listed(page: Page, match: str, kind: str = "") -> Locator:
    """The match where the lobby shows it, in the list of that kind."""
    return page.locator(f"[data-list{f'={kind}' if kind else ''}] .match[data-match='{match}']")


async def fill(page: Page, values: dict[str, Any]) -> None:
    """Fields of the form by name: a truth for a box, a text for what is typed or chosen. Folded parts are opened."""
    form = page.locator(CREATE)
    for name, value in values.items():
        field = form.locator(f"[name='{name}']")
        if not await field.is_visible():
            await form.locator("summary").click()
        if isinstance(value, bool):
            await field.set_checked(value)
        elif await field.evaluate("each => each.localName") == "select":
            await field.select_option(value)
        else:
            await field.fill(value)


async def begin(page: Page, game: str, **values: Any) -> None:
    """The form for the game, filled in and not sent."""
    await page.click("button[data-do=create]")
    await page.locator(f"{CREATE} select[name=game]").select_option(game)
    await page.wait_for_selector(f"{CREATE} select[name=seats]")
    await fill(page, values)


async def made(page: Page) -> str:
    """The form is sent: the match whose table it leads to."""
    await page.click(f"{CREATE} button[type=submit]")
    await page.wait_for_selector("main[data-page=table]")
    return page.url.rpartition("/table/")[2].partition("#")[0]
