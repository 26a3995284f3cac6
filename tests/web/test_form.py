"""The form of the browser client: types in JSDoc, lint, libraries as pinned, nothing that the CSP forbids."""

import filecmp
import re
import subprocess

import pytest

from tests.requirements import needs_packages
from tests.web.client import STATIC, WEB, sources

EVAL = re.compile(r"\beval\(|new Function\(|dangerouslySetInnerHTML|\.innerHTML\b|insertAdjacentHTML|document\.write")
FROM_ELSEWHERE = re.compile(r"""(?:src|href|url|fetch|import)\s*[=(]\s*["'`]?(?:https?:)?//""")


def run(*command):
    done = subprocess.run(command, cwd=needs_packages(WEB), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_types_are_clean():
    run("node_modules/.bin/tsc", "-p", ".")


def test_lint_and_format_are_clean():
    run("node_modules/.bin/biome", "check", "--error-on-warnings", ".")


def test_the_libraries_are_those_that_are_pinned(tmp_path):
    run("node", "vendor.mjs", str(tmp_path))
    written = sorted(path.name for path in tmp_path.iterdir())
    assert written == sorted(path.name for path in (STATIC / "vendor").iterdir())
    assert filecmp.cmpfiles(tmp_path, STATIC / "vendor", written, shallow=False) == (written, [], [])


@pytest.mark.parametrize("path", sources(), ids=lambda path: str(path.relative_to(STATIC)))
def test_texts_are_shown_as_texts_and_nothing_comes_from_elsewhere(path):
    text = path.read_text()
    assert EVAL.findall(text) == []
    assert FROM_ELSEWHERE.findall(text) == []


def test_the_page_has_no_inline_script_style_or_handler():
    text = (STATIC / "index.html").read_text()
    assert re.findall(r"<script(?![^>]*\ssrc=)", text) == []
    assert re.findall(r"<style|\sstyle=|\son\w+=|javascript:", text) == []
    assert re.findall(r"(?:src|href)=\"(?!/)", text) == []
