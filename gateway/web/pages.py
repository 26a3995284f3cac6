"""The client's files: read, compressed and named by their content once, when the gateway starts."""

import gzip
import mimetypes
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

from msgspec import Struct
from starlette.datastructures import Headers
from starlette.responses import Response

STATIC = Path(__file__).parent / "static"
INDEX = "index.html"
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


class Page(Struct, frozen=True):
    """`packed` is empty where it would be no smaller."""

    media_type: str
    data: bytes
    packed: bytes
    etag: str

    @classmethod
    def of(cls, name: str, data: bytes) -> "Page":
        suffix = Path(name).suffix
        media_type = TYPES.get(suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
        packed = gzip.compress(data, mtime=0) if suffix in TYPES else b""
        etag = f'"{sha256(data).hexdigest()[:32]}"'
        return cls(media_type, data, packed if len(packed) < len(data) else b"", etag)

    def answer(self, headers: Headers, cache: str = "no-cache") -> Response:
        """To one who has it already: that it is the same."""
        told = {"ETag": self.etag, "Cache-Control": cache, "Vary": "Accept-Encoding"}
        if self.etag in _etags(headers.get("if-none-match", "")):
            return Response(status_code=304, headers=told)
        if self.packed and _takes_gzip(headers.get("accept-encoding", "")):
            return Response(self.packed, headers={**told, "Content-Encoding": "gzip"}, media_type=self.media_type)
        return Response(self.data, headers=told, media_type=self.media_type)


def read_pages(folder: Path = STATIC) -> Mapping[str, Page]:
    """By path below the folder, of what a browser loads."""
    found = (path for path in sorted(folder.rglob("*")) if path.is_file() and not path.name.endswith(".d.ts"))
    return {str(path.relative_to(folder).as_posix()): Page.of(path.name, path.read_bytes()) for path in found}


def _etags(given: str) -> set[str]:
    return {tag.strip().removeprefix("W/") for tag in given.split(",")}


def _takes_gzip(given: str) -> bool:
    for coding in given.split(","):
        name, _, quality = coding.partition(";")
        if name.strip().lower() == "gzip":
            return quality.replace(" ", "").lower() not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False
