"""Keys of JSON: an object that names one twice means different things to different readers."""

import json
from collections import Counter
from typing import Any

from services.common.codec.problems import Malformed


def check_keys(data: bytes | str) -> None:
    """Of JSON that has been decoded already. Raises Malformed where an object names a key twice."""
    _decode(data if isinstance(data, str) else data.decode())


def _once(pairs: list[tuple[str, Any]]) -> None:
    if len(dict(pairs)) != len(pairs):
        (name, _), *_ = Counter(name for name, _ in pairs).most_common(1)
        raise Malformed(f"an object names `{name[:40]}` twice")


_decode = json.JSONDecoder(object_pairs_hook=_once).decode
