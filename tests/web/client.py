"""The files of the browser client."""

import json
import re
from pathlib import Path
from typing import Any

WEB = Path(__file__).parents[2] / "gateway" / "web"
STATIC = WEB / "static"

_IMPORT = re.compile(r"""(?:import|export)\s[^"';]*?from\s*"([^"]+)"|import\s*"([^"]+)\"""", re.DOTALL)


def sources() -> list[Path]:
    """Our modules, without the libraries."""
    return sorted(path for path in STATIC.rglob("*.js") if "vendor" not in path.parts)


def catalogue(path: Path) -> Any:
    return json.loads(path.read_text())


TAGS: list[str] = [each["tag"] for each in catalogue(STATIC / "messages" / "languages.json")]
"""The languages of the pages."""


def reached(*roots: Path) -> set[Path]:
    """The modules that the browser loads for these, themselves included; what is imported on demand is not."""
    found: set[Path] = set()
    waiting = list(roots)
    while waiting:
        module = waiting.pop().resolve()
        if module in found:
            continue
        found.add(module)
        waiting += [module.parent / (one or two) for one, two in _IMPORT.findall(module.read_text())]
    return found
