"""The examples of docs/ do what the pages say, against a platform of their own."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests import requirements
from tests.docs.pages import DOCS, FENCE, ROOT, blocks, missing, outputs, runnable, script
from tests.integration.platform import environment, up

NODE_CLIENT = ROOT / "tests" / "integration" / "node_client"
LOCAL = "127.0.0.1:50051"
LOCAL_HTTP = "http://127.0.0.1:8080"
PAGE_S = 170


def needs(page: Path) -> list[str]:
    """Folders of commands that the page uses; skips where one is absent."""
    text = script(page)
    found = [str(Path(sys.executable).parent)]
    if "jq " in text:
        requirements.needs_command("jq")
    if "buf " in text:
        found.append(str(requirements.needs_buf().parent))
    if "node " in text:
        requirements.needs_packages(NODE_CLIENT)
    return found


@pytest.mark.parametrize("page", runnable(), ids=lambda page: page.stem)
def test_a_page_does_what_it_says(page, tmp_path):
    paths = needs(page)
    place = tmp_path / "reader"
    place.mkdir()
    (place / "node_modules").symlink_to(NODE_CLIENT / "node_modules")
    with up(tmp_path / "data") as running:
        for block in blocks(page):
            if "." in block.name:
                (place / block.name).write_text(block.text.replace(LOCAL, running.address))
        done = subprocess.run(
            ["bash", "-c", script(page).replace(LOCAL, running.address).replace(LOCAL_HTTP, running.http)],
            cwd=place,
            env={
                **environment(),
                "PATH": os.pathsep.join([*paths, os.environ["PATH"]]),
                "TIDELOG_DATA": str(running.data),
                "DOCS": str(DOCS),
                "LANG": "C.UTF-8",
            },
            capture_output=True,
            text=True,
            check=False,
            timeout=PAGE_S,
        )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    printed = outputs(done.stdout)
    found = blocks(page)
    for number, block in enumerate(found):
        if block.language == "text" and found[number - 1].language == "sh":
            assert not missing(block.text, printed[number - 1]), printed[number - 1]


def test_there_are_pages_that_run():
    assert {page.stem for page in runnable()} == {
        "clients", "first-match", "http", "log-format", "running", "writing-a-game",
    }  # fmt: skip


def test_a_line_that_is_not_printed_is_missed():
    assert not missing("a\nb …\n", "x\na\ny\nb 7\n")
    assert missing("a\nb …\n", "b 7\na\n") == ["b\\ .*"]
    assert missing("a.\n", "ab\n") == ["a\\."]


def test_every_link_between_pages_leads_somewhere():
    pages = [ROOT / "README.md", *DOCS.rglob("*.md")]
    for page in pages:
        prose = FENCE.sub("", page.read_text())
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", prose):
            assert (page.parent / target).exists(), f"{page.name} -> {target}"


def test_every_page_is_named_in_the_readme():
    readme = (ROOT / "README.md").read_text()
    for page in DOCS.glob("*.md"):
        assert f"docs/{page.name}" in readme, page.name
