"""Libraries load others that happen to be installed: what no service uses is kept from them."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def hidden(library: str) -> Iterator[None]:
    """Whatever is imported meanwhile finds the library not installed, unless it is loaded already."""
    if library in sys.modules:
        yield
        return
    sys.modules[library] = None  # type: ignore[assignment]  # the way to make an import fail
    try:
        yield
    finally:
        del sys.modules[library]
