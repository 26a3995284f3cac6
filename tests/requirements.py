"""What a test needs beside Python. A test skips where it is absent, and fails instead under TIDELOG_REQUIRE_ALL=1."""

import os
import shutil
from pathlib import Path
from typing import NoReturn

import pytest

REQUIRE_ALL = "TIDELOG_REQUIRE_ALL"
PROTOS = Path(__file__).parent.parent / "protos"


def needs_node() -> str:
    """The path of Node.js."""
    return shutil.which("node") or _missing("Node.js", "install Node.js 20 or later")


def needs_command(name: str) -> str:
    """The path of a command of the system."""
    return shutil.which(name) or _missing(name, f"install {name}")


def needs_buf() -> Path:
    """The path of the pinned buf."""
    needs_node()
    buf = PROTOS / "node_modules" / ".bin" / "buf"
    return buf if buf.exists() else _missing("buf", "run `npm ci --ignore-scripts` in protos/")


def needs_packages(folder: Path) -> Path:
    """The folder, whose npm packages are installed."""
    needs_node()
    return folder if (folder / "node_modules").is_dir() else _missing(f"{folder.name}/node_modules", "run `npm ci`")


def needs_chromium() -> str:
    """The path of a Chromium of the system."""
    found = filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")))
    return next(found, None) or _missing("Chromium", "install Debian's package chromium, or Google Chrome")


def _missing(name: str, remedy: str) -> NoReturn:
    if os.environ.get(REQUIRE_ALL) == "1":
        pytest.fail(f"{name} is missing, and {REQUIRE_ALL}=1 forbids to skip: {remedy}", pytrace=False)
    pytest.skip(f"needs {name}: {remedy}")
