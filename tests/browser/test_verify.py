"""The page that checks exports: what it says is what `tidelog verify` says, and it asks nobody."""

import asyncio
import json

import pytest
import pytest_asyncio
from msgspec import Raw

from services.eventlog import canonical, hashes
from services.eventlog.entries import Header
from services.eventlog.export import RedactedLine
from tests.browser.floor import axe, shot, until
from tests.browser.replaying import open_replay, played
from tests.integration.platform import tidelog
from tests.services.eventlog.forging import reclosed, with_bytes, with_line
from tests.services.eventlog.test_reading import small as small_export
from tests.web.test_verifying import whole

LARGE = 20_000
DONE = "(count) => document.querySelectorAll('.verdict:not([data-verdict=busy])').length === count"
DROP = """([name, text]) => {
  const carried = new DataTransfer();
  carried.items.add(new File([text], name));
  const event = (type) => new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: carried });
  const place = document.querySelector(".drop");
  const taken = !place.dispatchEvent(event("dragover"));
  place.dispatchEvent(event("drop"));
  return taken;
}"""


@pytest_asyncio.fixture(loop_scope="session")
async def verifying(visit):
    ada = await visit(guest=False)
    return await ada.open("/verify", "verify")


async def verdicts(page, files):
    """What the page says of the files, by name: whether each checks, and the first bad version."""
    await page.set_input_files(
        "input[type=file]",
        [{"name": name, "mimeType": "application/x-ndjson", "buffer": data} for name, data in files.items()],
    )
    await until(page, DONE, len(files))
    found = await page.eval_on_selector_all(
        ".verdict", "(all) => all.map((each) => [each.querySelector('.name').textContent, {...each.dataset}])"
    )
    return {name: (told["verdict"], told.get("bad")) for name, told in found}


def damaged():
    full, told = small_export("full"), small_export("spectator")
    lines = full.splitlines(keepends=True)
    return {
        "changed.jsonl": full.replace(b"guest|ben", b"guest|bob", 1),
        "dropped.jsonl": b"".join(lines[:4] + lines[5:]),
        "cut.jsonl": full[: len(full) * 2 // 3],
        "spaced.jsonl": with_bytes(full, 5, lambda line: line + b" "),
        "other-secret.jsonl": with_line(
            told, len(told.splitlines()) - 2, lambda line: line["payload"].update(secret="00" * 32)
        ),
        "leaf.jsonl": with_line(told, 3, lambda line: line.update(leaf="00" * 32)),
        "header.jsonl": with_line(full, 0, lambda header: header.update(seats=3)),
        "reclosed.jsonl": reclosed([*full.splitlines()[:3], *full.splitlines()[4:]]),
        "foreign.jsonl": b'{"name": "a file of something else"}\n',
        "empty.jsonl": b"",
    }


async def test_each_file_is_told_as_the_command_line_tells_it(verifying, tmp_path):
    good = {
        f"{'full' * 20}.jsonl": whole(),
        "spectator.jsonl": small_export("spectator"),
        "seat.jsonl": small_export("seat 1"),
    }
    asked = []
    verifying.on("request", lambda request: asked.append(request.url))
    files = good | damaged()
    found = await verdicts(verifying, files)
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    ran = await asyncio.to_thread(tidelog, "verify", *(tmp_path / name for name in files), "--json", status=1)
    told = {each["source"].rpartition("/")[2]: each for each in json.loads(ran.stdout)}
    expected = {
        name: ("ok", None) if each["ok"] else ("bad", str(each.get("bad_version")).replace("None", "null"))
        for name, each in told.items()
    }
    assert found == expected
    assert {name for name, (verdict, _) in found.items() if verdict == "ok"} == set(good)
    assert [url for url in asked if "/static/" not in url and not url.startswith("blob:")] == []
    await shot(verifying, "verify")
    await shot(verifying, "verify", 360, 780)
    await axe(verifying)


@pytest.mark.parametrize(
    ("game", "language", "title"),
    [
        ("lost_seas", "en", "Lost Seas"),
        ("lost_seas", "cs", "Ztracená moře"),
        ("chess", "en", "chess"),
        ("../../core", "en", "../../core"),
    ],
    ids=["en", "cs", "elsewhere", "a path"],
)
async def test_a_game_is_called_by_its_title(verifying, game, language, title):
    """One that lives elsewhere by its name; nothing but the client's own files is asked for."""
    lines = small_export("spectator").splitlines()
    name = game.encode()
    export = reclosed([line.replace(b'"game":"lost_seas"', b'"game":"%s"' % name) for line in lines])
    asked = []
    verifying.on("request", lambda request: asked.append(request.url))
    await verifying.select_option("select[name=language]", language)
    await verdicts(verifying, {"export.jsonl": export})
    await until(verifying, "(title) => document.querySelector('.facts').textContent.includes(title)", title)
    told = await verifying.eval_on_selector_all(".facts dd bdi", "(all) => all.map((each) => each.textContent)")
    assert told == [title]
    assert [url for url in asked if "/static/" not in url and not url.startswith("blob:")] == []


async def test_a_dropped_file_is_checked(verifying):
    assert await verifying.evaluate(DROP, ["dropped.jsonl", small_export("full").decode()])
    await until(verifying, DONE, 1)
    assert await verifying.get_attribute(".verdict", "data-verdict") == "ok"
    assert "12" in await verifying.inner_text(".facts")


def large():
    """A log of very many entries as spectators are told it."""
    lines = small_export("spectator").splitlines()
    created = json.loads(lines[1])
    previous = hashes.genesis(created["payload"]["match"])
    out = [lines[0]]
    for version in range(1, LARGE + 1):
        header = canonical.encode(Header(version, None, "match.created" if version == 1 else "match.x", version))
        leaf = hashes.genesis(str(version))
        payload = canonical.encode(created["payload"] if version == 1 else {"kind": "x", "text": "x" * 100})
        previous = hashes.entry(previous, header, leaf)
        out.append(canonical.encode(RedactedLine(Raw(header), leaf.hex(), Raw(payload))))
    return reclosed([*out, lines[-1]], f"{LARGE}-{previous[:8].hex()}")


async def test_the_page_is_quick_while_a_large_file_is_checked(verifying):
    await verifying.set_input_files(
        "input[type=file]", [{"name": "large.jsonl", "mimeType": "application/x-ndjson", "buffer": large()}]
    )
    await until(verifying, "() => document.querySelector('.verdict progress')?.value > 0.1")
    await verifying.select_option("select[name=language]", "cs")
    await until(verifying, "() => document.documentElement.lang === 'cs'")
    assert await verifying.get_attribute(".verdict", "data-verdict") == "busy", "it was not done before"
    await until(verifying, DONE, 1, 120_000)
    assert await verifying.get_attribute(".verdict", "data-verdict") == "ok"


async def test_what_the_replay_gives_checks(visit, tmp_path):
    ada = await visit()
    match = await played(ada, "lost_seas", 2)
    page = await open_replay(ada, match)
    async with page.expect_download() as coming:
        await page.click("a[data-do=download]")
    await (await coming.value).save_as(tmp_path / "match.jsonl")
    page = await ada.open("/verify", "verify")
    assert await verdicts(page, {"match.jsonl": (tmp_path / "match.jsonl").read_bytes()}) == {
        "match.jsonl": ("ok", None)
    }
