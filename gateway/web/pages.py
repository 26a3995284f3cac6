"""The client's files: read, compressed and named by their content once, when the gateway starts."""

import gzip
import mimetypes
import posixpath
import re
from collections.abc import Collection, Iterable, Mapping
from hashlib import sha256
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace
from starlette.datastructures import Headers
from starlette.responses import Response

STATIC = Path(__file__).parent / "static"
INDEX = "index.html"
MAIN = "app.js"
SHOWN = {
    "/": "lobby/lobby.js",
    "/table/{match}": "table/table.js",
    "/replay/{match}": "replay/replay.js",
    "/verify": "replay/verify.js",
    "/player/{id:path}": "lobby/player.js",
}
"""The module that shows a path. All are answered by the one page, which says of any other that nothing is there."""

TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
}
"""What is text is compressed; of other files the type is guessed by their name."""

IMPORT = re.compile(rb"""^(?:import|export)\b[^"';]*?"(\.[^"]+)";""", re.MULTILINE)
"""What a module imports at once, by a path from its own; not what it imports on demand."""


class Page(Struct, frozen=True):
    """`packed` is empty where it would be no smaller; `links` name the files that will be asked for next."""

    media_type: str
    data: bytes
    packed: bytes
    etag: str
    links: str = ""

    @classmethod
    def of(cls, name: str, data: bytes) -> "Page":
        suffix = Path(name).suffix
        media_type = TYPES.get(suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
        packed = gzip.compress(data, mtime=0) if suffix in TYPES else b""
        etag = f'W/"{sha256(data).hexdigest()[:32]}"'  # the same for both codings, which are not the same bytes
        return cls(media_type, data, packed if len(packed) < len(data) else b"", etag)

    def answer(self, headers: Headers, cache: str = "no-cache") -> Response:
        """To one who has it already: that it is the same."""
        told = {"ETag": self.etag, "Cache-Control": cache, "Vary": "Accept-Encoding"}
        if self.links:
            told["Link"] = self.links
        if _etags(headers.get("if-none-match", "")) & {self.etag.removeprefix("W/"), "*"}:
            return Response(status_code=304, headers=told)
        if self.packed and _takes_gzip(headers.get("accept-encoding", "")):
            return Response(self.packed, headers={**told, "Content-Encoding": "gzip"}, media_type=self.media_type)
        return Response(self.data, headers=told, media_type=self.media_type)


class Pages(Struct, frozen=True):
    """What a browser loads: files by their path below the folder; the one page by the path that it is asked for."""

    files: Mapping[str, Page]
    shown: Mapping[str, Page]
    index: Page


def read_pages(folder: Path = STATIC) -> Pages:
    found = (path for path in sorted(folder.rglob("*")) if path.is_file() and not path.name.endswith(".d.ts"))
    pages = {str(path.relative_to(folder).as_posix()): Page.of(path.name, path.read_bytes()) for path in found}
    imports = {name: _imported(name, page.data) for name, page in pages.items() if name.endswith(".js")}
    index = pages[INDEX]
    shown = {path: announcing(index, reached(imports, MAIN, module)) for path, module in SHOWN.items()}
    return Pages(pages, shown, index)


def reached(imports: Mapping[str, Collection[str]], *modules: str) -> set[str]:
    """The modules that a browser loads for these, themselves included."""
    found: set[str] = set()
    waiting = [*modules]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += imports[name]
    return found


def announcing(page: Page, modules: Iterable[str]) -> Page:
    """With a header: the browser asks for all these modules at once, not for each when it has read what imports it."""
    return replace(page, links=", ".join(f"</static/{name}>; rel=modulepreload" for name in sorted(modules)))


def _imported(name: str, data: bytes) -> set[str]:
    folder = posixpath.dirname(name)
    return {posixpath.normpath(posixpath.join(folder, path.decode())) for path in IMPORT.findall(data)}


def _etags(given: str) -> set[str]:
    return {tag.strip().removeprefix("W/") for tag in given.split(",")}


def _takes_gzip(given: str) -> bool:
    for coding in given.split(","):
        name, _, quality = coding.partition(";")
        if name.strip().lower() == "gzip":
            return quality.replace(" ", "").lower() not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False
