"""The examples of a page of docs/: its files, its commands, and what these print."""

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
FENCE = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """A fenced block: `sh` is run, one with a file's name is that file, and `text` after `sh` is what it prints.

    Others (`console`, `json`) are for readers alone.
    """

    language: str
    name: str
    text: str


def blocks(page: Path) -> list[Block]:
    return [Block(language, name, text) for language, name, text in FENCE.findall(page.read_text())]


def runnable() -> list[Path]:
    """The pages that run something."""
    return sorted(page for page in DOCS.glob("*.md") if any(block.language == "sh" for block in blocks(page)))


def script(page: Path) -> str:
    """All commands as one shell, which says `###<number>` before each block."""
    steps = [f"echo '###{number}'\n{block.text}" for number, block in enumerate(blocks(page)) if block.language == "sh"]
    return "set -euo pipefail\n" + "\n".join(steps)


def outputs(printed: str) -> dict[int, str]:
    """What each block printed."""
    parts = re.split(r"^###(\d+)\n", printed, flags=re.MULTILINE)
    return {int(number): text for number, text in zip(parts[1::2], parts[2::2], strict=True)}


def missing(expected: str, printed: str) -> list[str]:
    """The lines that were not printed, or not in this order; `…` stands for anything."""
    left = iter(printed.splitlines())
    patterns = [".*".join(map(re.escape, line.split("…"))) for line in expected.splitlines()]
    return [pattern for pattern in patterns if not any(re.fullmatch(pattern, line.rstrip()) for line in left)]
